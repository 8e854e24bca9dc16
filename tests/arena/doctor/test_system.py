"""Doctor: checks that read system files, run on copies of other machines' files."""

import os
from pathlib import Path

from tests.system_files import put

from faceup.arena.doctor import CheckStatus
from faceup.arena.doctor.system import (
    Cores,
    check_cores,
    check_folder,
    check_governor,
    check_load,
    check_memory,
    cores,
    most_tasks,
    ticks,
)


def test_two_threads_of_one_core_count_as_one_core(tmp_path: Path) -> None:
    topology = {0: "0-1\n", 1: "0-1\n", 2: "2-3\n", 3: "2-3\n"}
    files = {f"sys/devices/system/cpu/cpu{n}/topology/thread_siblings_list": text for n, text in topology.items()}
    put(tmp_path, files)
    assert cores([0, 1, 2, 3], tmp_path) == Cores(4, 2, None)
    assert cores([0, 2], tmp_path) == Cores(2, 2, None)
    assert cores([5, 6], tmp_path / "elsewhere") == Cores(2, 2, None)


def test_lowest_process_limit_of_all_control_groups_applies(tmp_path: Path) -> None:
    assert most_tasks(tmp_path) is None
    files = {
        "proc/self/cgroup": "8:pids:/box/inner\n",
        "sys/fs/cgroup/pids/box/pids.max": "500\n",
        "sys/fs/cgroup/pids/box/inner/pids.max": "max\n",
    }
    assert most_tasks(put(tmp_path, files)) == 500


def test_quota_below_one_core_is_unfair() -> None:
    assert check_cores(Cores(4, 4, 0.5)).verdict == CheckStatus.BAD
    assert check_cores(Cores(4, 4, 2.0)).verdict == CheckStatus.GOOD
    assert check_cores(Cores(1, 1, None)).verdict == CheckStatus.GOOD


FOUR = range(4)


def spent(root: Path, user: int, idle: int, stolen: int) -> Path:
    cores = "".join(f"cpu{core} {user} 0 0 {idle} 0 0 0 {stolen} 0 0\n" for core in range(4))
    other = "cpu4 999 0 0 0 0 0 0 0 0 0\n"  # which we may not use
    return put(root, {"proc/stat": f"cpu  1 2 3 4 5 6 7 8 9 10\n{cores}{other}intr 7\n"})


def test_load_excludes_own_cpu_time(tmp_path: Path) -> None:
    hertz = os.sysconf("SC_CLK_TCK")
    before = ticks(FOUR, spent(tmp_path, 0, 0, 0))
    after = ticks(FOUR, spent(tmp_path, 50, 50, 0))
    check, others = check_load(before, after, 100 / hertz)
    assert others == 1.0  # of 4 cores, half the time was used, a quarter of it by us
    assert check.verdict == CheckStatus.NOTE
    check, others = check_load(before, after, 200 / hertz)
    assert others == 0.0
    assert check.verdict == CheckStatus.GOOD


def test_stolen_cpu_time_is_bad(tmp_path: Path) -> None:
    before, after = ticks(FOUR, spent(tmp_path, 0, 0, 0)), ticks(FOUR, spent(tmp_path, 0, 50, 50))
    assert check_load(before, after, 0.0)[0].verdict == CheckStatus.BAD


def test_unknown_load_is_noted(tmp_path: Path) -> None:
    assert ticks(FOUR, tmp_path) is None
    assert check_load(None, None, 0.0)[0].verdict == CheckStatus.NOTE


def test_too_little_memory_is_noted(tmp_path: Path) -> None:
    gigabyte = 1 << 20
    for total, free, verdict in ((16, 8, CheckStatus.GOOD), (2, 1, CheckStatus.NOTE), (256, 200, CheckStatus.NOTE)):
        text = f"MemTotal: {total * gigabyte} kB\nMemFree: 0 kB\nMemAvailable: {free * gigabyte} kB\n"
        assert check_memory(put(tmp_path, {"proc/meminfo": text})).verdict == verdict
    assert check_memory(tmp_path / "elsewhere").verdict == CheckStatus.NOTE


def test_variable_core_frequency_is_noted(tmp_path: Path) -> None:
    assert check_governor(tmp_path) is None
    for name, verdict in (("performance", CheckStatus.GOOD), ("powersave", CheckStatus.NOTE)):
        put(tmp_path, {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": f"{name}\n"})
        check = check_governor(tmp_path)
        assert check is not None
        assert check.verdict == verdict


def test_missing_temporary_folder_is_noted(tmp_path: Path) -> None:
    assert check_folder(tmp_path / "missing").verdict == CheckStatus.NOTE
    assert str(tmp_path) in check_folder(tmp_path).message

"""The processors that this process may use, with system files that are copies of other machines'."""

from argparse import Namespace
from pathlib import Path

import pytest
from tests.system_files import put

from faceup import processors as module
from faceup.cli.options import jobs_of
from faceup.processors import processors, quota
from faceup.server.accounts.passwords import hashes_at_once


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"}, 1.5),
        (
            {
                "proc/self/cgroup": "0::/user/mine\n",
                "sys/fs/cgroup/user/cpu.max": "50000 100000\n",
                "sys/fs/cgroup/user/mine/cpu.max": "400000 100000\n",
            },
            0.5,
        ),
        (
            {
                "proc/self/cgroup": "9:memory:/x\n3:cpu,cpuacct:/box\n",
                "sys/fs/cgroup/cpu/box/cpu.cfs_quota_us": "300000\n",
                "sys/fs/cgroup/cpu/box/cpu.cfs_period_us": "100000\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            3.0,
        ),
    ],
)
def test_lowest_cpu_quota_of_all_control_groups_applies(
    files: dict[str, str], cores: float | None, tmp_path: Path
) -> None:
    assert quota(put(tmp_path, files)) == cores


@pytest.mark.parametrize(
    ("limit", "count"), [("max 100000", 6), ("250000 100000", 2), ("50000 100000", 1), ("900000 100000", 6)]
)
def test_processors_follow_the_quota(limit: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "usable_cores", lambda: tuple(range(6)))
    root = put(tmp_path, {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": f"{limit}\n"})
    assert processors(root) == count


def test_commands_and_servers_follow_the_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "usable_cores", lambda: tuple(range(16)))
    monkeypatch.setattr(module, "quota", lambda _root: 6.0)
    assert jobs_of(Namespace(jobs=None)) == 6
    assert hashes_at_once() == 3

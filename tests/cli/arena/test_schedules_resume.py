"""An interrupted run leaves no bot running and a complete log, and the next run resumes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from faceup.arena.run.log import read_log

BOT = """
import os, sys
open(os.environ["MARKS"] + "/" + str(os.getpid()), "w").close()
for line in sys.stdin:
    if line.startswith(("CHOOSE_CARD", "CHOOSE_LINE")):
        lines = [sys.stdin.readline() for _ in range(12)]
        print("PLAY " + lines[-1].split()[0] if line.startswith("CHOOSE_CARD") else "PICK 0", flush=True)
"""


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(holds: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait until a condition holds; return whether it does in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def command(folder: Path, blocks: int) -> list[str]:
    """Return the command of a schedule with a bot that records the IDs of its processes."""
    (folder / "marks").mkdir(exist_ok=True)
    (folder / "bot.py").write_text(BOT)
    (folder / "bots.toml").write_text(
        '[[bot]]\nname = "mine"\ncommand = ["python3", "-S", "-E", "bot.py"]\n'
        f'environment = {{ MARKS = "{folder / "marks"}" }}\n'
    )
    words = [sys.executable, "-m", "faceup", "arena", "gauntlet", "mine", "greedy", "--blocks", str(blocks)]
    return [
        *words,
        "--unit",
        "deal",
        "--seed",
        "7",
        "--jobs",
        "2",
        "--log",
        "log.sqlite",
        "--time",
        "9000+9000",
        "--json",
    ]


@pytest.mark.long
@pytest.mark.slow
def test_an_interrupted_run_leaves_no_bot_and_is_resumed(tmp_path: Path) -> None:
    marks, log = tmp_path / "marks", tmp_path / "log.sqlite"
    words = command(tmp_path, 100_000)
    before = 0
    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
        started = len(list(marks.iterdir()))
        with subprocess.Popen(
            words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            assert wait_until(lambda started=started: len(list(marks.iterdir())) >= started + 5)  # type: ignore[misc]  # of a default
            process.send_signal(number)
            _, output = process.communicate(timeout=60)
        assert process.returncode == (-number if number == signal.SIGKILL else 130), output
        assert ("Resume with:\nfaceup arena gauntlet mine greedy" in output) == (number != signal.SIGKILL)
        assert (f"Resuming after {before:,} matches in log.sqlite" in output) == (before > 0)
        assert wait_until(lambda: not any(is_running(int(mark.name)) for mark in marks.iterdir()))
        with read_log(log) as log_file:
            assert len(log_file.numbers()) > before
            before = len(log_file.numbers())
            last = max(log_file.numbers())
    done = subprocess.run(command(tmp_path, last // 4 + 1), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with read_log(log) as log_file:
        assert [result.match.number for result in log_file.results()] == list(range(last // 4 * 4 + 4))
        assert all(log_file.transcript(number).answers for number in log_file.numbers())


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_ends_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "faceup", "arena", "gauntlet", "lowest", "greedy", "--unit", "deal", "--seed", "7"]
    words += ["--jobs", "1", "--log", "log.sqlite", "--blocks", "100"]
    limited = ["bash", "-c", 'ulimit -f 100; exec "$@"', "bash", *words]
    full = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert full.returncode == 2, full.stderr
    assert "log.sqlite cannot be written: " in full.stderr
    assert "Resume with:\nfaceup arena gauntlet lowest greedy" in full.stderr
    assert "Traceback" not in full.stderr
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Resuming after " in done.stderr
    with read_log(tmp_path / "log.sqlite") as log_file:
        assert [result.match.number for result in log_file.results()] == list(range(400))

"""An interrupted arena command leaves no program running."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

pytestmark = pytest.mark.slow  # starts many processes

SLEEPS = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(120)"
GIVE_UP_AFTER = 30


@pytest.mark.sample(1)
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("words", [("check",), ("match", "greedy", "greedy", "greedy")], ids=lambda words: words[0])
def test_no_program_is_left_running(words: tuple[str, ...], by: signal.Signals, tmp_path: Path) -> None:
    answer = tmp_path / "process"
    program = shlex.join([sys.executable, "-c", SLEEPS, str(answer)])
    command = [sys.executable, "-m", "faceup", "arena", *words, program, "--time", "120000+120000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        end = monotonic() + GIVE_UP_AFTER
        while not (answer.exists() and answer.read_text()) and monotonic() < end:
            sleep(0.05)
        sleeper = int(answer.read_text())
        process.send_signal(by)
        _, output = process.communicate(timeout=GIVE_UP_AFTER)
    assert process.returncode == 130
    assert b"Traceback" not in output
    with pytest.raises(ProcessLookupError):
        os.kill(sleeper, 0)

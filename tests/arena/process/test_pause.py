"""A referee that is stopped, as by Ctrl-Z, charges this time to no program."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

BOT = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if "answers" in request:
        if not os.path.exists(sys.argv[1]):
            open(sys.argv[1], "w").close()
            time.sleep(float(sys.argv[2]))
        print(request["answers"][0], flush=True)
"""


def play(tmp_path: Path, thinks: float, *, also_bot: bool, stopped: float = 3.0) -> dict[str, object]:
    """Play a match in which the referee is stopped during the first decision, and return the answer."""
    asked = tmp_path / "asked"
    (tmp_path / "bot.py").write_text(BOT)
    bot = shlex.join([sys.executable, "-SE", "bot.py", "--log", str(asked), str(thinks)]).replace("--log ", "")
    words = ["--game", "nimmt:arena", "--protocol", "json", "--deals", "1", "--time", "8000+8000", "--format", "json"]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "faceup", "arena", "match", *words, "--", bot, "greedy", "greedy", "greedy"],
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    with process:
        while not asked.exists() and process.poll() is None:
            time.sleep(0.01)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split() if also_bot else []
        processes = [process.pid, *map(int, children)]
        for number in processes:
            os.kill(number, signal.SIGSTOP)
        time.sleep(stopped)
        for number in processes:
            os.kill(number, signal.SIGCONT)
        assert process.stdout is not None
        answer: dict[str, object] = json.loads(process.stdout.read())
    return answer


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds the children of a process in /proc")
@pytest.mark.parametrize("also_bot", [False, True])
@pytest.mark.parametrize("thinks", [0.5, 3.0])
def test_a_stopped_referee_is_not_charged_to_the_program(tmp_path: Path, thinks: float, also_bot: bool) -> None:
    answer = play(tmp_path, thinks, also_bot=also_bot, stopped=10.0)
    assert answer["faults"] == []
    assert isinstance(answer["paused"], int)
    assert answer["paused"] > 9000

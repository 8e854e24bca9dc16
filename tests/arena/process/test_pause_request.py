"""Ctrl-Z and `kill -TSTP` pause a run between two turns, with its workers and programs, and `kill -CONT` resumes it."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from faceup.arena.process.linux import descendants_of, stat

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds processes and their states in /proc"),
]

GIVE_UP_AFTER = 60.0
BOT = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if "answers" in request:
        with open(sys.argv[1], "a") as file:
            print("asked", file=file)
        time.sleep(0.5)
        with open(sys.argv[1], "a") as file:
            print("answered", file=file)
        print(request["answers"][0], flush=True)
"""
OURS = ("greedy", "lowest", "highest")
GAME = ("--game", "nimmt:arena", "--protocol", "json", "--time", "20000+20000")
MATCH = ("match", *GAME, "--deals", "1", "--format", "json")
SCHEDULE = ("gauntlet", *GAME, "--unit", "deal", "--blocks", "1", "--jobs", "2", "--seed", "7", "--log", "run.sqlite")


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + GIVE_UP_AFTER
    while not condition():
        assert time.monotonic() < end, "the condition did not come true"
        time.sleep(0.02)


def states(process: int) -> list[str]:
    """Return the states of the workers and programs of a process."""
    commands = {number: Path(f"/proc/{number}/cmdline").read_bytes() for number in descendants_of(process)[1:]}
    return [
        stat(number).state for number, words in commands.items() if b"bot.py" in words or b"--multiprocessing" in words
    ]


def has_asked(folder: Path, times: int) -> bool:
    return (folder / "turns").read_text().count("asked") >= times


@contextmanager
def arena(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a process group of its own, in which the program writes its turns to the file `turns`."""
    (folder / "bot.py").write_text(BOT)
    bot = shlex.join([sys.executable, "-SE", "bot.py", str(folder / "turns")])
    command = [sys.executable, "-P", "-m", "faceup", "arena", *words]
    command += ["--", bot, *OURS] if words[0] == "match" else [bot, *OURS]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, text=True, start_new_session=True
    ) as process:
        try:
            wait_for(lambda: (folder / "turns").exists() or process.poll() is not None)
            assert process.poll() is None, process.communicate()
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()


@pytest.mark.sample(1)
@pytest.mark.parametrize("group", [False, True], ids=["kill -TSTP", "Ctrl-Z"])
@pytest.mark.parametrize("words", [MATCH, SCHEDULE], ids=["match", "schedule"])
def test_a_pause_ends_the_turn_and_stops_everything(words: tuple[str, ...], group: bool, tmp_path: Path) -> None:
    send = os.killpg if group else os.kill
    with arena(tmp_path, *words) as process:
        for _ in range(2):
            send(process.pid, signal.SIGTSTP)
            wait_for(lambda: stat(process.pid).state == "T")
            wait_for(lambda: set(states(process.pid)) == {"T"})  # a signal may reach a busy process later
            turns = (tmp_path / "turns").read_text().split()
            time.sleep(1.5)
            assert (tmp_path / "turns").read_text().split() == turns
            assert turns.count("asked") == turns.count("answered")
            send(process.pid, signal.SIGCONT)
            asks_again = partial(has_asked, tmp_path, turns.count("asked") + 2)
            wait_for(lambda asks_again=asks_again: asks_again() or process.poll() is not None)  # type: ignore[misc]
        output, errors = process.communicate(timeout=GIVE_UP_AFTER)
        assert process.returncode == 0, errors
        if words == MATCH:
            answer = json.loads(output)
            assert (answer["faults"], answer["paused"]) == ([], 0)


def test_ctrl_c_ends_a_run_that_was_paused(tmp_path: Path) -> None:
    with arena(tmp_path, *SCHEDULE) as process:
        process.send_signal(signal.SIGTSTP)
        wait_for(lambda: stat(process.pid).state == "T")
        everything = descendants_of(process.pid)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=GIVE_UP_AFTER)
        assert process.returncode == 130
        wait_for(lambda: not any(Path(f"/proc/{number}").exists() for number in everything))

"""`faceup arena league` plays while bots join, change and leave, and resumes after it was killed."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from tests.arena.example_bots import BOTS
from tests.cli.in_process import inside as faceup

from faceup.arena.run.log import read_log

pytestmark = pytest.mark.slow  # starts many processes

GIVE_UP_AFTER = 60.0
SHORT = ("--game", "nimmt:arena", "--protocol", "json", "--unit", "deal", "--time", "20000+20000", "--jobs", "1")
ENTRY = '[[bot]]\nname = "{name}"\ncommand = [{python}, "-SE", "{name}.py"]\n'


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + GIVE_UP_AFTER
    while not condition():
        assert time.monotonic() < end, "the condition did not come true"
        time.sleep(0.05)


def write_bots(folder: Path, *names: str) -> None:
    """Write a roster of these bots, and the programs that are missing."""
    (folder / "bots.toml").write_text(
        "".join(ENTRY.format(name=name, python=json.dumps(sys.executable)) for name in names)
    )
    for name in names:
        if not (folder / f"{name}.py").exists():
            (folder / f"{name}.py").write_text((BOTS / "any_game.py").read_text("utf-8"))


def matches_of(folder: Path) -> dict[str, int]:
    """Return the number of matches of each bot in the log, which may not exist yet."""
    done = faceup("arena", "bots", str(folder / "league.sqlite"), "--json")
    return {bot["name"]: bot["matches"] for bot in json.loads(done.stdout)} if done.returncode == 0 else {}


@contextmanager
def league(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-P", "-m", "faceup", "arena", "league", str(folder), *words, *SHORT]
    with (folder / "errors").open("w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


@pytest.mark.long
def test_bots_join_change_and_leave_while_a_league_runs(tmp_path: Path) -> None:
    write_bots(tmp_path, "a", "b", "c", "d")
    errors = tmp_path / "errors"
    with league(tmp_path, "greedy") as process:
        wait_for(lambda: matches_of(tmp_path).get("a", 0) > 0)
        write_bots(tmp_path, "a", "b", "c", "e")
        wait_for(lambda: matches_of(tmp_path).get("e", 0) > 0)
        assert "d leaves the league." in errors.read_text()
        (tmp_path / "a.py").write_text((tmp_path / "a.py").read_text() + "# version 2\n")
        wait_for(lambda: matches_of(tmp_path).get("a@2", 0) > 0)
        (tmp_path / "bots.toml").write_text("[[bot]\n")
        wait_for(lambda: "is not TOML" in errors.read_text())
        before = sum(matches_of(tmp_path).values())
        wait_for(lambda: sum(matches_of(tmp_path).values()) > before)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=GIVE_UP_AFTER)
    assert process.returncode == 130
    assert "ahead of" in output
    assert "Resume with:" in errors.read_text()
    table = faceup("arena", "table", str(tmp_path / "league.sqlite"), "--playing", "--drawings", "0", "--json")
    assert {bot["name"] for bot in json.loads(table.stdout)["bots"]} == {"a@2", "b", "c", "e", "greedy"}
    table = faceup("arena", "table", str(tmp_path / "league.sqlite"), "--only", "a*,d", "--drawings", "0", "--json")
    assert {bot["name"] for bot in json.loads(table.stdout)["bots"]} >= {"a", "a@2"}
    with read_log(tmp_path / "league.sqlite") as log:
        assert not [result.faults for result in log.all_results() if result.faults]


def test_a_killed_league_resumes(tmp_path: Path) -> None:
    write_bots(tmp_path, "a", "b")
    for _ in range(2):
        with league(tmp_path, "greedy", "lowest") as process:
            before = sum(matches_of(tmp_path).values())
            wait_for(lambda before=before: sum(matches_of(tmp_path).values()) > before + 8)  # type: ignore[misc]
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=GIVE_UP_AFTER)
    with read_log(tmp_path / "league.sqlite") as log:
        before = len(log.numbers())
    blocks = before // 4 + 3
    words = ("arena", "league", str(tmp_path), "greedy", "lowest", *SHORT, "--blocks", str(blocks), "--json")
    done = faceup(*words)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["matches"], answer["blocks"]) == (4 * blocks, blocks)
    assert "joins" not in done.stderr
    again = faceup(*words)
    assert json.loads(again.stdout)["matches"] == 4 * blocks


def test_a_league_serves_its_leaderboard(tmp_path: Path) -> None:
    with league(tmp_path, "greedy", "lowest", "random", "--port", "0"):
        errors = tmp_path / "errors"
        wait_for(lambda: matches_of(tmp_path).get("greedy", 0) > 0)
        port = re.search(r"Leaderboard: http://127.0.0.1:(\d+)/", errors.read_text())
        assert port is not None
        pages = []
        for target in ("/", "/?playing=1&only=gr*", "/?only=none"):
            connection = HTTPConnection("127.0.0.1", int(port[1]), timeout=GIVE_UP_AFTER)
            connection.request("GET", target)
            pages.append(connection.getresponse().read().decode())
            connection.close()
    assert "a league of greedy, lowest and random" in pages[0]
    assert '<td class="left name">lowest</td>' in pages[0]
    assert '<td class="left name">greedy</td>' in pages[1]
    assert '<td class="left name">lowest</td>' not in pages[1]
    assert "No such bot has played." in pages[2]


def test_a_league_waits_for_two_bots(tmp_path: Path) -> None:
    with league(tmp_path):
        wait_for(lambda: "Waiting for two bots in bots.toml." in (tmp_path / "errors").read_text())
        write_bots(tmp_path, "a", "b")
        wait_for(lambda: matches_of(tmp_path).get("a", 0) > 0)


def test_the_log_of_another_schedule_is_refused(tmp_path: Path) -> None:
    words = ("--game", "nimmt:arena", "--unit", "deal", "--blocks", "1", "--log", str(tmp_path / "league.sqlite"))
    faceup("arena", "round-robin", "greedy", "lowest", "random", "highest", *words)
    done = faceup("arena", "league", str(tmp_path), "greedy", "lowest", *words)
    assert done.returncode == 2
    assert "kind is round-robin in the log, but league in this run" in done.stderr
    assert faceup("arena", "league", str(tmp_path / "none")).returncode == 2
    done = faceup("arena", "table", str(tmp_path / "league.sqlite"), "--playing")
    assert (done.returncode, "is not the log of a league" in done.stderr) == (2, True)

"""`faceup arena replay`: a match once more, for people, for programs, and into a program."""

import json
import sys
from pathlib import Path

import pytest
from tests.arena.logs import write_log
from tests.arena.played import bots
from tests.cli.inside import Inside

from faceup.arena import Cause, Match, Terms
from faceup.arena.contests import Named, contest
from faceup.arena.identity import identify, settle
from faceup.arena.log import files_of, pack
from faceup.arena.log_writing import open_log
from faceup.arena.referee import Referee

pytestmark = pytest.mark.slow  # real programs, again and again

TERMS = Terms(game="nimmt:arena deals=1", startup=10.0, strict=True, turn=10.0)
LOWEST = """
import sys
input()
while phase := sys.stdin.readline().strip():
    lines = [input() for _ in range(12)]
    print("PICK 0" if "LINE" in phase else "PLAY " + min(lines[-1].split(), key=int), flush=True)
"""


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Inside:
    """The command."""
    return Inside(monkeypatch, capfd)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of four matches, in one of which somebody goes out."""
    path = tmp_path_factory.mktemp("logs") / "arena.sqlite"
    return write_log(path, blocks=1, faults={2: {(3, 4): (Cause.ILLEGAL, b"PLAY 1")}}, log=b"[depth=3]\nhm\n")


def test_it_tells_what_each_was_sent_answered_and_logged(faceup: Inside, log: Path) -> None:
    done = faceup("arena", "replay", log, "2")
    assert (done.status, done.err) == (0, "")
    assert "match 2" in done.out
    assert "  → CHOOSE_CARD_TO_PLAY" in done.out
    assert "  ← PLAY " in done.out
    assert "illegal: it wrote" in done.out
    assert "  ! [depth=3]" in done.out
    assert "\x1b" not in done.out


def test_of_one_bot_it_tells_nothing_of_the_others(faceup: Inside, log: Path) -> None:
    done = faceup("arena", "replay", log, "0", "--bot", "lowest")
    assert done.out.count("seat 1, its decision") >= 10
    assert "seat 2, its decision" not in done.out


def test_raw_is_what_a_program_reads(faceup: Inside, log: Path) -> None:
    raw = faceup("arena", "replay", log, "0", "--bot", "1", "--raw").out
    assert raw.startswith("4 1\nCHOOSE_CARD_TO_PLAY\n-1 -1 -1 -1\n")
    assert (len(raw.splitlines()) - 1) % 13 == 0


def test_json_holds_every_decision(faceup: Inside, log: Path) -> None:
    told = json.loads(faceup("arena", "replay", log, "2", "--json").out)
    asked = [each for move in told["moves"] for each in move["asked"]]
    assert [each["fault"] for each in asked if each["fault"]] == ["illegal"]
    assert told["players"][3]["name"] == "random"
    assert told["players"][0]["log"] == "[depth=3]\nhm\n"


def test_the_record_is_one_that_the_terminal_knows(faceup: Inside, log: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    done = faceup("arena", "replay", log, "2", "--record", record)
    assert (done.status, done.out) == (0, "")
    drawn = faceup("draw", record)
    assert drawn.status == 0
    assert drawn.out.startswith("<svg")


def test_a_program_is_fed_and_marked_where_it_answers_otherwise(faceup: Inside, log: Path, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(LOWEST, encoding="utf-8")
    command = ["--", sys.executable, "-I", "-S", str(path)]
    same = faceup("arena", "replay", log, "0", "--to-bot", "lowest", *command)
    other = faceup("arena", "replay", log, "0", "--to-bot", "highest", *command)
    assert same.out.rstrip().endswith("answered otherwise than then")
    assert "otherwise than then: PLAY" in other.out
    assert other.status == 1


def test_without_a_program_the_one_that_the_log_keeps_is_fed(faceup: Inside, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(LOWEST, encoding="utf-8")
    entrant = identify("mine", [sys.executable, "-I", "-S", str(path)], tmp_path)
    others = bots("greedy")
    wanted = contest("round-robin", TERMS, [Named("mine", entrant.bot.digest), Named("greedy", "1", "greedy")], seed=7)
    log = tmp_path / "arena.sqlite"
    with open_log(log, wanted, [("mine", entrant.bot), *others.items()], blocks=1) as writing:
        known = {"mine": settle(entrant, files_of(log)), **others}
        with Referee(TERMS, known) as referee:
            writing.add([pack(*referee.play(Match(0, 0, ("mine", "mine", "greedy", "greedy"), 0), 7))])
    path.unlink()
    done = faceup("arena", "replay", log, "0", "--to-bot", "1")
    assert (done.status, done.err) == (0, "")
    assert done.out.rstrip().endswith("decisions asked, 0 answered otherwise than then")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["99"], "has no match 99"),
        (["0", "--raw"], "say which with --bot"),
        (["0", "--bot", "nobody"], "has no bot 'nobody'"),
        (["0", "--bot", "4"], "has no bot '4'"),
        (["0", "--", "./bot"], "say which with --to-bot"),
        (["0", "--to-bot", "1"], "a player of ours and no program"),
        (["0", "--to-bot", "1", "--", "/nowhere/bot"], "/nowhere/bot cannot be run"),
    ],
)
def test_bad_input_is_one_clear_error(faceup: Inside, log: Path, words: list[str], message: str) -> None:
    done = faceup("arena", "replay", log, *words)
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1

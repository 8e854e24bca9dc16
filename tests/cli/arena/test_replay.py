"""`faceup arena replay`: a logged match as text, as JSON, and as input of a program."""

import json
import sys
from pathlib import Path

import pytest
from tests.arena.bot_matches import bots
from tests.arena.logs import write_log
from tests.cli.in_process import InProcessCli

from faceup.arena import Cause, Match, MatchTerms
from faceup.arena.match.referee import Referee
from faceup.arena.run.identity import identify, install_bot
from faceup.arena.run.log import open_log, pack, programs_folder
from faceup.arena.run.pairings import ContestBot, contest

pytestmark = pytest.mark.slow  # starts many programs

TERMS = MatchTerms(game="nimmt:arena deals=1", startup=10.0, strict=True, turn=10.0)
LOWEST = """
import sys
input()
while phase := sys.stdin.readline().strip():
    lines = [input() for _ in range(12)]
    print("PICK 0" if "LINE" in phase else "PLAY " + min(lines[-1].split(), key=int), flush=True)
"""


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> InProcessCli:
    """Return a function that runs the command in this process."""
    return InProcessCli(monkeypatch, capfd)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log of four matches with one disqualification."""
    path = tmp_path_factory.mktemp("logs") / "arena.sqlite"
    return write_log(path, blocks=1, faults={2: {(3, 4): (Cause.ILLEGAL, b"PLAY 1")}}, log=b"[depth=3]\nhm\n")


def test_it_shows_the_input_output_and_log_of_each_bot(faceup: InProcessCli, log: Path) -> None:
    done = faceup("arena", "replay", log, "2")
    assert (done.status, done.err) == (0, "")
    assert "match 2" in done.out
    assert "  → CHOOSE_CARD_TO_PLAY" in done.out
    assert "  ← PLAY " in done.out
    assert "illegal: it wrote" in done.out
    assert "  ! [depth=3]" in done.out
    assert "\x1b" not in done.out


def test_one_bot_is_shown_without_the_others(faceup: InProcessCli, log: Path) -> None:
    done = faceup("arena", "replay", log, "0", "--bot", "lowest")
    assert done.out.count("seat 1, its decision") >= 10
    assert "seat 2, its decision" not in done.out
    assert "seat 1, its decision 1\n  → 4 1\n" in done.out, "seats as programs are told; decisions from 1"


def test_raw_is_the_exact_input_of_a_program(faceup: InProcessCli, log: Path) -> None:
    raw = faceup("arena", "replay", log, "0", "--bot", "1", "--raw").out
    assert raw.startswith("4 1\nCHOOSE_CARD_TO_PLAY\n-1 -1 -1 -1\n")
    assert (len(raw.splitlines()) - 1) % 13 == 0


def test_json_holds_every_decision(faceup: InProcessCli, log: Path) -> None:
    answer = json.loads(faceup("arena", "replay", log, "2", "--json").out)
    decisions = [decision for move in answer["moves"] for decision in move["decisions"]]
    assert [decision["fault"] for decision in decisions if decision["fault"]] == ["illegal"]
    assert answer["players"][3]["name"] == "random"
    assert answer["players"][0]["log"] == "[depth=3]\nhm\n"


def test_the_record_can_be_replayed_in_the_terminal(faceup: InProcessCli, log: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    done = faceup("arena", "replay", log, "2", "--record", record)
    assert (done.status, done.out) == (0, "")
    drawn = faceup("draw", record)
    assert drawn.status == 0
    assert drawn.out.startswith("<svg")


def test_a_program_gets_the_input_and_different_answers_are_marked(
    faceup: InProcessCli, log: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(LOWEST, encoding="utf-8")
    command = ["--", sys.executable, "-I", "-S", str(path)]
    same = faceup("arena", "replay", log, "0", "--to-bot", "lowest", *command)
    other = faceup("arena", "replay", log, "0", "--to-bot", "highest", *command)
    assert same.out.rstrip().endswith("answered differently")
    assert "different from the recorded answer: PLAY" in other.out
    assert other.status == 1


def test_without_a_program_the_one_in_the_log_is_used(faceup: InProcessCli, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(LOWEST, encoding="utf-8")
    entrant = identify("mine", [sys.executable, "-I", "-S", str(path)], tmp_path)
    others = bots("greedy")
    schedule = contest(
        "round-robin", TERMS, [ContestBot("mine", entrant.bot.digest), ContestBot("greedy", "1", "greedy")], seed=7
    )
    log = tmp_path / "arena.sqlite"
    with open_log(log, schedule, [("mine", entrant.bot), *others.items()], blocks=1) as writing:
        entrants = {"mine": install_bot(entrant, programs_folder(log)), **others}
        with Referee(TERMS, entrants) as referee:
            writing.add([pack(*referee.play(Match(0, 0, ("mine", "mine", "greedy", "greedy"), 0), 7))])
    path.unlink()
    done = faceup("arena", "replay", log, "0", "--to-bot", "1")
    assert (done.status, done.err) == (0, "")
    assert done.out.rstrip().endswith("decisions replayed, 0 answered differently")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["99"], "has no match 99"),
        (["0", "--raw"], "--raw must be used with --bot"),
        (["0", "--bot", "nobody"], "has no bot 'nobody'"),
        (["0", "--bot", "4"], "has no bot '4'"),
        (["0", "--", "./bot"], "a program must be used with --to-bot"),
        (["0", "--to-bot", "1"], "is a built-in bot, so a program is needed"),
        (["0", "--to-bot", "1", "--", "/nowhere/bot"], "/nowhere/bot cannot be run"),
    ],
)
def test_bad_input_is_one_clear_error(faceup: InProcessCli, log: Path, words: list[str], message: str) -> None:
    done = faceup("arena", "replay", log, *words)
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1

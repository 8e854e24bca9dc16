"""`faceup arena match` plays one match, and prints what whoever runs it expects."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.arena.examples import BOTS
from tests.cli.inside import inside as faceup

from faceup.core.record import loads, replay

pytestmark = pytest.mark.slow  # many processes

LAST = f"last={shlex.quote(sys.executable)} -I {BOTS / 'nimmt_last.py'}"
ANY = f"any={shlex.quote(sys.executable)} -I {BOTS / 'any_game.py'}"
OURS = ("greedy", "lowest", "highest", "random")


def said(*words: str) -> str:
    """What the command prints."""
    done = faceup("arena", "match", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_match_is_shown_in_words() -> None:
    lines = said("--seed", "7", "--deals", "1", *OURS).splitlines()
    assert lines[0] == "nimmt:arena seats=4 deals=1, seed 7"
    assert [line.split()[1] for line in lines[2:]] == list(OURS)


def test_the_same_seed_plays_the_same_match() -> None:
    words = ("--seed", "3", "--deals", "1", "--format", "json", "greedy", "greedy", "lowest", "highest")
    first, second = (json.loads(said(*words)) for _ in range(2))
    assert first["answers"] == second["answers"]
    assert first["scores"] == second["scores"]


def test_the_arena_is_five_deals_unless_set() -> None:
    told = json.loads(said("--seed", "3", "--format", "json", *OURS))
    assert told["game"] == "nimmt:arena seats=4"
    assert all(len(answers) >= 50 for answers in told["answers"])


def test_programs_and_players_of_ours_sit_at_one_table() -> None:
    told = json.loads(said("--phase-last", "--deals", "1", "--format", "json", "--", LAST, "greedy", LAST, "lowest"))
    assert told["players"] == ["last", "greedy", "last", "lowest"]
    assert told["faults"] == []
    assert "seat 0 of 4 held 10 cards" in told["logs"][0]


def test_any_game_is_played_with_as_many_seats_as_there_are_players() -> None:
    told = json.loads(said("--game", "niuniu", "--format", "json", ANY, "random", ANY))
    assert (told["game"].partition(":")[0], told["protocol"]) == ("niuniu", "json")
    assert told["faults"] == []


def test_psyleague_gets_its_line() -> None:
    out = said("--format", "psyleague", "--seed", "9", "--deals", "1", "--", LAST, *OURS[:3])
    told = json.loads(out)
    assert out.count("\n") == 1
    assert told["test_data"] == {"seed": 9}
    assert min(told["ranks"]) == 0
    assert told["errors"] == [1, 0, 0, 0]  # it reads the phase last, and got it first


def test_brutaltester_names_the_players_the_seed_and_the_log_in_its_own_way(tmp_path: Path) -> None:
    log = tmp_path / "game1.json"
    players = [word for number, name in enumerate(OURS, 1) for word in (f"-p{number}", name)]
    done = faceup(
        "arena", "match", "--format", "brutaltester", "--deals", "1", *players, "-d", "seed=-5", "-l", str(log)
    )
    assert (done.returncode, done.stderr) == (0, "")
    *numbers, seed = done.stdout.split()
    assert len(numbers) == 4
    assert all(0 <= int(number) < 4 for number in numbers)
    assert json.loads(log.read_text("utf-8"))["seed"] == int(seed.removeprefix("seed=")) == 2**32 - 5


def test_the_record_replays(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    said("--seed", "7", "--deals", "1", "--record", str(path), *OURS)
    record = loads(path.read_text("utf-8"))
    assert record.result is not None
    assert list(replay(record))


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("greedy", "greedy"), "is for exactly 4 seats, not 2"),
        ((), "PLAYER"),
        (("greedy", "greedy", "greedy", "gredy"), "did you mean 'greedy'"),
        (("--time", "fast", *OURS), "a time is FIRST+TURN in milliseconds"),
        (("--time", "0+100", *OURS), "a time is FIRST+TURN in milliseconds"),
        (("--protocol", "jsn", *OURS), "did you mean 'json'"),
        (("--game", "nimt", *OURS), "did you mean 'nimmt'"),
        (("--seed", "-1", *OURS), "a seed is 0 to"),
        (("-p1", "greedy", "greedy"), "not both"),
        (("-d", "seed=x", *OURS), "-d is seed=NUMBER"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(words: tuple[str, ...], wrong: str) -> None:
    done = faceup("arena", "match", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert wrong in done.stderr
    assert done.stderr.startswith("faceup: ")
    assert done.stderr.count("\n") == 1


def test_what_holds_programs_is_said_where_a_sandbox_is_asked_for() -> None:
    done = faceup("arena", "match", "--sandbox", "--phase-last", "--deals", "1", LAST, *OURS[1:])
    assert done.returncode == 0
    assert "is out" not in done.stdout
    line = done.stderr.partition("\n")[0]
    assert line.startswith("sandbox: programs read their own files")
    assert "limits: 2 GB of memory" in line

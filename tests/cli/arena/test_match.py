"""`faceup arena match` plays one match and prints it in several formats."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.arena.example_bots import BOTS
from tests.cli.in_process import inside as faceup

from faceup.core.record import loads, replay

pytestmark = pytest.mark.slow  # starts many processes

LAST = f"last={shlex.quote(sys.executable)} -I {BOTS / 'nimmt_last.py'}"
ANY = f"any={shlex.quote(sys.executable)} -I {BOTS / 'any_game.py'}"
OURS = ("greedy", "lowest", "highest", "random")


def output(*words: str) -> str:
    """Return the output of the command."""
    done = faceup("arena", "match", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_match_is_shown_in_words() -> None:
    lines = output("--seed", "7", "--deals", "1", *OURS).splitlines()
    assert lines[0] == "nimmt:arena seats=4 deals=1, seed 7"
    assert [line.split()[1] for line in lines[2:]] == list(OURS)


def test_the_same_seed_plays_the_same_match() -> None:
    words = ("--seed", "3", "--deals", "1", "--format", "json", "greedy", "greedy", "lowest", "highest")
    first, second = (json.loads(output(*words)) for _ in range(2))
    assert first["answers"] == second["answers"]
    assert first["scores"] == second["scores"]


def test_the_arena_is_five_deals_unless_set() -> None:
    answer = json.loads(output("--seed", "3", "--json", *OURS))
    assert answer["game"] == "nimmt:arena seats=4"
    assert all(len(answers) >= 50 for answers in answer["answers"])


def test_programs_and_built_in_bots_play_together() -> None:
    answer = json.loads(
        output("--phase-last", "--deals", "1", "--format", "json", "--", LAST, "greedy", LAST, "lowest")
    )
    assert answer["players"] == ["last", "greedy", "last", "lowest"]
    assert answer["faults"] == []
    assert "seat 0 of 4 held 10 cards" in answer["logs"][0]


def test_any_game_is_played_with_as_many_seats_as_there_are_players() -> None:
    answer = json.loads(output("--game", "niuniu", "--format", "json", ANY, "random", ANY))
    assert (answer["game"].partition(":")[0], answer["protocol"]) == ("niuniu", "json")
    assert answer["faults"] == []


def test_psyleague_gets_its_line() -> None:
    out = output("--format", "psyleague", "--seed", "9", "--deals", "1", "--", LAST, *OURS[:3])
    answer = json.loads(out)
    assert out.count("\n") == 1
    assert answer["test_data"] == {"seed": 9}
    assert min(answer["ranks"]) == 0
    assert answer["errors"] == [1, 0, 0, 0]  # it reads the phase last but received it first


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
    output("--seed", "7", "--deals", "1", "--record", str(path), *OURS)
    record = loads(path.read_text("utf-8"))
    assert record.result is not None
    assert list(replay(record))


def test_a_disqualified_seat_is_shown_with_the_cause() -> None:
    ends = f"ends={shlex.quote(sys.executable)} -c 'raise SystemExit(3)'"
    wrong = f"wrong={shlex.quote(sys.executable)} -c 'print([input() for _ in range(14)][0][:0] + str(7))'"
    _, head, *lines = output("--seed", "7", "--deals", "1", "--", "greedy", ends, wrong, "lowest").splitlines()
    assert [line[:4].strip() for line in lines] == ["0", "1", "", "2", "", "3"]
    assert lines[1].endswith("  disqualified: ended")
    assert lines[2].startswith(
        "      at decision 1: it ended with status 3 when an answer was due; the program runs from"
    )
    assert lines[3].endswith("  disqualified: malformed")
    assert lines[4] == "      at decision 1: expected PLAY and a card; got '7'"
    assert len(lines[0]) == len(head)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("greedy", "greedy"), "must have exactly 4 seats; got 2"),
        ((), "the players are missing"),
        (("greedy", "greedy", "greedy", "gredy"), "did you mean 'greedy'"),
        (("--time", "fast", *OURS), "--time must be FIRST+TURN in milliseconds"),
        (("--time", "0+100", *OURS), "--time must be FIRST+TURN in milliseconds"),
        (("--protocol", "jsn", *OURS), "did you mean 'json'"),
        (("--game", "nimt", *OURS), "did you mean 'nimmt'"),
        (("--seed", "-1", *OURS), "a seed must be 0 to"),
        (("-p1", "greedy", "greedy"), "got both"),
        (("-d", "seed=x", *OURS), "-d must be seed=NUMBER; got 'seed=x'"),
    ],
)
def test_invalid_arguments_are_rejected_in_a_sentence(words: tuple[str, ...], wrong: str) -> None:
    done = faceup("arena", "match", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert wrong in done.stderr
    assert done.stderr.startswith("faceup: ")
    assert done.stderr.count("\n") == 1


def test_an_error_is_json_with_the_format_json() -> None:
    done = faceup("arena", "match", "--format", "json", "greedy", "greedy", "greedy", "gredy")
    assert (done.returncode, done.stderr) == (2, "")
    assert "did you mean 'greedy'" in json.loads(done.stdout)["error"]["message"]


def test_the_isolation_is_printed_with_a_sandbox() -> None:
    done = faceup("arena", "match", "--sandbox", "--phase-last", "--deals", "1", LAST, *OURS[1:])
    assert done.returncode == 0
    assert "disqualified: " not in done.stdout
    line = done.stderr.partition("\n")[0]
    assert line.startswith("sandbox: programs read their own files")
    assert "limits: 2 GB of memory" in line

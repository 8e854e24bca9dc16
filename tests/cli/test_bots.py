"""`faceup bots`: listing, and comparison by the same command as `faceup arena compare`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.in_process import InProcessCli
from tests.cli.interrupts import interrupted

from faceup.bots import policies

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Return a function that runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return InProcessCli(monkeypatch, capsys)


COMPARE = ("bots", "compare", "greedy", "lowest", "--against", "random", "--blocks", "6", "--seed", "7",
           "--jobs", "1", "--game", "nimmt", "--seats", "3", "-o", "hand=4", "--unit", "deal")  # fmt: skip


def timeless(out: str) -> dict[str, object]:
    """Parse a JSON report and drop what it says of the run: its times and its number of matches."""
    answer: dict[str, object] = json.loads(out, object_hook=lambda content: {**content, "times": None, "run": None})
    return answer


def test_every_bot_is_listed_with_a_description(faceup: Command) -> None:
    status, out, err = faceup("bots")
    assert (status, err) == (0, "")
    nimmt, *others = out.split("\n\n")
    assert all(f"\n  {name}" in nimmt for name in policies("nimmt"))
    assert "a bot sees only what a person in its seat would see" in nimmt
    for title in ("Niu Niu", "War"):
        assert any(f"{title} (" in text and "needs no bots" in text for text in others)


def test_one_games_bots_are_listed_as_json(faceup: Command) -> None:
    result = json.loads(faceup("bots", "--game", "nimmt", "--json")[1])
    assert [bot["name"] for bot in result[0]["bots"]] == list(policies("nimmt"))
    assert all(bot["description"].endswith(".") and bot["think_time"].endswith(".") for bot in result[0]["bots"])
    (war,) = json.loads(faceup("bots", "--game", "war", "--json")[1])
    assert (war["chooses"], war["bots"]) == (False, [])
    assert "did you mean 'nimmt'" in faceup("bots", "--game", "nimt")[2]


@pytest.mark.slow
def test_comparison_is_that_of_the_arena_and_reproducible(faceup: Command) -> None:
    status, out, err = faceup(*COMPARE, "--json")
    assert status == 0, err
    assert "Writing results to compare-greedy-lowest.sqlite." in err
    answer = timeless(out)
    assert {bot["name"] for bot in answer["bots"]} == {"greedy", "lowest", "random"}  # type: ignore[attr-defined]
    assert answer["verdict"]["comparison"]["field"] == ["random", "random"]  # type: ignore[index]
    words = ["[random, random]" if word == "random" else word for word in COMPARE[1:]]
    assert timeless(faceup("arena", *words, "--json", "--log", "again.sqlite")[1]) == answer


@pytest.mark.slow
def test_log_is_extended_for_more_blocks(faceup: Command) -> None:
    six = timeless(faceup(*COMPARE, "--json")[1])
    faceup(*COMPARE, "--blocks", "4", "--log", "grows.sqlite")
    _, out, err = faceup(*COMPARE, "--json", "--log", "grows.sqlite")
    assert "Resuming after 24 matches in grows.sqlite." in err
    assert timeless(out) == six


@pytest.mark.slow
def test_random_seed_is_stored_in_the_log(faceup: Command) -> None:
    words = [word for word in COMPARE if word not in ("--seed", "7")]
    first = timeless(faceup(*words, "--json")[1])
    assert timeless(faceup(*words, "--json")[1]) == first


@pytest.mark.slow
def test_ctrl_c_prints_results_and_the_resume_command(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    words = ("compare", "greedy", "lowest", "--against", "random", "--game", "nimmt", "--unit", "deal")
    more = ("--blocks", "1000000", "--seed", "1", "--jobs", "2", "--log", str(log))
    done = interrupted("bots", *words, *more, at=r"[1-9][0-9,]* of 8,000,000", data=tmp_path)
    assert done.status == 130
    assert "Traceback" not in done.err
    assert "Resume with:" in done.err
    assert "faceup bots compare greedy lowest --against random" in done.err
    assert "ahead of" in done.out
    assert log.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gredy", "lowest"), "did you mean 'greedy'"),
        (("greedy", "lowest", "--against", "rndom"), "did you mean 'random'"),
        (("greedy", "greedy"), "'greedy' is named twice"),
        (
            ("greedy", "lowest", "--against", "random,random,random,random"),
            "must be at most 3 in a game with 4 seats; got 4",
        ),
        (("greedy", "lowest", "--game", "war"), "War has no decisions, so there is nothing to compare"),
        (("greedy", "lowest", "--game", "nimmt:clasic"), "did you mean 'classic'"),
        (("greedy", "lowest", "--game", "nimmt", "--seats", "11"), "2 to 10 seats; got 11"),
        (("greedy", "lowest", "-o", "hnd=3"), "did you mean 'hand'"),
        (("greedy", "lowest", "--blocks", "0"), "blocks must be 1 or more"),
        (("greedy", "lowest", "--jobs", "0"), "jobs must be 1 to"),
        (("greedy", "lowest", "--seed", "-1"), "seed must be 0 to"),
        (("greedy", "lowest", "--log", "/nowhere/log.sqlite"), "there is no folder /nowhere"),
        (("greedy", "lowest", "--log", "/"), "/ is not a file"),
    ],
)
def test_invalid_arguments_are_rejected(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, out, err = faceup("bots", "compare", *words)
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith("faceup: ")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_log_of_another_comparison_is_rejected(faceup: Command) -> None:
    faceup(*COMPARE)
    status, out, err = faceup(*COMPARE, "--seed", "8")
    assert (status, out) == (2, "")
    assert "seed" in err

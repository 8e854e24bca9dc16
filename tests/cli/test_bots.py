"""`faceup bots`: who plays what, duplicate deals, logs, interruption, and what is refused."""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.cli.inside import Inside
from tests.cli.interrupting import interrupted

from faceup.bots import policies
from faceup.compare import Contest, Game, Result, play

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Run the command here: its exit status, and what it printed and complained of."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path / "data"))
    inside = Inside(monkeypatch, capsys)
    return lambda *words: inside("bots", *words)


COMPARE = ("compare", "greedy", "lowest", "--against", "random", "--deals", "6", "--seed", "7", "--jobs", "1",
           "--seats", "3", "-o", "hand=4")  # fmt: skip


def test_every_bot_is_listed_with_what_it_does_and_where_none_is_needed_it_says_so(faceup: Command) -> None:
    status, out, err = faceup()
    assert (status, err) == (0, "")
    nimmt, *others = out.split("\n\n")
    assert all(f"\n  {name}" in nimmt for name in policies("nimmt"))
    assert "each sees what a person in its seat would see, and nothing else" in nimmt
    for title in ("Niu Niu", "War"):
        assert any(f"{title} (" in text and "no bot is needed" in text for text in others)


def test_one_games_bots_are_listed_as_json(faceup: Command) -> None:
    told = json.loads(faceup("--game", "nimmt", "--json")[1])
    assert [bot["name"] for bot in told[0]["bots"]] == list(policies("nimmt"))
    assert all(bot["does"].endswith(".") and bot["thinks"].endswith(".") for bot in told[0]["bots"])
    (war,) = json.loads(faceup("--game", "war", "--json")[1])
    assert (war["chooses"], war["bots"]) == (False, [])
    assert "did you mean 'nimmt'" in faceup("--game", "nimt")[2]


def test_a_comparison_ends_in_plain_sentences_and_is_the_same_again(faceup: Command) -> None:
    status, out, err = faceup(*COMPARE)
    assert (status, err) == (0, "")
    assert "6 duplicate deals, seed 7" in out
    assert "minus the others" in out
    assert "minus greedy" in out
    assert faceup(*COMPARE)[1] == out


def test_json_has_the_promised_keys(faceup: Command) -> None:
    answer = json.loads(faceup(*COMPARE, "--json")[1])
    assert [answer[key] for key in ("game", "seats", "seed", "deals", "asked", "matches")] == [
        "nimmt",
        3,
        7,
        6,
        6,
        False,
    ]
    assert [each["bot"]["name"] for each in answer["lineups"]] == ["greedy", "lowest"]
    for each in answer["lineups"]:
        assert {"score", "win_share", "place"} <= each["bot"].keys() & each["difference"].keys()
        assert [(other["name"], other["players"]) for other in each["against"]] == [("random", 2)]
        assert len(each["bot"]["score"]["interval"]) == 2
        assert 0 <= each["difference"]["win_share"]["p"] <= 1
        assert each["words"].endswith(".")
    assert answer["lineups"][0]["ahead"] is None
    assert answer["lineups"][1]["ahead"]["of"] == "greedy"


def test_a_seed_is_drawn_and_said_and_a_log_remembers_it(faceup: Command, tmp_path: Path) -> None:
    words = [*COMPARE[:5], "--log", str(tmp_path / "log.jsonl"), "--deals", "2", "--json", "--jobs", "1"]
    seed = json.loads(faceup(*words)[1])["seed"]
    assert json.loads(faceup(*words)[1])["seed"] == seed


def stop_after(games: int) -> Callable[..., Iterator[Result]]:
    """As `play`, until somebody presses Ctrl-C after so many games."""

    def stopped(contest: Contest, wanted: Iterable[Game], jobs: int = 1) -> Iterator[Result]:
        yield from play(contest, islice(wanted, games), jobs)
        raise KeyboardInterrupt

    return stopped


@pytest.mark.parametrize("log", [False, True])
def test_an_interrupted_comparison_prints_what_was_counted_and_the_command_that_goes_on(
    faceup: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, log: bool
) -> None:
    whole = faceup(*COMPARE)[1]
    words = (*COMPARE, "--log", str(tmp_path / "log.jsonl")) if log else COMPARE
    with monkeypatch.context() as patch:
        patch.setattr("faceup.compare.play", stop_after(16))
        status, out, err = faceup(*words)
    assert status == 130
    assert "2 of 6 duplicate deals" in out
    first, command = err.splitlines()
    assert first == "Stopped after 2 of 6. Go on with:"
    assert command.startswith("faceup bots compare greedy lowest --against random ")
    assert faceup(*command.split()[2:])[1] == whole
    assert faceup(*command.split()[2:])[1] == whole  # which is complete, and is told again


def test_a_comparison_stopped_in_its_first_deal_says_only_how_to_go_on(
    faceup: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("faceup.compare.play", stop_after(1))
    status, out, err = faceup(*COMPARE)
    assert (status, out) == (130, "")
    assert "Stopped after 0 of 6" in err


def test_more_deals_go_on_from_the_log_of_fewer_and_fewer_are_counted_from_that_of_more(
    faceup: Command, tmp_path: Path
) -> None:
    log = ("--log", str(tmp_path / "log.jsonl"))
    six = faceup(*COMPARE)[1]
    faceup(*COMPARE, "--deals", "4", *log)
    assert faceup(*COMPARE, *log)[1] == six
    assert "4 duplicate deals" in faceup(*COMPARE, "--deals", "4", *log)[1]


@pytest.mark.slow
def test_ctrl_c_stops_the_real_command_and_its_processes_at_once(tmp_path: Path) -> None:
    words = ("compare", "greedy", "--against", "random", "--deals", "1000000", "--seed", "1", "--jobs", "2")
    done = interrupted("bots", *words, at=r"[1-9][0-9,]* of 4,000,000", data=tmp_path)
    assert done.status == 130
    assert "Traceback" not in done.err
    assert "Go on with:" in done.err
    assert "of 1,000,000 duplicate deals" in done.out
    (log,) = (tmp_path / "compare").iterdir()
    assert log.read_bytes().endswith(b"\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("compare", "gredy", "--against", "random"), "did you mean 'greedy'"),
        (("compare", "greedy", "--against", "rndom"), "did you mean 'random'"),
        (("compare", "greedy"), "--against greedy"),
        (("compare", "greedy", "--against", ""), "has no policy ''"),
        (("compare", "greedy", "--against", "random,random,random,random"), "4 seats have room for 3"),
        (("compare", "greedy", "--against", "random", "--game", "war"), "War asks nobody to decide anything"),
        (("compare", "greedy", "--against", "random", "--game", "nimmt:clasic"), "did you mean 'classic'"),
        (("compare", "greedy", "--against", "random", "--seats", "11"), "2 to 10 seats, not 11"),
        (("compare", "greedy", "--against", "random", "-o", "hnd=3"), "did you mean 'hand'"),
        (("compare", "greedy", "--against", "random", "--deals", "0"), "deals is 1 to"),
        (("compare", "greedy", "--against", "random", "--jobs", "0"), "jobs is 1 to"),
        (("compare", "greedy", "--against", "random", "--seed", "-1"), "seed is 0 to"),
        (
            ("compare", "greedy", "--against", "random", "--log", "/nowhere/log.jsonl"),
            "cannot be written: No such file",
        ),
        (("compare", "greedy", "--against", "random", "--log", "/"), "/ is not a file"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, out, err = faceup(*words)
    assert (status, out) == (2, "")
    assert err.startswith("faceup: ")
    assert message in err
    assert err.count("\n") == 1


def test_the_log_of_another_comparison_is_refused_and_left_as_it_is(faceup: Command, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    faceup(*COMPARE, "--log", str(path))
    before = path.read_bytes()
    status, out, err = faceup(*COMPARE, "--seed", "8", "--log", str(path))
    assert (status, out) == (2, "")
    assert "seed is 7 there and 8 here" in err
    assert path.read_bytes() == before

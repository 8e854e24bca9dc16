"""`faceup arena compare`, `round-robin`, `gauntlet`, `ladder` and `bots`."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.in_process import InProcessCli

Command = Callable[..., tuple[int, str, str]]

FAST = ("--game", "nimmt", "--seats", "2", "-o", "hand=2", "--jobs", "1", "--seed", "7")

BOT = """#!{python} -SE
# {version}
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "answers" in request:
        print(request["answers"][0], flush=True)
"""


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Return a function that runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    inside = InProcessCli(monkeypatch, capsys)
    return lambda *words: inside("arena", *words)


@pytest.mark.slow
def test_a_round_robin_is_logged_shown_and_not_replayed(faceup: Command) -> None:
    words = ("round-robin", "greedy", "lowest", "random", "--blocks", "4", *FAST)
    status, out, err = faceup(*words)
    assert status == 0, err
    assert "Writing results to round-robin.sqlite." in err
    assert "sandbox" not in err, "our own players need none"
    assert all(name in out for name in ("greedy", "lowest", "random"))
    status, again, err = faceup(*words)
    assert (status, again) == (0, out)
    assert "Resuming after 24 matches in round-robin.sqlite." in err


@pytest.mark.slow
def test_a_comparison_ends_by_itself_with_a_sentence(faceup: Command) -> None:
    status, out, err = faceup("compare", "greedy", "random", "--unit", "deal", *FAST[:-2], "--seed", "1")
    assert status == 0, err
    assert "greedy is better than random by" in out
    assert Path("compare-greedy-random.sqlite").exists()


@pytest.mark.slow
def test_a_program_that_has_changed_is_another_bot(faceup: Command, tmp_path: Path) -> None:
    bot = tmp_path / "mine"
    words = ("gauntlet", "./mine", "lowest", "--blocks", "2", *FAST)
    for version in ("one", "two"):
        bot.write_text(BOT.format(python=sys.executable, version=version))
        bot.chmod(0o755)
        status, out, err = faceup(*words)
        assert status == 0, err
        assert "sandbox: off; programs have your network" in err
    assert "mine differs from the program with this name in gauntlet-mine.sqlite, so mine is renamed to mine@2." in err
    assert "mine@2" in out
    answer = json.loads(faceup("bots", "gauntlet-mine.sqlite", "--json")[1])
    assert {each["name"]: each["matches"] for each in answer}.keys() == {"lowest", "mine", "mine@2"}


def test_the_bots_of_a_file_are_listed(faceup: Command, tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_text('[[bot]]\nname = "mine"\ncommand = "sh -c true"\n')
    assert faceup("bots")[1].splitlines()[1].split()[0] == "mine"
    assert json.loads(faceup("bots", "--json")[1])[0]["command"] == ["sh", "-c", "true"]
    (tmp_path / "bots.toml").unlink()
    assert "There is no bots.toml here" in faceup("bots")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("round-robin", "greedy", "greedy", *FAST), "'greedy' is named twice"),
        (("round-robin", *FAST), "must have 2 or more bots; got 0"),
        (("compare", "gredy", "lowest", *FAST), "did you mean 'greedy'"),
        (("compare", "greedy", "./none", *FAST), "there is no program"),
        (("compare", "greedy", "lowest", *FAST, "--blocks", "0"), "blocks must be 1 or more; got 0"),
        (("compare", "greedy", "lowest", *FAST, "--jobs", "0"), "jobs must be 1 to 1024; got 0"),
        (("compare", "greedy", "lowest", *FAST, "--time", "100"), "--time must be FIRST+TURN in milliseconds"),
        (("compare", "greedy", "lowest", *FAST, "--game", "nimt"), "did you mean 'nimmt'"),
        (("compare", "greedy", "lowest", *FAST, "--log", "none/x.sqlite"), "there is no folder none"),
        (("ladder", "greedy", "lowest", "--seats", "3", "--game", "nimmt"), "play a round-robin"),
        (("bots", "none.sqlite"), "there is no log none.sqlite"),
    ],
)
def test_invalid_arguments_are_rejected_in_a_sentence(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, _, err = faceup(*words)
    assert status == 2
    assert message in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_more_matches_at_once_than_cores_are_played_with_a_warning(faceup: Command) -> None:
    words = ("round-robin", "greedy", "lowest", "--blocks", "1", *FAST[:-4], "--seed", "7", "--jobs", "5")
    status, _, err = faceup(*words)
    assert status == 0
    assert "5 matches in parallel on" in err
    assert "programs compete for the processor and may exceed their time limit" in err

"""`faceup arena compare`, `round-robin`, `gauntlet`, `ladder`, `merge` and `bots`, as they are typed."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.inside import Inside

from faceup.arena.log import read_log

Command = Callable[..., tuple[int, str, str]]

FAST = ("--game", "nimmt", "--seats", "2", "-o", "hand=2", "--jobs", "1", "--seed", "7")

BOT = """#!{python} -SE
# {version}
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "answers" in told:
        print(told["answers"][0], flush=True)
"""


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Run the command in an empty folder: its exit status, and what it printed and complained of."""
    monkeypatch.chdir(tmp_path)
    inside = Inside(monkeypatch, capsys)
    return lambda *words: inside("arena", *words)


@pytest.mark.slow
def test_a_round_robin_is_kept_and_shown_and_not_played_again(faceup: Command) -> None:
    words = ("round-robin", "greedy", "lowest", "random", "--blocks", "4", *FAST)
    status, out, err = faceup(*words)
    assert status == 0, err
    assert "Results are kept in round-robin.sqlite." in err
    assert "sandbox" not in err, "our own players need none"
    assert all(name in out for name in ("greedy", "lowest", "random"))
    status, again, err = faceup(*words)
    assert (status, again) == (0, out)
    assert "Going on after 24 matches in round-robin.sqlite." in err


@pytest.mark.slow
def test_a_comparison_ends_by_itself_with_a_sentence(faceup: Command) -> None:
    status, out, err = faceup("compare", "greedy", "random", "--unit", "deal", *FAST[:-2], "--seed", "1")
    assert status == 0, err
    assert "greedy is better than random by" in out
    assert Path("compare-greedy-random.sqlite").exists()


@pytest.mark.slow
def test_shares_are_merged_into_what_one_run_gives(faceup: Command) -> None:
    words = ("gauntlet", "greedy", "lowest", "random", "--blocks", "5", *FAST)
    assert faceup(*words, "--log", "whole.sqlite")[0] == 0
    for share in ("1/2", "2/2"):
        assert faceup(*words, "--shard", share, "--log", f"{share[0]}.sqlite")[0] == 0
    status, out, err = faceup("merge", "merged.sqlite", "1.sqlite", "2.sqlite")
    assert (status, out.split(":")[0]) == (0, "merged.sqlite"), err
    with read_log(Path("whole.sqlite")) as whole, read_log(Path("merged.sqlite")) as merged:
        assert [(each.match, each.scores) for each in whole.results()] == [
            (each.match, each.scores) for each in merged.results()
        ]
        assert (whole.contest, whole.share, whole.blocks, whole.bots) == (
            merged.contest, merged.share, merged.blocks, merged.bots
        )  # fmt: skip


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
    assert "mine is another program than the first of that name in gauntlet-mine.sqlite: here it is mine@2." in err
    assert "mine@2" in out
    told = json.loads(faceup("bots", "gauntlet-mine.sqlite", "--json")[1])
    assert {each["name"]: each["matches"] for each in told}.keys() == {"lowest", "mine", "mine@2"}


def test_the_bots_of_a_file_are_listed(faceup: Command, tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_text('[[bot]]\nname = "mine"\ncommand = "sh -c true"\n')
    assert faceup("bots")[1].splitlines()[1].split()[0] == "mine"
    assert json.loads(faceup("bots", "--json")[1])[0]["command"] == ["sh", "-c", "true"]
    (tmp_path / "bots.toml").unlink()
    assert "No bots are written down here" in faceup("bots")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("round-robin", "greedy", "greedy", *FAST), "'greedy' is named twice"),
        (("round-robin", *FAST), "between two bots at least, not 0"),
        (("compare", "gredy", "lowest", *FAST), "did you mean 'greedy'"),
        (("compare", "greedy", "./none", *FAST), "there is no program"),
        (("compare", "greedy", "lowest", *FAST, "--blocks", "0"), "blocks is 1 or more, not 0"),
        (("compare", "greedy", "lowest", *FAST, "--jobs", "0"), "jobs is 1 to 1024, not 0"),
        (("compare", "greedy", "lowest", *FAST, "--shard", "3/2"), "shares are 1/2 to 2/2, not 3/2"),
        (("compare", "greedy", "lowest", *FAST, "--shard", "x"), "a share is written as 2/10"),
        (("compare", "greedy", "lowest", *FAST, "--time", "100"), "a time is FIRST+TURN in milliseconds"),
        (("compare", "greedy", "lowest", *FAST, "--game", "nimt"), "did you mean 'nimmt'"),
        (("compare", "greedy", "lowest", *FAST, "--log", "none/x.sqlite"), "there is no folder none"),
        (("ladder", "greedy", "lowest", "--seats", "3", "--game", "nimmt"), "play a round-robin"),
        (("merge", "out.sqlite", "none.sqlite"), "there is no log none.sqlite"),
        (("bots", "none.sqlite"), "there is no log none.sqlite"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, _, err = faceup(*words)
    assert status == 2
    assert message in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_more_matches_at_once_than_cores_are_played_with_a_warning(faceup: Command) -> None:
    words = ("round-robin", "greedy", "lowest", "--blocks", "1", *FAST[:-4], "--seed", "7", "--jobs", "5")
    status, _, err = faceup(*words)
    assert status == 0
    assert "5 matches at once on" in err
    assert "may be late through no fault of theirs" in err

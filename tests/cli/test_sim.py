"""`faceup sim`: results for people and programs, shares, interruption, and what is refused."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.inside import Inside
from tests.cli.interrupting import interrupted

from faceup.sim import Counts, Run, play, read_share

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Run the command here: its exit status, and what it printed and complained of."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path / "data"))
    return Inside(monkeypatch, capsys)


NIMMT = ("sim", "nimmt", "--policies", "greedy,random,lowest", "--deals", "600", "--seed", "7", "--jobs", "1")


def told(said: tuple[int, str, str]) -> dict[str, Any]:
    status, out, err = said
    assert (status, err) == (0, "")
    answer: dict[str, Any] = json.loads(out)
    return answer


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key not in {"seconds", "deals_per_second"}}


def test_json_has_the_promised_keys(faceup: Command) -> None:
    answer = told(faceup(*NIMMT, "--json"))
    keys = ["game", "variant", "seats", "policies", "deals", "seed", "mean_score", "stderr", "win_share"]
    keys += ["seconds", "deals_per_second"]
    assert set(keys) <= answer.keys()
    assert answer["policies"] == ["greedy", "random", "lowest"]
    assert answer["seats"] == len(answer["mean_score"]) == len(answer["stderr"]) == len(answer["win_share"]) == 3
    assert list(answer)[-2:] == ["seconds", "deals_per_second"]


def test_the_same_seed_counts_the_same_and_nothing_is_said_where_nobody_looks(faceup: Command) -> None:
    one, other = faceup(*NIMMT), faceup(*NIMMT)
    assert one == other
    assert one[2] == ""
    assert "600 deals, seed 7" in one[1]
    assert "\x1b" not in one[1]
    assert max(map(len, one[1].splitlines())) <= 100


def test_one_policy_is_every_seats_and_a_seed_is_drawn_and_said(faceup: Command) -> None:
    answer = told(faceup("sim", "nimmt:classic", "--seats", "5", "--deals", "20", "--matches", "--json"))
    assert answer["policies"] == ["random"] * 5
    again = told(
        faceup("sim", "nimmt:classic", "--seats", "5", "--deals", "20", "--matches", "--json", "--seed",
               str(answer["seed"]))
    )  # fmt: skip
    assert without_time(again) == without_time(answer)
    assert max(int(deals) for deals in answer["measures"]["deals"]["counts"][0]) > 1


def test_options_of_the_game_are_set(faceup: Command) -> None:
    answer = told(faceup("sim", "war", "-o", "cap=10", "--deals", "50", "--seed", "1", "--json"))
    assert answer["spec"] == "war:standard seats=2 cap=10"
    assert answer["measures"]["by"]["cap"]["count"] > 40


def test_without_a_kernel_the_rules_play_and_a_line_says_so(faceup: Command) -> None:
    status, out, err = faceup("sim", "highcard", "--deals", "20", "--seed", "1", "--json", "--jobs", "1")
    assert status == 0
    assert json.loads(out)["engine"] == "scalar"
    assert err.count("\n") == 1
    assert "No kernel plays highcard with random" in err


@pytest.mark.parametrize("shares", [1, 2, 5])
def test_shares_merge_into_the_result_of_one_run(faceup: Command, tmp_path: Path, shares: int) -> None:
    files = [str(tmp_path / f"share-{number}.json") for number in range(1, shares + 1)]
    for number, file in enumerate(files, 1):
        status, out, err = faceup(*NIMMT, "--shard", f"{number}/{shares}", file)
        assert (status, err) == (0, "")
        assert f"share {number}/{shares} in {file}" in out
    assert faceup("sim", "merge", *reversed(files)) == faceup(*NIMMT)
    assert without_time(told(faceup("sim", "merge", *files, "--json"))) == without_time(told(faceup(*NIMMT, "--json")))
    faceup("sim", "merge", *files, "--out", str(tmp_path / "whole.json"))
    assert faceup("sim", "merge", str(tmp_path / "whole.json")) == faceup(*NIMMT)


def stop_after(parts: int) -> Callable[..., Iterator[Counts]]:
    """As `play`, in parts of a hundred games, until somebody presses Ctrl-C."""

    def stopped(run: Run, begin: int, end: int, jobs: int = 1) -> Iterator[Counts]:
        for start in range(begin, min(begin + 100 * parts, end), 100):
            yield from play(run, start, min(start + 100, end), jobs)
        raise KeyboardInterrupt

    return stopped


def test_an_interrupted_run_prints_what_was_counted_and_how_to_go_on(
    faceup: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = faceup(*NIMMT)
    with monkeypatch.context() as patch:
        patch.setattr("faceup.sim.play", stop_after(2))
        status, out, err = faceup(*NIMMT)
    assert status == 130
    assert "200 of 600 deals" in out
    assert "Stopped after 200 of 600. Go on with:\nfaceup sim nimmt:cowheadking -o seats=3" in err
    first, second = (command.split()[1:] for command in err.splitlines()[1].split(" && "))
    assert faceup(*first)[0] == 0
    assert faceup(*second) == whole


def test_an_interrupted_share_goes_on_where_it_stopped(
    faceup: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    share = (*NIMMT, "--shard", "2/2", str(tmp_path / "share.json"))
    with monkeypatch.context() as patch:
        patch.setattr("faceup.sim.play", stop_after(1))
        status, out, err = faceup(*share)
    assert status == 130
    assert "100 of 300 counted" in out
    assert "goes on where it stopped" in err
    assert faceup("sim", "merge", str(tmp_path / "share.json"))[0] == 2
    assert "300 of 300 counted" in faceup(*share)[1]
    assert faceup(*share)[0] == 0  # which is complete, and is left so
    assert read_share(tmp_path / "share.json").complete


def test_an_interrupted_run_that_had_not_begun_can_go_on_too(faceup: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.sim.play", stop_after(0))
    status, out, err = faceup(*NIMMT, "--json")
    assert (status, out) == (130, "")
    assert "Stopped after 0 of 600" in err


@pytest.mark.slow
def test_ctrl_c_stops_the_real_command(tmp_path: Path) -> None:
    words = ("sim", "nimmt", "--deals", "100000000000", "--seed", "1", "--json", "--jobs", "1")
    done = interrupted(*words, at=r"[1-9][0-9,]* of 100,000,000,000", data=tmp_path)
    assert done.status == 130
    assert "Traceback" not in done.err
    assert "Go on with:" in done.err
    assert 0 < json.loads(done.out)["deals"] < 10**11


@pytest.mark.slow
@pytest.mark.parametrize("no_color", [True, False])
def test_a_terminal_gets_a_bar_with_the_time_to_go_and_colour_unless_refused(no_color: bool) -> None:
    leader, follower = pty.openpty()
    words = [sys.executable, "-m", "faceup", "sim", "war", "--deals", "9000", "--seed", "1", "--json", "--jobs", "1"]
    environ = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "TERM"}}
    environ |= {"TERM": "xterm-256color", **({"NO_COLOR": "1"} if no_color else {})}
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=follower, env=environ, check=True, timeout=60)
    os.close(follower)
    shown = os.read(leader, 1 << 16).decode()
    assert "playing" in shown
    assert "of 9,000" in shown
    assert ("\x1b[3" in shown) != no_color
    assert json.loads(done.stdout)["deals"] == 9_000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nimt",), "did you mean 'nimmt'"),
        (("nimmt:arenna",), "did you mean 'arena'"),
        (("nimmt", "--policies", "greddy"), "did you mean 'greedy'"),
        (("nimmt", "--policies", "greedy,random", "--seats", "3"), "there are 3 seats, and 2 policies"),
        (("nimmt", "--seats", "11"), "2 to 10 seats, not 11"),
        (("nimmt:arena", "--seats", "3"), "exactly 4 seats, not 3"),
        (("war", "--seats", "3"), "seats, not 3"),
        (("nimmt", "--deals", "0"), "deals is 1 to"),
        (("nimmt", "--deals", "-1"), "deals is 1 to"),
        (("nimmt", "--seed", "-1"), "seed is 0 to"),
        (("nimmt", "--seed", str(2**64)), "seed is 0 to"),
        (("nimmt", "--jobs", "0"), "jobs is 1 to"),
        (("nimmt", "-o", "hands=3"), "did you mean 'hand'"),
        (("nimmt", "--shard", "0/3", "x.json"), "1/3 to 3/3, not 0/3"),
        (("nimmt", "--shard", "4/3", "x.json"), "1/3 to 3/3, not 4/3"),
        (("nimmt", "--shard", "1:3", "x.json"), "a share is written as 2/10, not '1:3'"),
        (("nimmt", "--shard", "1/3", "x.json", "--plot", "x.svg"), "a share alone is not drawn"),
        (("nimmt", "other"), "files are for `faceup sim merge` only"),
        (("nimmt", "--out", "x.json"), "--out is for `faceup sim merge` only"),
        (("nimmt", "--plot", "x.pdf"), "ends in .svg, .png or .html, not x.pdf"),
        (("nimmt", "--plot", "/nowhere/x.svg"), "there is no folder /nowhere"),
        (("merge",), "which shares"),
        (("merge", "no-such-file.json"), "no-such-file.json cannot be read"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, out, err = faceup("sim", *words)
    assert (status, out) == (2, "")
    assert err.startswith("faceup: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_file_that_holds_another_share_is_left_as_it_is(faceup: Command, tmp_path: Path) -> None:
    path = tmp_path / "share.json"
    faceup(*NIMMT, "--shard", "1/2", str(path))
    before = path.read_bytes()
    for words in ((*NIMMT, "--shard", "2/2"), (*NIMMT, "--matches", "-o", "deals=2", "--shard", "1/2")):
        status, _, err = faceup(*words, str(path))
        assert status == 2
        assert "holds another share, or one of another run" in err
    assert path.read_bytes() == before


def test_files_of_different_runs_and_files_cut_short_are_refused(faceup: Command, tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    faceup(*NIMMT, "--shard", "1/2", str(one))
    faceup(*NIMMT[:-3], "8", "--shard", "2/2", str(other))
    status, _, err = faceup("sim", "merge", str(one), str(other))
    assert status == 2
    assert "are of different runs: seed is 7 and 8" in err
    other.write_bytes(one.read_bytes()[:-40])
    status, _, err = faceup("sim", "merge", str(one), str(other))
    assert status == 2
    assert f"{other} is cut short" in err


@pytest.mark.parametrize("kind", ["svg", "png", "html"])
def test_the_distributions_are_drawn(faceup: Command, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"plot.{kind}"
    assert faceup(*NIMMT, "--plot", str(path))[0] == 0
    start = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!doctype html>"}[kind]
    assert path.read_bytes().startswith(start)

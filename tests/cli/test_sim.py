"""`faceup sim`: output, interruption and errors."""

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.in_process import InProcessCli
from tests.cli.interrupts import interrupted

from faceup.sim import Counts, Run, play

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Return a function that runs the command in this process."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path / "data"))
    return InProcessCli(monkeypatch, capsys)


NIMMT = ("sim", "nimmt", "--policies", "greedy,random,lowest", "--deals", "600", "--seed", "7", "--jobs", "1")


def result(output: tuple[int, str, str]) -> dict[str, Any]:
    status, out, err = output
    assert (status, err) == (0, "")
    answer: dict[str, Any] = json.loads(out)
    return answer


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key not in {"seconds", "deals_per_second"}}


def test_json_has_the_promised_keys(faceup: Command) -> None:
    answer = result(faceup(*NIMMT, "--json"))
    keys = ["game", "variant", "seats", "policies", "deals", "seed", "mean_score", "stderr", "win_share"]
    keys += ["seconds", "deals_per_second"]
    assert set(keys) <= answer.keys()
    assert answer["policies"] == ["greedy", "random", "lowest"]
    assert answer["seats"] == len(answer["mean_score"]) == len(answer["stderr"]) == len(answer["win_share"]) == 3
    assert list(answer)[-2:] == ["seconds", "deals_per_second"]


def test_a_seed_is_reproducible_and_progress_needs_a_terminal(faceup: Command) -> None:
    first, other = faceup(*NIMMT), faceup(*NIMMT)
    assert first == other
    assert first[2] == ""
    assert "600 deals, seed 7" in first[1]
    assert "\x1b" not in first[1]
    assert max(map(len, first[1].splitlines())) <= 100


def test_one_policy_fills_all_seats_and_a_random_seed_is_printed(faceup: Command) -> None:
    answer = result(faceup("sim", "nimmt:classic", "--seats", "5", "--deals", "20", "--matches", "--json"))
    assert answer["policies"] == ["random"] * 5
    again = result(
        faceup("sim", "nimmt:classic", "--seats", "5", "--deals", "20", "--matches", "--json", "--seed",
               str(answer["seed"]))
    )  # fmt: skip
    assert without_time(again) == without_time(answer)
    assert max(int(deals) for deals in answer["measures"]["deals"]["counts"][0]) > 1


def test_options_of_the_game_are_set(faceup: Command) -> None:
    answer = result(faceup("sim", "war", "-o", "cap=10", "--deals", "50", "--seed", "1", "--json"))
    assert answer["spec"] == "war:standard seats=2 cap=10"
    assert answer["measures"]["by"]["cap"]["count"] > 40


def test_without_a_batch_engine_the_rules_play_with_a_notice(faceup: Command) -> None:
    status, out, err = faceup("sim", "highcard", "--deals", "20", "--seed", "1", "--json", "--jobs", "1")
    assert status == 0
    assert json.loads(out)["engine"] == "scalar"
    assert err.count("\n") == 1
    assert "No compiled kernel plays highcard with random, so the slower scalar rules are used" in err


def stop_after(parts: int) -> Callable[..., Iterator[Counts]]:
    """Return a `play` that yields parts of 100 games and then raises KeyboardInterrupt."""

    def stopped(run: Run, start_index: int, end: int, jobs: int = 1) -> Iterator[Counts]:
        for start in range(start_index, min(start_index + 100 * parts, end), 100):
            yield from play(run, start, min(start + 100, end), jobs)
        raise KeyboardInterrupt

    return stopped


def test_an_interrupted_run_prints_the_results_so_far(faceup: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.sim.play", stop_after(2))
    status, out, err = faceup(*NIMMT)
    assert status == 130
    assert "200 of 600 deals" in out
    assert err.endswith("Stopped after 200 of 600.\n")


def test_a_run_interrupted_before_the_first_game_prints_no_results(
    faceup: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("faceup.sim.play", stop_after(0))
    status, out, err = faceup(*NIMMT, "--json")
    assert (status, out) == (130, "")
    assert "Stopped after 0 of 600" in err


@pytest.mark.long
@pytest.mark.slow
def test_ctrl_c_stops_the_command(tmp_path: Path) -> None:
    words = ("sim", "nimmt", "--deals", "100000000000", "--seed", "1", "--json", "--jobs", "1")
    done = interrupted(*words, at=r"[1-9][0-9,]* / 100,000,000,000", data=tmp_path)
    assert done.status == 130
    assert "Traceback" not in done.err
    assert "Stopped after" in done.err
    assert 0 < json.loads(done.out)["deals"] < 10**11


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("no_color", [True, False])
def test_a_terminal_gets_a_progress_bar_and_color_unless_disabled(no_color: bool) -> None:
    leader, follower = pty.openpty()
    words = [sys.executable, "-m", "faceup", "sim", "war", "--deals", "9000", "--seed", "1", "--json", "--jobs", "1"]
    environ = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "TERM"}}
    environ |= {"TERM": "xterm-256color", **({"NO_COLOR": "1"} if no_color else {})}
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=follower, env=environ, check=True, timeout=60)
    os.close(follower)
    shown = os.read(leader, 1 << 16).decode()
    assert "playing" in shown
    assert "/ 9,000" in shown
    assert ("\x1b[3" in shown) != no_color
    assert json.loads(done.stdout)["deals"] == 9_000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nimt",), "did you mean 'nimmt'"),
        (("nimmt:arenna",), "did you mean 'arena'"),
        (("nimmt", "--policies", "greddy"), "did you mean 'greedy'"),
        (
            ("nimmt", "--policies", "greedy,random", "--seats", "3"),
            "there must be 1 policy, or 3, one for each seat; got 2",
        ),
        (("nimmt", "--seats", "11"), "2 to 10 seats; got 11"),
        (("nimmt:arena", "--seats", "3"), "exactly 4 seats; got 3"),
        (("war", "--seats", "3"), "seats; got 3"),
        (("nimmt", "--deals", "0"), "deals must be 1 to"),
        (("nimmt", "--deals", "-1"), "deals must be 1 to"),
        (("nimmt", "--seed", "-1"), "seed must be 0 to"),
        (("nimmt", "--seed", str(2**64)), "seed must be 0 to"),
        (("nimmt", "--jobs", "0"), "jobs must be 1 to"),
        (("nimmt", "-o", "hands=3"), "did you mean 'hand'"),
        (("nimmt", "--plot", "x.pdf"), "must end in .svg, .png or .html; got x.pdf"),
        (("nimmt", "--plot", "/nowhere/x.svg"), "there is no folder /nowhere"),
    ],
)
def test_invalid_arguments_are_rejected_in_one_line(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, out, err = faceup("sim", *words)
    assert (status, out) == (2, "")
    assert err.startswith("faceup: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("kind", ["svg", "png", "html"])
def test_the_distributions_are_drawn(faceup: Command, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"plot.{kind}"
    assert faceup(*NIMMT, "--plot", str(path))[0] == 0
    start = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!doctype html>"}[kind]
    assert path.read_bytes().startswith(start)


def command_of(process: Path) -> bytes:
    """Return the command line of a process in /proc; that of an ended one is empty."""
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_end_with_a_killed_run(tmp_path: Path) -> None:
    words = ("sim", "nimmt", "--policies", "mc@20", "--deals", "1000000", "--jobs", "2")
    environment = os.environ | {"FACEUP_DATA": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-m", "faceup", *words], stdout=subprocess.DEVNULL, env=environment) as run:
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        workers: list[Path] = []
        while len(workers) < 2:
            assert run.poll() is None
            time.sleep(0.05)
            processes = [Path("/proc") / process for process in children.read_text("ascii").split()]
            workers = [process for process in processes if b"spawn_main" in command_of(process)]
        time.sleep(0.2)  # the workers start
        run.kill()
    end = time.monotonic() + 60
    while any(map(command_of, workers)):
        assert time.monotonic() < end, "a worker waits for more work"
        time.sleep(0.05)

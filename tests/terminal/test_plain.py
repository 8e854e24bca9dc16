"""A game line by line keeps its promises whatever is typed, and when nobody types."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.running import faceup

from faceup.core import make
from faceup.terminal.lines import Lines
from faceup.terminal.plain import understand

TWO = ("play", "--seed", "3", "--plain", "-o", "hand=2", "--seats", "2", "-p", "Ann", "-p", "Bo")


def test_a_line_without_an_end_fills_no_memory_and_the_next_one_counts() -> None:
    lines = Lines(io.StringIO("x" * 100_000 + "\nplay 7\n" + "y" * 999 + "\nend"))
    assert [len(lines.next() or "") for _ in range(4)] == [1000, 6, 999, 3]
    with pytest.raises(EOFError):
        lines.next()


def test_a_deadline_beyond_all_time_is_one_to_wait_for() -> None:
    assert Lines(io.StringIO("7\n")).next(10**30) == "7"


@pytest.mark.parametrize("seconds", ["1e300", "1e15", "-1", "0"])
def test_a_clock_that_cannot_be_is_refused(seconds: str) -> None:
    done = faceup("play", f"--clock={seconds}", "--plain")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "a clock is 1 to 31622400000 milliseconds" in done.stderr


def test_a_choice_is_understood_in_small_and_capital_letters() -> None:
    rules = make("nimmt seats=2 hand=1")
    view = rules.from_text("view=0 sizes=1,1 hand=3 rows=5/6/88/29")
    assert understand(rules, view, " PLAY  3 ") == understand(rules, view, "3") == 2


@pytest.mark.parametrize("word", ["q", " QUIT "])
def test_the_game_can_be_saved_and_left_at_the_curtain_too(word: str, tmp_path: Path) -> None:
    done = faceup(*TWO, stdin=f"{word}\n", data=tmp_path)
    assert done.returncode == 0
    assert "Saved. Go on with" in done.stdout
    assert "hand:" not in done.stdout


@pytest.mark.slow
def test_no_hand_is_shown_at_the_curtain_when_the_clock_runs_out(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "faceup", *TWO, "--clock", "0.2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "FACEUP_DATA": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read()
    assert output.count("Time is up: the table chooses for Bo.") >= 2
    assert "The deal is over." in output
    assert "hand:" not in output


@pytest.mark.slow
def test_a_hint_ranks_the_options_and_says_why_in_words_and_for_programs(tmp_path: Path) -> None:
    words = ("play", "nimmt", "--seed", "3", "--clock", "none", "--bots", "greedy", "--plain")
    said = faceup(*words, stdin="h\nq\n", data=tmp_path).stdout
    assert said.count("heads to come") == 5
    assert "play 100" in said
    lines = faceup(*words, "--json", stdin="h\nq\n", data=tmp_path).stdout.splitlines()
    (advice,) = [json.loads(line)["hint"] for line in lines if line.startswith('{"hint"')]
    assert len(advice["options"]) == 10
    assert advice["words"].startswith("100 follows 84")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nimmt", "--no-hints"), "There are no hints at this table."),
        (("nimmt", "-p", "Ann", "-p", "Bo"), "There are no hints at this table."),
        (("war", "--hints"), "There are no hints for War"),
    ],
)
def test_where_the_table_or_the_game_has_no_hints_it_says_so(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    opening = "\n" if "-p" in words else ""
    done = faceup("play", *words, "--seed", "3", "--clock", "none", "--plain", stdin=f"{opening}h\nq\n", data=tmp_path)
    assert says in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="counts the processor time of a child")
def test_waiting_for_the_deadline_costs_no_processor_time(tmp_path: Path) -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    began = time.monotonic()
    words = ("play", "nimmt", "--plain", "--at-deadline", "--clock", "2", "--seats", "2", "-o", "hand=1")
    done = faceup(*words, stdin="\n" * 3, data=tmp_path)
    waited = time.monotonic() - began
    assert "The deal is over." in done.stdout or "Saved." in done.stdout
    assert waited > 1.5
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < waited / 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_ctrl_c_while_waiting_for_the_deadline_saves_the_game(tmp_path: Path) -> None:
    words = ("play", "nimmt", "--plain", "--at-deadline", "--clock", "60", "--seats", "2", "-o", "hand=1")
    with subprocess.Popen(
        [sys.executable, "-m", "faceup", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "FACEUP_DATA": str(tmp_path)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        said = ""
        while not said.endswith("\n> "):  # it asked, and what it is to hear is there
            said += process.stdout.read(1)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert "Saved. Go on with" in process.stdout.read()
        assert process.wait(10) == 0

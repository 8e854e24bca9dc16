"""Line mode with any input, and without input."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.cli.in_process import inside as faceup

from faceup.core import Malformed, generator, make
from faceup.core.record import Terms
from faceup.terminal.line_mode import Lines, TextOutput, parse_choice, short_choices
from faceup.terminal.session import TerminalSession

TWO = ("play", "--seed", "3", "--plain", "-o", "hand=2", "--seats", "2", "-p", "Ann", "-p", "Bo")


def test_an_endless_line_is_truncated_and_the_next_one_is_read() -> None:
    lines = Lines(io.StringIO("x" * 100_000 + "\nplay 7\n" + "y" * 999 + "\nend"))
    assert [len(lines.next() or "") for _ in range(4)] == [1000, 6, 999, 3]
    with pytest.raises(EOFError):
        lines.next()


def test_a_deadline_beyond_the_timeout_limit_is_awaited() -> None:
    assert Lines(io.StringIO("7\n")).next(10**30) == "7"


@pytest.mark.parametrize("seconds", ["1e300", "1e15", "-1", "0"])
def test_an_invalid_clock_is_rejected(seconds: str) -> None:
    done = faceup("play", f"--clock={seconds}", "--plain")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert f"a number of seconds from 0.001 to 31622400; got '{seconds}'" in done.stderr


def test_choices_ignore_case() -> None:
    rules = make("nimmt seats=2 hand=1")
    view = rules.from_text("view=0 sizes=1,1 hand=3 rows=5/6/88/29")
    assert parse_choice(rules, view, " PLAY  3 ") == parse_choice(rules, view, "3") == 2


def test_people_count_rows_from_1_and_json_from_0() -> None:
    rules: Any = make("nimmt seats=2 hand=2")
    view = rules.from_text("view=0 sizes=1,1 hand=9 rows=5/6/88/29 waiting=3:0,44:1")
    assert short_choices(rules, view, notation=False) == ["take row 1 2 3 4"]
    assert short_choices(rules, view) == ["take row 0 1 2 3"]
    assert [parse_choice(rules, view, text, notation=False) for text in ("take row 1", "row 4", "2")] == [104, 107, 105]
    assert parse_choice(rules, view, "take row 1") == 105
    for text in ("take row 0", "row 5", "0"):
        with pytest.raises(Malformed, match="take row 1 2 3 4"):
            parse_choice(rules, view, text, notation=False)


@pytest.mark.parametrize("word", ["q", " QUIT "])
def test_the_game_can_be_saved_and_left_at_the_hand_over_prompt(word: str, tmp_path: Path) -> None:
    done = faceup(*TWO, stdin=f"{word}\n", data=tmp_path)
    assert done.returncode == 0
    assert "Saved. Resume with" in done.stdout
    assert "hand:" not in done.stdout


@pytest.mark.slow
def test_no_hand_is_shown_at_the_hand_over_prompt_after_a_timeout(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "faceup", *TWO, "--clock", "0.2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "FACEUP_DATA": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read()
    assert output.count("Time is up: autoplay chooses for Bo.") >= 2
    assert "The deal is over." in output
    assert "hand:" not in output


@pytest.mark.slow
def test_a_hint_ranks_the_options_with_a_reason_as_text_and_json(tmp_path: Path) -> None:
    words = ("play", "nimmt", "--seed", "3", "--clock", "none", "--bots", "greedy", "--plain")
    message = faceup(*words, stdin="h\nq\n", data=tmp_path).stdout
    assert message.count("expected heads") == 5
    assert "play 100" in message
    lines = faceup(*words, "--json", stdin="h\nq\n", data=tmp_path).stdout.splitlines()
    (advice,) = [json.loads(line)["hint"] for line in lines if line.startswith('{"hint"')]
    assert len(advice["options"]) == 10
    assert advice["words"].startswith("Card 100 goes to row 1; it takes no row.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nimmt", "--no-hints"), "There are no hints at this table."),
        (("nimmt", "-p", "Ann", "-p", "Bo"), "There are no hints at this table."),
        (("war", "--hints"), "There are no hints for War"),
    ],
)
def test_missing_hints_are_explained(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    opening = "\n" if "-p" in words else ""
    done = faceup("play", *words, "--seed", "3", "--clock", "none", "--plain", stdin=f"{opening}h\nq\n", data=tmp_path)
    assert message in done.stdout


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
        message = ""
        while not message.endswith("\n> "):  # it has prompted
            message += process.stdout.read(1)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert "Saved. Resume with" in process.stdout.read()
        assert process.wait(10) == 0


def test_a_clock_of_30_s_opens_at_30(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter(range(0, 10_000, 7))  # time passes between deal and prompt
    players = (("Ann", "person"), ("Bo", "random"))
    terms = Terms(clock=30_000)
    session, _ = TerminalSession.start(
        make("nimmt seats=2"), players, generator(1), terms=terms, keep=False, clock=lambda: next(now)
    )
    TextOutput().ask(session, 0)
    assert "Ann, choose (30 s): " in capsys.readouterr().out

"""Play, save, resume and replay without a terminal."""

import json
import os
import signal
import subprocess
import sys
import time
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from tests.cli.in_process import inside
from tests.cli.subprocess_run import faceup

from faceup.cli.output import is_terminal
from faceup.core.record import loads, replay

TWO_TURNS = ("--seed", "3", "--plain", "-o", "hand=2", "--seats", "2")


def saved_game(data: Path) -> Path:
    (path,) = (data / "saved").glob("*.json")
    return path


def test_without_a_terminal_and_without_input_bots_play_one_game_in_plain_text() -> None:
    done = faceup()
    assert done.returncode == 0
    assert "The deal is over." in done.stdout
    assert not done.stderr


def test_a_game_is_played_from_a_pipe_and_can_be_replayed(tmp_path: Path) -> None:
    done = inside("play", *TWO_TURNS, stdin=answers(), data=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "The deal is over." in done.stdout
    assert "Replay: faceup replay " in done.stdout
    assert not list((tmp_path / "saved").glob("*"))
    (record,) = (tmp_path / "records").glob("*.json")
    assert list(replay(loads(record.read_text())))
    again = inside("replay", str(record))
    assert again.returncode == 0
    assert "The deal is over." in again.stdout


def answers() -> str:
    """Return the hand dealt by seed 3, one card per line; a row number that is not expected is rejected harmlessly."""
    hand = (67, 100)
    return "".join(f"{card}\n" for card in hand) + "0\n"


def test_the_end_of_input_saves_the_game_prints_how_to_resume_and_exits_0(tmp_path: Path) -> None:
    done = inside("play", *TWO_TURNS, data=tmp_path)
    assert done.returncode == 0
    path = saved_game(tmp_path)
    assert f"Resume with: faceup resume {path}" in done.stdout
    assert str(path) in inside("saved", data=tmp_path).stdout
    resumed = inside("resume", stdin="look\nq\n", data=tmp_path)
    assert resumed.returncode == 0
    assert "hand:" in resumed.stdout
    assert saved_game(tmp_path) == path


@pytest.mark.parametrize("change", ['"kind":"greedy"', '"autoplay":"lowest"'])
def test_a_saved_game_with_an_unknown_bot_is_rejected_and_kept(tmp_path: Path, change: str) -> None:
    inside("play", *TWO_TURNS, data=tmp_path)
    path = saved_game(tmp_path)
    edited = path.read_text().replace(change, change.rpartition(":")[0] + ':"gredy"')
    path.write_text(edited)
    done = inside("resume", "--plain", data=tmp_path)
    assert (done.returncode, "did you mean 'greedy'?" in done.stderr) == (2, True)
    assert path.read_text() == edited


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_the_prompt_saves_the_game_and_exits_0(tmp_path: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "faceup", "play", *TWO_TURNS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FACEUP_DATA": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        seen = ""
        while "\n> " not in seen:
            seen += process.stdout.read(1)
        process.send_signal(number)
        rest = process.stdout.read()
        assert process.wait(10) == 0
    assert f"faceup resume {saved_game(tmp_path)}" in rest


def test_invalid_input_loses_nothing(tmp_path: Path) -> None:
    done = inside("play", *TWO_TURNS, stdin="\nfoo\nplay 200\ntake row 9\n\x00\nq\n", data=tmp_path)
    assert done.returncode == 0
    assert "is not one of your choices: play" in done.stdout
    assert saved_game(tmp_path).exists()


def test_two_people_at_one_terminal_never_see_both_hands(tmp_path: Path) -> None:
    done = inside("play", "-p", "Ann", "-p", "Bo", *TWO_TURNS[:3], "--seats", "2", stdin="\n1\nq\n", data=tmp_path)
    assert "Ann's turn. Everyone else, look away." in done.stdout
    assert " gets " not in done.stdout
    assert done.stdout.count("hand:") == 1


def test_the_clock_plays_without_input(tmp_path: Path) -> None:
    words = ("play", "--seed", "3", "--plain", "-o", "hand=1", "--seats", "2", "--clock", "0.3")
    with subprocess.Popen(
        [sys.executable, "-m", "faceup", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "FACEUP_DATA": str(tmp_path)},
    ) as process:
        deadline = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert process.stdout is not None
        output = process.stdout.read()
        assert process.returncode == 0
    assert "Time is up: autoplay chooses for Player." in output
    assert "The deal is over." in output


def test_watch_is_reproducible_and_has_json() -> None:
    first, second = (inside("watch", "nimmt:classic", "--seed", "7", "--plain").stdout for _ in range(2))
    assert first == second
    lines = inside("watch", "nimmt", "--seed", "7", "--json").stdout.splitlines()
    assert all(json.loads(line) for line in lines)
    assert any(json.loads(line).get("event", {}).get("event") == "won" for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "nimt"], "did you mean 'nimmt'?"),
        (["play", "nimmt:clasic"], "did you mean 'classic'?"),
        (["play", "nimmt", "--seats", "11"], "2 to 10 seats; got 11"),
        (["play", "nimmt", "-o", "hand=11"], "hand must be 1 to 10; got 11"),
        (["play", "nimmt", "-o", "hnd=5"], "did you mean 'hand'?"),
        (["play", "nimmt", "-o", "hand=many"], "hand=many has an invalid value"),
        (["play", "nimmt", "--clock", "soon"], "got 'soon'"),
        (["play", "nimmt", "--clock", "-5"], "a number of seconds from 0.001 to 31622400; got '-5'"),
        (["play", "nimmt", "--clock", "1e300"], "a number of seconds from 0.001 to 31622400; got '1e300'"),
        (["play", "nimmt", "--bots", "gredy"], "did you mean 'greedy'?"),
        (["watch", "nimmt", "--bots", "person"], "nimmt has no policy 'person'"),
        (["play", "nimmt", "--seats", "2", "--bots", "random,random"], "do not fit 2 seats"),
        (["play", "nimmt", "--seed", "-1"], "a seed must be 0 to 2**64 - 1"),
        (["play", "nimmt", "-p", ""], "a name must have 1 to 40 printable characters"),
        (["replay", "nowhere.json"], "cannot be read"),
    ],
)
def test_invalid_arguments_get_one_message_and_status_2(words: list[str], message: str, tmp_path: Path) -> None:
    done = inside(*words, data=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("*/*"))


def test_a_record_that_is_cut_short_or_edited_names_the_entry_and_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    inside("watch", "nimmt", "--seed", "1", "--record", str(path), "--plain")
    valid = path.read_text()
    first = valid.index('"actions":["play ')
    for text, message in (
        (valid[: len(valid) // 2], "the record is incomplete or not JSON"),
        (valid.replace('"format":1', '"format":9'), "format 9"),
        (valid[:first] + valid[first:].replace("play ", "play 1", 1), "entry 9: "),
        (valid.replace('"outcome":"deal ', '"outcome":"deal 1 1 ', 1), "entry 4: a deal must have 44 cards; got 46"),
        (valid.replace('"scores":[', '"scores":[9'), "the result must be"),
        ("", "the record is incomplete or not JSON"),
        ("[]", "the record is incomplete or not JSON"),
    ):
        path.write_text(text)
        done = inside("replay", str(path))
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), text[:80]
        assert message in done.stderr


def test_a_saved_game_outside_the_data_folder_becomes_the_record_in_place(tmp_path: Path) -> None:
    inside("play", *TWO_TURNS, data=tmp_path)
    path = tmp_path / "mine.json"
    saved_game(tmp_path).rename(path)
    done = inside("resume", str(path), "--plain", stdin=answers(), data=tmp_path)
    assert f"Replay: faceup replay {path}" in done.stdout
    assert loads(path.read_text()).result is not None


@pytest.mark.parametrize(
    ("encoding", "expected"), [("utf-8", True), ("cp437", False), ("latin-1", False), ("ascii", False)]
)
def test_a_terminal_that_cannot_draw_the_table_gets_text(
    encoding: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a Latin-1 terminal, the app drew its frames as escapes such as \\u256d."""

    class Terminal(TextIOWrapper):
        def isatty(self) -> bool:
            return True

    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal(BytesIO(), encoding=encoding))
    monkeypatch.setenv("TERM", "xterm")
    assert is_terminal() == expected

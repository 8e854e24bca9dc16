"""`faceup bot` plays real matches as a subprocess, in time, and exits cleanly."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import msgspec
import pytest
from benchmarks.late import answers, punctual
from benchmarks.program_match import PATIENCE, Answer, bot, play
from tests.cli.in_process import inside
from tests.cli.subprocess_run import faceup

ASK = ["CHOOSE_CARD_TO_PLAY", "-1 -1 -1 -1", "1", "5", "1", "6", "1", "88", "1", "29", "0 0 0 0", "2", "7 44"]


def talk(*lines: str, name: str = "lowest") -> tuple[int, str, list[str]]:
    """Return the exit status, the answers, and the lines on standard error."""
    done = faceup("bot", name, "--codingame", stdin="".join(f"{line}\n" for line in lines))
    return done.returncode, done.stdout, done.stderr.splitlines()


@pytest.mark.sample(1)
@pytest.mark.parametrize("phase_last", [False, True], ids=["phase first", "phase last"])
def test_simple_players_play_a_match(phase_last: bool) -> None:
    names = ["lowest", "highest", "greedy", "random"]
    state, _, programs, faults = play([bot(name) for name in names], seed=4, phase_last=phase_last)
    assert (len(msgspec.structs.asdict(state)["earlier"]), faults) == (5, [])
    for program in programs:
        output = program.log.content().decode()
        assert program.status == 0
        assert output.endswith("the input ends where the next decision was expected\n")
        assert output.count("\n") == 1


@pytest.mark.long
def test_no_player_is_late_in_two_hundred_decisions() -> None:
    assert punctual(lambda: answers(200))


BEGUN = "the search is not compiled yet: the plain search plays this match; compiling it for the next match"


@pytest.mark.long
@pytest.mark.slow
def test_with_nothing_compiled_the_plain_search_plays_and_another_process_compiles(tmp_path: Path) -> None:
    assert compiling_beside(tmp_path)


@pytest.mark.long
def test_with_nothing_compiled_four_players_are_on_time_and_one_process_compiles(tmp_path: Path) -> None:
    command = ("env", f"NUMBA_CACHE_DIR={tmp_path}", *bot("mc"))
    result: list[str] = []
    seeds = iter(range(5))

    def once() -> list[Answer]:
        played = play([command] * 4, next(seeds))
        result.extend(line for program in played.programs for line in program.log.content().decode().splitlines())
        return played.answers

    assert punctual(once)
    assert result.count(f"faceup bot: {BEGUN}") == next(seeds)  # once in each match
    # The referee has stopped the compiling process: another one must start.
    assert compiling_beside(tmp_path, until=lambda: bool(list(tmp_path.rglob("*.nbc"))))


def compiling_beside(cache: Path, until: Callable[[], bool] = lambda: True) -> bool:
    """Return whether a player reports that it compiles, and the compiling process can be stopped."""
    command = ("env", f"NUMBA_CACHE_DIR={cache}", *bot("mc"))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as alone:
        assert alone.stdin is not None
        assert alone.stdout is not None
        assert alone.stderr is not None
        os.set_blocking(alone.stderr.fileno(), False)
        alone.stdin.write(b"4 0\n")
        output, end = b"", monotonic() + 60
        while monotonic() < end and BEGUN.encode() not in output:
            alone.stdin.write("".join(f"{line}\n" for line in ASK).encode())
            alone.stdin.flush()
            assert alone.stdout.readline().startswith(b"PLAY ")
            output += alone.stderr.read() or b""
        alone.stdin.close()
    [lock] = cache.rglob("warm.lock")
    with lock.open("a+") as file:
        with pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        while not until():
            sleep(0.1)
        file.seek(0)
        os.kill(int(file.read()), signal.SIGTERM)
        fcntl.flock(file, fcntl.LOCK_EX)  # held while the process runs
    return BEGUN.encode() in output


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("lines", "status", "answer", "message"),
    [
        ([], 2, "", "line 1: the input ends where `4 playerId` was expected"),
        (["4 7"], 2, "", "line 1: expected `4 playerId`, with a player from 0 to 3; got '4 7'"),
        (["4 0", *ASK[:6]], 2, "", "line 8: the input ends where the length of row 2 was expected"),
        (["4 0", "CHOOSE", *ASK[1:]], 2, "", "line 2: expected CHOOSE_CARD_TO_PLAY or CHOOSE_LINE_TO_PICK"),
        (["4 0", *ASK[:3], "5 x", *ASK[4:]], 2, "PLAY 7\n", "line 5: expected the cards of row 0; got '5 x'"),
        (["4 0", *ASK[:-1], "5 44"], 0, "PLAY 5\n", "line 14: expected a hand without the cards of line 5"),
        (["4 0", *ASK], 0, "PLAY 7\n", "line 15: the input ends where the next decision was expected"),
    ],
)
def test_an_error_is_reported_in_one_line_with_a_legal_answer(
    lines: list[str], status: int, answer: str, message: str
) -> None:
    code, out, output = talk(*lines)
    assert (code, out) == (status, answer)
    assert output[0].startswith(f"faceup bot: {message}")
    assert len(output) == (2 if "hand without" in message else 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["lowest", "mc"])
def test_it_exits_cleanly_on_a_signal(name: str) -> None:
    with subprocess.Popen(bot(name), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("".join(f"{line}\n" for line in ("4 0", *ASK)).encode())
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"PLAY ")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM
        assert process.stderr.read() == b""


def test_it_exits_when_its_output_is_closed() -> None:
    with subprocess.Popen(bot("lowest"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bots:
        assert bots.stdin is not None
        assert bots.stdout is not None
        assert bots.stderr is not None
        bots.stdout.close()
        sleep(0.1)
        bots.stdin.write("".join(f"{line}\n" for line in ("4 0", *ASK)).encode())
        bots.stdin.flush()
        assert bots.wait(PATIENCE) == 1
        assert bots.stderr.read() == b""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bot", "gredy", "--codingame"), "did you mean 'greedy'"),
        (("bot", "mc@never", "--codingame"), "'mc@never' has an invalid budget"),
        (("bot", "greedy"), "use --table URL to join a table, or --codingame"),
        (("export", "gredy"), "did you mean 'greedy'"),
        (("export", "mc@50ms"), "an exported player always uses all of its time, so write mc instead of mc@50ms"),
        (
            ("export", "greedy", "-o", "/nowhere/greedy.py"),
            "/nowhere/greedy.py cannot be written: No such file or directory",
        ),
    ],
)
def test_invalid_arguments_are_rejected_in_one_line(words: tuple[str, ...], message: str) -> None:
    done = inside(*words)
    assert done.returncode in {1, 2}
    assert message in done.stderr
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


def test_a_player_needs_no_framework_that_it_does_not_use() -> None:
    program = "import sys; sys.argv = ['faceup', 'bot', 'greedy', '--codingame']\nfrom faceup.cli import main\n"
    program += "try: main()\nexcept SystemExit: pass\n"
    program += "print({'numba', 'numpy', 'rich', 'textual', 'secrets', 'hypothesis'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, input="")
    assert done.stdout == "set()\n"

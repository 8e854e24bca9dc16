"""A program that is being debugged, fed with what a bot was sent: no clock, and nothing that it says is lost."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Final, TypeAlias

import msgspec

from faceup.arena.protocols import Protocol
from faceup.arena.replay import Asked
from faceup.core import Action, AnyRules, Malformed

_MOST_WAITING: Final = 1_000
"""Lines that may wait to be shown: a program that prints without end is held up rather than kept."""

_LATE_LOG: Final = 0.02
"""Seconds to wait for what a program logged before its answer, which comes through another pipe."""

_TO_END: Final = 1.5
"""Seconds that a program has to end once its input is closed; then it is ended."""

_PATIENCE: Final = 200
"""Hundredths of a second, or lines, after which a pipe that something else holds open is left alone."""


class Asks(msgspec.Struct, frozen=True):
    """The program has been sent a decision."""

    asked: Asked


class Answers(msgspec.Struct, frozen=True):
    """It has answered.

    Attributes:
        asked: what.
        line: its answer, without the end of the line.
        same: whether it is what was played then.
    """

    asked: Asked
    line: bytes
    same: bool


class Logs(msgspec.Struct, frozen=True):
    """It has written a line to its standard error."""

    line: bytes


class Extra(msgspec.Struct, frozen=True):
    """It has written a line that nobody had asked for."""

    line: bytes


class Ended(msgspec.Struct, frozen=True):
    """It has ended.

    Attributes:
        status: its exit status; minus the number of the signal that ended it; None if it had to be ended.
        left: how many decisions it was not asked for any more.
    """

    status: int | None
    left: int


Heard: TypeAlias = Asks | Answers | Logs | Extra | Ended

_Line: TypeAlias = tuple[str, bytes | None]
"""From which pipe, and what; None at its end."""


def rerun(
    command: Sequence[str],
    asked: Sequence[Asked],
    rules: AnyRules,
    spoken: Protocol,
    *,
    folder: str = "",
    environment: Mapping[str, str] | None = None,
) -> Iterator[Heard]:
    """Ask the program all that was asked then, one decision after the other, and tell what it says.

    What comes next does not depend on its answers: the match goes on as it went.

    Args:
        command: the program and its arguments.
        asked: the decisions.
        rules: of the match.
        spoken: the protocol, by which answers are compared: words that follow an answer make no difference.
        folder: where the program runs; here if not given.
        environment: variables that it gets besides ours.

    Raises:
        Malformed: there is no such program, or the system does not run it.
    """
    heard: Queue[_Line] = Queue(_MOST_WAITING)
    with _running(command, folder, environment or {}, heard) as program:
        open_pipes = {"out", "log"}
        for index, each in enumerate(asked):
            yield Asks(each)
            if "out" in open_pipes and _write(program, each.sent):
                while "out" in open_pipes:
                    pipe, line = heard.get()
                    if line is None:
                        open_pipes.discard(pipe)
                    elif pipe == "log":
                        yield Logs(line)
                    else:
                        rest = list(_waiting(heard, open_pipes, _LATE_LOG))
                        yield from [late for late in rest if isinstance(late, Logs)]
                        yield Answers(each, line, _is_same(rules, spoken, each, line))
                        yield from [early for early in rest if not isinstance(early, Logs)]
                        break
            if "out" not in open_pipes or program.poll() is not None:
                yield from _end(program, heard, open_pipes, left=len(asked) - index - 1)
                return
        with suppress(OSError):
            _pipe(program.stdin).close()
        yield from _end(program, heard, open_pipes, left=0)


def _is_same(rules: AnyRules, spoken: Protocol, asked: Asked, line: bytes) -> bool:
    if asked.answer is None:
        return False
    try:
        return _read_answer(rules, spoken, asked, line) == _read_answer(rules, spoken, asked, asked.answer)
    except ValueError:
        return line == asked.answer


def _read_answer(rules: AnyRules, spoken: Protocol, asked: Asked, line: bytes) -> Action:
    return spoken.read_answer(rules, asked.view, line.decode().removesuffix("\r"))


@contextmanager
def _running(
    command: Sequence[str], folder: str, environment: Mapping[str, str], heard: "Queue[_Line]"
) -> "Iterator[subprocess.Popen[bytes]]":
    try:
        program = subprocess.Popen(  # noqa: S603 -- the program that the caller wants to debug
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder or None,
            env={**os.environ, **environment},
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Malformed(f"{command[0]} cannot be run: {why}", what=command[0], where="--to-bot") from None
    readers = [
        Thread(target=_read, args=(_pipe(file), name, heard), daemon=True)
        for file, name in ((program.stdout, "out"), (program.stderr, "log"))
    ]
    for reader in readers:
        reader.start()
    try:
        yield program
    finally:
        program.kill()  # does nothing to one that has ended and was waited for
        program.wait()
        with suppress(OSError):
            _pipe(program.stdin).close()
        for _ in range(_PATIENCE):
            if not any(reader.is_alive() for reader in readers):
                break  # else they wait for room to put a line, or what the program started holds a pipe open
            with suppress(Empty):
                heard.get(timeout=0.01)


def _pipe(file: "IO[bytes] | None") -> "IO[bytes]":
    if file is None:
        raise ValueError("all three are pipes")
    return file


def _read(file: "IO[bytes]", name: str, heard: "Queue[_Line]") -> None:
    with closing(file):
        for line in file:
            heard.put((name, line.rstrip(b"\r\n")))
    heard.put((name, None))


def _write(program: "subprocess.Popen[bytes]", sent: bytes) -> bool:
    """Whether the program was still there to be written to."""
    try:
        pipe = _pipe(program.stdin)
        pipe.write(sent)
        pipe.flush()
    except OSError:
        return False
    return True


def _waiting(heard: "Queue[_Line]", open_pipes: set[str], seconds: float) -> Iterator[Heard]:
    """What there is to hear, until nothing more comes for so long; no more than a program can have waiting."""
    for _ in range(2 * _MOST_WAITING):
        if not open_pipes:
            return
        try:
            pipe, line = heard.get(timeout=seconds)
        except Empty:
            return
        if line is None:
            open_pipes.discard(pipe)
        else:
            yield Logs(line) if pipe == "log" else Extra(line)


def _end(
    program: "subprocess.Popen[bytes]", heard: "Queue[_Line]", open_pipes: set[str], *, left: int
) -> Iterator[Heard]:
    """Let the program end, or end it, and hear its last words."""
    status: int | None = None
    try:
        status = program.wait(_TO_END)
    except subprocess.TimeoutExpired:
        program.kill()
    yield from _waiting(heard, open_pipes, _TO_END)
    yield Ended(status, left)

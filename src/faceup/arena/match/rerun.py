"""Rerun a bot program on the recorded requests of a match, without time limits, to debug the program."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Final, TypeAlias

import msgspec

from faceup.arena.match.protocols import Protocol
from faceup.arena.match.replay import RecordedDecision
from faceup.arena.process.spawn import program_environment
from faceup.characters import remove_bom
from faceup.core import Action, Malformed

_MOST_WAITING: Final = 1_000
"""The most lines that wait to be shown. A program that prints more lines has to wait."""

_LATE_LOG: Final = 0.02
"""Seconds to wait for stderr lines that were written before the answer, because stderr comes through another pipe."""

_EXIT_SECONDS: Final = 1.5
"""Seconds that a program has to end after its input is closed, before it is killed."""

_ABANDON_AFTER: Final = 200
"""The most attempts, of up to 0.01 seconds each, to empty the queue before the readers of the pipes are abandoned."""


class QuerySent(msgspec.Struct, frozen=True):
    """The event that the program was sent a request."""

    decision: RecordedDecision


class AnswerReceived(msgspec.Struct, frozen=True):
    """The event that the program answered.

    Attributes:
        decision: the recorded decision.
        line: the program's answer without the newline.
        same: whether the answer names the same action as the recorded answer.
    """

    decision: RecordedDecision
    line: bytes
    same: bool


class StderrLine(msgspec.Struct, frozen=True):
    """The event that the program wrote a line to stderr."""

    line: bytes


class UnexpectedLine(msgspec.Struct, frozen=True):
    """The event that the program wrote a line although it was not asked for a decision."""

    line: bytes


class ProgramExited(msgspec.Struct, frozen=True):
    """The event that the program exited.

    Attributes:
        status: the program's exit status; minus the signal number if a signal ended it; None if it had to be killed.
        left: the number of recorded decisions that the program was not sent.
    """

    status: int | None
    left: int


RerunEvent: TypeAlias = QuerySent | AnswerReceived | StderrLine | UnexpectedLine | ProgramExited

_Line: TypeAlias = tuple[str, bytes | None]
"""The name of a pipe, and a line that it delivered; None instead of a line at the end of the pipe."""


def rerun(
    command: Sequence[str],
    decisions: Sequence[RecordedDecision],
    protocol: Protocol,
    *,
    folder: str = "",
    environment: Mapping[str, str] | None = None,
) -> Iterator[RerunEvent]:
    """Send the program the recorded requests, one after another, and yield what it writes.

    The program's answers do not change the later requests, because the match continues as recorded.

    Args:
        command: the program and its arguments.
        decisions: the recorded decisions.
        protocol: the protocol, which is used to compare answers by the actions that they name.
        folder: the program's working folder; the current one if empty.
        environment: variables for the program in addition to those that every program inherits.

    Raises:
        Malformed: there is no such program, or the system cannot run it.
    """
    lines: Queue[_Line] = Queue(_MOST_WAITING)
    with _start(command, folder, environment or {}, lines) as program:
        open_pipes = {"out", "log"}
        for index, decision in enumerate(decisions):
            yield QuerySent(decision)
            if "out" in open_pipes and _write(program, decision.sent):
                while "out" in open_pipes:
                    pipe, line = lines.get()
                    if line is None:
                        open_pipes.discard(pipe)
                    elif pipe == "log":
                        yield StderrLine(line)
                    else:
                        rest = list(_queued(lines, open_pipes, _LATE_LOG))
                        yield from [late for late in rest if isinstance(late, StderrLine)]
                        yield AnswerReceived(decision, line, _is_same(protocol, decision, line))
                        yield from [early for early in rest if not isinstance(early, StderrLine)]
                        break
            if "out" not in open_pipes or program.poll() is not None:
                yield from _end(program, lines, open_pipes, left=len(decisions) - index - 1)
                return
        with suppress(OSError):
            _pipe(program.stdin).close()
        yield from _end(program, lines, open_pipes, left=0)


def _is_same(protocol: Protocol, decision: RecordedDecision, line: bytes) -> bool:
    if decision.answer is None:
        return False
    try:
        return _read_answer(protocol, decision, line) == _read_answer(protocol, decision, decision.answer)
    except ValueError:
        return line == decision.answer


def _read_answer(protocol: Protocol, decision: RecordedDecision, line: bytes) -> Action:
    return protocol.parse_action(decision.view, remove_bom(line).decode().removesuffix("\r"))


@contextmanager
def _start(
    command: Sequence[str], folder: str, environment: Mapping[str, str], lines: "Queue[_Line]"
) -> "Iterator[subprocess.Popen[bytes]]":
    try:
        program = subprocess.Popen(  # noqa: S603 -- the program that the caller wants to debug
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder or None,
            env=program_environment(environment),
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Malformed(f"{command[0]} cannot be run: {why}", what=command[0], where="--to-bot") from None
    readers = [
        Thread(target=_read, args=(_pipe(file), name, lines), daemon=True)
        for file, name in ((program.stdout, "out"), (program.stderr, "log"))
    ]
    for reader in readers:
        reader.start()
    try:
        yield program
    finally:
        program.kill()  # does nothing if the program has ended and was waited for
        program.wait()
        with suppress(OSError):
            _pipe(program.stdin).close()
        for _ in range(_ABANDON_AFTER):
            if not any(reader.is_alive() for reader in readers):
                break  # readers that are alive wait for room in the queue, or a child of the program keeps a pipe open
            with suppress(Empty):
                lines.get(timeout=0.01)


def _pipe(file: "IO[bytes] | None") -> "IO[bytes]":
    if file is None:
        raise ValueError("stdin, stdout and stderr of the program must be pipes")
    return file


def _read(file: "IO[bytes]", name: str, lines: "Queue[_Line]") -> None:
    with closing(file):
        for line in file:
            lines.put((name, line.rstrip(b"\r\n")))
    lines.put((name, None))


def _write(program: "subprocess.Popen[bytes]", sent: bytes) -> bool:
    """Write to the program, and return whether it still reads its input."""
    try:
        pipe = _pipe(program.stdin)
        pipe.write(sent)
        pipe.flush()
    except OSError:
        return False
    return True


def _queued(lines: "Queue[_Line]", open_pipes: set[str], seconds: float) -> Iterator[RerunEvent]:
    """Yield queued lines as events until no line has come for `seconds`."""
    for _ in range(2 * _MOST_WAITING):
        if not open_pipes:
            return
        try:
            pipe, line = lines.get(timeout=seconds)
        except Empty:
            return
        if line is None:
            open_pipes.discard(pipe)
        else:
            yield StderrLine(line) if pipe == "log" else UnexpectedLine(line)


def _end(
    program: "subprocess.Popen[bytes]", lines: "Queue[_Line]", open_pipes: set[str], *, left: int
) -> Iterator[RerunEvent]:
    """Wait for the program to exit, or kill it, and yield the rest of its output."""
    status: int | None = None
    try:
        status = program.wait(_EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        program.kill()
    yield from _queued(lines, open_pipes, _EXIT_SECONDS)
    yield ProgramExited(status, left)

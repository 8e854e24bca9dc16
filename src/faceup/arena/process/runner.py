"""The programs of a referee from their start to their end."""

import os
import select
import signal
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Final, Self

from faceup.arena.match.result import Cause
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.process.errors import FROM_COPY, ProgramError
from faceup.arena.process.io import LOG, ProgramIO
from faceup.arena.process.isolation import Isolation
from faceup.arena.process.linux import descendants_of
from faceup.arena.process.pause import PAUSE
from faceup.arena.process.program import Program, describe_exit, last_exception
from faceup.arena.process.reaper import Reaper
from faceup.arena.process.spawn import Command, Pipes, require_posix, resolve_command, spawn
from faceup.arena.process.watchdog import Watchdog

EXIT_GRACE: Final = 50_000_000
"""Nanoseconds that a program has to end after its input was closed.

This is a hundred times what a fast bot needs, and short enough for thousands of matches. After this time the program
gets SIGKILL without a SIGTERM before it, because waiting once more would take time although the match is over.
"""


class ProgramRunner:
    r"""A runner of one referee's programs, none of which outlives it. Its process must have only one thread.

    On Linux no descendant of a program survives either. On macOS, descendants that leave a program's process group
    survive, and there is no CPU credit. See `require_posix` for Windows.

    Raises:
        Malformed: this system cannot run programs, or has no sandbox although the terms ask for one.

    >>> import sys
    >>> bot = Bot("echo", command=(sys.executable, "-c", "print(input().upper())"))
    >>> with ProgramRunner(MatchTerms()) as programs:
    ...     program = programs.start(bot)
    ...     programs.ask(program, b"hello\n", 1.0)
    b'HELLO'
    """

    def __init__(self, terms: MatchTerms) -> None:
        require_posix()
        self._terms = terms
        self._isolation = Isolation(terms)
        self._io = ProgramIO(strict=terms.strict, grace=terms.grace)
        self._commands: dict[str, tuple[Bot, Command]] = {}
        self._running: dict[int, Program] = {}
        self._reaper = Reaper()
        self._watchdog = Watchdog()
        self._reaper.add(self._watchdog.process)  # so that it is not killed as an orphan
        PAUSE.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, bot: Bot) -> Program:
        """Start a bot's program.

        Raises:
            ProgramError: there is no such program, or the system cannot run it.
            OSError: the system cannot start any program now.
        """
        try:
            pipes = self._spawn(bot)
        except ProgramError as error:
            raise _mention_copy(bot, error) from None
        program = Program(bot, pipes, self._terms.log)
        self._reaper.add(program.process)
        self._watchdog.add(program.process)
        self._running[program.process] = program
        self._io.add(program)
        return program

    def _spawn(self, bot: Bot) -> Pipes:
        last_bot, command = self._commands.get(bot.name, (None, None))
        if command is None or last_bot is not bot:
            command = self._isolation.wrap(bot, resolve_command(bot, self._isolation.environment(bot)))
            self._commands[bot.name] = bot, command
        start = partial(spawn, command, partial(self._isolation.start, bot))
        try:
            return start()
        except BlockingIOError:  # the limit on processes is reached
            self._make_room()
            return start()

    def ask(self, program: Program, text: bytes, seconds: float) -> bytes:
        """Ask a program for a decision and return its answer, which is one line without its newline.

        The time of the answer is then in `Program.elapsed_us` and `Program.grace`. If the program has broken the
        terms, the caller must drop it.

        Args:
            program: the program.
            text: the request.
            seconds: the time limit, from the last byte of the request.

        Raises:
            ProgramError: the program gave no answer, more than one answer, or an answer that was late or too long.
        """
        if program.status is not None:
            raise ProgramError(Cause.ENDED, program.reason or describe_exit(program.status))
        with PAUSE:
            if self._terms.stopped:
                _signal(program, signal.SIGCONT)
            try:
                line = self._io.ask(program, text, seconds)
            except ProgramError as error:
                explained = self._ended(program, error) if error.cause is Cause.ENDED else error
                raise _mention_copy(program.bot, explained) if _may_lack_file(program) else explained from None
            if self._terms.stopped:
                _signal(program, signal.SIGSTOP)
            return line

    def pause(self) -> None:
        """Stop all programs until `resume`."""
        for program in list(self._running.values()):
            _signal(program, signal.SIGSTOP)

    def resume(self) -> None:
        """Continue all programs, unless programs are stopped between their turns."""
        for program in [] if self._terms.stopped else list(self._running.values()):
            _signal(program, signal.SIGCONT)

    @property
    def paused(self) -> int:
        """Return the nanoseconds of all turns during which this process itself was stopped."""
        return self._io.paused

    def kill(self, program: Program) -> None:
        """Kill a program and its descendants now. What the program wrote to stderr is kept."""
        if program.status is None:
            self._io.read_logs()
            self._kill(program)
        self._reaper.kill_orphans()

    def end(self, programs: Iterable[Program]) -> None:
        """End programs after a match.

        Their input is closed, the rest of their stderr is read, and what still runs of them and their descendants is
        killed. The stderr of the other programs is read as well.
        """
        ending = [program for program in programs if program.status is None]
        with PAUSE:
            for program in ending:
                program.close_input()
                if self._terms.stopped:
                    _signal(program, signal.SIGCONT)
            self._io.drain_logs(ending, EXIT_GRACE)
        for program in ending:
            self._kill(program)
        self._io.read_logs()
        self._reaper.kill_orphans()

    def start_next_match(self, program: Program) -> bool:
        """Prepare a program that was kept alive for another match, and return whether it can play.

        A program that has ended, wrote to stdout without being asked, or wrote too much to stderr is dropped.
        """
        self._io.read_logs()
        answers = select.poll()
        answers.register(program.stdout, select.POLLIN)
        if answers.poll(0) or program.log.total > LOG:
            self.kill(program)
            return False
        program.start_next_match(self._terms.log)
        return True

    def close(self) -> None:
        """Kill all programs."""
        PAUSE.remove(self)
        for program in list(self._running.values()):
            self._kill(program)
        self._reaper.kill_orphans()
        self._io.close()
        self._watchdog.close()
        self._reaper.remove(self._watchdog.process)
        self._reaper.close()
        self._isolation.close()

    def _make_room(self) -> None:
        """Kill the program with the most descendants, so that it does not keep other programs from starting."""
        self._reaper.kill_orphans()
        sizes = {program: len(descendants_of(program.process)) for program in self._running.values()}
        largest = max(sizes, key=sizes.__getitem__, default=None)
        if largest is not None and sizes[largest] > 1:
            largest.reason = f"it was killed because its {sizes[largest]} processes kept other programs from starting"
            self.kill(largest)

    def _ended(self, program: Program, error: ProgramError) -> ProgramError:
        """Wait for the program to end, or kill it, and return the error with a message on how it ended."""
        program.close_input()
        self._io.drain_logs([program], EXIT_GRACE)
        exited = _has_ended(program.process, EXIT_GRACE)
        self._kill(program)
        status = program.status or 0
        if not exited and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            return ProgramError(
                error.cause, "it closed its input or output when an answer was due, and kept running", error.output
            )
        exception = last_exception(program.log.content())
        return ProgramError(error.cause, f"{describe_exit(status, exception)} when an answer was due", error.output)

    def _kill(self, program: Program) -> None:
        self._io.remove(program)
        program.close_input()
        program.status = self._reaper.kill(program.process)
        self._watchdog.remove(program.process)
        program.close_outputs()
        del self._running[program.process]


def _may_lack_file(program: Program) -> bool:
    """Return whether a program may have failed because of a file that its copy lacks."""
    exception = last_exception(program.log.content())
    return not program.written and (not exception or b"NotFound" in exception or b"No such file" in exception)


def _mention_copy(bot: Bot, error: ProgramError) -> ProgramError:
    """Add to an error of a program that has not answered yet that it runs from a copy, which may lack a file."""
    if not bot.folder or error.output:
        return error
    return ProgramError(error.cause, f"{error.message}; {FROM_COPY}", error.output)


def _signal(program: Program, number: signal.Signals) -> None:
    """Send a signal to every process of a program's group that may receive it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program.process, number)


def _has_ended(process: int, nanoseconds: int) -> bool:
    """Return whether a child ends within this many nanoseconds; False if the system cannot wait for one child only."""
    if not hasattr(os, "pidfd_open"):
        return False
    with suppress(OSError):
        file = os.pidfd_open(process)
        try:
            end = select.poll()
            end.register(file, select.POLLIN)
            return bool(end.poll(nanoseconds // 1_000_000))
        finally:
            os.close(file)
    return False

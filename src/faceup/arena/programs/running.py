"""The programs that a referee runs, from their start to their end."""

import os
import select
import signal
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Final, Self

from faceup.arena.bots import Bot
from faceup.arena.confining import Confinement
from faceup.arena.matches import Cause
from faceup.arena.programs.breaking import Broken
from faceup.arena.programs.commands import Command, find
from faceup.arena.programs.ending import Watch
from faceup.arena.programs.guarding import Guard
from faceup.arena.programs.kernel import family_of
from faceup.arena.programs.listening import LOG, Listener
from faceup.arena.programs.program import Program, ending
from faceup.arena.programs.spawning import spawn
from faceup.arena.terms import Terms
from faceup.core import Malformed

PARTING: Final = 50_000_000
"""Nanoseconds that a program has for its last words when its input was closed: a hundred times what an instant bot
needs, and little enough where thousands of matches are played. There is no SIGTERM before the end: whoever does not
end with its input would need as long again, and all that counts of a match was said before."""


class Programs:
    r"""The programs of one referee, none of which outlives it. Made for a process of one thread.

    On Linux nothing of what they start is left. Elsewhere what leaves a program's process group is, and nothing is put
    down to the machine; on Windows no program is run.

    Args:
        terms: on which they play.

    Raises:
        Malformed: this system cannot run them, or not in the sandbox that the terms ask for.

    >>> import sys
    >>> bot = Bot("echo", command=(sys.executable, "-c", "print(input().upper())"))
    >>> with Programs(Terms()) as programs:
    ...     program = programs.start(bot)
    ...     programs.ask(program, b"hello\n", 1.0)
    b'HELLO'
    """

    def __init__(self, terms: Terms) -> None:
        if not hasattr(select, "poll") or not hasattr(os, "posix_spawn"):
            raise Malformed("programs play on Linux and macOS; our own players play everywhere", where="system")
        self._terms = terms
        self._held = Confinement(terms)
        self._listener = Listener(strict=terms.strict, grace=terms.grace)
        self._commands: dict[str, tuple[Bot, Command]] = {}
        self._running: dict[int, Program] = {}
        self._watch = Watch()
        self._guard = Guard()
        self._watch.began(self._guard.process)  # it is no stray

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, bot: Bot) -> Program:
        """Start a bot's program.

        Raises:
            Broken: there is no such program, or the system does not run it.
            OSError: the system can start nothing now.
        """
        known, command = self._commands.get(bot.name, (None, None))
        if command is None or known is not bot:
            command = find(bot, self._held.environment(bot))
            self._commands[bot.name] = bot, command
        start = partial(spawn, command, partial(self._held.start, bot))
        try:
            pipes = start()
        except BlockingIOError:  # there may be no more processes
            self._make_room()
            pipes = start()
        program = Program(bot, pipes, self._terms.log)
        self._watch.began(program.process)
        self._guard.began(program.process)
        self._running[program.process] = program
        self._listener.add(program)
        return program

    def ask(self, program: Program, text: bytes, seconds: float) -> bytes:
        """A program's answer to a decision: one line, without its end.

        Its times are then in `took` and `grace`. Whoever has broken the terms is to be dropped.

        Args:
            program: which is asked.
            text: what it is sent.
            seconds: how long it has, from the last byte of the text.

        Raises:
            Broken: no answer, not only an answer, or too late.
        """
        if program.status is not None:
            raise Broken(Cause.ENDED, program.reason or ending(program.status))
        if self._terms.stopped:
            _signal(program, signal.SIGCONT)
        try:
            line = self._listener.ask(program, text, seconds)
        except Broken as broken:
            if broken.cause is Cause.ENDED:
                raise self._ended(program, broken) from None
            raise
        if self._terms.stopped:
            _signal(program, signal.SIGSTOP)
        return line

    def drop(self, program: Program) -> None:
        """End a program at once, with all that it started; what it had written to its log is kept."""
        if program.status is None:
            self._listener.hear()
            self._kill(program)
        self._watch.kill_strays()

    def end(self, programs: Iterable[Program]) -> None:
        """A match is over: close the input of programs, hear their last words, and end them with all they started.

        Args:
            programs: which; what others have said so far is heard as well.
        """
        leaving = [program for program in programs if program.status is None]
        for program in leaving:
            program.close_input()
            if self._terms.stopped:
                _signal(program, signal.SIGCONT)
        self._listener.last_words(leaving, PARTING)
        for program in leaving:
            self._kill(program)
        self._listener.hear()
        self._watch.kill_strays()

    def renew(self, program: Program) -> bool:
        """Begin another match with a program that was kept, if it still runs and has kept quiet; else it is dropped."""
        self._listener.hear()
        answers = select.poll()
        answers.register(program.stdout, select.POLLIN)
        if answers.poll(0) or program.log.total > LOG:
            self.drop(program)
            return False
        program.renew(self._terms.log)
        return True

    def close(self) -> None:
        """End all programs at once."""
        for program in list(self._running.values()):
            self._kill(program)
        self._watch.kill_strays()
        self._listener.close()
        self._guard.close()
        self._watch.ended(self._guard.process)
        self._watch.close()
        self._held.close()

    def _make_room(self) -> None:
        """End the program that has started most, so that no program keeps another from being started."""
        self._watch.kill_strays()
        sizes = {program: len(family_of(program.process)) for program in self._running.values()}
        largest = max(sizes, key=sizes.__getitem__, default=None)
        if largest is not None and sizes[largest] > 1:
            largest.reason = f"it was ended: with {sizes[largest]} processes of it, no other program could be started"
            self.drop(largest)

    def _ended(self, program: Program, broken: Broken) -> Broken:
        """The same with how the program ended, once that is known."""
        program.close_input()
        self._listener.last_words([program], PARTING)
        gone = _has_ended(program.process, PARTING)
        self._kill(program)
        status = program.status or 0
        if not gone and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            return Broken(broken.cause, "it closed its input or output where an answer was due, and ran on", broken.got)
        return Broken(broken.cause, f"{ending(status)} where an answer was due", broken.got)

    def _kill(self, program: Program) -> None:
        self._listener.remove(program)
        program.close_input()
        program.status = self._watch.kill(program.process)
        self._guard.ended(program.process)
        program.close_outputs()
        del self._running[program.process]


def _signal(program: Program, number: signal.Signals) -> None:
    """Send a signal to all of a program's group that may be sent one."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program.process, number)


def _has_ended(process: int, patience: int) -> bool:
    """Whether a child of this process ends within so many nanoseconds; False where the system does not tell."""
    if not hasattr(os, "pidfd_open"):
        return False
    with suppress(OSError):
        file = os.pidfd_open(process)
        try:
            end = select.poll()
            end.register(file, select.POLLIN)
            return bool(end.poll(patience // 1_000_000))
        finally:
            os.close(file)
    return False

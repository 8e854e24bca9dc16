"""One program while it runs: its pipes, what it has written so far, and what it has used."""

import os
import signal

from faceup.arena.bots import Bot
from faceup.arena.programs.logs import Log
from faceup.arena.programs.spawning import Pipes
from faceup.arena.programs.waiting import Tasks


class Program:
    """A program that was started for a bot.

    Attributes:
        bot: whose it is.
        process: its number, and that of its session and group.
        stdin: the end of its input that is written to; -1 when that is closed.
        stdout, stderr: the ends of its outputs that are read from.
        written: bytes of answers since it was last `renewed`.
        took: microseconds that its last answer took, from the last byte that it was sent.
        grace: microseconds of it that were beyond the limit, and put down to the machine.
        log: what it wrote to its standard error since it was last renewed.
        marks: how many bytes of that there were when it was asked, time after time.
        tasks: what its threads have run and waited.
        status: what it ended with, as `os.waitpid` says it; None while it runs.
        reason: why the referee ended it, if it did so before it was asked again.
    """

    __slots__ = (
        "bot", "grace", "log", "marks", "process", "reason", "status", "stderr", "stdin", "stdout", "tasks", "took",
        "written",
    )  # fmt: skip

    def __init__(self, bot: Bot, pipes: Pipes, most: int) -> None:
        self.bot = bot
        self.process, self.stdin, self.stdout, self.stderr = pipes
        self.tasks = Tasks(self.process)
        self.status: int | None = None
        self.reason = ""
        self.renew(most)

    def renew(self, most: int) -> None:
        """Begin another match.

        Args:
            most: the most bytes of its log that are kept.
        """
        self.written = self.took = self.grace = 0
        self.log = Log(most)
        self.marks: list[int] = []

    def close_input(self) -> None:
        """Let it know that nothing more will come."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def close_outputs(self) -> None:
        """Listen to it no longer."""
        self.tasks.close()
        os.close(self.stdout)
        os.close(self.stderr)


def ending(status: int) -> str:
    """How a program ended, in words, from what `os.waitpid` says.

    >>> ending(3 << 8), ending(0), ending(11)
    ('it ended with status 3', 'it ended', 'it was ended by SIGSEGV')
    """
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"it ended with status {code}" if code else "it ended"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:  # a signal that has no name
        return f"it was ended by signal {-code}"

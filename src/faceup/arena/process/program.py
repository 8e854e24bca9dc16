"""A running program with its pipes, its stderr within a size limit, and the columns that it reports on stderr."""

import os
import re
import signal
from typing import Final

from faceup.arena.match.terms import Bot
from faceup.arena.process.cpu_credit import TaskTimes
from faceup.arena.process.errors import quote_output
from faceup.arena.process.spawn import Pipes

MOST_COLUMNS: Final = 32
MOST_LETTERS: Final = 64
"""The most characters in a column's name, and also in a column's value."""

_COLUMN: Final = re.compile(
    rb"^\[([A-Za-z_][\w.-]{0,63})=([^\]\r\n]{0,64})\][ \t]*\r?$", re.MULTILINE
)  # 64 is `MOST_LETTERS`

_EXCEPTION: Final = re.compile(
    rb"^(?:[\w.$]*(?:Error|Exception|Interrupt)\b"
    rb"|Exception in thread |panic: |thread '.*' panicked|terminate called).*$",
    re.MULTILINE,
)
"""A line with which Python, Java, JavaScript, Go, Rust or C++ reports an exception that no one caught."""


class StreamLog:
    r"""A log that keeps only the start and the end of a byte stream, each at most half of `most` bytes.

    Attributes:
        total: the number of bytes added so far.

    >>> log = StreamLog(10)
    >>> for word in (b"first ", b"second ", b"third"):
    ...     log.add(word)
    >>> log.content()
    b'first\n[8 bytes left out]\nthird'
    """

    __slots__ = ("_half", "_head", "_tail", "total")

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._head = b""
        self._tail = b""
        self.total = 0

    def add(self, data: bytes) -> None:
        """Add data to the stream."""
        self.total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail = (self._tail + data)[-self._half :] if self._half else b""

    def content(self) -> bytes:
        """Return the kept bytes. If bytes were left out, a line between the start and the end counts them."""
        missing = self.total - len(self._head) - len(self._tail)
        if not missing:
            return self._head + self._tail
        return b"%b\n[%d bytes left out]\n%b" % (self._head.rstrip(b"\n"), missing, self._tail)


def columns(log: bytes) -> dict[str, str]:
    r"""Parse the columns that a program reported in its stderr, as lines of the form `[key=value]`.

    Only the last value of each key counts, and at most 32 keys. A key starts with a letter or an underscore, and may
    also contain digits, dots and hyphens. Keys and values have at most 64 characters.

    >>> columns(b"thinking ...\n[depth=7]\n[nodes=120000]\n[depth=8]\n")
    {'depth': '8', 'nodes': '120000'}
    """
    if b"[" not in log:
        return {}
    columns_by_name: dict[str, str] = {}
    for key, value in _COLUMN.findall(log):
        name = key.decode("ascii", "replace")
        if name in columns_by_name or len(columns_by_name) < MOST_COLUMNS:
            columns_by_name[name] = value.decode("utf-8", "replace")
    return columns_by_name


class Program:
    """A program that was started for a bot.

    Attributes:
        bot: the bot.
        process: the process ID, which is also the ID of the program's session and process group.
        stdin: the write end of the pipe to the program's input; -1 when closed.
        stdout, stderr: the read ends of the pipes from the program's outputs.
        written: the number of bytes in the program's answers in this match.
        elapsed_us: microseconds of the program's last answer, from the last byte of the request.
        grace: microseconds by which the last answer exceeded its limit, which CPU credit covered.
        log: what the program wrote to stderr in this match.
        marks: the total length of the program's stderr in this match at each request.
        tasks: CPU times of the program's threads.
        status: the program's exit status as `os.waitpid` returns it; None while the program runs.
        reason: why the referee ended the program between requests; empty if it did not.
    """

    __slots__ = (
        "bot", "elapsed_us", "grace", "log", "marks", "process", "reason", "status", "stderr", "stdin", "stdout",
        "tasks", "written",
    )  # fmt: skip

    def __init__(self, bot: Bot, pipes: Pipes, most: int) -> None:
        self.bot = bot
        self.process, self.stdin, self.stdout, self.stderr = pipes
        self.tasks = TaskTimes(self.process)
        self.status: int | None = None
        self.reason = ""
        self.start_next_match(most)

    def start_next_match(self, most: int) -> None:
        """Reset the counters for another match, in which at most `most` bytes of its stderr are kept."""
        self.written = self.elapsed_us = self.grace = 0
        self.log = StreamLog(most)
        self.marks: list[int] = []

    def close_input(self) -> None:
        """Close the program's stdin."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def close_outputs(self) -> None:
        """Close the program's stdout and stderr, and the files with its CPU times."""
        self.tasks.close()
        os.close(self.stdout)
        os.close(self.stderr)


def last_exception(log: bytes) -> bytes:
    r"""Return the last line of a program's stderr that reports an exception; empty if there is none.

    >>> last_exception(b'Traceback (most recent call last):\n  File "bot.py", line 3\nKeyError: 7\n')
    b'KeyError: 7'
    >>> last_exception(b"thread 'main' panicked at src/main.rs:7:9:\nindex out of bounds\n")
    b"thread 'main' panicked at src/main.rs:7:9:"
    """
    return next(reversed(_EXCEPTION.findall(log)), b"").rstrip()


def describe_exit(status: int, exception: bytes = b"") -> str:
    """Describe how a program ended.

    Args:
        status: its status from `os.waitpid`.
        exception: the exception that it reported; see `last_exception`.

    >>> describe_exit(3 << 8), describe_exit(0), describe_exit(11)
    ('it ended with status 3', 'it ended', 'it was ended by SIGSEGV')
    >>> describe_exit(1 << 8, b"KeyError: 7")
    "it ended with status 1 after the exception 'KeyError: 7'"
    """
    code = os.waitstatus_to_exitcode(status)
    if status and exception:
        return f"{describe_exit(status)} after the exception {quote_output(exception)}"
    if code >= 0:
        return f"it ended with status {code}" if code else "it ended"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:  # a signal without a name
        return f"it was ended by signal {-code}"

"""The error that is raised if a program broke the terms."""

from typing import Final

from faceup.arena.match.result import Cause

SHOWN: Final = 60
"""The most bytes of a program's output that a message quotes."""


FROM_COPY: Final = "the program runs from a copy of its files, which `faceup arena check --explain` lists"


class ProgramError(Exception):
    """A violation of the terms by a program.

    Attributes:
        cause: the category.
        message: what was wrong, and what would have been accepted, in one sentence.
        output: what the program wrote instead of an answer; empty if nothing.
        busy: whether the program was late only because it had to wait for a core, for longer than the referee excuses.

    >>> raise ProgramError(Cause.LATE, "no answer came within 100 ms")
    Traceback (most recent call last):
    faceup.arena.process.errors.ProgramError: late: no answer came within 100 ms
    """

    def __init__(self, cause: Cause, message: str, output: bytes = b"", *, busy: bool = False) -> None:
        super().__init__(f"{cause}: {message}")
        self.cause, self.message, self.output, self.busy = cause, message, output, busy


def quote_output(output: bytes) -> str:
    r"""Quote a program's output for a message, without control characters and shortened to `SHOWN` bytes.

    >>> print(quote_output(b"PLAY \x1b[2J\xff"))
    'PLAY \x1b[2J\\xff'
    """
    text = repr(output[:SHOWN].decode("utf-8", "backslashreplace"))
    return text if len(output) <= SHOWN else f"{text[:-1]}...{text[-1]}"

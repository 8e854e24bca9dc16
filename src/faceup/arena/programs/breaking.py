"""A program that broke the terms, as an error that carries the verdict."""

from typing import Final

from faceup.arena.matches import Cause

SHOWN: Final = 60
"""Bytes of a program's output that a sentence quotes."""


class Broken(Exception):  # noqa: N818 -- it names what happened, as `Malformed` does
    """A program did not keep to the terms.

    Attributes:
        cause: in one word.
        words: what was wrong and what would be right, in one sentence.
        got: what came instead of an answer, if anything did.

    >>> raise Broken(Cause.LATE, "no answer came within 100 ms")
    Traceback (most recent call last):
    faceup.arena.programs.breaking.Broken: late: no answer came within 100 ms
    """

    def __init__(self, cause: Cause, words: str, got: bytes = b"") -> None:
        super().__init__(f"{cause}: {words}")
        self.cause, self.words, self.got = cause, words, got


def quoted(output: bytes) -> str:
    r"""A program's output within a sentence: nothing in it that could move a cursor, and not too much of it.

    >>> print(quoted(b"PLAY \x1b[2J\xff"))
    'PLAY \x1b[2J\\xff'
    """
    text = repr(output[:SHOWN].decode("utf-8", "backslashreplace"))
    return text if len(output) <= SHOWN else f"{text[:-1]}...{text[-1]}"

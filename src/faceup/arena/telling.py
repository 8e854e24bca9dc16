"""What programs wrote and were sent, and how they did, in words that a person can read and a page may hold."""

from typing import Final

from faceup.arena.matches import Result
from faceup.games.svg import clean

LONGEST: Final = 400
"""Characters of an answer that are shown."""


def shown(written: bytes) -> str:
    r"""Bytes as text, line by line, with nothing left in it that a terminal or a page would act upon.

    >>> shown(b"one\ntwo \xff\x1b[31m")
    'one\ntwo \\xff\ufffd[31m'
    """
    lines = written.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")
    return "\n".join([clean(line.replace("\t", "    ")) for line in lines])


def cut(words: str, most: int) -> str:
    """The words, or their beginning and their end, with how much is left out between.

    >>> cut("abcdefghij", 4)
    'ab ... 6 characters left out ... ij'
    """
    if len(words) <= most:
        return words
    half = most // 2
    return f"{words[:half]} ... {len(words) - 2 * half:,} characters left out ... {words[len(words) - half :]}"


def answered(answer: bytes | None) -> str:
    """An answer in one line."""
    return "nothing" if answer is None else cut(shown(answer.removesuffix(b"\r")), LONGEST)


def microseconds(time: float) -> str:
    """A time as people say it.

    >>> [microseconds(time) for time in (0, 7, 950, 1_240, 98_000, 1_000_000)]
    ['0 µs', '7 µs', '950 µs', '1.2 ms', '98 ms', '1 s']
    """
    if time < 1000:
        return f"{time:.0f} µs"
    if time < 1_000_000:
        return f"{time / 1000:.2g} ms" if time < 10_000 else f"{time / 1000:.0f} ms"
    return f"{time / 1_000_000:.2g} s" if time < 10_000_000 else f"{time / 1_000_000:,.0f} s"


def standing(result: Result) -> str:
    """How a match ended, the best first: "ann 12, bob 30, cem 41, and dora out"."""
    lineup = result.match.lineup
    out = {fault.player for fault in result.faults}
    order = sorted(range(len(lineup)), key=lambda player: (result.places[player], player))
    told = [f"{lineup[player]} {result.scores[player]}" for player in order if player not in out]
    told += [f"{lineup[player]} out" for player in order if player in out]
    return ", ".join(told)

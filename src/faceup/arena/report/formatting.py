"""Format the output of programs and the results of matches for terminals and HTML pages."""

from typing import Final

from faceup.arena.match.result import Cause, MatchResult
from faceup.formatting import strip_control_characters, truncate

LONGEST: Final = 400
"""The most characters of an answer that are shown."""


def sanitize_output(written: bytes) -> str:
    r"""Decode a program's output to text without control characters except newlines.

    >>> sanitize_output(b"one\ntwo \xff\x1b[31m")
    'one\ntwo \\xff\ufffd[31m'
    """
    text = written.decode("utf-8", "backslashreplace").replace("\r\n", "\n").replace("\t", "    ")
    return strip_control_characters(text, keep="\n")


def format_answer(answer: bytes | None) -> str:
    """Format an answer in one line; "nothing" if it is None."""
    return "nothing" if answer is None else truncate(sanitize_output(answer.removesuffix(b"\r")), LONGEST)


def format_forfeit(name: str, match: int, decision: int, cause: Cause, message: str) -> str:
    """Format how a bot forfeited a match, in one line. `decision` counts from 0.

    >>> format_forfeit("ann", 7, 0, Cause.LATE, "no answer within 1000 ms")
    'ann forfeited match 7 at its decision 1 (late): no answer within 1000 ms'
    """
    text = f"{name} forfeited match {match} at its decision {decision + 1} ({cause.value}): {message}"
    return strip_control_characters(truncate(text, LONGEST))


def format_result(result: MatchResult) -> str:
    """Format a result with the best player first, such as "ann 12, bob 30, cem 41, dora out"."""
    lineup = result.match.lineup
    out = {fault.player for fault in result.faults}
    order = sorted(range(len(lineup)), key=lambda player: (result.places[player], player))
    parts = [f"{lineup[player]} {result.scores[player]}" for player in order if player not in out]
    parts += [f"{lineup[player]} out" for player in order if player in out]
    return ", ".join(parts)

"""What an examination finds."""

from enum import StrEnum

import msgspec


class Verdict(StrEnum):
    """What a check comes to."""

    GOOD = "good"
    """As it should be."""
    NOTE = "note"
    """Matches are fair, and something is less than it could be."""
    BAD = "bad"
    """Matches cannot be fair."""


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that was looked at or tried.

    Attributes:
        name: of what, in a word or two.
        verdict: what it comes to.
        words: what was found, and what follows from it, in a sentence.
        figures: what was measured: times in microseconds, sizes in bytes.
    """

    name: str
    verdict: Verdict
    words: str
    figures: dict[str, float] = {}


class Examination(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine, examined.

    Attributes:
        checks: in the order in which they are told.
        at_once: how many matches to run at a time.
        why: where that number comes from, in words.
    """

    checks: tuple[Check, ...]
    at_once: int
    why: str

    @property
    def fair(self) -> bool:
        """Whether matches on this machine can be fair.

        >>> Examination((Check("load", Verdict.NOTE, "somebody else computes"),), 1, "one core").fair
        True
        """
        return all(check.verdict != Verdict.BAD for check in self.checks)

    @property
    def against(self) -> tuple[str, ...]:
        """Why matches cannot be fair."""
        return tuple([check.words for check in self.checks if check.verdict == Verdict.BAD])

"""Who inherits the role of a host who is gone: the same rule for tables, parties and tournaments."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def successor(candidates: Iterable[tuple[T, bool]]) -> T | None:
    """Return the candidate who becomes the host: the first who is present, or else the first; None if there is none.

    Args:
        candidates: in the order of seats, of joining or of entry, each with whether the candidate is present.

    >>> successor([("Ann", False), ("Bo", True), ("Cy", True)]), successor([("Ann", False)]), successor([])
    ('Bo', 'Ann', None)
    """
    people = list(candidates)
    present = (person for person, is_present in people if is_present)
    return next(present, next((person for person, _ in people), None))

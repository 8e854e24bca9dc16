"""Check whole numbers from callers: integers of any library become `int`, and everything else is refused."""

from operator import index
from typing import Final

from faceup.core.errors import Malformed

LARGEST_WORD: Final = (1 << 64) - 1
"""The largest seed and the largest lane."""

_MOST_BITS: Final = 256
"""More bits than any argument can have. Python refuses to print numbers of thousands of digits, as messages do."""


def to_int(name: str, number: object) -> int:
    """Return the number as an `int`, such as one of numpy's integers.

    Booleans are refused, because they are seldom meant as numbers, and fractions, because they would be cut.

    Args:
        name: the name of the argument, for the message.
        number: the number.

    Raises:
        Malformed: it is not a whole number, or it is larger than any argument may be.

    >>> to_int("a seed", 7.5)
    Traceback (most recent call last):
    faceup.core.errors.Malformed: a seed must be a whole number; got 7.5
    """
    where = name.rpartition(" ")[2]
    try:
        # Not `isinstance`: numpy's boolean is no `bool`, but older versions of numpy convert it.
        converted = None if "bool" in type(number).__name__ else index(number)  # type: ignore[arg-type]
    except TypeError:
        converted = None
    if converted is None:
        raise Malformed(f"{name} must be a whole number; got {number!r}", what=number, where=where)
    if converted.bit_length() > _MOST_BITS:
        raise Malformed(f"{name} is out of range; got a number of {converted.bit_length()} bits", where=where)
    return converted


def whole_number(name: str, number: object, least: int, most: int) -> int:
    """Return the number as an `int`, if it is in this range. See `to_int`.

    Raises:
        Malformed: it is not a whole number, or it is out of range.

    >>> whole_number("a seed", 7, 0, LARGEST_WORD)
    7
    """
    converted = to_int(name, number)
    if not least <= converted <= most:
        highest = "2**64 - 1" if most == LARGEST_WORD else most
        where = name.rpartition(" ")[2]
        raise Malformed(f"{name} must be {least} to {highest}; got {converted}", what=number, where=where)
    return converted

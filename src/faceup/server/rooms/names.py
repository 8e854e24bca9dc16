"""What people may call themselves at a table, and by what name others may know them again at the next."""

import hashlib
import unicodedata
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from faceup.core import Malformed

LONGEST: Final = 40
"""Characters of a name."""

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Printable by Unicode's account, and yet nothing is seen."""


def proper_name(name: str) -> str:
    """The name as it is shown: normalised (NFC), with single spaces, of 1 to 40 printable characters.

    Controls are refused, those that turn the direction of writing among them, and names in which there is nothing to
    be seen.

    Raises:
        Malformed: it is none of that.

    >>> proper_name("  Ann   Lee ")
    'Ann Lee'
    """
    proper = " ".join(unicodedata.normalize("NFC", name).split())
    seen = any(char not in _BLANK and char != " " and not unicodedata.combining(char) for char in proper)
    if not seen or not proper.isprintable() or len(proper) > LONGEST:
        raise Malformed(
            f"a name is 1 to {LONGEST} printable characters, not {name[: 2 * LONGEST]!r}", what=name, where="name"
        )
    return proper


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with the next number behind it if somebody at the table is called so already.

    >>> free_name("ann", ["Ann", "Bo"])
    'ann 2'
    """
    others = {_alike(other) for other in taken}
    number, free = 1, name
    while _alike(free) in others:
        number += 1
        end = f" {number}"
        free = name[: LONGEST - len(end)] + end
    return free


def _alike(name: str) -> str:
    """Equal for names that look the same but for capitals and the forms of letters."""
    return unicodedata.normalize("NFKC", name).casefold()


@lru_cache(maxsize=4096)
def handle_of(player: str) -> str:
    """By what others may know a player again, made from the id that they are not told.

    >>> handle_of("NpWVb1mcTdCz1ZuHOMhsyg")
    'v0opqzLxmIBw'
    """
    digest = hashlib.blake2b(player.encode(), digest_size=9, person=b"faceup handle").digest()
    return b64encode(digest, altchars=b"xy").decode()  # no dash: it may be an argument on a command line

"""Player names and handles: validation, normalization and uniqueness."""

import hashlib
import unicodedata
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from faceup.core import Malformed
from faceup.table.errors import MAX_NAME_LENGTH

_INVISIBLE: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Invisible characters that Unicode nevertheless counts as printable."""


def normalize_name(name: str) -> str:
    """Return a name in Unicode form NFC with single spaces, and check that it is 1 to 40 printable characters.

    Raises:
        Malformed: the name is too long, is invisible, or contains control characters (including bidirectional ones).

    >>> normalize_name("  Ann   Lee ")
    'Ann Lee'
    """
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    seen = any(char not in _INVISIBLE and char != " " and not unicodedata.combining(char) for char in cleaned)
    if not seen or not cleaned.isprintable() or len(cleaned) > MAX_NAME_LENGTH:
        raise Malformed(
            f"a name must have 1 to {MAX_NAME_LENGTH} printable characters; got {name[: 2 * MAX_NAME_LENGTH]!r}",
            what=name,
            where="name",
        )
    return cleaned


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number appended if the name is already taken.

    >>> unique_name("ann", ["Ann", "Bo"])
    'ann 2'
    """
    others = {_comparable(other) for other in taken}
    number, free = 1, name
    while _comparable(free) in others:
        number += 1
        end = f" {number}"
        free = name[: MAX_NAME_LENGTH - len(end)] + end
    return free


def _comparable(name: str) -> str:
    """Return a key that is equal for names that differ only in case or letter forms."""
    return unicodedata.normalize("NFKC", name).casefold()


@lru_cache(maxsize=4096)
def handle_of(player: str) -> str:
    """Derive a player's public handle from the player's secret id.

    >>> handle_of("NpWVb1mcTdCz1ZuHOMhsyg")
    'v0opqzLxmIBw'
    """
    digest = hashlib.blake2b(player.encode(), digest_size=9, person=b"faceup handle").digest()
    return b64encode(digest, altchars=b"xy").decode()  # no dash, since a handle may be a command-line argument

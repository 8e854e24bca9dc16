"""Player names and handles: validation, normalization, uniqueness, and names that look alike.

Two names look alike if their skeletons are equal, as in Unicode Technical Standard 39, section 4. `confusables.txt` has
Unicode's data for it, with its licence.
"""

import hashlib
import re
import unicodedata
from base64 import b64encode
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from faceup.characters import cut_text, is_printable_line
from faceup.core import Malformed
from faceup.server.rooms.errors import ConfusableNameError
from faceup.table.errors import MAX_NAME_LENGTH

_INVISIBLE: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Invisible characters that Unicode nevertheless counts as printable."""

_IGNORED: Final = re.compile(
    "[\u034f\u200c\u200d\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""Characters of accepted names that Unicode lets programs not show (`Default_Ignorable_Code_Point`)."""

ERASED_NAME: Final = "Deleted player"
"""The name of all erased players."""

GUEST_NAME: Final = "Guest"
"""The name of guests who chose none. Pages translate it, and several at a table are numbered."""

_NO_CHOSEN_NAME: Final = re.compile(rf"{GUEST_NAME}( \d+)?")

_RESERVED: Final = ("Admin", "Administrator", "System", "faceup", "管理员", "系统", ERASED_NAME)
"""Words that mean the server, its operator or no one. No player may have a name of only such words and digits."""


def normalize_name(name: str) -> str:
    """Return a name in Unicode form NFC with single spaces, and check that it is 1 to 40 printable characters.

    Invisible joiners are allowed where the spelling needs them (`is_printable_line`), as in Persian or Malayalam names.

    Raises:
        Malformed: the name is too long, is invisible, or contains control characters (including bidirectional ones).
        ConfusableNameError: the name can be mistaken for one of the server or its operator.

    >>> normalize_name("  Ann   Lee ")
    'Ann Lee'
    """
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    seen = any(char not in _INVISIBLE and char != " " and not unicodedata.combining(char) for char in cleaned)
    if not seen or not is_printable_line(cleaned) or len(cleaned) > MAX_NAME_LENGTH:
        raise Malformed(
            f"a name must have 1 to {MAX_NAME_LENGTH} printable characters; got {name[: 2 * MAX_NAME_LENGTH]!r}",
            what=name,
            where="name",
        )
    if any(_reserved_names().fullmatch(key) for key in _skeletons(cleaned, only_words=True)):
        raise ConfusableNameError(
            f"the name {cleaned!r} could be mistaken for the server or its operator: choose another name",
            what=name,
            where="name",
        )
    return cleaned


def is_guest_name(name: str) -> bool:
    """Return whether a name is that of a guest who chose none, with a number where there are several.

    >>> is_guest_name("Guest 2"), is_guest_name("Guesthouse")
    (True, False)
    """
    return _NO_CHOSEN_NAME.fullmatch(name) is not None


def normalize_optional_name(name: str) -> str:
    """Return the name of a party or tournament as `normalize_name` does, or "" for none. Raises its errors.

    >>> normalize_optional_name(" Club  night "), normalize_optional_name("  ")
    ('Club night', '')
    """
    return normalize_name(name) if name.strip() else ""


def require_distinct(name: str, taken: Iterable[str]) -> None:
    """Raise `ConfusableNameError` if the name looks like another one, but is not the same in other letter forms.

    >>> require_distinct("ann", ["Ann", "Bo"])
    >>> require_distinct("\u0410nn", ["Ann", "Bo"])  # with a Cyrillic letter
    Traceback (most recent call last):
    faceup.server.rooms.errors.ConfusableNameError: the name '\u0410nn' could be mistaken for 'Ann': choose another name
    """
    for other in taken:
        if _comparable(name) != _comparable(other) and not _skeletons(name).isdisjoint(_skeletons(other)):
            raise ConfusableNameError(
                f"the name {name!r} could be mistaken for {other!r}: choose another name", what=name, where="name"
            )


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number appended if the name, or one that looks like it, is already taken.

    >>> unique_name("ann", ["Ann", "Bo"])
    'ann 2'
    """
    names = tuple(taken)
    others = {_comparable(other) for other in names}
    alike = frozenset(key for other in names for key in _skeletons(other))
    number, free = 1, name
    while _comparable(free) in others or not _skeletons(free).isdisjoint(alike):
        number += 1
        end = f" {number}"
        free = cut_text(name, MAX_NAME_LENGTH - len(end)).rstrip() + end
    return free


def name_among(name: str, taken: Collection[str]) -> str:
    """Return the name of a person who joins others. Raises the errors of `normalize_name` and `require_distinct`."""
    cleaned = normalize_name(name)
    require_distinct(cleaned, taken)
    return unique_name(cleaned, taken)


def normalize_login(login: str) -> str:
    """Normalize a login for comparison, so that case, Unicode variants (NFKC) and invisible joiners do not matter.

    Raises:
        Malformed: the login is not a valid name.

    >>> normalize_login("ANN") == normalize_login("ann")
    True
    """
    return _comparable(_IGNORED.sub("", normalize_name(login)))


def _comparable(name: str) -> str:
    """Return a key that is equal for names that differ only in case or letter forms."""
    return unicodedata.normalize("NFKC", name).casefold()


@lru_cache(maxsize=4096)
def _skeletons(name: str, *, only_words: bool = False) -> frozenset[str]:
    """Return keys of a name, so that names with a common key look alike.

    There are two keys, because a capital letter may look like another letter than its small form, as in `I` and `l`.
    With `only_words`, the keys contain only the letters and digits of the name, without digits at its end.
    """
    compatible = unicodedata.normalize("NFKC", name)
    return frozenset(_skeleton(form, only_words=only_words) for form in (compatible, compatible.casefold()))


def _skeleton(text: str, *, only_words: bool) -> str:
    if only_words:
        text = "".join(char for char in text if char.isalnum()).rstrip("0123456789")
    plain = _IGNORED.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", plain.translate(_prototypes())).casefold()


@cache
def _prototypes() -> dict[int, str]:
    """Return the prototype of each character that looks like another one."""
    text = Path(__file__).with_name("confusables.txt").read_text("utf-8")
    lines = [line.split("\t") for line in text.split("\n") if "\t" in line]
    return {ord(char): prototype for prototype, chars in lines for char in chars}


@cache
def _reserved_names() -> re.Pattern[str]:
    words = {key for word in _RESERVED for key in _skeletons(word, only_words=True)}
    return re.compile(f"(?:{'|'.join(map(re.escape, sorted(words)))})+")


@lru_cache(maxsize=4096)
def handle_of(player: str) -> str:
    """Derive a player's public handle from the player's secret id.

    >>> handle_of("NpWVb1mcTdCz1ZuHOMhsyg")
    'v0opqzLxmIBw'
    """
    digest = hashlib.blake2b(player.encode(), digest_size=9, person=b"faceup handle").digest()
    return b64encode(digest, altchars=b"xy").decode()  # no dash, since a handle may be a command-line argument

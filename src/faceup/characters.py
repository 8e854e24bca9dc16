"""Characters that are written as one, such as joined emoji: whether a text with them is printable, and where to cut."""

import re
import unicodedata
from codecs import BOM_UTF8
from typing import Final, overload

_FLAG: Final = re.compile("(?<=\U0001f3f4)[\U000e0030-\U000e007a]+\U000e007f")
"""What follows the black flag in the flag of a region, such as Wales."""

_JOINERS: Final = "\u200c\u200d"
_EMOJI_MODIFIERS: Final = frozenset("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_VIRAMA: Final = 9
"""The canonical combining class of signs that remove the vowel of an Indic letter."""


@overload
def remove_bom(text: str) -> str: ...
@overload
def remove_bom(text: bytes) -> bytes: ...


def remove_bom(text: str | bytes) -> str | bytes:
    """Remove the byte order mark that some editors, shells and languages write before the first character.

    >>> remove_bom("\ufeffname"), remove_bom(b"name")
    ('name', b'name')
    """
    return text.removeprefix("\ufeff") if isinstance(text, str) else text.removeprefix(BOM_UTF8)


def is_printable_line(text: str) -> bool:
    """Return whether a text is one line of printable characters.

    The invisible joiners U+200C and U+200D count as printable where the spelling of a name needs them: after an Arabic
    letter, next to a virama, and between emoji (RFC 5892, A.1 and A.2, and Unicode Technical Standard 51). So do the
    tags in the flag of a region.

    >>> is_printable_line("Ann"), is_printable_line("A\u200dnn"), is_printable_line("\U0001f468\u200d\U0001f467")
    (True, False, True)
    """
    if text.isprintable():
        return True
    text = _FLAG.sub("", text)
    visible = "".join(char for index, char in enumerate(text) if char not in _JOINERS or not _is_needed(text, index))
    return visible.isprintable()


def _is_needed(text: str, index: int) -> bool:
    """Return whether the joiner at an index changes how the text is written."""
    if unicodedata.combining(text[index + 1 : index + 2] or " ") == _VIRAMA:
        return True
    if index and unicodedata.combining(text[index - 1]) == _VIRAMA:
        return True
    before = text[:index]
    while before and (unicodedata.combining(before[-1]) or before[-1] in _EMOJI_MODIFIERS):
        before = before[:-1]
    if unicodedata.bidirectional(before[-1:] or " ") == "AL":
        return True
    emoji = (before[-1:], text[index + 1 : index + 2])
    return text[index] == "\u200d" and all(char and unicodedata.category(char) == "So" for char in emoji)


def cut_text(text: str, most: int) -> str:
    """Return the start of a text with at most this number of characters. No joined characters are split.

    Accents, joined emoji and flags stay whole.

    >>> cut_text("Zoe\u0301", 3)
    'Zo'
    """
    end = most
    while 0 < end < len(text) and (_continues(text[end]) or text[end - 1] in _JOINERS or _splits_flag(text, end)):
        end -= 1
    return text[:end]


def _continues(char: str) -> bool:
    """Return whether a character is written together with the one before it."""
    return (
        unicodedata.category(char) in {"Mn", "Mc", "Me"}
        or char in _JOINERS
        or char in _EMOJI_MODIFIERS
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _splits_flag(text: str, end: int) -> bool:
    """Return whether a cut would separate the two letters of a country's flag."""
    letters = 0
    while letters < end and "\U0001f1e6" <= text[end - 1 - letters] <= "\U0001f1ff":
        letters += 1
    return letters % 2 == 1 and "\U0001f1e6" <= text[end] <= "\U0001f1ff"

"""Parse lists on the command line, separated by commas, spaces or brackets."""

import re

from faceup.core.notation import number


def words(text: str) -> list[str]:
    """Split a list of words that contain no spaces.

    >>> words("[5, 2, 4]") == words("5 2 4") == words("5,2,4") == words('["5", "2", "4"]')
    True
    """
    return _items(text, r"\s*,\s*|\s+")


def names(text: str) -> list[str]:
    """Split a list of names or commands at its commas; a name or command may contain spaces.

    >>> names("[Ann Lee, Bo]")
    ['Ann Lee', 'Bo']
    """
    return _items(text, r"\s*,\s*")


def numbers(text: str, where: str) -> list[int]:
    """Parse a list of cards. Raises `Malformed` if a card is not a number; `where` names the list in the message.

    >>> numbers("29 37 44", "rows")
    [29, 37, 44]
    """
    return [number(word, f"a card of {where}") for word in words(text)]


def rows(text: str, where: str) -> list[list[int]]:
    r"""Parse rows of cards that are joined by slashes or newlines, in brackets, or printed by `faceup nimmt place`.

    Raises:
        Malformed: a card in a row is not a number.

    >>> rows("5/6,7", "rows") == rows("[[5], [6, 7]]", "rows") == rows("row 0: 5\nrow 1: 6 7", "rows")
    True
    """
    content = text.strip()
    if re.fullmatch(r"\[\s*\[.*\]\s*\]", content, re.DOTALL):
        content = content[1:-1]
    parts = re.split(r"(?<=\])[\s,/]*(?=\[)|[/\n]", content)
    return [numbers(re.sub(r"^\s*row [0-9]+:", "", part), where) for part in parts]


def _items(text: str, separator: str) -> list[str]:
    content = text.strip()
    if content.startswith("[") and content.endswith("]"):
        content = content[1:-1].strip()
        if not content:
            return []
    return [re.sub(r"""^(["'])(.*)\1$""", r"\2", item) for item in re.split(separator, content)]

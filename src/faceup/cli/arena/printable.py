"""What programs wrote, for a terminal."""


def printable(text: str) -> str:
    r"""The text with nothing in it that could move a cursor or change a colour; lines and tabs stay.

    >>> print(printable("PLAY 7\x1b[2J"))
    PLAY 7\x1b[2J
    """
    return "".join(letter if letter.isprintable() or letter in "\n\t" else repr(letter)[1:-1] for letter in text)

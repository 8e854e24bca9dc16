"""What a program writes to its standard error: kept within bounds, and the figures that it reports in it."""

import re
from typing import Final

MOST_COLUMNS: Final = 32
MOST_LETTERS: Final = 64
"""Of a column's name, and of what it holds."""

_COLUMN: Final = re.compile(
    rb"^\[([A-Za-z_][\w.-]{0,63})=([^\]\r\n]{0,64})\][ \t]*\r?$", re.MULTILINE
)  # 64 letters: MOST_LETTERS


class Log:
    r"""The beginning and the end of a stream of bytes, each half of what may be kept.

    Args:
        most: the most bytes that are kept.

    Attributes:
        total: the bytes that there were.

    >>> log = Log(10)
    >>> for word in (b"first ", b"second ", b"third"):
    ...     log.add(word)
    >>> log.kept()
    b'first\n[8 bytes left out]\nthird'
    """

    __slots__ = ("_half", "_head", "_tail", "total")

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._head = b""
        self._tail = b""
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take what came."""
        self.total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail = (self._tail + data)[-self._half :] if self._half else b""

    def kept(self) -> bytes:
        """All of it; if that is too much, the beginning and the end, with a line between them that says so."""
        missing = self.total - len(self._head) - len(self._tail)
        if not missing:
            return self._head + self._tail
        return b"%b\n[%d bytes left out]\n%b" % (self._head.rstrip(b"\n"), missing, self._tail)


def columns(log: bytes) -> dict[str, str]:
    r"""What a program reported: its lines `[key=value]`, the last of each key, and no more than 32 of them.

    A key is a plain name; keys and values have at most 64 letters.

    >>> columns(b"thinking ...\n[depth=7]\n[nodes=120000]\n[depth=8]\n")
    {'depth': '8', 'nodes': '120000'}
    """
    if b"[" not in log:
        return {}
    found: dict[str, str] = {}
    for key, value in _COLUMN.findall(log):
        name = key.decode("ascii", "replace")
        if name in found or len(found) < MOST_COLUMNS:
            found[name] = value.decode("utf-8", "replace")
    return found

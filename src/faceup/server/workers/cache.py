"""A cache of results with a maximum size, from which the least recently used results are dropped."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class ByteCache(Generic[T]):
    """A cache.

    Args:
        maximum: the maximum size of all values.
        size: returns the size of a value, in bytes.

    >>> cache = ByteCache(5, len)
    >>> for text in ("one", "to", "a"):
    ...     cache.put(text, text)
    >>> cache.get("one"), cache.get("to")
    (None, 'to')
    >>> cache.put("re", "re", table="t1")
    >>> cache.forget("t1")
    >>> cache.get("re") is None
    True
    """

    def __init__(self, maximum: int, size: Callable[[T], int]) -> None:
        self._maximum = maximum
        self._size = size
        self._values: OrderedDict[str, T] = OrderedDict()
        self._tables: dict[str, str] = {}
        self._used = 0

    def get(self, key: str) -> T | None:
        """Return the value of a key; None if it is not in the cache."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: str, value: T, table: str = "") -> None:
        """Add the value of a new key, or replace the value of a known one. It is derived from `table`, if any."""
        self._remove(key)
        self._values[key] = value
        self._tables[key] = table
        self._used += self._size(value)
        while self._used > self._maximum:
            self._remove(next(iter(self._values)))

    def forget(self, table: str) -> None:
        """Remove everything that is derived from a table."""
        for key in [key for key, source in self._tables.items() if source == table]:
            self._remove(key)

    def _remove(self, key: str) -> None:
        if key in self._values:
            self._used -= self._size(self._values.pop(key))
            del self._tables[key]

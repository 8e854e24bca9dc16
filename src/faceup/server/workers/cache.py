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
    """

    def __init__(self, maximum: int, size: Callable[[T], int]) -> None:
        self._maximum = maximum
        self._size = size
        self._values: OrderedDict[str, T] = OrderedDict()
        self._used = 0

    def get(self, key: str) -> T | None:
        """Return the value of a key; None if it is not in the cache."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: str, value: T) -> None:
        """Add the value of a new key, or replace the value of a known one."""
        if key in self._values:
            self._used -= self._size(self._values.pop(key))
        self._values[key] = value
        self._used += self._size(value)
        while self._used > self._maximum:
            _, oldest = self._values.popitem(last=False)
            self._used -= self._size(oldest)

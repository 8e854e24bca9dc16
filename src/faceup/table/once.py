"""Properties that are worked out once for each value."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 -- a decorator, as `property` is
    """As `functools.cached_property`, which takes a lock before Python 3.12 that costs more than most answers here.

    The class needs a `__dict__`, which with msgspec is `dict=True`, and the value must not change.

    >>> class Hand:
    ...     cards = (3, 5)
    ...     @once
    ...     def total(self) -> int:
    ...         print("adding")
    ...         return sum(self.cards)
    >>> hand = Hand()
    >>> hand.total, hand.total
    adding
    (8, 8)
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:  # Any: whatever has such a property
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, value: None, kind: type | None = None) -> "once[T]": ...

    @overload
    def __get__(self, value: object, kind: type | None = None) -> T: ...

    def __get__(self, value: Any, kind: type | None = None) -> "once[T] | T":  # Any: as above
        """What is looked up the first time; then it stands in the value itself, and this is not called."""
        if value is None:
            return self
        found = value.__dict__[self._name] = self._work_out(value)
        return found

"""The entries of a table as a value that can be added to without copying what is in it already."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload

from faceup.core.record import AnyEntry


class Entries(Sequence[AnyEntry]):
    """Entries in order. As with a tuple, nothing changes it; but one more costs the same however many there are.

    A long match has tens of thousands of entries, and each of them makes a new table. So those that grew from each
    other share one list, of which each sees as much as it has; only where two grow from the same is it copied.

    >>> from faceup.core.record import Unpaused
    >>> one = Entries().and_then(Unpaused(1))
    >>> two, other = one.and_then(Unpaused(2)), one.and_then(Unpaused(3))
    >>> [entry.at for entry in two], [entry.at for entry in other], len(one), other[-1].at, two == (*one, two[1])
    ([1, 2], [1, 3], 1, 3, True)
    """

    __slots__ = ("_length", "_shared")

    def __init__(self, entries: Sequence[AnyEntry] = ()) -> None:
        self._shared = list(entries)
        self._length = len(self._shared)

    def and_then(self, entry: AnyEntry) -> "Entries":
        """With one more."""
        shared, length = self._shared, self._length
        if len(shared) == length > 0:  # nobody grows in the empty one, which is everybody's
            shared.append(entry)
        if not length or shared[length] is not entry:  # something else was added first, here or in another thread
            return Entries([*shared[:length], entry])
        grown = Entries.__new__(Entries)
        grown._shared, grown._length = shared, length + 1  # noqa: SLF001 -- of its own kind
        return grown

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> AnyEntry: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[AnyEntry, ...]: ...

    def __getitem__(self, place: int | slice) -> AnyEntry | tuple[AnyEntry, ...]:
        if isinstance(place, slice):
            return tuple(self._shared[each] for each in range(*place.indices(self._length)))
        if not -self._length <= place < self._length:
            raise IndexError(place)
        return self._shared[place if place >= 0 else place + self._length]

    def __iter__(self) -> Iterator[AnyEntry]:
        return islice(self._shared, self._length)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Entries) and other._shared is self._shared:
            return other._length == self._length
        return tuple(self) == tuple(other) if isinstance(other, Entries | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

"""An immutable sequence of a table's entries, to which an entry can be appended without copying the others."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload

from faceup.core.record import AnyEntry


class Entries(Sequence[AnyEntry]):
    """An immutable sequence of entries with `append` in constant time.

    A long match has tens of thousands of entries, and each entry makes a new table. To avoid copies, a sequence made by
    `append` shares one list with the sequence before it, and each sequence stores its own length. Only a second
    `append` to the same sequence copies the entries.

    >>> from faceup.core.record import Unpaused
    >>> one = Entries().append(Unpaused(1))
    >>> two, other = one.append(Unpaused(2)), one.append(Unpaused(3))
    >>> [entry.at for entry in two], [entry.at for entry in other], len(one), other[-1].at, two == (*one, two[1])
    ([1, 2], [1, 3], 1, 3, True)
    """

    __slots__ = ("_length", "_shared")

    def __init__(self, entries: Sequence[AnyEntry] = ()) -> None:
        self._shared = list(entries)
        self._length = len(self._shared)

    def append(self, entry: AnyEntry) -> "Entries":
        """Return a sequence with one more entry."""
        shared, length = self._shared, self._length
        if len(shared) == length > 0:  # all new tables share one empty sequence, so its list must not grow
            shared.append(entry)
        if not length or shared[length] is not entry:  # another entry was appended first, here or in another thread
            return Entries([*shared[:length], entry])
        grown = Entries.__new__(Entries)
        grown._shared, grown._length = shared, length + 1  # noqa: SLF001 -- an object of this class
        return grown

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> AnyEntry: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[AnyEntry, ...]: ...

    def __getitem__(self, place: int | slice) -> AnyEntry | tuple[AnyEntry, ...]:
        if isinstance(place, slice):
            return tuple(self._shared[index] for index in range(*place.indices(self._length)))
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

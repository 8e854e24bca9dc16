import pytest

from faceup.core.record import AnyEntry, Unpaused
from faceup.table.entries import Entries


def some(*times: int) -> list[AnyEntry]:
    return [Unpaused(at) for at in times]


def grown(*times: int) -> Entries:
    entries = Entries()
    for entry in some(*times):
        entries = entries.and_then(entry)
    return entries


def test_entries_are_a_value_whatever_grows_from_them() -> None:
    one = grown(1)
    left, right = one.and_then(Unpaused(2)), one.and_then(Unpaused(3))
    longer = left.and_then(Unpaused(4))
    assert (list(one), list(left), list(right), list(longer)) == (some(1), some(1, 2), some(1, 3), some(1, 2, 4))
    assert list(one.and_then(Unpaused(2))) == some(1, 2)
    assert list(Entries()) == []


def test_entries_are_read_as_a_tuple_is() -> None:
    entries, same = grown(1, 2, 3), tuple(some(1, 2, 3))
    longer = entries.and_then(Unpaused(4))
    assert len(longer) == 4
    assert len(entries) == 3
    assert entries == same == grown(1, 2, 3)
    assert entries != longer
    assert hash(entries) == hash(same)
    assert repr(entries) == repr(same)
    assert [entries[place] for place in (0, 2, -1, -3)] == [same[0], same[2], same[-1], same[-3]]
    assert (entries[1:], entries[:-1], entries[::-1]) == (same[1:], same[:-1], same[::-1])
    assert list(reversed(entries)) == list(reversed(same))
    for place in (3, -4):
        with pytest.raises(IndexError):
            entries[place]

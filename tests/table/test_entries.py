import pytest

from faceup.core.record import AnyEntry, Unpaused
from faceup.table.entries import Entries


def some(*times: int) -> list[AnyEntry]:
    return [Unpaused(at) for at in times]


def grown(*times: int) -> Entries:
    entries = Entries()
    for entry in some(*times):
        entries = entries.append(entry)
    return entries


def test_appending_does_not_change_a_sequence() -> None:
    first = grown(1)
    left, right = first.append(Unpaused(2)), first.append(Unpaused(3))
    longer = left.append(Unpaused(4))
    assert (list(first), list(left), list(right), list(longer)) == (some(1), some(1, 2), some(1, 3), some(1, 2, 4))
    assert list(first.append(Unpaused(2))) == some(1, 2)
    assert list(Entries()) == []


def test_entries_behave_as_a_tuple() -> None:
    entries, same = grown(1, 2, 3), tuple(some(1, 2, 3))
    longer = entries.append(Unpaused(4))
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

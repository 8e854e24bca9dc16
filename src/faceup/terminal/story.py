"""A record as something to step through."""

from typing import NamedTuple

from faceup.bots import policy
from faceup.core import AnyRules
from faceup.core.record import Frame, Joined, Record, replay
from faceup.table import table_from


class Story(NamedTuple):
    """What a replay shows: the rules, the name of each seat, and a frame for the start and for each move."""

    rules: AnyRules
    names: tuple[str, ...]
    frames: tuple[Frame, ...]


def story(record: Record) -> Story:
    """The story that a record tells, checked to its end.

    Raises:
        Malformed: an entry breaks a rule; says which entry, and the rule.
    """
    rules = record.rules()
    joined = [entry for entry in record.entries if isinstance(entry, Joined)]
    if joined:
        table_from(
            record, policy(record.game, record.terms.stand_in)
        )  # holds choices, marks and the clock to the rules
    names = {entry.seat: entry.name for entry in joined}
    return Story(rules, tuple(names.get(seat, f"Seat {seat}") for seat in range(rules.seats)), tuple(replay(record)))

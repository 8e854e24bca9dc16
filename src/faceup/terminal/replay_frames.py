"""The frames of a replay."""

from typing import NamedTuple

from faceup.bots import policy
from faceup.core import AnyRules
from faceup.core.record import Frame, Joined, Record, replay
from faceup.table.evolve import table_from
from faceup.terminal.words import text


class Replay(NamedTuple):
    """The rules, player names and frames of a replay; frame n shows the position after n moves."""

    rules: AnyRules
    names: tuple[str, ...]
    frames: tuple[Frame, ...]


def replay_frames(record: Record) -> Replay:
    """Return the replay of a record, after validating the whole record.

    Raises:
        Malformed: an entry breaks a rule; the message names the entry and the rule.
    """
    rules = record.rules()
    joined = [entry for entry in record.entries if isinstance(entry, Joined)]
    if joined:
        table_from(record, policy(record.game, record.terms.autoplay))  # validates choices, marks and the clock
    names = {entry.seat: entry.name for entry in joined}
    return Replay(
        rules,
        tuple(names.get(seat, text("seat", number=seat + 1)) for seat in range(rules.seats)),
        tuple(replay(record)),
    )

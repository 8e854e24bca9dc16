"""A record told again: the lines that a viewer would have been sent, a line a step, and beside them everybody's hand.

The same room is folded and the same lines are made as when it was played, so whoever shows a live table shows a
replay. A step is a reveal with all that led to it. One thing is added, since a game that is over has no secrets: the
member `hands` of the sight.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec

from faceup.core import CHANCE, AnyRules, Malformed, RulesError
from faceup.core.record import AnyEntry, Applied, Chosen, Joined, Record, check_result
from faceup.server.rooms.evolve import evolve
from faceup.server.rooms.messages import Change, whole
from faceup.server.rooms.opening import Opening
from faceup.server.rooms.patch import Json, diff, without_nulls
from faceup.server.rooms.room import Room, Viewer, open_room
from faceup.server.rooms.sight import require_watching

_ENCODER: Final = msgspec.json.Encoder()


def replayed(record: Record, viewer: Viewer = None) -> Iterator[bytes]:
    """The lines of a record: the whole sight at the first decision, then one for each time that the rules moved on.

    Args:
        record: of a game that is over, or as far as it went; what was sealed last is not told.
        viewer: from which seat it is seen; None is a spectator, who sees nobody's choices before they are turned up.

    Raises:
        Malformed: an entry breaks a rule, or the result is not what the entries lead to; says which entry and what.
        NotYours: there is no such seat.

    >>> from faceup.core.record import Joined, record_of
    >>> from faceup.core import make
    >>> rules = make("niuniu seats=2")
    >>> entries = (Joined(0, 0, "Ann", "person"), Joined(5, 1, "Bo", "person"))
    >>> [line[:15] for line in replayed(record_of(rules, entries, rules.start()))]
    [b'{"v":2,"at":5,"']
    """
    rooms = _rooms(record)
    room = next(rooms)
    require_watching(room, viewer)
    first = msgspec.json.decode(whole(room, viewer))
    hands = first["sight"]["hands"] = hands_of(room)
    yield _line(first)
    for after in rooms:
        line = Change(room, after).line(viewer)
        assert line is not None  # noqa: S101 -- everybody is told when the rules move on
        told = msgspec.json.decode(line)
        now = hands_of(after)
        if changed := diff(hands, now):
            told["patch"]["hands"] = changed
        yield _line(told)
        room, hands = after, now


def room_at(record: Record, step: int) -> Room:
    """The room as it stood after a step: 0 is its first decision.

    Raises:
        Malformed: the record has no such step, or breaks a rule before it.
    """
    if (room := next(islice(_rooms(record), step, None), None)) is None:
        raise Malformed(f"the record has no step {step}", what=step, where="at")
    return room


def hands_of(room: Room) -> Json:
    """By seat, as text, the members of its view that are not as a spectator's: laid over that, they make the seat's.

    >>> room = open_room(Opening(game="nimmt", options={"seats": 2, "hand": 2}))
    >>> hands_of(room)
    {'0': {'seat': 0}, '1': {'seat': 1}}
    """
    rules, state = room.table.rules, room.table.state
    public = rules.view(state, None)
    names = type(public).__struct_encode_fields__
    shown = msgspec.structs.astuple(public)
    hands: Json = {}
    for seat in range(rules.seats):
        own = msgspec.structs.astuple(rules.view(state, seat))
        pairs = zip(names, shown, own, strict=True)
        members: Json = {name: msgspec.to_builtins(value) for name, public, value in pairs if value != public}
        hands[str(seat)] = without_nulls(members)
    return hands


def _rooms(record: Record) -> Iterator[Room]:
    """The room at its first decision, and after each step."""
    room = open_room(_opening(record))
    rules = room.table.rules
    begun = False
    step: list[AnyEntry] = []  # what led to the next reveal so far
    for number, entry in enumerate(_entries(record, rules)):
        step.append(entry)
        try:
            if not begun:
                room = evolve(room, (entry,))
                step = []
                begun = room.status != "pending" and not _by_chance(room)
                if begun:
                    yield room
            elif isinstance(entry, Applied):
                # What a step leads to is known only when chance has had its say.
                after = evolve(room, tuple(step))
                if not _by_chance(after):
                    room, step = after, []
                    yield room
        except RulesError as error:
            wrong, culprit = _culprit(room, number - len(step) + 1, step)
            raise Malformed(f"entry {wrong}: {error}", what=culprit, where=f"entry {wrong}") from error
    if not begun:
        raise Malformed("the record stops before anybody had to choose: there is nothing to show", where="entries")
    check_result(record, rules, room.table.state)


def _culprit(room: Room, first: int, step: Sequence[AnyEntry]) -> tuple[int, AnyEntry]:
    """The entry of a step that breaks a rule, and its number: the first that cannot follow those before it."""
    for number, entry in enumerate(step, first):
        try:
            room = evolve(room, (entry,))
        except RulesError:
            return number, entry
    return first, step[0]  # unreachable: the step was refused


def _by_chance(room: Room) -> bool:
    return room.table.rules.to_act(room.table.state) == (CHANCE,)


def _opening(record: Record) -> Opening:
    """What was said when it was opened, as far as a record knows; its clock may be one that no server would give."""
    record.rules()  # says best what is wrong with game, variant or options
    opening = Opening(game=record.game, variant=record.variant, options=record.options)
    msgspec.structs.force_setattr(opening, "terms", record.terms)
    return opening


def _entries(record: Record, rules: AnyRules) -> Iterable[AnyEntry]:
    """The entries; where a record holds moves alone, with the players and the choices that they need."""
    if any(isinstance(entry, Joined) for entry in record.entries):
        return record.entries
    made: list[AnyEntry] = [Joined(0, seat, f"Seat {seat}", "person") for seat in range(rules.seats)]
    for entry in record.entries:
        if isinstance(entry, Applied):
            choices = [(seat, words) for seat, words in enumerate(entry.actions) if words is not None]
            made += [Chosen(entry.at, seat, words) for seat, words in choices]
        made.append(entry)
    return made


def _line(told: Json) -> bytes:
    return _ENCODER.encode(told) + b"\n"

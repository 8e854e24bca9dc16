"""Replay of a record as the messages of a live table, with everyone's hand.

A replay uses the same code and message format as a live table, with one message for each reveal. Since the game is
over, nothing is secret, so the room view has an additional member `hands`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from faceup.core import CHANCE, AnyRules, Malformed, RulesError
from faceup.core.record import AnyEntry, Applied, Chosen, Joined, Record, check_result
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.evolve import evolve
from faceup.server.rooms.merge_patch import Json, diff, drop_nulls
from faceup.server.rooms.room import Room, Viewer, open_room
from faceup.server.rooms.updates import UpdateEncoder, snapshot_line
from faceup.server.rooms.view import require_may_watch
from faceup.server.rooms.wire import Snapshot, Update, encode_message, parse_server_message


def replay_lines(
    record: Record, viewer: Viewer = None, *, all_hands: bool = True, faces: Sequence[str] = ()
) -> Iterator[bytes]:
    """Yield the messages of a record: a snapshot at the first decision, then an update for each reveal.

    Args:
        record: the record of a finished or unfinished game. Choices after the last reveal are ignored.
        viewer: the viewer's seat; None means a spectator.
        all_hands: whether to add everyone's hands. Without them, the messages contain only what the viewer may see.
        faces: for each seat, the animal and colour of its person, which records do not have; "" for a bot. A word
            " program" follows if a program of the person played.

    Raises:
        Malformed: an entry breaks a rule (the message names the entry), or the result does not match the entries.
        WrongSeatError: there is no such seat.

    >>> from faceup.core.record import Joined, record_of
    >>> from faceup.core import make
    >>> rules = make("niuniu seats=2")
    >>> entries = (Joined(0, 0, "Ann", "person"), Joined(5, 1, "Bo", "person"))
    >>> [line[:15] for line in replay_lines(record_of(rules, entries, rules.start()))]
    [b'{"v":2,"at":5,"']
    """
    rooms = _rooms(record)
    room = next(rooms)
    require_may_watch(room, viewer)
    snapshot = parse_server_message(snapshot_line(room, viewer))
    assert isinstance(snapshot, Snapshot)  # noqa: S101 -- decoded from a snapshot
    hands = hands_of(room)
    if all_hands:
        snapshot.room["hands"] = hands
    _add_faces(snapshot.room, faces)
    yield encode_message(snapshot)
    for after in rooms:
        line = UpdateEncoder(room, after).line(viewer)
        assert line is not None  # noqa: S101 -- every viewer gets an update for a reveal
        update = parse_server_message(line)
        assert isinstance(update, Update)  # noqa: S101 -- decoded from an update
        now = hands_of(after)
        if all_hands and (changed := diff(hands, now)):
            update.patch["hands"] = changed
        _add_faces(update.patch, faces)
        yield encode_message(update)
        room, hands = after, now


def _add_faces(members: Json, faces: Sequence[str]) -> None:
    """Add the faces to the seats of a room view, or of a patch of one, which has all seats or none."""
    for seat, face in zip(members.get("seats", ()), faces, strict=False):
        if seat is not None and face:
            seat["face"], _, program = face.partition(" ")
            if program:
                seat["program"] = True


def room_at_step(record: Record, step: int) -> Room:
    """Return the room after a step of a replay. Step 0 is the first decision, and each reveal is one more step.

    Raises:
        Malformed: the record has no such step, or an entry before this step breaks a rule.
    """
    if (room := next(islice(_rooms(record), step, None), None)) is None:
        raise Malformed(f"the record has no step {step}", what=step, where="at")
    return room


def hands_of(room: Room) -> Json:
    """Return, for each seat number (as a string), the members of its view that differ from a spectator's view.

    >>> room = open_room(TableConfig(game="nimmt", options={"seats": 2, "hand": 2}))
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
        hands[str(seat)] = drop_nulls(members)
    return hands


def _rooms(record: Record) -> Iterator[Room]:
    """Yield the room at the first decision, then the room after each reveal."""
    room = open_room(_config_of(record))
    rules = room.table.rules
    started = False
    step: list[AnyEntry] = []  # entries since the last reveal
    for number, entry in enumerate(_entries(record, rules)):
        step.append(entry)
        try:
            if not started:
                room = evolve(room, (entry,))
                step = []
                started = room.status != "pending" and not _by_chance(room)
                if started:
                    yield room
            elif isinstance(entry, Applied):
                # A step includes the chance outcomes that follow the reveal.
                after = evolve(room, tuple(step))
                if not _by_chance(after):
                    room, step = after, []
                    yield room
        except RulesError as error:
            wrong, culprit = _first_invalid_entry(room, number - len(step) + 1, step)
            raise Malformed(f"entry {wrong}: {error}", what=culprit, where=f"entry {wrong}") from error
    if not started:
        raise Malformed("the record ends before the first decision", where="entries")
    check_result(record, rules, room.table.state)


def _first_invalid_entry(room: Room, first: int, step: Sequence[AnyEntry]) -> tuple[int, AnyEntry]:
    """Return the number and value of the first entry of a step that breaks a rule."""
    for number, entry in enumerate(step, first):
        try:
            room = evolve(room, (entry,))
        except RulesError:
            return number, entry
    return first, step[0]  # unreachable: the step was rejected


def _by_chance(room: Room) -> bool:
    return room.table.rules.to_act(room.table.state) == (CHANCE,)


def _config_of(record: Record) -> TableConfig:
    """Return the configuration of a record's table. The clock may be outside the range that a server allows."""
    record.rules()  # called only to raise its error messages for game, variant and options, which are the clearest
    config = TableConfig(game=record.game, variant=record.variant, options=record.options)
    msgspec.structs.force_setattr(config, "terms", record.terms)
    return config


def _entries(record: Record, rules: AnyRules) -> Iterable[AnyEntry]:
    """Return the entries of a record. If the record holds only moves, add entries for the players and their choices."""
    if any(isinstance(entry, Joined) for entry in record.entries):
        return record.entries
    made: list[AnyEntry] = [Joined(0, seat, f"Seat {seat + 1}", "person") for seat in range(rules.seats)]
    for entry in record.entries:
        if isinstance(entry, Applied):
            choices = [(seat, action) for seat, action in enumerate(entry.actions) if action is not None]
            made += [Chosen(entry.at, seat, action) for seat, action in choices]
        made.append(entry)
    return made

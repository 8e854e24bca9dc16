"""The messages of a viewer's stream, as lines of JSON: a snapshot of the room view, then an update for each change.

The messages of a viewer are numbered from 1 and depend only on the log, so every process makes the same messages for
it. Parts that are the same for several viewers are encoded once. `backlog_lines` repeats all messages since the game
started.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from operator import attrgetter, is_not
from typing import Final, NamedTuple, cast

import msgspec

from faceup.core import Action, AnyRules, Event, Seat, View
from faceup.core.record import Result
from faceup.server.rooms.bot_votes import idle_from
from faceup.server.rooms.entries import EntryBatch
from faceup.server.rooms.evolve import fold_steps
from faceup.server.rooms.merge_patch import diff, drop_nulls
from faceup.server.rooms.reactions import pins
from faceup.server.rooms.room import PlayerIds, Room, Viewer, last_update_at, may_watch, version_for, viewer_of
from faceup.server.rooms.view import (
    away_seats,
    chosen_seats,
    describe_action,
    due_for,
    encode_room_view,
    fair_of,
    is_host_for,
    legal_actions_for,
    may_have_hints,
    room_view_for,
    seats_of,
    series_of,
)
from faceup.server.rooms.wire import Snapshot, encode_message
from faceup.table import Table

_ENCODER: Final = msgspec.json.Encoder()


def snapshot_line(room: Room, viewer: Viewer, now: int | None = None, player: PlayerIds | None = None) -> bytes:
    """Encode the snapshot for a viewer.

    Args:
        room: the current room.
        viewer: the seat, or None for a spectator.
        now: the current time, which the snapshot then includes, in milliseconds since the room was created.
        player: the ids of the viewer, if known.

    Raises:
        SpectatorsOffError: the viewer is a spectator, and spectators are off.
    """
    room_view = encode_room_view(room_view_for(room, viewer, player))
    line = Snapshot(v=version_for(room, viewer), at=last_update_at(room, viewer), now=now, room=room_view)
    return encode_message(line)


class UpdateEncoder:
    """The encoder of the `Update` messages of one batch of entries, for all viewers.

    Most members are the same for all viewers, so it is faster to join encoded bytes than to encode an `Update` for each
    viewer (`benchmarks/online.py` measures the difference). A test compares the lines with encoded `Update` objects.

    Args:
        before: the room before the batch.
        after: the room after the batch.

    Attributes:
        may_wait: whether the batch changes only choices, marks, reactions or votes, for which no one waits.
        private: whether only one seat may learn of the batch.
        seats: the seats with a choice or mark that the batch changes.
    """

    __slots__ = (
        "_advanced",
        "_after",
        "_before",
        "_clocked",
        "_comparable",
        "_events",
        "_hosted",
        "_others",
        "_rest",
        "_shared",
        "_values",
        "may_wait",
        "private",
        "seats",
    )  # fmt: skip

    def __init__(self, before: Room, after: Room) -> None:
        others = frozenset(compress(_ALL_PARTS, map(is_not, _parts_of(before), _parts_of(after))))
        self._before = before
        self._after = after
        self.may_wait = others <= _MAY_WAIT
        self.private = before.public_count == after.public_count
        self.seats = _changed_seats(before.table, after.table)
        self._advanced = "state" in others
        self._clocked = self._advanced or not others.isdisjoint(_CLOCK)
        self._hosted = "host" in others or "owners" in others
        self._shared = _shared(before, after, others)
        self._events = _Events(after)
        self._values = _ViewDiff()
        # The part of the line that follows the version, for viewers without private changes.
        self._rest = self._with(self._events.public, self._shared) if self._events.public is not None else None
        # The line that is the same for all viewers except `_others`; None if any viewer may get a different line.
        self._comparable: bytes | None = None
        self._others: list[Viewer] = []
        if self._rest is not None and not self.private and not (self._clocked or self._hosted):
            self._comparable = b'{"v":%d,%b' % (after.public_count, self._rest)
            self._others = self._viewers_apart()

    def line(self, viewer: Viewer) -> bytes | None:
        """Return the viewer's message; None if the viewer must not learn of the change.

        If spectators may watch from now on, but could not watch before, their message is a snapshot.
        """
        if self._comparable is not None and viewer not in self._others:
            return self._comparable
        before, after = self._before, self._after
        version = version_for(after, viewer)
        if version == version_for(before, viewer):
            return None
        if viewer is None and not may_watch(after):
            return None
        if viewer is None and not may_watch(before):
            return snapshot_line(after, None)
        private, append = self._private_patch(viewer)
        if self._rest is not None and not private and not append:
            return b'{"v":%d,%b' % (version, self._rest)
        patch = b",".join((self._shared, *private)) if self._shared else b",".join(private)
        return b'{"v":%d,%b' % (version, self._with(self._events.visible_to(viewer), patch, append))

    def _viewers_apart(self) -> list[Viewer]:
        """Return the viewers with a line that may differ from that of all others, if only choices and marks changed.

        These are the seats whose choice or mark changed, the seats that have received private messages, and also
        spectators (None) if spectators are off.
        """
        private = [seat for seat, count in enumerate(self._after.private_counts) if count]
        viewers: list[Viewer] = [*self.seats, *private]
        return viewers if may_watch(self._before) and may_watch(self._after) else [*viewers, None]

    def _with(self, events: bytes, patch: bytes, append: Sequence[bytes] = ()) -> bytes:
        longer = b',"append":{"view":{%b}}' % b",".join(append) if append else b""
        return b'"at":%d,"events":[%b],"patch":{%b}%b}\n' % (self._after.at, events, patch, longer)

    def _private_patch(self, viewer: Viewer) -> tuple[list[bytes], list[bytes]]:
        """Return the encoded members of the patch and of `append` that only this viewer may get."""
        old, new = self._before.table, self._after.table
        parts: list[bytes] = []
        append: list[bytes] = []
        if self._clocked and (due := due_for(self._after, viewer)) != due_for(self._before, viewer):
            parts.append(_member("due", due))
        if viewer is not None:
            if self._hosted and (is_host := is_host_for(self._after, viewer)) != is_host_for(self._before, viewer):
                parts.append(_member("is_host", is_host))
            if old.choices[viewer] != new.choices[viewer]:
                parts.append(_member("choice", describe_action(self._after, new.choices[viewer])))
            if old.marks[viewer] != new.marks[viewer]:
                parts.append(_member("mark", describe_action(self._after, new.marks[viewer])))
        if self._advanced:
            was, view = old.rules.view(old.state, viewer), new.rules.view(new.state, viewer)
            if was.legal != view.legal:
                texts = _action_text(
                    cast("Hashable", new.rules)
                )  # rules are frozen, which the protocol does not express
                parts.append(b'"actions":[%b]' % b",".join([texts[action] for action in view.legal]))
            fields, append = self._values.changed(was, view)
            if fields:
                parts.append(b'"view":{%b}' % b",".join(fields))
        elif self._clocked and old.committing != new.committing:  # the deal is complete
            parts.append(_member("actions", legal_actions_for(self._after, viewer)))
        return parts, append


def _changed_seats(before: Table, after: Table) -> list[Seat]:
    """Return the seats with a different choice or mark."""
    pairs = enumerate(zip(before.choices, after.choices, before.marks, after.marks, strict=True))
    return [seat for seat, (was, choice, had, mark) in pairs if was != choice or had != mark]


def _result(room: Room) -> Result | None:
    table = room.table
    if table.status != "finished":
        return None
    return Result(table.rules.scores(table.state), table.rules.ranks(table.state))


class _SharedMember(NamedTuple):
    """A member of the room view that is the same for all viewers, and the parts of the room that it depends on."""

    name: str
    value: Callable[[Room], object]
    parts: frozenset[str]


_PARTS: Final = (
    "closed",
    "host",
    "owners",
    "faces",
    "programs",
    "reserved",
    "rematch",
    "fills_at",
    "countdown_ends",
    "reactions",
)
_TABLE_PARTS: Final = ("players", "state", "choices", "paces", "decision", "paused", "round", "deadline")
_ALL_PARTS: Final = (*_PARTS, *_TABLE_PARTS)
_parts_of = attrgetter(*_PARTS, *(f"table.{name}" for name in _TABLE_PARTS))
"""Gets all parts of a room on which messages depend. A part that changes becomes a new object."""

_MAY_WAIT: Final = frozenset({"choices", "reactions"})

_CLOCK: Final = frozenset({"deadline", "paces", "players", "round", "closed"})
"""The parts on which deadlines depend, in addition to the state."""


def _shared_member(name: str, value: Callable[[Room], object], *parts: str) -> _SharedMember:
    return _SharedMember(name, value, frozenset(parts))


_SHARED_MEMBERS: Final = (
    _shared_member("status", lambda room: room.status, "players", "state", "closed"),
    _shared_member("host", lambda room: viewer_of(room, room.host), "host", "owners"),
    _shared_member("seats", seats_of, "players", "owners", "faces", "programs"),
    _shared_member("reserved", lambda room: room.reserved, "reserved"),
    _shared_member("away", away_seats, "players"),
    _shared_member("chosen", chosen_seats, "choices"),
    _shared_member("times", lambda room: room.table.paces, "paces"),
    _shared_member("decision", lambda room: room.table.decision, "decision"),
    _shared_member("paused", lambda room: room.table.paused, "paused"),
    _shared_member("result", _result, "players", "state"),
    _shared_member("fair", fair_of, "round", "state", "closed"),
    _shared_member("closed", lambda room: room.closed, "closed"),
    _shared_member("rematch", lambda room: room.rematch, "rematch"),
    _shared_member("series", series_of, "players", "state"),
    _shared_member("fills_at", lambda room: room.fills_at, "fills_at"),
    _shared_member("countdown_ends", lambda room: room.countdown_ends, "countdown_ends"),
    _shared_member("hints", may_have_hints, "owners"),
    _shared_member("idle_from", idle_from, "state", "players", "owners", "round", "paused", "paces", "closed"),
    _shared_member("pins", pins, "reactions"),
    _shared_member("rated", lambda room: room.rated, "owners", "programs"),
)


def _shared(before: Room, after: Room, others: frozenset[str]) -> bytes:
    """Encode the members of the patch that are the same for all viewers, without braces."""
    members = []
    for name, value in _members_of(others):
        if (new := value(after)) != (old := value(before)):
            members.append(_changed(name, old, new))
    return b",".join(members)


@lru_cache(maxsize=256)  # there are few combinations in practice
def _members_of(parts: frozenset[str]) -> tuple[tuple[str, Callable[[Room], object]], ...]:
    """Return the name and the value function of each shared member that depends on any of these parts."""
    return tuple([(member.name, member.value) for member in _SHARED_MEMBERS if member.parts & parts])


def _member(name: str, value: object) -> bytes:
    return b'"%b":%b' % (name.encode(), _ENCODER.encode(value))


def _changed(name: str, was: object, value: object) -> bytes:
    """Encode a changed member: as a patch if its old and new values are objects, else as the new value."""
    if value is None or isinstance(value, tuple | int | str | float):
        return _member(name, value)
    builtins = [msgspec.to_builtins(state) for state in (was, value)]
    if all(isinstance(state, dict) for state in builtins):
        return _member(name, diff(*map(drop_nulls, builtins)))
    return _member(name, drop_nulls(builtins[1]) if isinstance(builtins[1], dict) else builtins[1])


class _ActionText(dict[Action, bytes]):
    """A cache of the JSON notation of each action."""

    def __init__(self, rules: AnyRules) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, action: Action) -> bytes:
        self[action] = text = _ENCODER.encode(self._rules.describe(action))
        return text


@lru_cache(maxsize=64)
def _action_text(rules: Hashable) -> _ActionText:
    return _ActionText(cast("AnyRules", rules))


class _Events:
    """The events of a batch, each of which is encoded once.

    Attributes:
        public: all encoded events joined with commas if every viewer may see all events, else None.
    """

    __slots__ = ("_names", "_parts", "public")

    def __init__(self, room: Room) -> None:
        self._names = room.table.names
        self._parts = [(event, self._encoded(event)) for event in room.events]
        all_public = all(event.audience is None for event in room.events)
        self.public = b",".join([part for _, part in self._parts]) if all_public else None

    def visible_to(self, viewer: Viewer) -> bytes:
        """Return the encoded events that the viewer may see, joined with commas."""
        if self.public is not None:
            return self.public
        return b",".join([part for event, part in self._parts if event.is_visible_to(viewer)])

    def _encoded(self, event: Event) -> bytes:
        return b'%b,"text":%b}' % (_ENCODER.encode(event)[:-1], _ENCODER.encode(event.words(self._names)))


class _ViewDiff:
    """The encoder of changed view fields, which encodes a field once for all viewers whose values are equal."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, object, bytes, bool]] = {}

    def changed(self, before: View, after: View) -> tuple[list[bytes], list[bytes]]:
        """Return the encoded members of the patch, and of `append`, that describe the change between two views."""
        cached_parts, names = self._known, type(after).__struct_encode_fields__
        patch: list[bytes] = []
        append: list[bytes] = []
        index = -1
        for was, value in zip(msgspec.structs.astuple(before), msgspec.structs.astuple(after), strict=True):
            index += 1
            if was is value:
                continue
            cached = cached_parts.get(index)
            # Public fields are the same objects in the views of all viewers.
            if cached is None or cached[1] is not value or cached[0] is not was:
                if was == value:
                    continue
                if cached is None or cached[1] != value or cached[0] != was:
                    cached = cached_parts[index] = was, value, *_changed_member(names[index], was, value)
            (append if cached[3] else patch).append(cached[2])
        return patch, append


def _changed_member(name: str, was: object, value: object) -> tuple[bytes, bool]:
    """Encode a changed field of a view; also return whether the result holds only the items added to a list."""
    if isinstance(was, tuple) and isinstance(value, tuple) and 0 < len(was) < len(value) and value[: len(was)] == was:
        return _member(name, value[len(was) :]), True
    return _changed(name, was, value), False


def backlog_lines(log: Iterable[EntryBatch], viewer: Viewer) -> Iterator[bytes]:
    """Yield a viewer's messages since the game started: a snapshot at the first decision, then the updates.

    A viewer who was connected all the time has received identical messages, with the same numbers.

    Args:
        log: the batches that the viewer may know by now.
        viewer: the seat, or None for a spectator, who gets no messages from times when spectators were off.

    Raises:
        Malformed: the log does not start with `RoomCreated`.

    >>> from faceup.core import generator
    >>> from faceup.server.rooms import Choose, TableConfig, Sit, decide, create_entries, fold_log
    >>> rng = generator(1)
    >>> log = [create_entries(TableConfig(game="nimmt", options={"seats": 2, "hand": 2}), "ann-id", "Ann", rng)]
    >>> for player, command in (("bo-id", Sit("Bo")), ("ann-id", Choose(0, "play 46", 0))):
    ...     log.append(decide(fold_log((batch, None) for batch in log), command, player, 4_000, rng))
    >>> [line[:40] for line in backlog_lines(log, 1)]
    [b'{"v":2,"at":4000,"room":{"seat":1,"statu', b'{"v":3,"at":4000,"events":[{"event":"cho']
    """
    started = False
    for before, after in fold_steps((batch, None) for batch in log):
        if started:
            if (line := UpdateEncoder(before, after).line(viewer)) is not None:
                yield line
        elif after.status != "pending":
            started = True
            if viewer is not None or may_watch(after):
                yield snapshot_line(after, viewer)

"""What each viewer is sent: lines of JSON, first the whole sight, then for each append what is new to this viewer.

The lines of a viewer are numbered from 1 and follow from the log alone, whoever makes them and whenever. What all see
alike is put into bytes once for all of them.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from itertools import compress
from operator import attrgetter, is_not
from typing import Final, NamedTuple, cast

import msgspec

from faceup.core import Action, AnyRules, Event, View
from faceup.core.record import Result
from faceup.server.rooms.patch import Json, diff, without_nulls
from faceup.server.rooms.room import Room, Viewer, may_watch, time_for, version_for, viewer_of
from faceup.server.rooms.sight import (
    away_of,
    chosen_of,
    due_for,
    fair_of,
    hosting_of,
    in_words,
    seats_of,
    sight_for,
    wire,
    words_for,
)

_ENCODER: Final = msgspec.json.Encoder()


class Message(msgspec.Struct, frozen=True):
    """A line with what is new.

    Attributes:
        v: its number among the messages of this viewer.
        at: when it happened, in milliseconds since the room was opened.
        events: what happened, for showing; each has its kind as `event`, and its sentence as `words`.
        patch: the JSON merge patch (RFC 7396) from this viewer's last sight to this one.
        grown: what has come to the ends of lists in the view that have only got longer, and are not in the patch.
    """

    v: int
    at: int
    events: tuple[Json, ...]
    patch: Json
    grown: Json | None = None


class Whole(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line with the whole sight, as it is after message `v`, which was sent `at` this time.

    `now` is what time it is there, to count down to a deadline.
    """

    v: int
    at: int
    now: int | None = None
    sight: Json


def whole(room: Room, viewer: Viewer, now: int | None = None, player: str | None = None) -> bytes:
    """The line that a viewer's stream begins with.

    Args:
        room: as it stands.
        viewer: whose stream it is.
        now: milliseconds since the room was opened, if the line is to say so.
        player: who reads it, if that is known.

    Raises:
        Hidden: a spectator, of a game at which nobody may look on.
    """
    sight = wire(sight_for(room, viewer, player))
    line = Whole(v=version_for(room, viewer), at=time_for(room, viewer), now=now, sight=sight)
    return _ENCODER.encode(line) + b"\n"


class Change:
    """What one append changed, told to each viewer.

    Args:
        before: the room before the append.
        after: the room after it.
    """

    __slots__ = (
        "_after", "_alike", "_before", "_clocked", "_events", "_hosted", "_moved", "_others", "_rest", "_shared",
        "_values",
    )  # fmt: skip

    def __init__(self, before: Room, after: Room) -> None:
        others = frozenset(compress(_ALL_PARTS, map(is_not, _parts_of(before), _parts_of(after))))
        self._before = before
        self._after = after
        self._moved = "state" in others
        self._clocked = self._moved or not others.isdisjoint(_CLOCK)
        self._hosted = "host" in others or "owners" in others
        self._shared = _shared(before, after, others)
        self._events = _Events(after)
        self._values = _Values()
        # What follows the version, for all to whom only what all see alike is new.
        self._rest = self._with(self._events.everybody, self._shared) if self._events.everybody is not None else None
        # The line of all viewers but some others; None where anybody may have a line of its own.
        self._alike: bytes | None = None
        self._others: list[Viewer] = []
        if self._rest is not None and before.told != after.told and not (self._clocked or self._hosted):
            self._alike = b'{"v":%d,%b' % (after.told, self._rest)
            self._others = _others(before, after)

    def line(self, viewer: Viewer) -> bytes | None:
        """The viewer's next line; None if the append is nothing new to it.

        To a spectator who may look on only now, the line is the whole sight.
        """
        if self._alike is not None and viewer not in self._others:
            return self._alike
        before, after = self._before, self._after
        version = version_for(after, viewer)
        if version == version_for(before, viewer):
            return None
        if viewer is None and not may_watch(after):
            return None
        if viewer is None and not may_watch(before):
            return whole(after, None)
        own, grown = self._own(viewer)
        if self._rest is not None and not own and not grown:
            return b'{"v":%d,%b' % (version, self._rest)
        patch = b",".join((self._shared, *own)) if self._shared else b",".join(own)
        return b'{"v":%d,%b' % (version, self._with(self._events.heard(viewer), patch, grown))

    def _with(self, events: bytes, patch: bytes, grown: Sequence[bytes] = ()) -> bytes:
        longer = b',"grown":{"view":{%b}}' % b",".join(grown) if grown else b""
        return b'"at":%d,"events":[%b],"patch":{%b}%b}\n' % (self._after.at, events, patch, longer)

    def _own(self, viewer: Viewer) -> tuple[list[bytes], list[bytes]]:
        """What may differ from viewer to viewer: parts of the patch, and what has grown in the view."""
        old, new = self._before.table, self._after.table
        parts: list[bytes] = []
        grown: list[bytes] = []
        if self._clocked and (due := due_for(self._after, viewer)) != due_for(self._before, viewer):
            parts.append(_member("due", due))
        if viewer is not None:
            if self._hosted and (hosting := hosting_of(self._after, viewer)) != hosting_of(self._before, viewer):
                parts.append(_member("hosting", hosting))
            if old.choices[viewer] != new.choices[viewer]:
                parts.append(_member("choice", in_words(self._after, new.choices[viewer])))
            if old.marks[viewer] != new.marks[viewer]:
                parts.append(_member("mark", in_words(self._after, new.marks[viewer])))
        if self._moved:
            was, view = old.rules.view(old.state, viewer), new.rules.view(new.state, viewer)
            if was.legal != view.legal:
                words = _words_of(cast("Hashable", new.rules))  # a frozen value, though the protocol does not say it
                parts.append(b'"words":[%b]' % b",".join([words[action] for action in view.legal]))
            fields, grown = self._values.changed(was, view)
            if fields:
                parts.append(b'"view":{%b}' % b",".join(fields))
        elif self._clocked and old.sealing != new.sealing:  # a fair deal of a game that begins with a decision
            parts.append(_member("words", words_for(self._after, viewer)))
        return parts, grown


def _others(before: Room, after: Room) -> list[Viewer]:
    """Whose line may differ where nothing moved but choices: who chose or marked, and who has other numbers.

    Spectators are among them where nobody may look on.
    """
    old, new = before.table, after.table
    pairs = enumerate(zip(old.choices, new.choices, old.marks, new.marks, after.alone, strict=True))
    others: list[Viewer] = [
        seat for seat, (was, choice, had, mark, alone) in pairs if alone or was != choice or had != mark
    ]
    return others if may_watch(before) and may_watch(after) else [*others, None]


def _result(room: Room) -> Result | None:
    table = room.table
    if table.status != "finished":
        return None
    return Result(table.rules.scores(table.state), table.rules.ranks(table.state))


class _Fact(NamedTuple):
    """A member of the sight that all viewers see alike: its value, and the parts of a room that it follows from."""

    name: str
    value: Callable[[Room], object]
    parts: frozenset[str]


_PARTS: Final = ("closed", "host", "owners", "kept", "rematch")
_TABLE_PARTS: Final = ("players", "state", "choices", "paces", "decision", "paused", "round", "deadline")
_ALL_PARTS: Final = (*_PARTS, *_TABLE_PARTS)
_parts_of = attrgetter(*_PARTS, *(f"table.{name}" for name in _TABLE_PARTS))
"""Everything in a room that lines follow from, which is another object where something has changed."""

_CLOCK: Final = frozenset({"deadline", "paces", "players", "round", "closed"})
"""What deadlines follow from, beside the state."""


def _fact(name: str, value: Callable[[Room], object], *parts: str) -> _Fact:
    return _Fact(name, value, frozenset(parts))


_FACTS: Final = (
    _fact("status", lambda room: room.status, "players", "state", "closed"),
    _fact("host", lambda room: viewer_of(room, room.host), "host", "owners"),
    _fact("seats", seats_of, "players", "owners"),
    _fact("kept", lambda room: room.kept, "kept"),
    _fact("away", away_of, "players"),
    _fact("chosen", chosen_of, "choices"),
    _fact("times", lambda room: room.table.paces, "paces"),
    _fact("decision", lambda room: room.table.decision, "decision"),
    _fact("paused", lambda room: room.table.paused, "paused"),
    _fact("result", _result, "players", "state"),
    _fact("fair", fair_of, "round", "state", "closed"),
    _fact("closed", lambda room: room.closed, "closed"),
    _fact("rematch", lambda room: room.rematch, "rematch"),
)


def _shared(before: Room, after: Room, others: frozenset[str]) -> bytes:
    """The members of the patch that are the same for all viewers, without braces; `others` are what differs."""
    members = []
    for name, value in _facts_of(others):
        if (new := value(after)) != (old := value(before)):
            members.append(_changed(name, old, new))
    return b",".join(members)


@lru_cache(maxsize=256)  # few things change together
def _facts_of(parts: frozenset[str]) -> tuple[tuple[str, Callable[[Room], object]], ...]:
    """The facts that follow from any of these parts."""
    return tuple([(fact.name, fact.value) for fact in _FACTS if fact.parts & parts])


def _member(name: str, value: object) -> bytes:
    return b'"%b":%b' % (name.encode(), _ENCODER.encode(value))


def _changed(name: str, was: object, value: object) -> bytes:
    """A member whose value is another: an object is patched member by member, everything else is replaced."""
    if value is None or isinstance(value, tuple | int | str | float):
        return _member(name, value)
    plain = [msgspec.to_builtins(each) for each in (was, value)]
    if all(isinstance(each, dict) for each in plain):
        return _member(name, diff(*map(without_nulls, plain)))
    return _member(name, without_nulls(plain[1]) if isinstance(plain[1], dict) else plain[1])


class _Words(dict[Action, bytes]):
    """The words of each action that was ever legal, as JSON."""

    def __init__(self, rules: AnyRules) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, action: Action) -> bytes:
        self[action] = words = _ENCODER.encode(self._rules.describe(action))
        return words


@lru_cache(maxsize=64)
def _words_of(rules: Hashable) -> _Words:
    return _Words(cast("AnyRules", rules))


class _Events:
    """The events of an append, put into bytes once.

    Attributes:
        everybody: all of them with commas between them, if all viewers hear them all.
    """

    __slots__ = ("_names", "_parts", "everybody")

    def __init__(self, room: Room) -> None:
        self._names = room.table.names
        self._parts = [(event, self._encoded(event)) for event in room.events]
        public = all(event.audience is None for event in room.events)
        self.everybody = b",".join([part for _, part in self._parts]) if public else None

    def heard(self, viewer: Viewer) -> bytes:
        """Those that the viewer hears, with commas between them."""
        if self.everybody is not None:
            return self.everybody
        return b",".join([part for event, part in self._parts if event.heard_by(viewer)])

    def _encoded(self, event: Event) -> bytes:
        return b'%b,"words":%b}' % (_ENCODER.encode(event)[:-1], _ENCODER.encode(event.words(self._names)))


class _Values:
    """The fields of views, those that change alike for several viewers put into bytes once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, object, bytes, bool]] = {}

    def changed(self, before: View, after: View) -> tuple[list[bytes], list[bytes]]:
        """From one view to the next: the members of the patch, and those that say what has come to a list's end."""
        known, names = self._known, type(after).__struct_encode_fields__
        patch: list[bytes] = []
        grown: list[bytes] = []
        index = -1
        for was, value in zip(msgspec.structs.astuple(before), msgspec.structs.astuple(after), strict=True):
            index += 1
            if was is value:
                continue
            told = known.get(index)
            # What is not a seat's own is the same two objects in everybody's view.
            if told is None or told[1] is not value or told[0] is not was:
                if was == value:
                    continue
                if told is None or told[1] != value or told[0] != was:
                    told = known[index] = was, value, *_told(names[index], was, value)
            (grown if told[3] else patch).append(told[2])
        return patch, grown


def _told(name: str, was: object, value: object) -> tuple[bytes, bool]:
    """A member of a view that is another, and whether it says no more than what has come to its end."""
    if isinstance(was, tuple) and isinstance(value, tuple) and 0 < len(was) < len(value) and value[: len(was)] == was:
        return _member(name, value[len(was) :]), True
    return _changed(name, was, value), False

"""What everybody who watches one room is told: one stream for each viewer, shared by all of its readers."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from faceup.server.desk.subscription import Ending, Subscription
from faceup.server.rooms import Change, Room, Viewer, may_watch, version_for, viewer_of, whole

_RECENT: Final = 12
"""Appends that are kept for those who come back at once; what is older is read from the log."""


class Step(NamedTuple):
    """One append as it was folded: the room before it, and after it."""

    before: Room
    after: Room


def lines_since(steps: Iterable[Step], viewer: Viewer, after: int) -> bytes:
    """What the viewer is told in these appends, from after this version on."""
    news = (Change(*step) for step in steps if version_for(step.after, viewer) > after)
    return b"".join([line for change in news if (line := change.line(viewer)) is not None])


def missed_lines(steps: Sequence[Step], viewer: Viewer, after: int) -> bytes | None:
    """As `lines_since`; None if lines that all spectators share do not say all that is new to each of them."""
    if viewer is None and any(_new_host(step) for step in steps if version_for(step.after, None) > after):
        return None
    return lines_since(steps, viewer, after)


def _new_host(step: Step) -> bool:
    return step.before.host != step.after.host


class Stream:
    """What one viewer of a room is told, to as many readers as it has.

    Attributes:
        viewer: whose stream it is; None is for all spectators.
        readers: who reads it.
    """

    __slots__ = ("readers", "viewer")

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.readers: set[Subscription] = set()

    def tell(self, changes: Sequence[Change]) -> int:
        """Put what is new into all readers, as one frame each; how many lines that were."""
        viewer, readers = self.viewer, self.readers
        lines = [line for change in changes if (line := change.line(viewer)) is not None]
        if not lines:
            return 0
        frame = lines[0] if len(lines) == 1 else b"".join(lines)
        for reader in tuple(readers):
            reader.put(frame)
        return len(lines) * len(readers)

    def end(self, why: Ending) -> None:
        """End it for all readers."""
        for reader in tuple(self.readers):
            reader.end(why)


class Streams:
    """All streams of one room.

    Spectators may be told later than everybody else. Then their stream has a place of its own in the log, `shown`, and
    the appends that it has yet to tell.

    Args:
        room: as it stands.
        shown: as spectators see it, if they are told later.
        later: the appends from there to the room as it stands.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._streams: dict[Viewer, Stream] = {}
        self._delay = room.opening.watch_delay
        self._shown = room
        self._later: deque[tuple[int, Step]] = deque()
        self._recent: deque[Step] = deque(maxlen=_RECENT)

    @property
    def delayed(self) -> bool:
        """Whether spectators are told later than those who play."""
        return self._delay > 0

    @property
    def readers(self) -> int:
        """How many read any of the streams."""
        return sum(len(stream.readers) for stream in self._streams.values())

    def of(self, viewer: Viewer) -> Stream:
        """The stream of a viewer."""
        stream = self._streams.get(viewer)
        if stream is None:
            stream = self._streams[viewer] = Stream(viewer)
        return stream

    def watched(self, viewer: Viewer) -> bool:
        """Whether anybody reads the viewer's stream."""
        stream = self._streams.get(viewer)
        return stream is not None and bool(stream.readers)

    def lags(self, viewer: Viewer) -> int:
        """The most that a line takes to one of the viewer's readers and back."""
        stream = self._streams.get(viewer)
        return max((reader.lag for reader in stream.readers), default=0) if stream is not None else 0

    def time_for(self, viewer: Viewer, now: int) -> int:
        """What time it is for the viewer, which sees the room as late as it does."""
        return max(0, now - self._delay) if viewer is None else now

    def seen_by(self, viewer: Viewer) -> Room:
        """The room as it stands for the viewer now."""
        return self._shown if viewer is None and self.delayed else self._room

    def hold_back(self, steps: Sequence[Step], now: int) -> None:
        """Begin the delay: of the log up to here, tell spectators what is old enough, and the rest later."""
        self._shown, self._later = self._room, deque()
        if steps:
            self._shown = steps[0].before
            self._later.extend((self._ready_at(step), step) for step in steps)
            self.tell_later(now)

    def tell(self, steps: Sequence[Step], now: int) -> int:
        """Tell everybody of the next appends; how many lines went out.

        Whoever took or lost a seat goes on as the viewer that it is now, beginning with the whole sight.
        """
        changes: list[Change] = []  # made for the first reader, for all of them
        self._room = steps[-1].after
        self._recent.extend(steps)
        told = 0
        for viewer, stream in self._streams.items():
            if stream.readers and not (viewer is None and self.delayed):
                changes = changes or [Change(before, after) for before, after in steps]
                told += stream.tell(changes)
        if self.delayed:
            self._later.extend((self._ready_at(step), step) for step in steps)
            told += self.tell_later(now)
        else:
            if None in self._streams and not may_watch(self._room):
                self._streams[None].end("private")
            self._tell_hosts(steps, now)
        if any(before.owners is not after.owners for before, after in steps):
            self._move(now)
        return told

    def tell_later(self, now: int) -> int:
        """Tell spectators what they are to know by now; how many lines went out."""
        ready = []
        while self._later and self._later[0][0] <= now:
            _, step = self._later.popleft()
            ready.append(step)
            self._shown = step.after
        stream = self._streams.get(None)
        if stream is None:
            return 0
        told = stream.tell([Change(before, after) for before, after in ready]) if stream.readers else 0
        if not may_watch(self._shown):
            stream.end("private")
        self._tell_hosts(ready, now)
        return told

    @property
    def next_later(self) -> int | None:
        """When spectators are to be told something next, in milliseconds since the room was opened."""
        return self._later[0][0] if self._later else None

    def missed(self, viewer: Viewer, after: int) -> bytes | None:
        """What the viewer was told since version `after`; None if that is not in memory."""
        if after == version_for(self.seen_by(viewer), viewer):
            return b""
        recent = self._recent
        if not recent or version_for(recent[0].before, viewer) > after or (viewer is None and self.delayed):
            return None
        return missed_lines(recent, viewer, after)

    def first(self, viewer: Viewer, player: str | None, now: int) -> bytes:
        """The line with which a stream begins: the whole sight, and the time."""
        return whole(self.seen_by(viewer), viewer, self.time_for(viewer, now), player)

    def begin(self, reader: Subscription, viewer: Viewer, now: int) -> None:
        """Give a reader the whole sight and the time, and then the stream."""
        text = self.first(viewer, reader.player, now)
        self.of(viewer).readers.add(reader)
        reader.put(text)

    def go_on(self, reader: Subscription, viewer: Viewer, missed: bytes) -> None:
        """Give a reader what it has missed, and then the stream."""
        self.of(viewer).readers.add(reader)
        if missed:
            reader.put(missed)

    def leave(self, reader: Subscription) -> Viewer:
        """Tell a reader nothing more; as whom it read."""
        for viewer, stream in self._streams.items():
            if reader in stream.readers:
                stream.readers.discard(reader)
                return viewer
        return None

    def put(self, line: bytes) -> None:
        """Give all readers a line that is not the table's, and has no version."""
        for stream in self._streams.values():
            for reader in tuple(stream.readers):
                reader.put(line)

    def end(self, why: Ending) -> None:
        """End all streams."""
        for stream in tuple(self._streams.values()):
            stream.end(why)

    def _tell_hosts(self, steps: Sequence[Step], now: int) -> None:
        """Spectators share a stream; whoever became the host among them, or is not any more, is told so alone."""
        changed = {player for step in steps if _new_host(step) for player in (step.before.host, step.after.host)}
        if changed and None in self._streams:
            for reader in tuple(self._streams[None].readers):
                if reader.player is not None and reader.player in changed:
                    self.begin(reader, None, now)

    def _move(self, now: int) -> None:
        for stream in tuple(self._streams.values()):
            for reader in tuple(stream.readers):
                viewer = viewer_of(self._room, reader.player)
                if viewer != stream.viewer:
                    stream.readers.discard(reader)
                    self.begin(reader, viewer, now)

    def _ready_at(self, step: Step) -> int:
        # Before the game there is nothing to be late with, and whoever waits for a seat wants to see it get free.
        return step.after.at if step.after.status == "pending" else step.after.at + self._delay

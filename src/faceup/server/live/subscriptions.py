"""Subscriptions to a room.

There is one stream for each viewer. All subscribers with this viewer share it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from faceup.core import Seat
from faceup.server.live.subscription import Subscription
from faceup.server.rooms import Room, UpdateEncoder, snapshot_line
from faceup.server.rooms.room import PlayerIds, Viewer, may_watch, version_for, viewer_of
from faceup.server.rooms.view import is_host_for
from faceup.server.rooms.wire import EndReason

JOIN_INTERVAL: Final = 0.05
"""Seconds after a message in which less urgent updates are held, so that a viewer gets them in one message."""

_RECENT: Final = 12
"""Number of recent steps kept in memory for reconnecting clients. Older steps are read from the log."""


class RoomStep(NamedTuple):
    """One log row as a transition: the room before the row and after it."""

    before: Room
    after: Room


def lines_since(steps: Iterable[RoomStep], viewer: Viewer, after: int) -> bytes:
    """Return the lines of all updates after version `after`, as the viewer receives them."""
    updates = (UpdateEncoder(*step) for step in steps if version_for(step.after, viewer) > after)
    return b"".join([line for change in updates if (line := change.line(viewer)) is not None])


def missed_lines(steps: Sequence[RoomStep], viewer: Viewer, after: int) -> bytes | None:
    """Return the result of `lines_since`; None if the viewer needs a snapshot.

    A spectator needs one if the host changed, and everyone if a player was erased.
    """
    missed = [step for step in steps if version_for(step.after, viewer) > after]
    if any(step.before.rewrites != step.after.rewrites or (viewer is None and _new_host(step)) for step in missed):
        return None
    return lines_since(steps, viewer, after)


def _new_host(step: RoomStep) -> bool:
    return step.before.host != step.after.host


class ViewerStream:
    """The stream of one viewer, shared by all subscribers with this viewer.

    Attributes:
        viewer: the seat that sees the stream; None for the stream of all spectators.
        readers: the subscribers.
    """

    __slots__ = ("readers", "viewer")

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.readers: set[Subscription] = set()

    def broadcast(self, changes: Sequence[UpdateEncoder]) -> int:
        """Send updates to all subscribers, as one frame for each subscriber. Return the number of lines sent."""
        viewer, readers = self.viewer, self.readers
        if not readers:
            return 0
        lines = [line for change in changes if (line := change.line(viewer)) is not None]
        if not lines:
            return 0
        frame = lines[0] if len(lines) == 1 else b"".join(lines)
        for reader in tuple(readers):
            reader.put(frame)
        return len(lines) * len(readers)

    def end(self, why: EndReason) -> None:
        """End the stream for all subscribers."""
        for reader in tuple(self.readers):
            reader.end(why)


class Subscriptions:
    """All subscriptions of one room.

    If the table has a spectator delay, spectators see `_delayed_room`, and the steps after it wait in `_delayed_steps`
    until they are due.

    The first update of a quiet room is sent immediately. Updates that follow within `JOIN_INTERVAL` are held until its
    end if no one waits for them (see `UpdateEncoder.may_wait`), or until an update that may not wait. Players get
    their own choices and marks immediately, with the acknowledgement.

    Args:
        room: the current room.
        on_sent: called with the number of lines sent.
    """

    def __init__(self, room: Room, on_sent: Callable[[int], None] = lambda _: None) -> None:
        # `seen_by` alone says which room a viewer sees, so that no snapshot forgets the delay.
        self._room = room
        self._streams: dict[Viewer, ViewerStream] = {}
        self._delay = room.config.spectator_delay
        self._delayed_room = room
        self._delayed_steps: deque[tuple[int, RoomStep]] = deque()
        self._recent: deque[RoomStep] = deque(maxlen=_RECENT)
        self._on_sent = on_sent
        self._loop = asyncio.get_running_loop()
        self._held: list[UpdateEncoder] = []  # each update is encoded once for all subscribers
        self._received: dict[Seat, int] = {}  # how many held updates a player has received already
        self._join_until = 0.0
        self._flush_timer: asyncio.TimerHandle | None = None
        self._attention: tuple[bool, Mapping[Viewer, int]] | None = None  # of all readers; None if one is new

    @property
    def delayed(self) -> bool:
        """Whether spectators see updates with a delay."""
        return self._delay > 0

    @property
    def has_readers(self) -> bool:
        """Whether any stream has subscribers."""
        return any(stream.readers for stream in self._streams.values())

    def of(self, viewer: Viewer) -> ViewerStream:
        """Return the stream of a viewer, which is created if needed."""
        stream = self._streams.get(viewer)
        if stream is None:
            stream = self._streams[viewer] = ViewerStream(viewer)
        return stream

    def watched(self, viewer: Viewer) -> bool:
        """Return whether the viewer has subscribers."""
        stream = self._streams.get(viewer)
        return stream is not None and bool(stream.readers)

    def responsive(self, viewer: Viewer) -> bool:
        """Return whether the viewer has a subscriber that is not silent."""
        stream = self._streams.get(viewer)
        return stream is not None and any(not reader.silent for reader in stream.readers)

    def attend(self, attended: bool, awaited_from: Mapping[Viewer, int]) -> None:
        """Set for all players' connections whether they are attended, and for some from when they are awaited."""
        attention = attended, awaited_from
        if attention == self._attention:
            return
        self._attention = attention
        for viewer, stream in self._streams.items():
            for reader in stream.readers:
                reader.attend(attended and viewer is not None, awaited_from.get(viewer))

    def max_lag(self, viewer: Viewer) -> int:
        """Return the longest round-trip time of the viewer's subscribers, in milliseconds."""
        stream = self._streams.get(viewer)
        return max((reader.lag for reader in stream.readers), default=0) if stream is not None else 0

    def viewer_time(self, viewer: Viewer, now: int) -> int:
        """Return the time that the viewer sees. For spectators it is earlier by the spectator delay."""
        return max(0, now - self._delay) if viewer is None else now

    def seen_by(self, viewer: Viewer) -> Room:
        """Return the room as the viewer currently sees it."""
        return self._delayed_room if viewer is None and self.delayed else self._room

    def start_delay(self, steps: Sequence[RoomStep], now: int) -> None:
        """Start the spectator delay: show spectators the steps that are old enough, and queue the later steps."""
        self._delayed_room, self._delayed_steps = self._room, deque()
        if steps:
            self._delayed_room = steps[0].before
            self._delayed_steps.extend((self._ready_at(step), step) for step in steps)
            self.release_delayed(now)

    def broadcast(self, steps: Sequence[RoomStep], now: int) -> None:
        """Broadcast new steps, now or with the updates that follow.

        A player who took or left a seat now sees the room as another viewer, and therefore gets a snapshot.
        """
        self._room = steps[-1].after
        self._recent.extend(steps)
        if any(stream.readers for stream in self._live_streams()):
            updates = [UpdateEncoder(before, after) for before, after in steps]
            if all(update.private for update in updates):
                self._send_to_own(updates, ())  # the times at which others receive messages do not depend on it
            elif self._loop.time() < self._join_until and all(update.may_wait for update in updates):
                self._send_to_own(updates, updates)
                self._held += updates
                if self._flush_timer is None:
                    self._flush_timer = self._loop.call_at(self._join_until, self._on_join_end)
            else:
                self._held += updates
                self.flush()
        # Kept as steps, not as lines, because snapshots need the delayed room, too.
        if self.delayed:
            self._delayed_steps.extend((self._ready_at(step), step) for step in steps)
            self.release_delayed(now)
        else:
            if None in self._streams and not may_watch(self._room):
                self._streams[None].end("spectators_off")
            self._notify_hosts(steps, now)
        # Last, so that a reader leaves its old stream with all updates of it, and starts the new one with a snapshot.
        if any(before.owners is not after.owners for before, after in steps):
            self._update_viewers(now)

    def flush(self) -> None:
        """Send all held updates."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        if not self._held:
            return
        held, received = self._held, self._received
        self._held, self._received = [], {}
        self._join_until = self._loop.time() + JOIN_INTERVAL
        sent = 0
        for stream in self._live_streams():
            viewer = stream.viewer
            sent += stream.broadcast(held if viewer is None else held[received.get(viewer, 0) :])
        self._on_sent(sent)

    def _send_to_own(self, updates: Sequence[UpdateEncoder], held: Sequence[UpdateEncoder]) -> None:
        """Send updates, after those that are held, to the players with own choices or marks among them.

        Args:
            updates: the updates.
            held: those of them that are held for the other viewers.
        """
        for seat in {seat for update in updates for seat in update.seats}:
            if self.watched(seat):
                self._on_sent(self._streams[seat].broadcast([*self._held[self._received.get(seat, 0) :], *updates]))
                self._received[seat] = len(self._held) + len(held)

    def _on_join_end(self) -> None:
        try:
            self.flush()
        except Exception:  # the entries are stored, so clients resynchronize after any error
            self.end("resync")
            raise

    def _live_streams(self) -> list[ViewerStream]:
        """Return the streams of viewers who see the room without a delay."""
        return [stream for viewer, stream in self._streams.items() if not (viewer is None and self.delayed)]

    def release_delayed(self, now: int) -> None:
        """Send spectators the delayed steps that are due."""
        ready = []
        while self._delayed_steps and self._delayed_steps[0][0] <= now:
            _, step = self._delayed_steps.popleft()
            ready.append(step)
            self._delayed_room = step.after
        stream = self._streams.get(None)
        if stream is None:
            return
        if stream.readers:
            self._on_sent(stream.broadcast([UpdateEncoder(before, after) for before, after in ready]))
        if not may_watch(self._delayed_room):
            stream.end("spectators_off")
        self._notify_hosts(ready, now)

    @property
    def next_delayed(self) -> int | None:
        """When the next delayed step is due, in milliseconds since the table was opened; None if there is none."""
        return self._delayed_steps[0][0] if self._delayed_steps else None

    def missed(self, viewer: Viewer, after: int) -> bytes | None:
        """Return the lines that the viewer missed after a version; None if they are not all in memory."""
        if after == version_for(self.seen_by(viewer), viewer):
            return b""
        recent = self._recent
        if not recent or version_for(recent[0].before, viewer) > after or (viewer is None and self.delayed):
            return None
        return missed_lines(recent, viewer, after)

    def first_line(self, viewer: Viewer, player: PlayerIds | None, now: int) -> bytes:
        """Return the line with the viewer's snapshot, as at the start of a stream."""
        return snapshot_line(self.seen_by(viewer), viewer, self.viewer_time(viewer, now), player)

    def send_snapshot(self, reader: Subscription, viewer: Viewer, now: int) -> None:
        """Send a snapshot and subscribe the reader to the viewer's stream."""
        # No await between the snapshot and the subscription, so no update is missed or sent twice.
        self.flush()
        text = self.first_line(viewer, reader.player, now)
        self._add(reader, viewer)
        reader.put(text)

    def resume(self, reader: Subscription, viewer: Viewer, missed: bytes) -> None:
        """Send the missed lines and subscribe the reader to the viewer's stream."""
        self.flush()
        self._add(reader, viewer)
        if missed:
            reader.put(missed)

    def _add(self, reader: Subscription, viewer: Viewer) -> None:
        self.of(viewer).readers.add(reader)
        self._attention = None

    def remove(self, reader: Subscription) -> Viewer:
        """Unsubscribe a reader and return its viewer."""
        for viewer, stream in self._streams.items():
            if reader in stream.readers:
                stream.readers.discard(reader)
                return viewer
        return None

    def broadcast_line(self, line: bytes, *, live: bool = False) -> None:
        """Send a line without a version to all subscribers, or only to those who see the room without a delay."""
        for stream in self._live_streams() if live else self._streams.values():
            for reader in tuple(stream.readers):
                reader.put(line)

    def end(self, why: EndReason) -> None:
        """Send all held updates and end all streams."""
        if why == "resync":  # after an error, clients get what they missed from the log
            self._held, self._received = [], {}
        self.flush()
        for stream in tuple(self._streams.values()):
            stream.end(why)

    def _notify_hosts(self, steps: Sequence[RoomStep], now: int) -> None:
        """Send a snapshot to each subscriber who became the host or stopped being the host, except by the own seat.

        All subscribers of a stream get the same updates, so an update cannot be sent to only one of them.
        """
        changed = [step for step in steps if _new_host(step)]
        if not changed:
            return
        before, after = changed[0].before, changed[-1].after
        for viewer, stream in self._streams.items():
            for reader in tuple(stream.readers):
                hosted = [is_host_for(room, None, reader.player) for room in (before, after)]
                by_seat = viewer is not None and hosted == [is_host_for(room, viewer) for room in (before, after)]
                if hosted[0] != hosted[1] and not by_seat:
                    self.send_snapshot(reader, viewer, now)

    def _update_viewers(self, now: int) -> None:
        for stream in tuple(self._streams.values()):
            for reader in tuple(stream.readers):
                viewer = viewer_of(self._room, reader.player)
                if viewer != stream.viewer:
                    stream.readers.discard(reader)
                    self.send_snapshot(reader, viewer, now)

    def _ready_at(self, step: RoomStep) -> int:
        # Before the game there is no delay, because users who wait for a seat need to see when a seat becomes free.
        return step.after.at if step.after.status == "pending" else step.after.at + self._delay

"""What must hold whenever and however often servers were killed: the log against what everybody was told."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.server.kills.players import Player

from faceup.core.record import TimedOut
from faceup.server.desk.streams import Step, lines_since
from faceup.server.desk.turns import folded
from faceup.server.desk.waking import decision_began
from faceup.server.rooms import Room, loads, version_for, whole
from faceup.server.store import Append, Store


class Blow(NamedTuple):
    """A server was killed or frozen.

    Attributes:
        at: when, in milliseconds since 1970.
        until: when a server answered again.
        alone: whether nobody else served meanwhile.
        seen: what each player had been told by then, by table and seat.
        kept: the number of each table's last append.
    """

    at: int
    until: int
    alone: bool
    seen: dict[tuple[str, int], int]
    kept: dict[str, int]


class Findings(NamedTuple):
    """What was counted, and what was wrong.

    Attributes:
        blows: kills, freezes and restarts.
        untold: those that came after a commit, and before somebody was told of it.
        commands: sent.
        acknowledged: of them.
        appends: in all logs.
        timeouts: of them, what the clock played.
        lines: that players were told.
        returns: how often players came back.
        violations: what must not be.
    """

    blows: int
    untold: int
    commands: int
    acknowledged: int
    appends: int
    timeouts: int
    lines: int
    returns: int
    violations: list[str]


async def check(store: Store, players: Sequence[Player], blows: Sequence[Blow], *, several: bool) -> Findings:
    """Compare all logs with what players sent and saw.

    Args:
        store: the database.
        players: all who played.
        blows: what was done to servers.
        several: there were several servers. A command can then be with two of them at once: refused by one, and kept by
            the other when it wakes.
    """
    violations = [f"table {player.table} seat {player.seat}: {fault}" for player in players for fault in player.faults]
    appends = timeouts = 0
    untold = set[int]()
    for table in sorted({player.table for player in players}):
        log = await store.read(table)
        row = await store.room(table)
        assert row is not None
        here = [player for player in players if player.table == table]
        steps = folded(log)
        wrong = [*gaps(log), *commands(log, here, several=several)]
        for player in here:
            wrong += told(steps, player)
            for number, blow in enumerate(blows):
                seen, kept = blow.seen.get((table, player.seat)), blow.kept.get(table)
                if seen is not None and kept is not None and version_for(steps[kept].after, player.seat) > seen:
                    untold.add(number)
        count, early = deadlines(log, steps, row.opened_at, blows)
        timeouts += count
        appends += len(log)
        violations += [f"table {table}: {each}" for each in (*wrong, *early)]
    return Findings(
        blows=len(blows),
        untold=len(untold),
        commands=sum(len(player.sent) for player in players),
        acknowledged=sum(list(player.answered.values()).count("ack") for player in players),
        appends=appends,
        timeouts=timeouts,
        lines=sum(len(player.lines) for player in players),
        returns=sum(player.returned for player in players),
        violations=violations,
    )


def gaps(log: Sequence[Append]) -> list[str]:
    """The log's numbers are 0, 1, 2 and so on."""
    numbers = [append.seq for append in log]
    return [] if numbers == list(range(len(log))) else [f"the log's numbers are {numbers}"]


def commands(log: Sequence[Append], players: Sequence[Player], *, several: bool) -> list[str]:
    """What was acknowledged is in the log once; what was refused, never; what was not answered, once at most."""
    kept = Counter(append.command.rpartition(":")[2] for append in log if append.command is not None)
    wrong = []
    for player in players:
        for command in player.sent:
            answer, times = player.answered.get(command), kept[command]
            allowed = {"ack": {1}, None: {0, 1}}.get(answer, {0, 1} if several else {0})
            if times not in allowed:
                wrong.append(f"command {command}, answered {answer}, is {times} times in the log")
    return wrong


def told(steps: Sequence[Step], player: Player) -> list[str]:
    """Every line that the player was told follows from the log, to the byte."""
    news = [(version_for(step.after, player.seat), lines_since([step], player.seat, after=0)) for step in steps]
    expected = {version: line for version, line in news if line}
    rooms = {version_for(step.after, player.seat): step.after for step in steps}
    wrong = []
    for version, line in player.lines:
        room = rooms.get(version)
        if line != expected.get(version) and (room is None or line != _whole_then(line, room, player)):
            wrong.append(f"seat {player.seat} was told {line!r}; from the log follows {expected.get(version)!r}")
    return wrong


def _whole_then(line: bytes, room: Room, player: Player) -> bytes:
    """The whole sight as the line has it, with what time the line says that it was."""
    return whole(room, player.seat, json.loads(line).get("now"))


def deadlines(
    log: Sequence[Append], steps: Sequence[Step], opened_at: int, blows: Sequence[Blow]
) -> tuple[int, list[str]]:
    """How often time was up; and where it was up too early, counting only time in which somebody served."""
    count, wrong = 0, []
    for append, step in zip(log, steps, strict=True):
        late = [entry for entry in loads(append.entries) if isinstance(entry, TimedOut)]
        if not late:
            continue
        count += 1
        clock, began = step.before.table.terms.clock, decision_began(step.before)
        assert clock is not None
        assert began is not None
        start, end = opened_at + began, opened_at + late[0].at
        down = sum(max(0, min(end, blow.until) - max(start, blow.at)) for blow in blows if blow.alone)
        if end - start - down < clock:
            wrong.append(f"decision {step.before.table.decision} had {end - start} ms, {down} of them without a server")
    return count, wrong

"""Invariants of the kill tests: compare the logs with what players sent and received."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.server.kills.players import Player

from faceup.core.record import TimedOut
from faceup.server.live.command_queue import fold_rows
from faceup.server.live.subscriptions import RoomStep, lines_since
from faceup.server.live.wake_times import decision_started_at
from faceup.server.rooms import Room, loads, snapshot_line
from faceup.server.rooms.room import CHECKSUM, version_for
from faceup.server.store import LogRow, Store


class Disruption(NamedTuple):
    """A server was killed or frozen.

    Attributes:
        at: when, in milliseconds since 1970.
        until: when a server answered again.
        alone: whether no other server was running.
        seen: versions that players had received by then, by table and seat.
        seqs: the number of each table's last log row.
    """

    at: int
    until: int
    alone: bool
    seen: dict[tuple[str, int], int]
    seqs: dict[str, int]


class Findings(NamedTuple):
    """Counts and violations of a kill test.

    Attributes:
        disruptions: kills, freezes and restarts.
        commits_without_broadcast: disruptions between a commit and its broadcast.
        commands: commands sent.
        acknowledged: commands acknowledged.
        appends: rows in all logs.
        timeouts: choices made by the clock.
        lines: lines received by players.
        connections: connections of players.
        violations: violated invariants.
    """

    disruptions: int
    commits_without_broadcast: int
    commands: int
    acknowledged: int
    appends: int
    timeouts: int
    lines: int
    connections: int
    violations: list[str]


async def check(
    store: Store, players: Sequence[Player], disruptions: Sequence[Disruption], *, several: bool
) -> Findings:
    """Compare all logs with what players sent and received.

    Args:
        store: the database.
        players: all players.
        disruptions: kills, freezes and restarts of the servers.
        several: several servers were running. Two of them can then handle a command concurrently: one rejects it, and
            the other stores it when it continues.
    """
    violations = [
        f"table {player.table} seat {player.seat}: {violation}" for player in players for violation in player.violations
    ]
    appends = timeouts = 0
    commits_without_broadcast = set[int]()
    for table in sorted({player.table for player in players}):
        log = await store.read(table)
        row = await store.room(table)
        assert row is not None
        at_table = [player for player in players if player.table == table]
        steps = fold_rows(log)
        wrong = [*check_numbers(log), *check_commands(log, at_table, several=several)]
        for player in at_table:
            wrong += check_lines(steps, player)
            for number, disruption in enumerate(disruptions):
                seen, seq = disruption.seen.get((table, player.seat)), disruption.seqs.get(table)
                if seen is not None and seq is not None and version_for(steps[seq].after, player.seat) > seen:
                    commits_without_broadcast.add(number)
        count, early = check_deadlines(log, steps, row.opened_at, disruptions)
        timeouts += count
        appends += len(log)
        violations += [f"table {table}: {violation}" for violation in (*wrong, *early)]
    return Findings(
        disruptions=len(disruptions),
        commits_without_broadcast=len(commits_without_broadcast),
        commands=sum(len(player.sent) for player in players),
        acknowledged=sum(list(player.answered.values()).count("ack") for player in players),
        appends=appends,
        timeouts=timeouts,
        lines=sum(len(player.lines) for player in players),
        connections=sum(player.connections for player in players),
        violations=violations,
    )


def check_numbers(log: Sequence[LogRow]) -> list[str]:
    """Check that the log's numbers are 0, 1, 2 and so on."""
    numbers = [append.seq for append in log]
    return [] if numbers == list(range(len(log))) else [f"the log's numbers are {numbers}"]


def check_commands(log: Sequence[LogRow], players: Sequence[Player], *, several: bool) -> list[str]:
    """Check that acknowledged commands are in the log once, rejected ones never, and others at most once."""
    in_log = Counter(append.command.partition(CHECKSUM)[0].rpartition(":")[2] for append in log if append.command)
    wrong = []
    for player in players:
        for command in player.sent:
            answer, times = player.answered.get(command), in_log[command]
            allowed = {"ack": {1}, None: {0, 1}}.get(answer, {0, 1} if several else {0})
            if times not in allowed:
                wrong.append(f"command {command}, answered {answer}, is {times} times in the log")
    return wrong


def check_lines(steps: Sequence[RoomStep], player: Player) -> list[str]:
    """Check that every line a player received follows from the log, byte for byte."""
    news = [(version_for(step.after, player.seat), lines_since([step], player.seat, after=0)) for step in steps]
    expected = {version: line for version, line in news if line}
    rooms = {version_for(step.after, player.seat): step.after for step in steps}
    wrong = []
    for version, line in player.lines:
        room = rooms.get(version)
        if line != expected.get(version) and (room is None or line != _snapshot_at(line, room, player)):
            wrong.append(f"seat {player.seat} received {line!r}, but the log gives {expected.get(version)!r}")
    return wrong


def _snapshot_at(line: bytes, room: Room, player: Player) -> bytes:
    """Return the snapshot with the time given in the line."""
    return snapshot_line(room, player.seat, json.loads(line).get("now"))


def check_deadlines(
    log: Sequence[LogRow], steps: Sequence[RoomStep], opened_at: int, disruptions: Sequence[Disruption]
) -> tuple[int, list[str]]:
    """Count timeouts, and find those that came too early, counting only time with a server."""
    count, wrong = 0, []
    for append, step in zip(log, steps, strict=True):
        timed_out = [entry for entry in loads(append.entries) if isinstance(entry, TimedOut)]
        if not timed_out:
            continue
        count += 1
        clock, started = step.before.table.terms.clock, decision_started_at(step.before)
        assert clock is not None
        assert started is not None
        start, end = opened_at + started, opened_at + timed_out[0].at
        outage = sum(
            max(0, min(end, disruption.until) - max(start, disruption.at))
            for disruption in disruptions
            if disruption.alone
        )
        if end - start - outage < clock:
            wrong.append(
                f"decision {step.before.table.decision} had {end - start} ms, {outage} of them without a server"
            )
    return count, wrong

"""Replays of records equal the live messages, with all hands added."""

import json
from typing import Any

import msgspec
import pytest
from tests.server.rooms.room_log import CLOCK, Play, nimmt, view_of

from faceup.core import Malformed, WrongSeatError, generator, make
from faceup.core.record import Applied, Record, Terms, applied, record_of
from faceup.server.rooms import Room, TableConfig, replay_lines
from faceup.server.rooms.merge_patch import apply_line
from faceup.server.rooms.room import Viewer
from faceup.table import ExpireDeadline

OPENINGS = (
    nimmt(3, 3),
    nimmt(2, 2, terms=Terms(clock=30_000, reveal="at_deadline")),
    TableConfig(game="nimmt", variant="classic", options={"seats": 4, "deals": 2}, terms=CLOCK),
    TableConfig(game="niuniu", options={"seats": 3, "throws": 3}),
    TableConfig(game="war", options={"cap": 30}),
)


def played(config: TableConfig, seed: int) -> tuple[Record, list[Room]]:
    """Play a game. Return its record, and the room at each decision and at the end."""
    play = Play(config, seed=seed).seated()
    rooms = [play.room]
    while play.room.status == "active":
        play.turn()
        if play.room.due is not None and play.room.table.decision == rooms[-1].table.decision:
            play.now = play.room.due
            play.send(ExpireDeadline())
        rooms.append(play.room)
    return play.room.table.record, rooms


def folded(record: Record, viewer: Viewer = None) -> list[dict[str, Any]]:
    """Return the room view after each message."""
    room_view: dict[str, Any] = {}
    steps = []
    for number, text in enumerate(replay_lines(record, viewer)):
        line = json.loads(text)
        room_view = apply_line(room_view, line)
        assert number == 0 or set(line) - {"append"} == {"v", "at", "events", "patch"}
        steps.append(room_view)
    return steps


@pytest.mark.parametrize("config", OPENINGS, ids=lambda config: f"{config.game}:{config.variant}")
def test_a_replay_equals_the_original_messages_of_each_viewer(config: TableConfig) -> None:
    record, rooms = played(config, 7)
    for viewer in (None, *range(len(rooms[0].owners))):
        views = folded(record, viewer)
        assert len(views) == len(rooms)
        for room_view, room in zip(views, rooms, strict=True):
            seen = view_of(room, viewer)
            for name in ("view", "decision", "actions", "result", "due", "chosen", "away", "times", "seat"):
                assert room_view.get(name) == seen.get(name), name
            assert [seat["name"] for seat in room_view["seats"]] == [seat["name"] for seat in seen["seats"]]


@pytest.mark.parametrize("config", OPENINGS, ids=lambda config: f"{config.game}:{config.variant}")
def test_a_hand_merged_into_the_spectators_view_is_the_seats_view(config: TableConfig) -> None:
    record, rooms = played(config, 8)
    for room_view, room in zip(folded(record), rooms, strict=True):
        for seat, hand in room_view["hands"].items():
            assert room_view["view"] | hand == view_of(room, int(seat))["view"]


def test_growing_lists_are_not_resent() -> None:
    record, _ = played(TableConfig(game="war", options={"cap": 60}), 3)
    lines = [json.loads(line) for line in replay_lines(record)][1:]
    assert sum("log" in line.get("append", {}).get("view", {}) for line in lines) > len(lines) / 2


def test_a_record_of_moves_alone_can_be_replayed() -> None:
    rules = make("niuniu seats=2")
    state, entries = rules.start(), []
    rng = generator(5)
    while due := rules.to_act(state):
        move = rules.outcome(state, [rng.below(6) for _ in range(10)]) if due == (-1,) else dict.fromkeys(due, 0)
        entries.append(applied(rules, 0, move))
        state = rules.apply(state, move).state
    views = folded(record_of(rules, tuple(entries), state))
    assert [seat["name"] for seat in views[-1]["seats"]] == ["Seat 1", "Seat 2"]
    assert views[-1]["result"]["scores"] == list(rules.scores(state))


def test_an_entry_that_breaks_a_rule_is_named() -> None:
    record, _ = played(nimmt(2, 2), 1)
    wrong = next(number for number, entry in enumerate(record.entries) if isinstance(entry, Applied) and entry.actions)
    entries = list(record.entries)
    entries[wrong] = Applied(entries[wrong].at, actions=("play 1", "play 2"))
    with pytest.raises(Malformed, match=f"entry {wrong}: the move does not match the choices of the seats"):
        list(replay_lines(msgspec.structs.replace(record, entries=tuple(entries))))


def test_a_record_without_decisions_cannot_be_replayed() -> None:
    rules = make("nimmt seats=2 hand=2")
    with pytest.raises(Malformed, match="ends before the first decision"):
        list(replay_lines(record_of(rules, (), rules.start())))


def test_a_replay_for_an_unknown_seat_is_rejected() -> None:
    record, _ = played(nimmt(2, 2), 1)
    with pytest.raises(WrongSeatError, match="there is no seat 2"):
        list(replay_lines(record, 2))

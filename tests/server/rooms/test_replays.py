"""Records told again: at every step what was seen when it was played, and everybody's hand beside it."""

import json
from typing import Any

import msgspec
import pytest
from tests.server.rooms.play import CLOCK, Play, nimmt, sight_of

from faceup.core import Malformed, NotYours, generator, make
from faceup.core.record import Applied, Record, Terms, applied, record_of
from faceup.server.rooms import Opening, Room, Tick, Viewer, after_line, replayed

OPENINGS = (
    nimmt(3, 3),
    nimmt(2, 2, terms=Terms(clock=30_000, reveal="at_deadline")),
    Opening(game="nimmt", variant="classic", options={"seats": 4, "deals": 2}, terms=CLOCK),
    Opening(game="niuniu", options={"seats": 3, "throws": 3}),
    Opening(game="war", options={"cap": 30}),
)


def played(opening: Opening, seed: int) -> tuple[Record, list[Room]]:
    """A game to its end: its record, and the room at each of its decisions and at the end."""
    play = Play(opening, seed=seed).seated()
    rooms = [play.room]
    while play.room.status == "active":
        play.turn()
        if play.room.due is not None and play.room.table.decision == rooms[-1].table.decision:
            play.now = play.room.due
            play.send(Tick())
        rooms.append(play.room)
    return play.room.table.record, rooms


def folded(record: Record, viewer: Viewer = None) -> list[dict[str, Any]]:
    """The sight after each line, what has grown included."""
    sight: dict[str, Any] = {}
    found = []
    for number, text in enumerate(replayed(record, viewer)):
        line = json.loads(text)
        sight = after_line(sight, line)
        assert number == 0 or set(line) - {"grown"} == {"v", "at", "events", "patch"}
        found.append(sight)
    return found


@pytest.mark.parametrize("opening", OPENINGS, ids=lambda opening: f"{opening.game}:{opening.variant}")
def test_a_replay_shows_each_viewer_what_it_saw_then(opening: Opening) -> None:
    record, rooms = played(opening, 7)
    for viewer in (None, *range(len(rooms[0].owners))):
        told = folded(record, viewer)
        assert len(told) == len(rooms)
        for sight, room in zip(told, rooms, strict=True):
            seen = sight_of(room, viewer)
            for name in ("view", "decision", "words", "result", "due", "chosen", "away", "times", "seat"):
                assert sight.get(name) == seen.get(name), name
            assert [seat["name"] for seat in sight["seats"]] == [seat["name"] for seat in seen["seats"]]


@pytest.mark.parametrize("opening", OPENINGS, ids=lambda opening: f"{opening.game}:{opening.variant}")
def test_a_hand_laid_over_the_spectators_view_is_its_seats_view(opening: Opening) -> None:
    record, rooms = played(opening, 8)
    for sight, room in zip(folded(record), rooms, strict=True):
        for seat, hand in sight["hands"].items():
            assert sight["view"] | hand == sight_of(room, int(seat))["view"]


def test_what_only_gets_longer_is_not_sent_whole_each_time() -> None:
    record, _ = played(Opening(game="war", options={"cap": 60}), 3)
    lines = [json.loads(line) for line in replayed(record)][1:]
    assert sum("log" in line.get("grown", {}).get("view", {}) for line in lines) > len(lines) / 2


def test_a_record_of_moves_alone_is_told_as_well() -> None:
    rules = make("niuniu seats=2")
    state, entries = rules.start(), []
    rng = generator(5)
    while due := rules.to_act(state):
        move = rules.outcome(state, [rng.below(6) for _ in range(10)]) if due == (-1,) else dict.fromkeys(due, 0)
        entries.append(applied(rules, 0, move))
        state = rules.apply(state, move).state
    told = folded(record_of(rules, tuple(entries), state))
    assert [seat["name"] for seat in told[-1]["seats"]] == ["Seat 0", "Seat 1"]
    assert told[-1]["result"]["scores"] == list(rules.scores(state))


def test_an_entry_that_breaks_a_rule_is_named() -> None:
    record, _ = played(nimmt(2, 2), 1)
    wrong = next(number for number, entry in enumerate(record.entries) if isinstance(entry, Applied) and entry.actions)
    entries = list(record.entries)
    entries[wrong] = Applied(entries[wrong].at, actions=("play 1", "play 2"))
    with pytest.raises(Malformed, match=f"entry {wrong}: the move is not what the seats chose"):
        list(replayed(msgspec.structs.replace(record, entries=tuple(entries))))


def test_there_is_nothing_to_show_before_anybody_had_to_choose() -> None:
    rules = make("nimmt seats=2 hand=2")
    with pytest.raises(Malformed, match="stops before anybody had to choose"):
        list(replayed(record_of(rules, (), rules.start())))


def test_a_replay_is_seen_from_a_seat_that_there_is() -> None:
    record, _ = played(nimmt(2, 2), 1)
    with pytest.raises(NotYours, match="there is no seat 2"):
        list(replayed(record, 2))

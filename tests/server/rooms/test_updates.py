"""Updates: members, numbering, and identical messages from every process."""

import json

import pytest
from tests.server.rooms.room_log import IDS, Play, events, nimmt, patched, view_of

from faceup.core import WrongSeatError
from faceup.server.rooms import TableConfig, UpdateEncoder, evolve, fold_log, loads, room_view_for, snapshot_line
from faceup.server.rooms.commands import React
from faceup.server.rooms.errors import SpectatorsOffError
from faceup.server.rooms.room import Viewer, version_for
from faceup.table.commands import Leave, Mark, Unchoose


def test_a_choice_is_visible_only_to_its_seat() -> None:
    play = Play(nimmt(3, 3)).seated()
    words = play.legal(1)[0]
    play.choose(1)
    assert patched(play.streams[0][-1]) == patched(play.streams[None][-1]) == {"chosen": [1]}
    assert patched(play.streams[1][-1]) == {"chosen": [1], "choice": words}
    assert json.loads(play.streams[0][-1])["events"] == [{"event": "chose", "seat": 1, "text": "Bo has chosen."}]


def test_a_choice_taken_back_is_gone_from_the_patch_as_null() -> None:
    play = Play(nimmt(3, 3)).seated()
    play.choose(1)
    play.send(Unchoose(1, 0), IDS[1])
    assert patched(play.streams[1][-1]) == {"chosen": [], "choice": None}


def test_the_reveal_is_one_message_with_all_that_follows_from_it() -> None:
    play = Play(nimmt(3, 3)).seated()
    before = len(play.streams[0])
    play.turn(-1)
    assert len(play.streams[0]) == before + 3
    patch = patched(play.streams[0][-1])
    assert {"chosen", "decision", "due", "choice", "actions", "view"} <= patch.keys()
    assert events(play.streams[0][-1])[:2] == ["chose", "revealed"]


def test_every_seat_gets_only_its_own_cards() -> None:
    play = Play(nimmt(3, 3)).seated()
    batches = [json.loads(play.streams[viewer][-1])["events"] for viewer in (0, 1, 2, None)]
    assert [[event["seat"] for event in events if event["event"] == "dealt"] for events in batches] == [
        [0],
        [1],
        [2],
        [],
    ]


@pytest.mark.parametrize("config", [nimmt(3, 2), TableConfig(game="war", options={"per_suit": 3, "suits": 2})])
def test_messages_rebuilt_from_the_log_are_identical(config: TableConfig) -> None:
    play = Play(config).seated()
    play.send(Mark(0, play.legal(0)[0], 0), IDS[0])
    play.choose(0)
    play.send(Leave(1), IDS[1])
    play.send(React(0, "hmm"), IDS[0])
    for start in range(1, len(play.log)):
        room = fold_log([(loads(text), command) for text, command in play.log[:start]])
        lines: dict[Viewer, list[bytes]] = {viewer: [] for viewer in play.streams}
        first = {viewer: version_for(room, viewer) for viewer in lines}
        for text, command in play.log[start:]:
            after = evolve(room, loads(text), command)
            change = UpdateEncoder(room, after)
            for viewer, made in lines.items():
                if (line := change.line(viewer)) is not None:
                    made.append(line)
            room = after
        for viewer, made in lines.items():
            assert made == [line for line in play.streams[viewer][1:] if json.loads(line)["v"] > first[viewer]]


def test_messages_do_not_depend_on_other_viewers() -> None:
    play = Play(nimmt(3, 2)).seated()
    for seat in (0, 1):
        play.choose(seat)
    before = play.room
    play.choose(2)
    for viewer in (2, None, 0, 1):
        assert UpdateEncoder(before, play.room).line(viewer) == play.streams[viewer][-1]


def test_a_message_without_changes_has_an_empty_patch() -> None:
    play = Play(nimmt(3, 2)).seated()
    play.send(React(2, "bravo"), IDS[2])
    assert patched(play.streams[0][-1]) == {}
    assert json.loads(play.streams[0][-1])["events"][0]["text"] == "Cy: Bravo!"


def test_growing_lists_are_sent_as_append() -> None:
    play = Play(TableConfig(game="niuniu", options={"seats": 3, "throws": 4})).seated()
    for turn in range(4):
        play.turn()
        for viewer, lines in play.streams.items():
            line, log = json.loads(lines[-1]), view_of(play.room, viewer)["view"]["log"]
            assert line["patch"]["view"].get("log") == (None if turn else log)
            assert line.get("append") == ({"view": {"log": log[-1:]}} if turn else None)


def test_a_replaced_or_shortened_list_is_sent_completely() -> None:
    play = Play(TableConfig(game="nimmt", options={"seats": 2, "hand": 2, "deals": 2})).seated()
    while play.room.table.decision < 2:
        play.turn()
    assert patched(play.streams[0][-1])["view"]["log"] == []
    assert "append" not in json.loads(play.streams[0][-1])


def test_without_spectators_the_room_is_visible_before_and_after_the_game() -> None:
    play = Play(nimmt(2, 1, spectators="nobody"))
    assert view_of(play.room, None)["status"] == "pending"
    play.seated()
    spectator = len(play.streams[None])
    with pytest.raises(SpectatorsOffError, match="allows no spectators"):
        room_view_for(play.room, None)
    play.choose(0)
    assert len(play.streams[None]) == spectator
    while play.room.status == "active":
        play.turn()
    assert json.loads(play.streams[None][-1])["room"] == view_of(play.room, None)


def test_an_unknown_seat_has_no_room_view() -> None:
    with pytest.raises(WrongSeatError, match="there is no seat 7"):
        snapshot_line(Play().room, 7)


def test_a_snapshot_can_include_the_current_time() -> None:
    room = Play(nimmt(3)).room
    assert json.loads(snapshot_line(room, 0, 12_345)) == {**json.loads(snapshot_line(room, 0)), "now": 12_345}


def test_the_deadline_in_a_room_view_is_the_viewers() -> None:
    from faceup.table.commands import Pace

    play = Play(nimmt(3, 2)).seated()
    play.send(Pace(1, 2), IDS[1])
    assert [view_of(play.room, viewer).get("due") for viewer in (0, 1, None)] == [30_000, 60_000, 60_000]
    play.send(Pace(2, None), IDS[0])
    assert [view_of(play.room, viewer).get("due") for viewer in (0, 2, None)] == [30_000, None, 60_000]
    assert view_of(play.room, 0)["times"] == [1, 2, None]
    for viewer, client in play.clients.items():
        assert client.room_view == view_of(play.room, viewer)

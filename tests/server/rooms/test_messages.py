"""Everybody's lines: what they hold, their numbers, and that whoever makes them makes the same."""

import json

import pytest
from tests.server.rooms.play import IDS, Play, events, nimmt, patched, sight_of

from faceup.core import NotYours
from faceup.server.rooms import (
    Change,
    Hidden,
    Leave,
    Mark,
    Opening,
    React,
    Unchoose,
    Viewer,
    evolve,
    loads,
    room_from,
    sight_for,
    version_for,
    whole,
)


def test_a_sealed_choice_tells_others_that_it_is_there_and_its_seat_what_it_is() -> None:
    play = Play(nimmt(3, 3)).seated()
    words = play.legal(1)[0]
    play.choose(1)
    assert patched(play.streams[0][-1]) == patched(play.streams[None][-1]) == {"chosen": [1]}
    assert patched(play.streams[1][-1]) == {"chosen": [1], "choice": words}
    assert json.loads(play.streams[0][-1])["events"] == [{"event": "chose", "seat": 1, "words": "Bo has chosen."}]


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
    assert {"chosen", "decision", "due", "choice", "words", "view"} <= patch.keys()
    assert events(play.streams[0][-1])[:2] == ["chose", "revealed"]


def test_every_seat_is_told_of_its_own_cards_alone() -> None:
    play = Play(nimmt(3, 3)).seated()
    told = [json.loads(play.streams[viewer][-1])["events"] for viewer in (0, 1, 2, None)]
    assert [[event["seat"] for event in events if event["event"] == "dealt"] for events in told] == [[0], [1], [2], []]


@pytest.mark.parametrize("opening", [nimmt(3, 2), Opening(game="war", options={"per_suit": 3, "suits": 2})])
def test_lines_made_anew_from_the_log_by_anybody_are_the_same(opening: Opening) -> None:
    play = Play(opening).seated()
    play.send(Mark(0, play.legal(0)[0], 0), IDS[0])
    play.choose(0)
    play.send(Leave(1), IDS[1])
    play.send(React(0, "hmm"), IDS[0])
    for start in range(1, len(play.log)):
        room = room_from([(loads(text), command) for text, command in play.log[:start]])
        lines: dict[Viewer, list[bytes]] = {viewer: [] for viewer in play.streams}
        first = {viewer: version_for(room, viewer) for viewer in lines}
        for text, command in play.log[start:]:
            after = evolve(room, loads(text), command)
            change = Change(room, after)
            for viewer, made in lines.items():
                if (line := change.line(viewer)) is not None:
                    made.append(line)
            room = after
        for viewer, made in lines.items():
            assert made == [line for line in play.streams[viewer][1:] if json.loads(line)["v"] > first[viewer]]


def test_lines_do_not_depend_on_who_else_is_told() -> None:
    play = Play(nimmt(3, 2)).seated()
    for seat in (0, 1):
        play.choose(seat)
    before = play.room
    play.choose(2)
    for viewer in (2, None, 0, 1):
        assert Change(before, play.room).line(viewer) == play.streams[viewer][-1]


def test_a_message_without_news_in_the_sight_has_an_empty_patch() -> None:
    play = Play(nimmt(3, 2)).seated()
    play.send(React(2, "bravo"), IDS[2])
    assert patched(play.streams[0][-1]) == {}
    assert json.loads(play.streams[0][-1])["events"][0]["words"] == "Cy: Bravo!"


def test_what_only_gets_longer_is_told_by_what_is_new_in_it() -> None:
    play = Play(Opening(game="niuniu", options={"seats": 3, "throws": 4})).seated()
    for turn in range(4):
        play.turn()
        for viewer, lines in play.streams.items():
            line, log = json.loads(lines[-1]), sight_of(play.room, viewer)["view"]["log"]
            assert line["patch"]["view"].get("log") == (None if turn else log)
            assert line.get("grown") == ({"view": {"log": log[-1:]}} if turn else None)


def test_a_list_that_is_another_or_shorter_is_told_whole() -> None:
    play = Play(Opening(game="nimmt", options={"seats": 2, "hand": 2, "deals": 2})).seated()
    while play.room.table.decision < 2:
        play.turn()
    assert patched(play.streams[0][-1])["view"]["log"] == []
    assert "grown" not in json.loads(play.streams[0][-1])


def test_where_nobody_may_look_on_a_spectator_sees_the_room_before_and_after_the_game() -> None:
    play = Play(nimmt(2, 1, watch="nobody"))
    assert sight_of(play.room, None)["status"] == "pending"
    play.seated()
    spectator = len(play.streams[None])
    with pytest.raises(Hidden, match="nobody may look on"):
        sight_for(play.room, None)
    play.choose(0)
    assert len(play.streams[None]) == spectator
    while play.room.status == "active":
        play.turn()
    assert json.loads(play.streams[None][-1])["sight"] == sight_of(play.room, None)


def test_there_is_no_sight_of_a_seat_that_there_is_not() -> None:
    with pytest.raises(NotYours, match="there is no seat 7"):
        whole(Play().room, 7)


def test_a_stream_can_begin_with_what_time_it_is() -> None:
    room = Play(nimmt(3)).room
    assert json.loads(whole(room, 0, 12_345)) == {**json.loads(whole(room, 0)), "now": 12_345}


def test_times_in_a_sight_are_the_viewers_own() -> None:
    from faceup.server.rooms import Pace

    play = Play(nimmt(3, 2)).seated()
    play.send(Pace(1, 2), IDS[1])
    assert [sight_of(play.room, viewer).get("due") for viewer in (0, 1, None)] == [30_000, 60_000, 60_000]
    play.send(Pace(2, None), IDS[0])
    assert [sight_of(play.room, viewer).get("due") for viewer in (0, 2, None)] == [30_000, None, 60_000]
    assert sight_of(play.room, 0)["times"] == [1, 2, None]
    for viewer, told in play.told.items():
        assert told.sight == sight_of(play.room, viewer)

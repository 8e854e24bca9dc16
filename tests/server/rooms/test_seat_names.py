"""A guest who chose no name gets one in a running game, once, and everyone sees it."""

import json

import pytest
from tests.server.rooms.room_log import IDS, NAMES, Play, events, nimmt

from faceup.core import WrongSeatError, generator
from faceup.core.record import dumps
from faceup.server.rooms import create_entries, replay_lines
from faceup.server.rooms.commands import Rename
from faceup.server.rooms.errors import ConfusableNameError
from faceup.server.rooms.seat_names import unnamed_seats
from faceup.table import Choose
from faceup.table.errors import StaleCommandError


def running_game(name: str = "Guest") -> Play:
    """Return a running game of which the host has this name."""
    return Play(first=create_entries(nimmt(2), IDS[0], name, generator(1))).seated()


def test_everyone_sees_the_name_and_every_process_reads_it() -> None:
    play = running_game()
    assert unnamed_seats(play.room, IDS) == [0]
    play.turn()
    play.send(Rename(0, "Ann", "fox-3"), IDS[0])
    assert unnamed_seats(play.room, IDS) == []
    assert play.rebuilt() == play.room
    for viewer, client in play.clients.items():
        assert events(play.streams[viewer][-1]) == ["renamed"]
        assert b'"text":"Guest is now called Ann."' in play.streams[viewer][-1]
        seats = client.room_view["seats"]
        assert [(seat["name"], seat.get("face")) for seat in seats] == [("Ann", "fox-3"), ("Bo", None)]
    play.finish()
    assert play.rebuilt() == play.room


def test_the_record_and_its_replay_have_the_name_from_the_start() -> None:
    play = running_game()
    play.turn()
    play.send(Rename(0, "Ann"), IDS[0])
    record = play.finish().room.table.record
    assert "Guest" not in dumps(record)
    first = json.loads(next(iter(replay_lines(record))))
    assert [seat["name"] for seat in first["room"]["seats"]] == ["Ann", NAMES[1]]


def test_a_secret_choice_stays_secret_and_valid() -> None:
    play = running_game()
    play.choose(1)
    choice = play.room.table.choices[1]
    play.send(Rename(0, "Ann"), IDS[0])
    assert play.room.table.choices[1] == choice
    assert "choice" not in play.clients[0].room_view
    play.send(Choose(0, play.legal(0)[0], 0), IDS[0])
    assert play.room.table.decision == 1


def test_a_seat_gets_a_name_once() -> None:
    play = running_game()
    with pytest.raises(StaleCommandError, match="already started"):
        play.send(Rename(0, "Guest 3"), IDS[0])
    play.send(Rename(0, "Ann"), IDS[0])
    with pytest.raises(StaleCommandError, match="already started"):
        play.send(Rename(0, "Cy"), IDS[0])


def test_a_chosen_name_stays_in_a_game() -> None:
    play = running_game("Zoe")
    assert unnamed_seats(play.room, IDS) == []
    with pytest.raises(StaleCommandError, match="already started"):
        play.send(Rename(0, "Ann"), IDS[0])


def test_only_the_player_of_the_seat_can_name_it() -> None:
    play = running_game()
    with pytest.raises(WrongSeatError, match="seat 0 is not yours"):
        play.send(Rename(0, "Ann"), IDS[1])


def test_the_name_is_different_from_the_others() -> None:
    play = running_game()
    with pytest.raises(ConfusableNameError):
        play.send(Rename(0, NAMES[1].replace("o", "\u043e")), IDS[0])  # Cyrillic
    play.send(Rename(0, NAMES[1]), IDS[0])
    assert play.room.table.names == ("Bo 2", "Bo")


def test_the_score_of_a_series_has_the_name() -> None:
    play = running_game().finish().rematch(IDS[0]).seated()
    play.send(Rename(0, "Ann", "fox-3"), IDS[0])
    assert play.rebuilt() == play.room
    for client in play.clients.values():
        players = client.room_view["series"]["players"]
        assert [(player["name"], player.get("face")) for player in players] == [("Ann", "fox-3"), ("Bo", None)]


def test_a_finished_game_keeps_its_names() -> None:
    play = running_game().finish()
    assert unnamed_seats(play.room, IDS) == []
    with pytest.raises(StaleCommandError, match="already started"):
        play.send(Rename(0, "Ann"), IDS[0])

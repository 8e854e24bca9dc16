"""Hosts and players who are gone, because they were erased or banned, make no one wait at their tables."""

import msgspec
import pytest
from tests.server.rooms.room_log import IDS, Play, nimmt

from faceup.core.record import Left
from faceup.server.rooms import Sit
from faceup.server.rooms.commands import AddBot, RoomCommand, Start, TransferHost
from faceup.server.rooms.decide import departure
from faceup.server.rooms.entries import EntryBatch, HostChanged, HostSet, LogRewritten
from faceup.server.rooms.evolve import evolve
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.room import acting_player, rematch_config
from faceup.table.commands import Leave, Pace, Pause, Resume, Return
from faceup.table.errors import StaleCommandError


def gone(play: Play, *people: str) -> EntryBatch:
    """Let players depart, and return the entries."""
    entries = departure(play.room, people, play.now, play.rng)
    if entries:
        play.room = evolve(play.room, entries)
        play.streams = {}
    return entries


def test_a_host_who_is_gone_counts_as_absent_and_the_next_player_can_resume() -> None:
    play = Play().seated()
    play.send(Pause(), IDS[0])
    assert [type(entry) for entry in gone(play, IDS[0])] == [Left, HostSet]
    assert play.room.host == IDS[1]
    play.send(Resume(), IDS[1])
    assert play.room.table.paused is None
    assert gone(play, IDS[0]) == ()  # once


def test_several_players_are_gone_and_an_absent_one_inherits_if_no_one_is_present() -> None:
    play = Play().seated()
    play.send(Leave(2), IDS[2])
    gone(play, IDS[0], IDS[1])
    assert (play.room.host, [player and player.here for player in play.room.table.players]) == (IDS[2], [False] * 3)


def test_a_seat_becomes_free_before_the_start_and_the_next_player_can_start() -> None:
    play = Play(nimmt(seats=4))
    play.send(Sit("Bo"), IDS[1])
    gone(play, IDS[0])
    assert (play.room.host, play.room.owners) == (IDS[1], (None, IDS[1], None, None))
    play.send(Start(), IDS[1])
    assert play.room.status == "active"


def test_a_host_without_a_seat_is_succeeded_too() -> None:
    play = Play(nimmt(seats=3))
    play.send(Sit("Bo"), IDS[1])
    play.send(TransferHost(1), IDS[0])
    play.send(Leave(0), IDS[0])
    gone(play, IDS[1])
    assert play.room.host is None
    play.send(Sit("Cy"), IDS[2])
    assert play.room.host == IDS[2]


def test_nothing_happens_at_a_table_that_is_over_and_its_rematch_reserves_no_seat_for_erased_players() -> None:
    play = Play().seated().finish()
    assert gone(play, IDS[0]) == ()
    room = evolve(play.room, (LogRewritten(play.room.at, (IDS[0],)),))
    assert rematch_config(room).reserved == ("", handle_of(IDS[1]), handle_of(IDS[2]))


def test_a_host_who_returns_is_the_host_again_if_no_one_used_the_role() -> None:
    play = Play().seated()
    play.send(Leave(0), IDS[0])
    assert (play.room.host, play.room.replaced_host) == (IDS[1], IDS[0])
    play.send(Leave(1), IDS[1])
    assert (play.room.host, play.room.replaced_host) == (IDS[2], IDS[0])
    play.send(Return(1), IDS[1])
    assert play.room.host == IDS[2]  # the role was never used under this player
    play.send(Return(0), IDS[0])
    assert (play.room.host, play.room.replaced_host) == (IDS[0], None)
    assert isinstance(play.room.events[-1], HostChanged)


@pytest.mark.parametrize("used", [Pause(), Pace(2, None), TransferHost(2)], ids=["pause", "pace", "transfer"])
def test_an_heir_who_used_the_role_keeps_it(used: RoomCommand) -> None:
    play = Play().seated()
    play.send(Leave(0), IDS[0])
    entries = play.send(used, IDS[1])
    host = IDS[2] if isinstance(used, TransferHost) else IDS[1]
    assert (play.room.host, play.room.replaced_host) == (host, None)
    assert sum(isinstance(event, HostChanged) for event in play.room.events) == isinstance(used, TransferHost)
    assert isinstance(entries[0], HostSet)
    play.send(Return(0), IDS[0])
    assert play.room.host == host


def test_a_rejected_command_of_the_heir_is_no_use_of_the_role() -> None:
    play = Play().seated()
    play.send(Leave(0), IDS[0])
    with pytest.raises(StaleCommandError):
        play.send(Start(), IDS[1])
    play.send(Return(0), IDS[0])
    assert play.room.host == IDS[0]


def test_a_host_who_sits_down_again_before_the_start_is_the_host_again() -> None:
    play = Play(nimmt(seats=4))
    play.send(Leave(0), IDS[0])
    assert play.room.host is None
    play.send(Sit("Bo"), IDS[1])
    assert play.room.host == IDS[1]
    play.send(Sit("Ada"), IDS[0])
    assert play.room.host == IDS[0]
    play.send(Leave(play.room.owners.index(IDS[0])), IDS[0])
    play.send(AddBot("random"), IDS[1])
    play.send(Sit("Ada"), IDS[0])
    assert play.room.host == IDS[1]


def test_a_host_with_two_ids_gets_the_role_back() -> None:
    room = msgspec.structs.replace(Play(nimmt(seats=4)).room, host=None, replaced_host="guest-id", owners=(None,) * 4)
    assert acting_player(room, ["account-id", "guest-id"], Sit("Ada")) == "guest-id"

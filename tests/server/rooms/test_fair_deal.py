"""Fair deals in a room: the players' clients pledge and open through it, and the secret stays one to the end."""

import pytest
from tests.server.rooms.room_log import IDS, Play, events, nimmt, view_of

from faceup.core import Malformed, WrongSeatError
from faceup.core.record import SecretCommitted, Terms
from faceup.server.rooms import Sit, TableConfig, room_view_for
from faceup.server.rooms.commands import AddBot, ChooseForBot, Close, Extend, fair_command_for
from faceup.table import ExpireDeadline, verify
from faceup.table.commands import Pause, Pledge, Resume

FAIR = Terms(clock=30_000, fair=True)


def pledging_room() -> Play:
    """Create a fair room with two people and a bot, and the server's first commitment."""
    play = Play(nimmt(3, 2, terms=FAIR))
    play.send(AddBot("greedy", 2), IDS[0])
    play.send(Sit("Bo"), IDS[1])
    return play


def secrets(play: Play) -> list[bytes]:
    return [entry.secret.encode() for entry in play.room.table.entries if isinstance(entry, SecretCommitted)]


def test_a_fair_deal_waits_for_all_pledges_and_openings() -> None:
    play = pledging_room()
    for seat in (0, 1, 0):
        assert not room_view_for(play.room, 0).actions
        play.answer(seat)
    assert not room_view_for(play.room, 0).actions
    play.answer(1)
    assert room_view_for(play.room, 0).actions
    assert "dealt" in events(play.streams[0][-1])


def test_the_secret_is_revealed_at_the_end_of_the_match() -> None:
    play = pledging_room()
    for seat in (0, 1, 0, 1):
        play.answer(seat)
    before: list[bytes] = []
    while play.room.status == "active":
        table = play.room.table
        before = [line for lines in play.streams.values() for line in lines]
        seat = next(seat for seat in table.deciders if table.choices[seat] is None)
        if seat < 2:
            play.choose(seat)
        else:
            play.send(ChooseForBot(seat, play.legal(seat)[0], table.decision))
    (secret,) = secrets(play)
    assert not any(secret in line for line in before)
    assert all(secret in lines[-1] for lines in play.streams.values())
    assert not verify(play.room.table.record).faults


def test_closing_a_table_reveals_the_secret() -> None:
    play = pledging_room()
    for seat in (0, 1, 0, 1):
        play.answer(seat)
    (secret,) = secrets(play)
    assert not any(secret in line for lines in play.streams.values() for line in lines)
    play.send(Close(), IDS[0])
    for viewer, lines in play.streams.items():
        assert events(lines[-1]) == ["table_closed", "secret_revealed"]
        assert play.clients[viewer].room_view == view_of(play.room, viewer)
        assert play.clients[viewer].room_view["fair"]["secret"].encode() == secret


def test_a_seat_that_does_not_open_is_left_out_and_the_void_secret_is_revealed() -> None:
    play = pledging_room()
    for seat in (0, 1, 0):
        play.answer(seat)
    play.now = 10_000
    play.send(ExpireDeadline())
    assert {"seat_excluded", "commitment_published"} <= set(events(play.streams[None][-1]))
    assert view_of(play.room, None)["fair"]["left_out"] == [1]
    for seat in (0, 0):
        play.answer(seat)
    assert room_view_for(play.room, 0).actions
    for viewer, client in play.clients.items():
        assert client.room_view == view_of(play.room, viewer)
    assert play.rebuilt() == play.room


def test_invalid_pledges_are_rejected() -> None:
    play = pledging_room()
    with pytest.raises(WrongSeatError, match="seat 0 is not yours"):
        play.send(Pledge(0, 0, "00" * 32), IDS[1])
    with pytest.raises(Malformed):
        play.send(Pledge(0, 0, "xyz"), IDS[0])


def test_a_game_without_a_deal_offers_no_actions_before_the_round_is_complete() -> None:
    play = Play(TableConfig(game="niuniu", options={"throws": 1}, terms=FAIR)).seated()
    assert play.clients[0].room_view["actions"] == []
    for seat in (0, 1, 0, 1):
        play.answer(seat)
    assert play.clients[0].room_view["actions"] == ["throw"]
    for viewer, client in play.clients.items():
        assert client.room_view == view_of(play.room, viewer)


def test_a_pause_and_an_outage_extend_the_round() -> None:
    play = pledging_room()
    assert play.room.due == 10_000
    play.send(Extend(3_000))
    assert play.room.due == 13_000
    play.send(Pause(), IDS[0])
    assert play.room.due is None
    play.now += 50_000
    for seat in (0, 1):
        play.answer(seat)
    play.send(Resume(), IDS[0])
    for seat in (0, 1):
        play.answer(seat)
    assert play.room.table.deciders == (0, 1, 2)
    assert play.clients[1].room_view == view_of(play.room, 1)


def test_a_client_can_complete_a_fair_deal_from_its_own_stream() -> None:
    play = pledging_room()
    for _ in range(2):
        for seat in (0, 1):
            command = fair_command_for(play.clients[seat].room_view, bytes([seat]) * 32)
            assert command is not None
            play.send(command, IDS[seat])
    assert fair_command_for(play.clients[0].room_view, bytes(32)) is None
    assert fair_command_for(play.clients[None].room_view, bytes(32)) is None
    assert room_view_for(play.room, 0).actions

"""Fair deals in a room: the players' clients pledge and open through it, and the secret stays one to the end."""

import pytest
from tests.server.rooms.play import IDS, Play, events, nimmt, sight_of

from faceup.core import Malformed, NotYours
from faceup.core.record import Sealed, Terms
from faceup.server.rooms import (
    AddBot,
    Bot,
    Close,
    Extend,
    Opening,
    Pause,
    Pledge,
    Resume,
    Sit,
    Tick,
    fair_answer,
    sight_for,
)
from faceup.table import verify

FAIR = Terms(clock=30_000, fair=True)


def begun() -> Play:
    """Two people and a bot, everybody seated, and the server's first secret sealed."""
    play = Play(nimmt(3, 2, terms=FAIR))
    play.send(AddBot("greedy", 2), IDS[0])
    play.send(Sit("Bo"), IDS[1])
    return play


def secrets(play: Play) -> list[bytes]:
    return [entry.secret.encode() for entry in play.room.table.entries if isinstance(entry, Sealed)]


def test_nothing_is_dealt_before_everybodys_client_has_pledged_and_opened() -> None:
    play = begun()
    for seat in (0, 1, 0):
        assert not sight_for(play.room, 0).words
        play.answer(seat)
    assert not sight_for(play.room, 0).words
    play.answer(1)
    assert sight_for(play.room, 0).words
    assert "dealt" in events(play.streams[0][-1])


def test_the_secret_is_told_when_the_match_is_over_and_not_before() -> None:
    play = begun()
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
            play.send(Bot(seat, play.legal(seat)[0], table.decision))
    (secret,) = secrets(play)
    assert not any(secret in line for line in before)
    assert all(secret in lines[-1] for lines in play.streams.values())
    assert not verify(play.room.table.record).faults


def test_the_secret_of_a_table_that_is_closed_before_its_end_is_told() -> None:
    play = begun()
    for seat in (0, 1, 0, 1):
        play.answer(seat)
    (secret,) = secrets(play)
    assert not any(secret in line for lines in play.streams.values() for line in lines)
    play.send(Close(), IDS[0])
    for viewer, lines in play.streams.items():
        assert events(lines[-1]) == ["shut", "secret_shown"]
        assert play.told[viewer].sight == sight_of(play.room, viewer)
        assert play.told[viewer].sight["fair"]["secret"].encode() == secret


def test_whoever_does_not_open_is_left_out_and_the_void_rounds_secret_is_told() -> None:
    play = begun()
    for seat in (0, 1, 0):
        play.answer(seat)
    play.now = 10_000
    play.send(Tick())
    assert {"seat_left_out", "secret_sealed"} <= set(events(play.streams[None][-1]))
    assert sight_of(play.room, None)["fair"]["left_out"] == [1]
    for seat in (0, 0):
        play.answer(seat)
    assert sight_for(play.room, 0).words
    for viewer, told in play.told.items():
        assert told.sight == sight_of(play.room, viewer)
    assert play.again() == play.room


def test_nobody_pledges_for_another_or_what_is_none() -> None:
    play = begun()
    with pytest.raises(NotYours, match="seat 0 is not yours"):
        play.send(Pledge(0, 0, "00" * 32), IDS[1])
    with pytest.raises(Malformed):
        play.send(Pledge(0, 0, "xyz"), IDS[0])


def test_a_game_that_begins_with_a_decision_offers_none_before_the_round_is_complete() -> None:
    play = Play(Opening(game="niuniu", options={"throws": 1}, terms=FAIR)).seated()
    assert play.told[0].sight["words"] == []
    for seat in (0, 1, 0, 1):
        play.answer(seat)
    assert play.told[0].sight["words"] == ["throw"]
    for viewer, told in play.told.items():
        assert told.sight == sight_of(play.room, viewer)


def test_a_pause_and_an_outage_give_the_round_the_time_that_they_took() -> None:
    play = begun()
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
    assert play.told[1].sight == sight_of(play.room, 1)


def test_a_client_needs_no_more_than_its_own_stream_to_do_its_part() -> None:
    play = begun()
    for _ in range(2):
        for seat in (0, 1):
            command = fair_answer(play.told[seat].sight, bytes([seat]) * 32)
            assert command is not None
            play.send(command, IDS[seat])
    assert fair_answer(play.told[0].sight, bytes(32)) is None
    assert fair_answer(play.told[None].sight, bytes(32)) is None
    assert sight_for(play.room, 0).words

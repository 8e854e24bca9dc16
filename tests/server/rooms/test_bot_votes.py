"""Votes that a bot plays for an idle player at a table without a clock."""

import pytest
from tests.server.rooms.room_log import CLOCK, IDS, Play, nimmt

from faceup.core import WrongSeatError
from faceup.core.record import Left, Terms
from faceup.server.rooms.bot_votes import IDLE_AFTER, idle_seats
from faceup.server.rooms.commands import VoteForBot
from faceup.server.rooms.entries import BotVoteCast
from faceup.server.rooms.errors import NotIdleError
from faceup.server.rooms.view import room_view_for
from faceup.table.commands import Autoplay, Leave, Pace, Pause, Resume, Return


def waiting(seats: int = 3, chosen: tuple[int, ...] = (0, 1)) -> Play:
    """Return a game in which these seats have chosen, when others can vote."""
    play = Play(nimmt(seats=seats, terms=Terms(clock=None))).seated()
    for seat in chosen:
        play.choose(seat)
    play.now += IDLE_AFTER
    return play


def test_a_bot_plays_for_an_idle_player_when_more_than_half_of_the_others_want_it_until_the_player_returns() -> None:
    play = waiting()
    play.send(VoteForBot(2), IDS[0])
    assert play.room.events == (BotVoteCast(0, 2),)
    assert play.room.events[0].words(play.room.table.names) == "Ada wants a bot to play for Cy."
    assert play.send(VoteForBot(2), IDS[0]) == ()  # a player has one vote
    entries = play.send(VoteForBot(2), IDS[1])
    assert isinstance(entries[1], Left)
    play.send(Autoplay(2, decision=play.room.table.decision))
    assert (play.room.table.decision, play.room.bot_votes) == (1, frozenset())
    play.send(Return(2), IDS[2])
    assert all(player is not None and player.here for player in play.room.table.players)


def test_players_who_have_not_chosen_do_not_vote_so_one_who_has_decides_about_all_others() -> None:
    play = waiting(4, (0,))
    with pytest.raises(WrongSeatError, match="only players of this game who have chosen"):
        play.send(VoteForBot(2), IDS[1])
    for idle in (1, 2, 3):
        assert len(play.send(VoteForBot(idle), IDS[0])) == 2


def test_spectators_absent_players_and_the_server_do_not_vote() -> None:
    play = waiting()
    play.send(Leave(1), IDS[1])
    for player in (IDS[1], "someone", None):
        with pytest.raises(WrongSeatError):
            play.send(VoteForBot(2), player)
    assert len(play.send(VoteForBot(2), IDS[0])) == 2  # the only one who is present


def test_a_player_is_idle_only_after_a_minute_and_not_while_the_game_is_paused_or_right_after_it() -> None:
    play = waiting()
    play.now -= 1
    with pytest.raises(NotIdleError, match="a player counts as idle after 60 seconds: wait a moment"):
        play.send(VoteForBot(2), IDS[0])
    play.send(Pause(), IDS[0])
    play.now += 2 * IDLE_AFTER
    with pytest.raises(NotIdleError):
        play.send(VoteForBot(2), IDS[0])
    play.send(Resume(), IDS[0])
    with pytest.raises(NotIdleError):
        play.send(VoteForBot(2), IDS[0])


def test_the_view_says_when_each_player_can_be_replaced() -> None:
    def times(play: Play) -> tuple[int | None, ...] | None:
        return room_view_for(play.room, None).idle_from

    play = waiting()
    assert times(play) == (play.now,) * 3
    play.now += 1
    play.send(Leave(1), IDS[1])
    play.send(Return(1), IDS[1])
    assert times(play) == (play.now - 1, play.now + IDLE_AFTER, play.now - 1)
    play.send(Pause(), IDS[0])
    play.send(Resume(), IDS[0])
    assert times(play) == (play.now + IDLE_AFTER,) * 3
    clocked = Play(nimmt(terms=CLOCK)).seated()
    assert times(clocked) is None
    clocked.send(Pace(2, None), IDS[0])
    assert times(clocked) == (None, None, clocked.now + IDLE_AFTER)


@pytest.mark.parametrize("seat", [-1, 0, 7])
def test_a_seat_that_is_not_waited_for_is_not_idle(seat: int) -> None:
    play = waiting()
    with pytest.raises(NotIdleError):
        play.send(VoteForBot(seat), IDS[1])


def test_a_clock_makes_votes_unnecessary_except_for_a_player_without_a_limit() -> None:
    play = Play(nimmt(terms=CLOCK)).seated()
    play.choose(0)
    assert idle_seats(play.room) == ()
    play.send(Pace(2, None), IDS[0])
    assert idle_seats(play.room) == (2,)

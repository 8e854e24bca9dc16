"""Wake times of tables."""

from tests.server.rooms.room_log import Play, nimmt

from faceup.core.record import Terms
from faceup.server.live.timeouts import MINUTE, Timeouts
from faceup.server.live.wake_times import wake_time


def test_choices_rarely_change_the_wake_time_of_an_abandoned_table() -> None:
    play, timeouts, opened_at = Play(nimmt(3, 3, terms=Terms())), Timeouts(), 1_000_000
    play.now = 5_000
    play.seated()
    first = wake_time(play.room, opened_at, timeouts)
    for seat in (0, 1):
        play.now += 10_000
        play.choose(seat)
        assert wake_time(play.room, opened_at, timeouts) == first
    play.now += 5 * MINUTE
    play.turn()
    later = wake_time(play.room, opened_at, timeouts)
    assert later is not None
    assert opened_at + play.room.at + timeouts.abandoned <= later < opened_at + play.room.at + 35 * MINUTE

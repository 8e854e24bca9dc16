"""Wake times of tables."""

from tests.server.rooms.room_log import Play, nimmt

from faceup.core.record import Terms
from faceup.server.live.timeouts import MINUTE, Timeouts
from faceup.server.live.wake_times import table_cost, wake_time
from faceup.server.rooms import Sit


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


def test_a_table_costs_1_and_1_more_for_each_bot_that_searches() -> None:
    play = Play(nimmt(4, 3, bots=("random", "sharp")))
    assert table_cost(play.room) == (3, False)  # Ada, a random bot and two that search
    play.send(Sit("Bo"), "bo-id")
    assert table_cost(play.room) == (2, False)
    assert table_cost(Play(nimmt(4, 3)).room) == (1, False)
    assert table_cost(Play(nimmt(4, 3), host=None).room) == (1, False)
    assert table_cost(Play(nimmt(4, 3, bots=("sharp",)), host=None).room) == (5, True)
    assert table_cost(Play(nimmt(4, 3, bots=("random",)), host=None).room) == (1, True)

"""When somebody must look at a table again, as it is written down for all servers."""

from tests.server.rooms.play import Play, nimmt

from faceup.core.record import Terms
from faceup.server.desk.patience import MINUTE, Patience
from faceup.server.desk.waking import wake_of


def test_choices_leave_the_moment_at_which_a_table_would_be_abandoned_as_it_is() -> None:
    play, patience, opened_at = Play(nimmt(3, 3, terms=Terms())), Patience(), 1_000_000
    play.now = 5_000
    play.seated()
    first = wake_of(play.room, opened_at, patience)
    for seat in (0, 1):
        play.now += 10_000
        play.choose(seat)
        assert wake_of(play.room, opened_at, patience) == first
    play.now += 5 * MINUTE
    play.turn()
    later = wake_of(play.room, opened_at, patience)
    assert later is not None
    assert opened_at + play.room.at + patience.abandoned <= later < opened_at + play.room.at + 35 * MINUTE

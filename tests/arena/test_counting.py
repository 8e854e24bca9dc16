"""What a result counts as."""

from hypothesis import given
from hypothesis import strategies as st

from faceup.arena import Cause, Fault, Match, Result
from faceup.arena.counting import points_of, shared_places
from faceup.core import places


@given(st.lists(st.integers(0, 5), min_size=2, max_size=10))
def test_nobody_gains_by_sharing_a_place(scores: list[int]) -> None:
    assert sum(shared_places(places(scores))) == len(scores) * (len(scores) + 1) / 2


def result(scores: tuple[int, ...], out: tuple[int, ...] = ()) -> Result:
    faults = tuple(Fault(player, Cause.ENDED, 0, "") for player in out)
    return Result(Match(0, 0, ("a", "b"), 0), scores, (1, 2), faults)


def test_whoever_is_put_out_has_the_worst_points_of_the_block() -> None:
    block = [result((0, 3), (0,)), result((9, 30)), result((5, 6))]
    assert points_of(block, fewer=True) == [(30, 3), (9, 30), (5, 6)]
    assert points_of(block, fewer=False) == [(0, 3), (9, 30), (5, 6)]


def test_points_of_others_stay_as_they_are() -> None:
    assert points_of([result((4, 3)), result((1, 2))], fewer=True) == [(4, 3), (1, 2)]

"""Shared places and points of forfeited players."""

from hypothesis import given
from hypothesis import strategies as st

from faceup.arena import Cause, Fault, Match, MatchResult
from faceup.arena.stats.comparison import points_of, shared_places
from faceup.core import places


@given(st.lists(st.integers(0, 5), min_size=2, max_size=10))
def test_shared_places_keep_the_mean(scores: list[int]) -> None:
    assert sum(shared_places(places(scores))) == len(scores) * (len(scores) + 1) / 2


def result(scores: tuple[int, ...], out: tuple[int, ...] = ()) -> MatchResult:
    faults = tuple(Fault(player, Cause.ENDED, 0, "") for player in out)
    return MatchResult(Match(0, 0, ("a", "b"), 0), scores, (1, 2), faults)


def test_forfeit_gets_worst_points_of_block() -> None:
    block = [result((0, 3), (0,)), result((9, 30)), result((5, 6))]
    assert points_of(block, fewer=True) == [(30, 3), (9, 30), (5, 6)]
    assert points_of(block, fewer=False) == [(0, 3), (9, 30), (5, 6)]


def test_points_of_finished_players_are_unchanged() -> None:
    assert points_of([result((4, 3)), result((1, 2))], fewer=True) == [(4, 3), (1, 2)]

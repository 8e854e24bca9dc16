"""The order of matches, shares of it, and ladders that are the same whoever is quicker."""

from itertools import islice
from random import Random

import pytest
from tests.arena.unplayed import FIVE, TWO, comparison, matches, result

from faceup.arena import Match, Result, Terms
from faceup.arena.contests import contest
from faceup.arena.ladder import LAG, Ladder
from faceup.arena.schedule import Share, schedule, width_of
from faceup.core import Malformed


def test_matches_are_numbered_through_and_those_of_a_block_have_the_same_cards() -> None:
    found = list(matches(comparison(), 3))
    assert [match.number for match in found] == list(range(3 * 14))
    assert [match.block for match in found] == [number // 14 for number in range(3 * 14)]
    assert [match.lineup for match in found[:14]] == [match.lineup for match in found[14:28]]


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "ladder", "compare"])
def test_the_width_is_that_of_every_block(kind: str) -> None:
    bots = TWO if kind == "compare" else FIVE
    found = contest(kind, Terms(), bots, seed=7)  # type: ignore[arg-type]  # a parametrised word
    plan = schedule(found)
    assert [len(plan.block(number) or ()) for number in range(3)] == [width_of(found)] * 3


def test_shares_are_all_blocks_and_no_block_twice() -> None:
    blocks = [block for number in (1, 2, 3) for block in Share(number, 3).blocks(10)]
    assert sorted(blocks) == list(range(10))
    assert list(islice(Share(2, 3).blocks(None), 4)) == [1, 4, 7, 10]


@pytest.mark.parametrize(("number", "shares"), [(0, 3), (4, 3), (1, 0), (-1, -1)])
def test_a_share_that_there_is_not_is_refused(number: int, shares: int) -> None:
    with pytest.raises(Malformed, match="shares are 1/"):
        Share(number, shares)


def ladder_of(seed: int, blocks: int, *, ahead: int, tempo: int) -> list[Match]:
    """The matches of a ladder where as many matches are under way as there is room for, and any may end first."""
    plan = Ladder(contest("ladder", Terms(), FIVE, seed=seed))
    rng = Random(tempo)  # noqa: S311 -- no game is drawn from it
    found: list[Match] = []
    under_way: list[Match] = []
    held: dict[int, Result] = {}
    block = learnt = 0
    while learnt < blocks * 4:
        while block < blocks and len(under_way) < ahead and (more := plan.block(block)) is not None:
            found += more
            under_way += more
            block += 1
        match = under_way.pop(rng.randrange(len(under_way)))
        held[match.number] = result(match)
        while learnt in held:
            plan.learn(held.pop(learnt))
            learnt += 1
    return found


def test_a_ladder_is_the_same_however_many_play_and_whoever_ends_first() -> None:
    blocks = 4 * LAG
    one = ladder_of(7, blocks, ahead=1, tempo=0)
    assert one == ladder_of(7, blocks, ahead=400, tempo=1) == ladder_of(7, blocks, ahead=37, tempo=2)
    assert one != ladder_of(8, blocks, ahead=1, tempo=0)


def test_in_a_ladder_everybody_plays_and_neighbours_meet_most() -> None:
    found = ladder_of(7, 8 * LAG, ahead=1, tempo=0)
    played = {name: sum(name in match.lineup for match in found) for name in "abcde"}
    assert min(played.values()) > 0.5 * max(played.values())
    together = {
        pair: sum(set(pair) <= set(match.lineup) for match in found[4 * 4 * LAG :]) for pair in ("ab", "ae", "de")
    }
    assert together["ab"] > together["ae"]
    assert together["de"] > together["ae"]


def test_a_ladder_waits_for_the_results_that_it_needs() -> None:
    plan = Ladder(contest("ladder", Terms(), FIVE, seed=7))
    known = [plan.block(number) for number in range(2 * LAG + 1)]
    assert known[2 * LAG] is None
    assert None not in known[: 2 * LAG]
    for block in known[:LAG]:
        for match in block or ():
            plan.learn(result(match))
    assert plan.block(2 * LAG) is not None

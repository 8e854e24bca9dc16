"""Schedules: order of matches, and ladders independent of timing."""

from random import Random

import pytest
from tests.arena.synthetic_log import FIVE, TWO, comparison, matches, result

from faceup.arena import Match, MatchResult, MatchTerms
from faceup.arena.run.pairings import contest
from faceup.arena.run.schedule import LAG, LadderSchedule, matches_per_block, schedule


def test_matches_are_numbered_consecutively_and_share_cards_within_a_block() -> None:
    planned = list(matches(comparison(), 3))
    assert [match.number for match in planned] == list(range(3 * 14))
    assert [match.block for match in planned] == [number // 14 for number in range(3 * 14)]
    assert [match.lineup for match in planned[:14]] == [match.lineup for match in planned[14:28]]


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "ladder", "compare"])
def test_width_is_the_number_of_matches_in_a_block(kind: str) -> None:
    bots = TWO if kind == "compare" else FIVE
    planned = contest(kind, MatchTerms(), bots, seed=7)  # type: ignore[arg-type]  # a parametrised word
    plan = schedule(planned)
    assert [len(plan.block(number) or ()) for number in range(3)] == [matches_per_block(planned)] * 3


def ladder_of(seed: int, blocks: int, *, ahead: int, order_seed: int) -> list[Match]:
    """Return the matches of a ladder with about `ahead` concurrent matches, which end in random order."""
    plan = LadderSchedule(contest("ladder", MatchTerms(), FIVE, seed=seed))
    rng = Random(order_seed)  # noqa: S311 -- no game is drawn from it
    played: list[Match] = []
    under_way: list[Match] = []
    held: dict[int, MatchResult] = {}
    block = learnt = 0
    while learnt < blocks * 4:
        while block < blocks and len(under_way) < ahead and (more := plan.block(block)) is not None:
            played += more
            under_way += more
            block += 1
        match = under_way.pop(rng.randrange(len(under_way)))
        held[match.number] = result(match)
        while learnt in held:
            plan.add_result(held.pop(learnt))
            learnt += 1
    return played


def test_ladder_is_independent_of_concurrency() -> None:
    blocks = 4 * LAG
    ladder = ladder_of(7, blocks, ahead=1, order_seed=0)
    assert ladder == ladder_of(7, blocks, ahead=400, order_seed=1) == ladder_of(7, blocks, ahead=37, order_seed=2)
    assert ladder != ladder_of(8, blocks, ahead=1, order_seed=0)


def test_ladder_includes_all_bots_and_prefers_similar_ratings() -> None:
    ladder = ladder_of(7, 8 * LAG, ahead=1, order_seed=0)
    played = {name: sum(name in match.lineup for match in ladder) for name in "abcde"}
    assert min(played.values()) > 0.5 * max(played.values())
    together = {
        pair: sum(set(pair) <= set(match.lineup) for match in ladder[4 * 4 * LAG :]) for pair in ("ab", "ae", "de")
    }
    assert together["ab"] > together["ae"]
    assert together["de"] > together["ae"]


def test_ladder_waits_for_required_results() -> None:
    plan = LadderSchedule(contest("ladder", MatchTerms(), FIVE, seed=7))
    blocks = [plan.block(number) for number in range(2 * LAG + 1)]
    assert blocks[2 * LAG] is None
    assert None not in blocks[: 2 * LAG]
    for block in blocks[:LAG]:
        for match in block or ():
            plan.add_result(result(match))
    assert plan.block(2 * LAG) is not None

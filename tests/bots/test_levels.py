"""Levels: a fixed amount of work, and for the gentle one a choice that is softened and not pretended."""

from collections import Counter
from math import exp

import pytest

from faceup.bots import Estimate, Level, Option, judge, levels, policy
from faceup.bots.thinking import Thinker, softly
from faceup.core import Seeded, draw, make

RULES = make("nimmt:cowheadking")
DEALT = RULES.apply(RULES.start(), draw(RULES, RULES.start(), Seeded(3))).state
VIEW = RULES.view(DEALT, 1)


def test_only_a_game_with_a_search_has_levels() -> None:
    assert list(levels("nimmt")) == ["gentle", "steady", "sharp", "champion"]
    assert not levels("war")
    assert not levels("niuniu")
    assert not levels("highcard")


@pytest.mark.parametrize("name", levels("nimmt"))
def test_a_level_chooses_the_same_for_the_same_seed(name: str) -> None:
    level = policy("nimmt", name)
    assert level is levels("nimmt")[name]
    assert len({level(RULES, VIEW, Seeded(5)) for _ in range(3)}) == 1


def test_a_level_that_is_not_softened_plays_the_best_that_it_finds() -> None:
    level = Level("hard", Thinker("mc", worlds=500), "", "")
    seed = Seeded(5).below(2**63)
    best = judge(RULES, VIEW, worlds=500, seed=seed, objective=level.plays.objective).options[0]
    assert level(RULES, VIEW, Seeded(5)) == best.action


@pytest.mark.parametrize("softness", [0.5, 2.0])
def test_a_softened_level_takes_an_option_more_rarely_the_worse_it_looks(softness: float) -> None:
    nothing = Estimate(0.0, 0.0)
    behind = [0.0, 0.1, 1.0, 5.0, 50.0]
    options = [
        Option(at, 1, nothing, nothing, nothing, Estimate(worse, 0.0), 0.0, ()) for at, worse in enumerate(behind)
    ]
    rng = Seeded(9)
    counts = Counter(softly(options, softness, rng) for _ in range(20_000))
    weights = [exp(-worse / softness) for worse in behind]
    for action, weight in enumerate(weights):
        share = weight / sum(weights)
        # Five standard deviations: one run in a million, and the seed is fixed.
        assert abs(counts[action] / 20_000 - share) < 5 * (share * (1 - share) / 20_000) ** 0.5 + 1e-9


def test_a_level_that_errs_weighs_heads_and_not_chances() -> None:
    for level in levels("nimmt").values():
        assert level.plays.objective == ("relative" if level.plays.softness else "win late")


def test_a_level_that_errs_says_so() -> None:
    assert any(level.plays.softness for level in levels("nimmt").values())
    for level in levels("nimmt").values():
        assert (level.plays.softness > 0) == ("errs" in level.does)
        assert f"{level.plays.worlds:,}" in level.does
    chosen = {policy("nimmt", "gentle")(RULES, VIEW, Seeded(lane)) for lane in range(100)}
    assert len(chosen) > 3

"""Levels have a fixed amount of work, and a softmax choice for those with mistakes."""

from collections import Counter
from math import exp

import pytest

from faceup.bots import Estimate, Level, Option, evaluate, levels, policy
from faceup.bots.search_policies import SearchPolicy, sample_softmax
from faceup.core import SeededGenerator, draw, make

RULES = make("nimmt:cowheadking")
DEALT = RULES.apply(RULES.start(), draw(RULES, RULES.start(), SeededGenerator(3))).state
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
    assert len({level(RULES, VIEW, SeededGenerator(5)) for _ in range(3)}) == 1


def test_level_without_softness_plays_the_best_option() -> None:
    level = Level("hard", SearchPolicy("mc", worlds=500), "", "")
    seed = SeededGenerator(5).below(2**63)
    best = evaluate(RULES, VIEW, worlds=500, seed=seed, objective=level.plays.objective).options[0]
    assert level(RULES, VIEW, SeededGenerator(5)) == best.action


@pytest.mark.parametrize("softness", [0.5, 2.0])
def test_softness_lowers_probability_of_worse_options(softness: float) -> None:
    nothing = Estimate(0.0, 0.0)
    behind = [0.0, 0.1, 1.0, 5.0, 50.0]
    options = [
        Option(at, 1, nothing, nothing, nothing, Estimate(worse, 0.0), 0.0, ()) for at, worse in enumerate(behind)
    ]
    rng = SeededGenerator(9)
    counts = Counter(sample_softmax(options, softness, rng) for _ in range(20_000))
    weights = [exp(-worse / softness) for worse in behind]
    for action, weight in enumerate(weights):
        share = weight / sum(weights)
        # Five standard deviations: one run in a million, and the seed is fixed.
        assert abs(counts[action] / 20_000 - share) < 5 * (share * (1 - share) / 20_000) ** 0.5 + 1e-9


def test_a_level_with_mistakes_plays_for_points_not_for_the_win() -> None:
    for level in levels("nimmt").values():
        assert level.plays.objective == ("relative" if level.plays.softness else "win late")


def test_the_description_of_a_level_mentions_its_mistakes() -> None:
    assert any(level.plays.softness for level in levels("nimmt").values())
    for level in levels("nimmt").values():
        assert (level.plays.softness != 0) == ("mistakes" in level.description)
        assert f"{level.plays.worlds:,}" in level.description
    chosen = {policy("nimmt", "gentle")(RULES, VIEW, SeededGenerator(lane)) for lane in range(100)}
    assert len(chosen) > 3

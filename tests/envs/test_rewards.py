import itertools

import pytest
from tests.envs.helpers import EVERY, SHORT, walk

from faceup.core import Malformed, make
from faceup.core.values import CHANCE
from faceup.envs.rewards import reward, reward_names


@pytest.mark.parametrize("spec", EVERY + SHORT)
def test_every_reward_is_within_its_bounds_and_adds_up(spec: str) -> None:
    rules = make(spec)
    states = walk(rules, seed=5, most=400)
    decisions = [state for state in states if rules.to_act(state) != (CHANCE,)]
    for name in reward_names(rules):
        option = reward(rules, name)
        steps = [option.between(*pair) for pair in itertools.pairwise(decisions)]
        for step in steps:
            assert all(option.step[0] <= gain <= option.step[1] for gain in step)
            assert not option.zero_sum or sum(step) == pytest.approx(0)
        totals = [sum(gains) for gains in zip(*steps, strict=True)]
        assert totals == pytest.approx(option.between(decisions[0], decisions[-1]))
        assert all(option.total[0] <= total <= option.total[1] for total in totals)


def test_heads_are_minus_the_heads_taken() -> None:
    rules = make("nimmt")
    end = walk(rules, seed=1)[-1]
    assert reward(rules).between(rules.start(), end) == tuple(-heads for heads in rules.scores(end))
    assert reward(rules).name == "heads"


def test_relative_is_the_gain_less_the_mean_of_the_others() -> None:
    rules = make("nimmt seats=3")
    end = walk(rules, seed=1)[-1]
    heads = rules.scores(end)
    first = (heads[1] + heads[2]) / 2 - heads[0]
    assert reward(rules, "relative").between(rules.start(), end)[0] == pytest.approx(first)


def test_place_and_win_are_rewarded_only_at_the_end() -> None:
    rules = make("niuniu:battle seats=3")
    end = rules.from_text("played=1 won=0,0,0 drawn=1,1,0 statistics=3,3,0 dice=still log=-")
    before = rules.start()
    assert reward(rules, "win").between(before, end) == (0.5, 0.5, 0.0)
    assert reward(rules, "place").between(before, end) == (0.5, 0.5, -1.0)
    assert reward(rules, "win").between(before, before) == (0.0, 0.0, 0.0)


def test_an_unknown_reward_raises_with_the_closest_name() -> None:
    with pytest.raises(Malformed, match="there is no reward 'head'; did you mean 'heads'"):
        reward(make("nimmt"), "head")

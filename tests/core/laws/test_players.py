"""The law of players catches those that break it, each in one way, and lets sound ones pass."""

from itertools import count
from typing import Any

import msgspec
import pytest
from highcard import HighCard, Seen, highest

from faceup.bots import random_policy
from faceup.core import Action, AnyRules, Generator, Policy, laws


def last_asked() -> Policy:
    """Remembers the last seat that it was asked for, and plays high if that has changed."""
    remembered: list[int | None] = [None]

    def choose(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as a policy is called
        before, remembered[0] = remembered[0], view.seat
        return view.legal[-1 if before != view.seat else 0]

    return choose


def another_each_time() -> Policy:
    """Draws from a source of its own."""
    calls = count()
    return lambda rules, view, rng: view.legal[next(calls) % len(view.legal)]  # noqa: ARG005 -- as above


def knows_its_views() -> Policy:
    """Tells the view that the game gave it from one like it, by where it is kept."""
    met: list[object] = []

    def choose(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as above
        again = any(view is other for other in met)
        met.append(view)
        return view.legal[0 if again or len(met) % 3 else -1]

    return choose


def plays_anything(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as above
    return 3


def changes_its_view(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as above
    action = view.legal[0]
    msgspec.structs.force_setattr(view, "points", (9, 9))
    return action


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (last_asked(), "chooses . and . with the same view"),
        (another_each_time(), "chooses . and . with the same view"),
        (knows_its_views(), "chooses . and . with the same view"),
        (plays_anything, "chooses 3, which is not legal for seat"),
        (changes_its_view, "changes the view of seat"),
    ],
    ids=lambda value: getattr(value, "__qualname__", ""),
)
def test_a_player_that_breaks_the_law_is_caught(policy: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=f"the law of choosing: .*{message.replace('. and .', '., and .')}"):
        laws.check_policy(HighCard(hand=3), policy, examples=100)


@pytest.mark.parametrize("policy", [highest, random_policy])
def test_a_sound_player_passes(policy: Policy) -> None:
    laws.check_policy(HighCard(seats=3, forfeits=True), policy)

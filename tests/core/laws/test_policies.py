"""The law of policies fails for each kind of violation and passes for correct policies."""

from itertools import count
from typing import Any

import msgspec
import pytest
from highcard import HighCard, Seen, highest

from faceup.bots import random_policy
from faceup.core import Action, AnyRules, Generator, Policy, laws


def remembers_last_seat() -> Policy:
    """Return a policy that remembers its last seat, and plays high if the seat has changed."""
    remembered: list[int | None] = [None]

    def choose(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as a policy is called
        before, remembered[0] = remembered[0], view.seat
        return view.legal[-1 if before != view.seat else 0]

    return choose


def uses_another_generator() -> Policy:
    """Return a policy that uses another generator."""
    calls = count()
    return lambda rules, view, rng: view.legal[next(calls) % len(view.legal)]  # noqa: ARG005 -- as above


def depends_on_identity() -> Policy:
    """Return a policy that depends on the identity of the view object."""
    met: list[object] = []

    def choose(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as above
        again = any(view is other for other in met)
        met.append(view)
        return view.legal[0 if again or len(met) % 3 else -1]

    return choose


def plays_illegal_actions(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as above
    return 3


def changes_the_view(rules: AnyRules, view: Seen, rng: Generator) -> Action:  # noqa: ARG001 -- as above
    action = view.legal[0]
    msgspec.structs.force_setattr(view, "points", (9, 9))
    return action


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (remembers_last_seat(), "chooses . and . with the same view"),
        (uses_another_generator(), "chooses . and . with the same view"),
        (depends_on_identity(), "chooses . and . with the same view"),
        (plays_illegal_actions, "chooses 3, which is not legal for seat"),
        (changes_the_view, "changes the view of seat"),
    ],
    ids=lambda value: getattr(value, "__qualname__", ""),
)
def test_a_policy_that_violates_the_law_fails(policy: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=f"law 13, policy-legality: .*{message.replace('. and .', '., and .')}"):
        laws.check_policy(HighCard(hand=3), policy, examples=100)


@pytest.mark.parametrize("policy", [highest, random_policy])
def test_a_correct_policy_passes(policy: Policy) -> None:
    laws.check_policy(HighCard(seats=3, forfeits=True), policy)

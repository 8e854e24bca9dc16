"""The player that needs to know nothing of a game."""

from faceup.core import Action, AnyRules, Generator, View


def random_policy(rules: AnyRules, view: View, rng: Generator) -> Action:  # noqa: ARG001 -- a policy is given its rules
    """One of the legal actions, each equally likely."""
    return view.legal[rng.below(len(view.legal))]

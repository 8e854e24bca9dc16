"""The law of policy legality: a bot's choice is legal and depends only on the view and the generator."""

from collections.abc import Mapping

from faceup.core.generator import Generator, SeededGenerator
from faceup.core.laws.plays import Play, as_law, require
from faceup.core.notation import read, write
from faceup.core.registry import find_game
from faceup.core.rules import AnyRules, Policy
from faceup.core.values import CHANCE, State


@as_law
def policy_legality(
    rules: AnyRules, play: Play, rng: Generator, *, policies: Mapping[str, Policy] | None = None
) -> None:
    """Check that a policy's choice is legal and depends only on view and generator, and that the view is unchanged.

    The law calls the policy for every seat to act. It then calls it again in another order with an equal generator and
    two equal views: the view of a state in which everything hidden from the seat may differ, and the view written to
    notation and read back. A policy that uses memory, global state or a clock sooner or later returns another choice.

    Args:
        rules: rules of the game.
        play: the play; its last state is checked.
        rng: draws the hidden cards.
        policies: the policies to check by name, by default the game's policies.
    """
    state = play.state
    chosen = find_game(rules.game).policies if policies is None else policies
    seats = [seat for seat in rules.to_act(state) if seat != CHANCE]
    for name, policy in chosen.items():
        seed = rng.below(2**32)
        choices = {}
        for seat in seats:
            view = rules.view(state, seat)
            before = write(rules, view)
            action = policy(rules, view, SeededGenerator(seed, seat))
            legal = action in rules.legal(state, seat)
            require(
                "policy-legality", legal, f"{name} chooses {action!r}, which is not legal for seat {seat}", rules, state
            )
            unchanged = view == rules.view(state, seat) and write(rules, view) == before
            require("policy-legality", unchanged, f"{name} changes the view of seat {seat}", rules, state)
            choices[seat] = action
        for seat in reversed(seats):
            other: State = rules.guess(rules.view(state, seat), rng)
            _, again = read(write(rules, rules.view(state, seat)))
            for view, where in ((rules.view(other, seat), write(rules, other)), (again, "the same state, read back")):
                action = policy(rules, view, SeededGenerator(seed, seat))
                message = f"seat {seat}: {name} chooses {choices[seat]}, and {action} with the same view in {where}"
                require("policy-legality", action == choices[seat], message, rules, state)

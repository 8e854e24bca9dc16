"""The laws of players: they choose what is legal, from what their seat may know and from nothing else."""

from collections.abc import Mapping

from faceup.core.generator import Generator, Seeded
from faceup.core.laws.plays import Play, a_law, hold
from faceup.core.notation import read, write
from faceup.core.registry import find_game
from faceup.core.rules import AnyRules, Policy
from faceup.core.values import CHANCE, State


@a_law
def choosing(rules: AnyRules, play: Play, rng: Generator, *, policies: Mapping[str, Policy] | None = None) -> None:
    """A policy's choice is legal, and made of the view and its generator alone; nothing that it is given changes.

    Every seat to act is asked for its choice, and then asked again in another order with the same generator anew: from
    the view of a state in which all that is hidden from it is different, and from a view that was written down and read
    back. Whatever a policy remembers, looks up elsewhere or takes from a clock then shows, sooner or later, as another
    choice.

    Args:
        rules: that are played.
        play: whose last state is looked at.
        rng: draws what is hidden.
        policies: by name; the game's own if not given.
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
            action = policy(rules, view, Seeded(seed, seat))
            legal = action in rules.legal(state, seat)
            hold("choosing", legal, f"{name} chooses {action!r}, which is not legal for seat {seat}", rules, state)
            kept = view == rules.view(state, seat) and write(rules, view) == before
            hold("choosing", kept, f"{name} changes the view of seat {seat}", rules, state)
            choices[seat] = action
        for seat in reversed(seats):
            other: State = rules.guess(rules.view(state, seat), rng)
            _, again = read(write(rules, rules.view(state, seat)))
            for view, where in ((rules.view(other, seat), write(rules, other)), (again, "the same, read back")):
                action = policy(rules, view, Seeded(seed, seat))
                message = f"seat {seat}: {name} chooses {choices[seat]}, and {action} with the same view in {where}"
                hold("choosing", action == choices[seat], message, rules, state)

"""What the environments do for their users between decisions: chance is drawn, and what is not legal is replaced."""

from operator import index
from secrets import randbits

from faceup.core import CHANCE, Action, AnyRules, Generator, Malformed, Seeded, State, draw


def seeded(seed: int | None) -> Seeded:
    """A generator of the seed; of a fresh seed if there is none, for an episode of its own."""
    return Seeded(randbits(64) if seed is None else seed)


def settled(rules: AnyRules, state: State, rng: Generator) -> State:
    """The state once chance has done all that is due."""
    while rules.to_act(state) == (CHANCE,):
        state = rules.apply(state, draw(rules, state, rng)).state
    return state


def fitted(action: object, legal: tuple[Action, ...], actions: int) -> tuple[Action, bool]:
    """The action that is played, and whether it is another one than was given: the lowest legal one replaces others.

    Raises:
        Malformed: what was given is not one of `range(actions)`.
    """
    try:
        asked = index(action)  # type: ignore[arg-type]  # the error says what it is not
    except TypeError:
        asked = -1
    if asked in legal:
        return asked, False
    if not 0 <= asked < actions:
        raise Malformed(f"{action!r} is not an action: actions are 0 to {actions - 1}", what=action, where="action")
    return legal[0], True

"""What the tests of the environments play: every registered setting, and some that reach further."""

from faceup.core import Seeded, draw
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, State
from faceup.envs.names import settings

EVERY = [spec for _, _, spec in settings()]
SHORT = ["war:standard cap=40 reshuffle=15 collect=shuffled", "nimmt:arena deals=2", "niuniu:battle seats=1 throws=3"]
SMALL = [
    "nimmt:cowheadking seats=2 cards=12 rows=2 capacity=3 hand=3",
    "niuniu:battle throws=2",
    "war per_suit=3 cap=9",
]


def walk(rules: AnyRules, seed: int, most: int = 60) -> list[State]:
    """The states of a random game, in order, those before chance included; no more than `most`."""
    rng = Seeded(seed)
    states = [rules.start()]
    while (to_act := rules.to_act(states[-1])) and len(states) < most:
        state = states[-1]
        if to_act == (CHANCE,):
            states.append(rules.apply(state, draw(rules, state, rng)).state)
        else:
            legal = {seat: rules.legal(state, seat) for seat in to_act}
            move = {seat: options[rng.below(len(options))] for seat, options in legal.items()}
            states.append(rules.apply(state, move).state)
    return states

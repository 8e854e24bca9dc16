"""Settings for the tests of the environments: all registered ones and some more."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle

from faceup.core import SeededGenerator, draw
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, State
from faceup.envs.registration import settings

EVERY = [spec for _, _, spec in settings()]
SHORT = ["war:standard cap=40 reshuffle=15 collect=shuffled", "nimmt:arena deals=2", "niuniu:battle seats=1 throws=3"]
SMALL = [
    "nimmt:cowheadking seats=2 cards=12 rows=2 capacity=3 hand=3",
    "niuniu:battle throws=2",
    "war per_suit=3 cap=9",
]


COPIES: tuple[Callable[[Any], Any], ...] = (
    lambda env: pickle.loads(pickle.dumps(env)),  # noqa: S301 -- our own bytes
    copy.deepcopy,
    lambda env: cloudpickle.loads(cloudpickle.dumps(env)),
)
"""Functions that copy an environment as libraries do to send it to processes."""


def walk(rules: AnyRules, seed: int, most: int = 60) -> list[State]:
    """Yield at most `most` states of a random game in order, including those before chance."""
    rng = SeededGenerator(seed)
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

"""Run an environment policy, or a network with other weights, as a program of the arena.

For an environment policy, the arguments are its file, its function and the encoding. The function gets the rules, and
returns a function from observations `[n, size]` and masks `[n, actions]` to actions `[n]`, as in
`faceup.envs.vector_env`. For a network, the arguments are the name of the bot and the file with its weights.
"""

import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from faceup.bots import policy
from faceup.core import AnyRules, Malformed, SeededGenerator, View, read
from faceup.extras import needs

with needs("envs", __name__):
    import numpy as np
    from numpy.typing import NDArray

    from faceup.envs import observe

Choose: TypeAlias = Callable[[NDArray[Any], NDArray[np.int8]], NDArray[np.integer[Any]]]
"""A policy of an environment."""


def choose_action(rules: AnyRules, view: View, choose: Choose, encoding: str) -> int:
    """Return the choice of an environment policy in a view.

    >>> rules, view = read("nimmt seats=2 | view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> choose_action(rules, view, lambda observations, masks: masks.argmax(axis=1), "scalars")
    5
    """
    mask = np.zeros((1, rules.bounds.actions + 1), np.int8)  # the last action is to wait
    mask[0, list(view.legal)] = 1
    return int(choose(observe(rules, view, encoding)[np.newaxis], mask)[0])


def load_policy(path: str, name: str) -> Callable[[AnyRules], Choose]:
    """Return the function with this name of a Python file. Raises `Malformed` if there is none.

    As in a script, the file can import the modules in its folder.
    """
    sys.path.append(str(Path(path).resolve().parent))
    function = runpy.run_path(path).get(name)
    if not callable(function):
        raise Malformed(f"{path} has no function {name!r}", what=name, where="--policy")
    make: Callable[[AnyRules], Choose] = function
    return make


def chooser(words: Sequence[str]) -> Callable[[AnyRules, View], int]:
    """Return the function from rules and view to an action that the arguments of the program name.

    Raises:
        Malformed: the file has no such function, or does not hold the weights of the network.
    """
    if len(words) == 2:
        network, rng = policy("nimmt", "@".join(words), files=True), SeededGenerator(0)
        return lambda rules, view: network(rules, view, rng)
    path, name, encoding = words
    make = load_policy(path, name)
    policies: dict[AnyRules, Choose] = {}

    def choose(rules: AnyRules, view: View) -> int:
        if rules not in policies:
            policies[rules] = make(rules)
        return choose_action(rules, view, policies[rules], encoding)

    return choose


def main() -> None:
    """Play in the JSON-lines protocol until the input ends."""
    choose = chooser(sys.argv[1:])
    for line in sys.stdin:
        position = msgspec.json.decode(line).get("position")
        if position is None:
            continue
        rules, view = read(position)
        print(rules.describe(choose(rules, view)), flush=True)  # noqa: T201 -- the answer


if __name__ == "__main__":
    main()

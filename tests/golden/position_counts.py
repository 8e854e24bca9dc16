"""Numbers of reachable positions by number of moves (perft): a fingerprint of the rules."""

from itertools import product

from faceup.core import CHANCE, AnyRules, Outcome, State, draw
from faceup.core.laws.determinization import enumerate_outcomes

COUNTED = {
    "nimmt seats=2 hand=2 cards=6 rows=2 capacity=2": 10,
    "nimmt seats=2 hand=2 cards=6 rows=1 capacity=1": 10,
    "nimmt seats=3 hand=1 cards=6 rows=2 capacity=1": 10,
    "nimmt seats=2 hand=1 cards=4 rows=1 capacity=1 deals=2": 10,
    "nimmt seats=3 hand=1 cards=5 rows=1 forfeits=true": 10,
    "niuniu seats=1 faces=6 throws=2": 10,
    "war per_suit=2 suits=2 cap=4": 12,
    "war per_suit=4 suits=1 cap=6 reshuffle=2": 14,
}
"""Settings small enough to count, and after how many moves to stop counting."""


def counts(rules: AnyRules, depth: int) -> list[int]:
    """The number of positions after 0, 1, 2, ... moves, a move being an outcome or a joint decision."""
    level = {rules.position(rules.start())}
    numbers: list[int] = []
    while level and len(numbers) <= depth:
        numbers.append(len(level))
        level = {after for state in level for after in _after(rules, state)}
    return numbers


def _after(rules: AnyRules, state: State) -> set[State]:
    to_act = rules.to_act(state)
    moves: list[dict[int, int] | Outcome] = []
    if to_act == (CHANCE,):
        moves += enumerate_outcomes(lambda rng: draw(rules, state, rng), limit=10_000)
    elif to_act:
        moves += [
            dict(zip(to_act, actions, strict=True)) for actions in product(*(rules.legal(state, s) for s in to_act))
        ]
    return {rules.position(rules.apply(state, move).state) for move in moves}

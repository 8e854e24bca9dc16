"""All 7,776 hands of five dice, scored one by one."""

from collections import Counter
from itertools import product

from faceup.games.niuniu import score


def all_hands() -> dict[str, dict[str, int]]:
    """How many of them have each name, and each number of statistics points, by how many equal dice make a baozi."""
    hands = [[score(dice, baozi=baozi) for dice in product(range(1, 7), repeat=5)] for baozi in (3, 4, 5)]
    names = Counter(hand.name for hand in hands[0])
    order = ["No Niu", *(f"Niu {points}" for points in range(1, 10)), "Niu Niu"]
    tables = {"ranks": {name: names[name] for name in order}}
    for baozi, scored in zip((3, 4, 5), hands, strict=True):
        counted = Counter(hand.statistics for hand in scored)
        tables[f"statistics, baozi {baozi}"] = {str(value): counted[value] for value in (0, 1, 2, 3, 5)}
    return tables

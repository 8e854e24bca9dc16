"""The par of every usual setting, from deals in which all seats choose what the coach finds best: `./script/par`.

Deals of one setting go on until the error asked for is reached, in heads; the deals are those of seed 0.
"""

import sys
from pathlib import Path

from faceup.coach.par import Par, deals_of, measured, setting
from faceup.core import AnyRules, make

TABLE = Path(__file__).resolve().parent.parent / "src" / "faceup" / "coach" / "par_table.py"
ERROR = 0.07
"""The standard error of the heads at which a setting is done."""
LEAST, MOST = 200, 4000
WORLDS = 1000
SETTINGS = [
    *(f"nimmt:cowheadking seats={seats}" for seats in range(2, 11)),
    *(f"nimmt:tactical seats={seats}" for seats in range(2, 10)),  # with ten, all cards are dealt in any variant
]
HEADER = '''"""The par of the usual settings, measured by `script/par`, which writes this file."""

from collections.abc import Mapping
from typing import Final, TypeAlias

Pair: TypeAlias = tuple[float, float]
"""A mean and its standard error."""

TABLE: Final[Mapping[tuple[str, str, tuple[int, ...]], tuple[Pair, Pair, int]]] = {
'''
FOOTER = '''}  # fmt: skip
"""From game, player and setting to heads, value and the number of deals."""
'''


def par(rules: AnyRules, player: str) -> Par:
    """Play until the par of these rules is known well enough."""
    played: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    for deal in deals_of(rules, player, deals=MOST, worlds=WORLDS, seed=0):
        played.append(deal)
        if len(played) >= LEAST and measured(played).heads.error <= ERROR:
            break
    return measured(played)


def main(player: str = "mc") -> None:
    """Measure all, one line a setting, and write the table."""
    lines = []
    for text in SETTINGS:
        rules = make(text)
        found = par(rules, player)
        numbers = (
            (round(found.heads.value, 3), round(found.heads.error, 3)),
            (round(found.value.value, 3), round(found.value.error, 3)),
            found.deals,
        )
        lines.append(f"    {(rules.game, player, setting(rules))!r}: {numbers!r},  # {text}\n".replace("'", '"'))
        print(text, numbers, flush=True)
    kept = [line for line in TABLE.read_text("utf-8").splitlines(keepends=True) if line.startswith('    ("')]
    others = [line for line in kept if f'"{player}"' not in line]
    TABLE.write_text(HEADER + "".join([*others, *lines]) + FOOTER, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

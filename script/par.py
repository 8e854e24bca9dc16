"""The par of every usual setting, from deals in which all seats choose what the coach finds best: `./script/par`.

    ./script/par          for the player mc: about twenty minutes
    ./script/par deep     for the player deep, less exactly: about ten

Deals of one setting, those of seed 0, go on until the error asked for is reached, in heads. The table is written anew
after each setting; what other players' it holds stays.
"""

import sys
from pathlib import Path

from faceup.coach.par import Par, deals_of, measured, setting
from faceup.core import AnyRules, make

TABLE = Path(__file__).resolve().parent.parent / "src" / "faceup" / "coach" / "par_table.py"
EFFORT = {"mc": (0.07, 200, 1000), "deep": (0.3, 24, 100)}
"""By player: the standard error of the heads at which a setting is done, the fewest deals, the worlds an option."""
MOST = 4000
"""Deals."""
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
    error, least, worlds = EFFORT[player]
    played: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    for deal in deals_of(rules, player, deals=MOST, worlds=worlds, seed=0):
        played.append(deal)
        if len(played) >= least and measured(played).heads.error <= error:
            break
    return measured(played)


def main(player: str = "mc") -> None:
    """Measure all, one line a setting, and write the table."""
    written = TABLE.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in written if line.startswith('    ("') and f'"{player}"' not in line]
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
        TABLE.write_text(HEADER + "".join([*kept, *lines]) + FOOTER, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

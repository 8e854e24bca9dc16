"""The objectives by which searches compare the options of a decision."""

from collections.abc import Sequence
from typing import Final

from faceup.core.errors import Malformed
from faceup.core.registry import nearest
from faceup.core.values import Seat
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View

MEASURES: Final = ("heads", "relative", "win")
"""The values that are measured for each option."""

WIN_LATE: Final = "win late"
OBJECTIVES: Final = (*MEASURES, WIN_LATE)
"""Objectives by which options may be compared.

Each is a measure, or `WIN_LATE`, for which `resolve_objective` picks a measure at each decision.
"""

LATE: Final = 5
"""Largest hand with which `WIN_LATE` picks the measure `win`. Other sizes: docs/explanation/bots.md."""

SHARES: Final = 2520
"""The value of a win in sums, which can be divided equally by any number of winners up to ten."""

MOST_HEADS: Final = 256
"""More than a seat can take in a deal."""


def unit_of(measure: str, others: int) -> int:
    """Return what a search counts for one unit of a measure: its sums hold whole numbers.

    Args:
        measure: one of `MEASURES`.
        others: the number of other seats. `relative` is counted as the heads of a seat, times this number, minus the
            heads of the others.
    """
    return {"heads": 1, "relative": others, "win": SHARES}[measure]


def resolve_objective(rules: Rules, view: View, objective: str) -> str:
    """Return the measure, one of `MEASURES`, that an objective means at this decision.

    "win late" means "win" near the end of the last deal of a match, and "relative" before that. Early in a match, a
    seat wins most often if it collects few heads, because the current scores say little about who will win.
    """
    if objective != WIN_LATE:
        return objective
    return "win" if len(view.hand) <= LATE and rules.is_last_deal(view) else "relative"


def check_decision(view: View, **choices: tuple[str, Sequence[str]]) -> Seat:
    """Return the view's seat, and check the name in each pair of a name and the known names.

    Raises:
        Malformed: the seat has no decision to make, or a name is unknown; the message suggests the closest name.
    """
    if view.seat is None or not view.legal:
        raise Malformed("the view's seat has no decision to make", what=view.seat, where="view")
    for where, (name, known_options) in choices.items():
        if name not in known_options:
            raise Malformed(f"there is no {where} {name!r}{nearest(name, [*known_options])}", what=name, where=where)
    return view.seat

"""What a puzzle trains."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from faceup.coach.causes import Explanation
from faceup.core import View
from faceup.games.nimmt.plausible import cards_between
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View as NimmtView

Theme: TypeAlias = Literal["count", "last_turns", "purpose", "keep_low", "dump_high", "in_time"]

LAST_TURNS: Final = 3
"""The largest hand of puzzles about the last turns."""


def theme_of(rules: object, view: View, explanations: Sequence[Explanation]) -> Theme:
    """Return the theme of a puzzle: the first of these that is true.

    - "count": the best card is safe, because the cards that could come between have been seen.
    - "last_turns": at most `LAST_TURNS` cards are in hand.
    - "purpose": the best option takes a row on purpose.
    - "keep_low": the second best option is a card below all rows, which should be kept.
    - "dump_high": the best card is higher than most of the hand.
    - "in_time": the best card fits now, and would take a row later.

    Args:
        rules: the rules.
        view: the view of the seat that decides.
        explanations: the explanations of the options, the best one first.
    """
    assert isinstance(rules, Rules)  # noqa: S101 -- the registry ensures it
    assert isinstance(view, NimmtView)  # noqa: S101 -- as above
    best, second = explanations[0].outcome, explanations[1]
    if best.kind == "joins" and not best.risk and _needs_counting(rules, view, best.card, best.row):
        return "count"
    if len(view.hand) <= LAST_TURNS:
        return "last_turns"
    if best.kind in {"row", "sixth", "low"}:
        return "purpose"
    if second.cause and second.cause.kind == "low":
        return "keep_low"
    return "dump_high" if 2 * sum(card < best.card for card in view.hand) >= len(view.hand) else "in_time"


def _needs_counting(rules: Rules, view: NimmtView, card: int, index: int) -> bool:
    """Return whether too few unseen cards fit between the row and the card to fill the row, but enough seen ones do."""
    row = view.rows[index]
    room = rules.capacity - len(row)
    return cards_between(view, row[-1], card) < room <= card - row[-1] - 1

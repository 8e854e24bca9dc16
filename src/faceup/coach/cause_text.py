"""English sentences about what an option does, and why another one is worse. Rows count from 1."""

from collections.abc import Mapping
from typing import Final

from faceup.coach.causes import CauseKind, Explanation, LikelyOutcome, Takes
from faceup.core import plural
from faceup.formatting import format_percent

WORDS: Final[Mapping[CauseKind, str]] = {
    "sixth": "full row",
    "low": "too low",
    "keep": "keep",
    "keep_low": "keep",
    "purpose": "on purpose",
    "swap": "order",
    "other": "other card",
    "rest": "other cards",
    "row": "dearer row",
    "depends": "close",
    "close": "close",
}
"""A word for each cause, for tables."""

_SENTENCES: Final[Mapping[CauseKind, str]] = {
    "sixth": "{card} can be one card too many{where}: now it takes a row {worse}, later {better}.",
    "low": "{card} is lower than every row: now it takes a row {worse}, later {better}.",
    "keep": "If you keep {card}, it can be one card too many{where}: later it takes a row {worse}, now {better}.",
    "keep_low": "If you keep {card}, it can end up lower than every row: later it takes a row {worse}, now {better}.",
    "purpose": "Take a row on purpose: {card} takes one now {better}; if you keep it, later {worse}.",
    "swap": "{best} is better now and {name} later: the two take fewer heads in this order.",
    "other": "After {name}, your {card} takes a row {worse}; after {best}, {better}.",
    "rest": "After {name}, your other cards take more heads than after {best}.",
    "row": "{name} costs {price} now, {best} costs {best_price}.",
    "depends": "Whether {name} is worse than {best} depends on how the others play.",
    "close": "{name} is about as good as {best}.",
}

_SURE: Final = 0.9
"""The share of the worlds from which on a card is said to go to a row."""


def outcome_text(outcome: LikelyOutcome) -> str:
    """Return what an option does in this turn, in a sentence.

    >>> outcome_text(LikelyOutcome(kind="joins", card=45, row=2, share=0.98, risk=0.02, heads=7.0))
    'Card 45 goes to row 3; it takes a row in 2% of the cases.'
    >>> outcome_text(LikelyOutcome(kind="lower_first", card=4, row=2, share=0.8, risk=0.2, heads=7.0))
    'Card 4 is lower than every row, but others play lower cards first; it takes a row in 20% of the cases.'
    """
    card, row = f"Card {outcome.card}", f"row {outcome.row + 1}"
    risk = "it takes no row" if not outcome.risk else f"it takes a row in {format_percent(outcome.risk)} of the cases"
    match outcome.kind:
        case "joins":
            return f"{card} {'goes' if outcome.share >= _SURE else 'mostly goes'} to {row}; {risk}."
        case "lower_first":
            return f"{card} is lower than every row, but others play lower cards first; {risk}."
        case "sixth":
            return f"{card} takes a full row, mostly {row}, in {_cases(outcome.risk, outcome.heads)}."
        case "low":
            return (
                f"{card} is lower than every row and takes one, mostly {row}, in {_cases(outcome.risk, outcome.heads)}."
            )
        case "row":
            return f"Row {outcome.row + 1} costs {plural(round(outcome.heads), 'head')} now."


def cause_text(best: LikelyOutcome, option: Explanation) -> str:
    """Return why an option is worse than the best one, in a sentence; "" if no cause is clear.

    >>> from faceup.coach.causes import CostCause
    >>> best = LikelyOutcome(kind="joins", card=45, row=2)
    >>> cause = CostCause(kind="low", card=3, better=Takes(0.0, 0.0), worse=Takes(0.5, 3.5))
    >>> cause_text(best, Explanation(LikelyOutcome(kind="low", card=3, row=1), cause))
    '3 is lower than every row: now it takes a row in 50% of the cases (about 7 heads), later never.'
    """
    if (cause := option.cause) is None:
        return ""
    name, best_name = name_of(option.outcome), name_of(best)
    text = _SENTENCES[cause.kind].format(
        name=name,
        best=best_name,
        card=cause.card,
        where="" if cause.row < 0 else f" in row {cause.row + 1}",
        better=_takes(cause.better),
        worse=_takes(cause.worse),
        price=plural(round(cause.worse.heads), "head"),
        best_price=plural(round(cause.better.heads), "head"),
    )
    return text[:1].upper() + text[1:]


def name_of(outcome: LikelyOutcome) -> str:
    """Return the card or the row of an option."""
    return f"row {outcome.row + 1}" if outcome.kind == "row" else str(outcome.card)


def _takes(takes: Takes) -> str:
    return f"in {_cases(takes.share, takes.heads / takes.share)}" if takes.share else "never"


def _cases(share: float, heads: float) -> str:
    return f"{format_percent(share)} of the cases (about {plural(round(heads), 'head')})"

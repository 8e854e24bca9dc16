"""Sentences about what an option does, and why another one is worse. Rows count from 1."""

from typing import Final

from faceup.coach.causes import Explanation, LikelyOutcome, Takes
from faceup.formatting import format_percent
from faceup.translations import Language, translate
from faceup.translations.figures import localize

_SURE: Final = 0.9
"""The least share of the worlds in which a card goes to a row for the text to name the row."""


def outcome_text(outcome: LikelyOutcome, language: Language = "en") -> str:
    """Return what an option does in this turn, in a sentence.

    >>> outcome_text(LikelyOutcome(kind="joins", card=45, row=2, share=0.98, risk=0.02, heads=7.0))
    'Card 45 goes to row 3; it takes a row in 2% of the cases.'
    >>> outcome_text(LikelyOutcome(kind="lower_first", card=4, row=2, share=0.8, risk=0.2, heads=7.0))
    'Card 4 is lower than every row, but others play lower cards first; it takes a row in 20% of the cases.'
    """
    return translate(
        language,
        f"coach.outcome.{outcome.kind}",
        card=outcome.card,
        row=outcome.row + 1,
        risk=_risk(outcome.risk, language),
        takes=_cases(outcome.risk, outcome.heads, language),
        heads=_heads(outcome.heads, language),
        context="mostly" if outcome.kind == "joins" and outcome.share < _SURE else "",
    )


def cause_text(best: LikelyOutcome, option: Explanation, language: Language = "en") -> str:
    """Return why an option is worse than the best one, in a sentence; "" if no cause is clear.

    >>> from faceup.coach.causes import CostCause
    >>> best = LikelyOutcome(kind="joins", card=45, row=2)
    >>> cause = CostCause(kind="low", card=3, better=Takes(0.0, 0.0), worse=Takes(0.5, 3.5))
    >>> cause_text(best, Explanation(LikelyOutcome(kind="low", card=3, row=1), cause))
    '3 is lower than every row: now it takes a row in 50% of the cases (about 7 heads), later never.'
    """
    if (cause := option.cause) is None:
        return ""
    text = translate(
        language,
        f"hint.cause.{cause.kind}",
        name=name_of(option.outcome, language),
        best=name_of(best, language),
        card=cause.card,
        row=cause.row + 1,
        better=_takes(cause.better, language),
        worse=_takes(cause.worse, language),
        price=_heads(cause.worse.heads, language),
        best_price=_heads(cause.better.heads, language),
        context="" if cause.row < 0 else "row",
    )
    return text[:1].upper() + text[1:]


def name_of(outcome: LikelyOutcome, language: Language = "en") -> str:
    """Return the card or the row of an option."""
    return translate(language, "hint.row_number", row=outcome.row + 1) if outcome.kind == "row" else str(outcome.card)


def _risk(risk: float, language: Language) -> str:
    if not risk:
        return translate(language, "coach.risk.none")
    return translate(language, "coach.risk", percent=localize(language, format_percent(risk)))


def _heads(heads: float, language: Language) -> str:
    return translate(language, "hint.heads", count=round(heads))


def _takes(takes: Takes, language: Language) -> str:
    if not takes.share:
        return translate(language, "hint.takes.never")
    return _cases(takes.share, takes.heads / takes.share, language)


def _cases(share: float, heads: float, language: Language) -> str:
    percent = localize(language, format_percent(share))
    return translate(language, "hint.takes", percent=percent, count=round(heads))

"""What a card or a row of 6 nimmt! does, and why another option is worse, from the worlds of the search.

All of this counts what happened to the seat's own cards in the worlds of the coach's search
(`faceup.games.nimmt.card_results`). The heads of an option are the sum of what each own card takes, now or later.
Therefore, the difference between an option and the best one is the sum of three parts: what the other option's card
takes now instead of later, what the best option's card takes later instead of now, and what the remaining cards take
more. A *cause* is a part that explains at least half of the difference. `docs/explanation/coach.md` lists the causes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.bots.search import Estimate, Option
from faceup.core import View
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.card_results import CardKind, CardResult
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.placing import row_for
from faceup.games.nimmt.state import View as NimmtView

MOSTLY: Final = 0.5
"""The least share of the worlds, or of a difference, that counts as most of it."""

CLOSE_HEADS: Final = 0.1
"""Options with a smaller difference in heads are close."""

CLOSE_ERRORS: Final = 2.0
"""Options with a difference of fewer standard errors are close."""

_NEAR: Final = {"close", "depends"}

OutcomeKind: TypeAlias = Literal["joins", "lower_first", "sixth", "low", "row"]

CauseKind: TypeAlias = Literal[
    "sixth", "low", "keep", "keep_low", "purpose", "swap", "other", "rest", "row", "depends", "close"
]


class LikelyOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an option does in this turn, in most of the worlds. Rows count from 0.

    Attributes:
        kind: "joins" if the card joins a row; "lower_first" if it joins one although it is below all rows, because
            others play lower cards; "sixth" if it takes a full row; "low" if it takes a row because it is below all
            rows; "row" for the choice of a row.
        card: the card; for the choice of a row, the card that starts it again.
        row: the row that it joins or takes most often.
        share: the share of the worlds in which it does so with this row.
        risk: the share of the worlds in which the card takes any row.
        heads: the mean heads of what it takes if it takes a row; for the choice of a row, its heads.
    """

    kind: OutcomeKind
    card: int
    row: int
    share: float = 1.0
    risk: float = 0.0
    heads: float = 0.0


class Takes(msgspec.Struct, frozen=True):
    """How often cards take a row.

    Attributes:
        share: the share of the worlds in which a card takes a row.
        heads: the mean heads in all worlds.
    """

    share: float
    heads: float


class CostCause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an option is worse than the best one.

    Attributes:
        kind: the cause.

            - "sixth": its card takes a full row now.
            - "low": its card takes a row now, because it is below all rows.
            - "keep": the best card, if it is kept, takes a full row later.
            - "keep_low": the best card, if it is kept, takes a row later, because it is then below all rows.
            - "purpose": the best card takes a row now, on purpose; if it is kept, it takes more later.
            - "swap": both cards take less if the best one is played now and the other one later.
            - "other": afterwards, another own card takes more.
            - "rest": afterwards, the other own cards together take more.
            - "row": the row costs more now.
            - "depends": whether it is worse depends on how the others play.
            - "close": the difference is within its error.
        card: the card that takes more, or the row's card; 0 for "rest", "depends" and "close".
        row: the row that it mostly takes, from 0; -1 if that differs.
        better: how often the card takes a row with the best option, and the mean heads.
        worse: the same with this option.
        explains: the share of the difference that the cause explains; more than 1 if something works against it.
    """

    kind: CauseKind
    card: int = 0
    row: int = -1
    better: Takes = Takes(0.0, 0.0)
    worse: Takes = Takes(0.0, 0.0)
    explains: float = 0.0


class Explanation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an option does, and why it is worse than the best one; no cause for the best one, or if none is clear."""

    outcome: LikelyOutcome
    cause: CostCause | None = None


def contrast(explanations: Sequence[Explanation]) -> int:
    """Return the index of the option to compare the best one with: the first that is clearly worse, or the second."""
    clear = (index for index, other in enumerate(explanations) if other.cause and other.cause.kind not in _NEAR)
    return next(clear, min(1, len(explanations) - 1))


def is_close(behind: Estimate) -> bool:
    """Return whether a difference is within its error, or too small to mention."""
    return behind.value < max(CLOSE_ERRORS * behind.error, CLOSE_HEADS)


def explain(view: View, options: Sequence[Option]) -> tuple[Explanation, ...]:
    """Explain options that a search has evaluated with `explain`, the best one first."""
    assert isinstance(view, NimmtView)  # noqa: S101 -- the registry ensures it
    return tuple(
        Explanation(_outcome(view, option), _cause(view, options[0], option) if index else None)
        for index, option in enumerate(options)
    )


def _outcome(view: NimmtView, option: Option) -> LikelyOutcome:
    if option.action >= TAKE:
        row = option.action - TAKE
        return LikelyOutcome(kind="row", card=view.waiting[0][0], row=row, risk=1.0, heads=total(view.rows[row]))
    card = option.action + 1
    own = [result for result in option.results if result.card == card]
    takes = _takes(own)
    most = max(
        (result for result in own if (result.kind == "joined") == (takes.share < MOSTLY)),
        key=lambda result: (result.share, -result.row),
    )
    is_low = row_for(view.rows, card) < 0
    kind: OutcomeKind = most.kind if most.kind != "joined" else "lower_first" if is_low else "joins"
    return LikelyOutcome(
        kind=kind,
        card=card,
        row=most.row,
        share=round(most.share, 4),
        risk=round(takes.share, 4),
        heads=round(takes.heads / takes.share, 2) if takes.share else 0.0,
    )


def _cause(view: NimmtView, best: Option, option: Option) -> CostCause | None:
    worlds = option.models[0]
    if is_close(worlds) or is_close(option.behind):
        return CostCause(kind="close" if is_close(worlds) or option.behind.value else "depends")
    better, worse = _by_card(best.results), _by_card(option.results)
    more = {card: _takes(worse[card]).heads - _takes(better[card]).heads for card in better}
    causes = (
        _of_rows(view, best, option)
        if option.action >= TAKE
        else _of_cards(best.action + 1, option.action + 1, better, worse, more)
    )
    rest = [card for card in more if option.action >= TAKE or card not in {best.action + 1, option.action + 1}]
    candidates = [*causes, *_of_rest(rest, better, worse, more)]
    explained = [
        msgspec.structs.replace(cause, explains=round((cause.worse.heads - cause.better.heads) / worlds.value, 2))
        for cause in candidates
    ]
    # The first one that explains enough: each is a simpler statement than those that follow.
    return next((cause for cause in explained if cause.explains >= MOSTLY), None)


def _of_rows(view: NimmtView, best: Option, option: Option) -> list[CostCause]:
    prices = [Takes(1.0, float(total(view.rows[choice.action - TAKE]))) for choice in (best, option)]
    return [
        CostCause(kind="row", card=view.waiting[0][0], row=option.action - TAKE, better=prices[0], worse=prices[1]),
    ]


_Results: TypeAlias = Mapping[int, Sequence[CardResult]]


def _of_cards(best: int, other: int, better: _Results, worse: _Results, more: Mapping[int, float]) -> list[CostCause]:
    """Return the causes that are about the two cards, the one that explains more first."""
    now, later = _main_kind(worse[other]), _main_kind(worse[best])
    kinds: tuple[CauseKind, CauseKind] = (
        "sixth" if now == "sixth" else "low",
        "purpose" if _takes(better[best]).share >= MOSTLY else "keep" if later == "sixth" else "keep_low",
    )
    single = [
        CostCause(
            kind=kind, card=card, row=_main_row(worse[card]), better=_takes(better[card]), worse=_takes(worse[card])
        )
        for kind, card in zip(kinds, (other, best), strict=True)
    ]
    single.sort(key=lambda cause: cause.better.heads - cause.worse.heads)
    if min(more[best], more[other]) > 0:
        pair = [_takes([*results[best], *results[other]]) for results in (better, worse)]
        single.append(CostCause(kind="swap", card=other, better=pair[0], worse=pair[1]))
    return single


def _of_rest(rest: Sequence[int], better: _Results, worse: _Results, more: Mapping[int, float]) -> list[CostCause]:
    """Return the causes that are about the cards that stay in hand with either option."""
    if not rest:
        return []
    card = max(rest, key=lambda card: more[card])
    together = [_takes([result for other in rest for result in results[other]]) for results in (better, worse)]
    return [
        _of_card("other", card, better, worse),
        CostCause(kind="rest", better=together[0], worse=together[1]),
    ]


def _of_card(kind: CauseKind, card: int, better: _Results, worse: _Results) -> CostCause:
    row = _main_row(worse[card])
    return CostCause(kind=kind, card=card, row=row, better=_takes(better[card]), worse=_takes(worse[card]))


def _by_card(results: Iterable[CardResult]) -> dict[int, list[CardResult]]:
    by_card: dict[int, list[CardResult]] = {}
    for result in results:
        by_card.setdefault(result.card, []).append(result)
    return by_card


def _takes(results: Iterable[CardResult]) -> Takes:
    taken = [result for result in results if result.kind != "joined"]
    return Takes(
        round(sum((result.share for result in taken), 0.0), 4), round(sum((result.heads for result in taken), 0.0), 4)
    )


def _main_kind(results: Sequence[CardResult]) -> CardKind:
    """Return the way of taking a row that costs most heads."""
    heads = {kind: sum(result.heads for result in results if result.kind == kind) for kind in ("sixth", "low")}
    return "sixth" if heads["sixth"] >= heads["low"] else "low"


def _main_row(results: Sequence[CardResult]) -> int:
    """Return the row that the card takes in most of the worlds in which it takes one; -1 if there is none."""
    by_row: dict[int, float] = {}
    for result in results:
        if result.kind != "joined":
            by_row[result.row] = by_row.get(result.row, 0.0) + result.share
    row = max(by_row, key=lambda row: by_row[row], default=-1)
    return row if row >= 0 and by_row[row] > MOSTLY * sum(by_row.values()) else -1

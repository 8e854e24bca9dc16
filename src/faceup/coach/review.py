"""Reviews of a game: the evaluation of every decision, the turning points, and luck and skill."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import msgspec

from faceup.coach.chance_report import SearchBudget
from faceup.coach.decisions import Decision, DecisionPoint
from faceup.coach.luck import Luck, Par, deal_luck, total_luck
from faceup.coach.registry import coach_for
from faceup.core import AnyRules, Seat, win_shares
from faceup.core.record import Frame, Record

_MOMENTS: Final = 3
_GREAT: Final = 0.1
"""The least change in the probability of winning that makes a step the third turning point."""


class ReviewStep(msgspec.Struct, frozen=True):
    """A decision and its consequences until the seat's next decision in the deal, or until the end of the deal.

    Attributes:
        decision: the decision.
        heads: the heads that each seat took in this time.
        win: the probability of winning at the end of this time. At the seat's next decision, it is the probability of
            the best option; at the end of the deal, it is the share of the win. None if the record ends earlier.
    """

    decision: Decision
    heads: tuple[int, ...]
    win: float | None

    @property
    def took(self) -> int:
        """The heads that the deciding seat took."""
        return self.heads[self.decision.seat]

    @property
    def swing(self) -> float:
        """The change in the probability of winning, from the decision's best option to `win`; 0 if `win` is None."""
        return 0.0 if self.win is None else self.win - self.decision.best.win.value

    @property
    def choice_swing(self) -> float:
        """The part of the swing caused by the choice, compared with the best option."""
        return self.decision.chosen.win.value - self.decision.best.win.value


class Review(msgspec.Struct, frozen=True):
    """A review.

    Attributes:
        rules: the rules of the game.
        names: the names by seat.
        seats: the reviewed seats.
        effort: the search budget.
        requested: the number of decisions to evaluate; more than `steps` if the review was stopped.
        steps: the evaluated decisions in order.
        luck: the parts of each seat's heads in each finished deal.
        totals: the sums of these parts over all deals, by seat, if there are several deals.
        moments: the turning points, in order.
        par: the par of a deal; None if no deal is finished.
        scores: the scores at the end of the record.
        ranks: the ranks at the end of the record.
        finished: whether the game is over.
        clock: the seconds that the evaluation took.
    """

    rules: AnyRules
    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    effort: SearchBudget
    requested: int
    steps: tuple[ReviewStep, ...]
    luck: tuple[Luck, ...]
    totals: tuple[Luck, ...]
    moments: tuple[ReviewStep, ...]
    par: Par | None
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    finished: bool
    clock: float = 0.0

    @property
    def error(self) -> float:
        """The median standard error of expected heads, which is the precision of the review."""
        errors = sorted(option.heads.error for step in self.steps for option in step.decision.options)
        return errors[len(errors) // 2] if errors else 0.0

    def of(self, seat: Seat) -> tuple[ReviewStep, ...]:
        """Return the seat's decisions."""
        return tuple(step for step in self.steps if step.decision.seat == seat)


def build_review(
    record: Record,
    *,
    frames: Sequence[Frame],
    names: Sequence[str],
    seats: Sequence[Seat],
    effort: SearchBudget,
    found: Sequence[DecisionPoint],
    decisions: Sequence[Decision],
    par: Par | None,
    clock: float = 0.0,
) -> Review:
    """Assemble a review.

    Args:
        record: the record of the game.
        frames: the replay of the record.
        names: the names by seat.
        seats: the reviewed seats.
        effort: the search budget.
        found: all decisions of these seats.
        decisions: the evaluated decisions: all of them, or the first ones.
        par: the par of a deal; without it, luck and skill are not separated.
        clock: the seconds that the evaluation took.
    """
    rules = record.rules()
    deals = _Deals(rules, frames)
    steps: list[ReviewStep] = []
    luck: list[Luck] = []
    for (seat, deal), group in groupby(sorted(decisions, key=_by_deal), key=_by_deal):
        evaluated = list(group)
        in_deal = [each for each in found if _by_deal(each) == (seat, deal)]
        complete = len(evaluated) == len(in_deal)
        end = deals.end(deal) if complete else None
        until = [*(each.frame for each in in_deal[1:]), len(frames) - 1 if end is None else end]
        steps += _steps(rules, frames, evaluated, until, end)
        if end is not None and par is not None and not deals.left(seat, end):
            before, after = (rules.scores(frames[at].state)[seat] for at in (evaluated[0].frame, end))
            luck.append(deal_luck(evaluated, after - before, par))
    by_seat = [[part for part in luck if part.seat == seat] for seat in seats]
    state = frames[-1].state
    return Review(
        rules=rules,
        names=tuple(names),
        seats=tuple(seats),
        effort=effort,
        requested=len(found),
        steps=tuple(sorted(steps, key=lambda step: (step.decision.number, step.decision.seat))),
        luck=tuple(luck),
        totals=tuple(total_luck(parts) for parts in by_seat if len(parts) > 1),
        moments=turning_points(steps),
        par=par if luck else None,
        scores=rules.scores(state),
        ranks=rules.ranks(state),
        finished=not rules.to_act(state),
        clock=clock,
    )


def _by_deal(each: DecisionPoint) -> tuple[Seat, int]:
    return each.seat, each.deal


class _Deals:
    """The ends of deals in a replay."""

    def __init__(self, rules: AnyRules, frames: Sequence[Frame]) -> None:
        self._coach = coach_for(rules)
        self._over = [self._coach.finished_deals(frame.state) for frame in frames]
        self._frames = frames

    def end(self, deal: int) -> int | None:
        """Return the frame that ends deal number `deal`, from 1; None if the record ends before the deal."""
        return next((index for index, over in enumerate(self._over) if over >= deal), None)

    def left(self, seat: Seat, end: int) -> bool:
        """Return whether the seat was out of the game at frame `end`, so that its heads are not meaningful."""
        return seat in self._coach.out(self._frames[end].state)


def _steps(
    rules: AnyRules, frames: Sequence[Frame], decisions: Sequence[Decision], until: Sequence[int], end: int | None
) -> list[ReviewStep]:  # fmt: skip
    """Return the steps of a seat in a deal.

    Args:
        rules: the rules of the game.
        frames: the replay.
        decisions: the evaluated decisions of the seat, from the first of the deal on.
        until: the frame at which the consequences of each decision end.
        end: the frame that ends the deal; None if it is not finished or not all decisions are evaluated.
    """
    steps = []
    for index, decision in enumerate(decisions):
        before, now = (rules.scores(frames[at].state) for at in (decision.frame, until[index]))
        win: float | None = None
        if index < len(decisions) - 1:
            win = decisions[index + 1].best.win.value
        elif end is not None:
            win = win_shares(rules.ranks(frames[end].state))[decision.seat]
        steps.append(ReviewStep(decision, tuple(end - start for end, start in zip(now, before, strict=True)), win))
    return steps


def turning_points(steps: Sequence[ReviewStep]) -> tuple[ReviewStep, ...]:
    """Return, in order, the two or three steps that change the probability of winning most, at most one per turn."""
    greatest: dict[tuple[int, int], ReviewStep] = {}
    for step in steps:
        turn = (step.decision.deal, step.decision.turn)
        if step.swing and (turn not in greatest or abs(step.swing) > abs(greatest[turn].swing)):
            greatest[turn] = step
    order = sorted(greatest.values(), key=lambda step: -abs(step.swing))
    chosen = order[: _MOMENTS - 1] + [step for step in order[_MOMENTS - 1 : _MOMENTS] if abs(step.swing) >= _GREAT]
    return tuple(sorted(chosen, key=lambda step: (step.decision.number, step.decision.seat)))

"""Reviews of a game: the evaluation of every decision, the turning points, and luck and skill."""

from collections.abc import Mapping, Sequence
from itertools import groupby, takewhile, zip_longest
from typing import Final, NamedTuple

import msgspec

from faceup.coach.decisions import THRESHOLDS, Decision, DecisionPoint, lower_bound
from faceup.coach.luck import DealPar, Luck, deal_luck, total_luck
from faceup.coach.nimmt import TakenRow
from faceup.coach.registry import coach_for
from faceup.coach.search_budget import SearchBudget
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
        row: the row that the deciding seat took in this time; None if it took none.
        chance: the probability of winning before the decision, which is that of the best option.
        win: the probability of winning at the end of this time. At the seat's next decision, it is its `chance`; at
            the end of the deal, it is the share of the win. None if the record ends earlier.

    A search assumes that its own seat plays well and the others do not plan ahead, so the probabilities of all seats
    add up to more than 1. If all seats are reviewed, they are scaled to add up to 1 in each turn.
    """

    decision: Decision
    heads: tuple[int, ...]
    row: TakenRow | None
    chance: float
    win: float | None

    @property
    def took(self) -> int:
        """The heads that the deciding seat took."""
        return self.heads[self.decision.seat]

    @property
    def swing(self) -> float:
        """The change in the probability of winning, from `chance` to `win`; 0 if `win` is None."""
        return 0.0 if self.win is None else self.win - self.chance


class WinChance(NamedTuple):
    """The probability of winning at a seat's first decision in a turn, or at the end of a deal (`turn` is None)."""

    deal: int
    turn: int | None
    win: float


class DecidingTurn(msgspec.Struct, frozen=True):
    """The turn in which a reviewed seat took most heads.

    Attributes:
        seat: the seat.
        deal: the deal, from 1.
        turn: the turn in the deal, from 1.
        card: the card that the seat played.
        row: the row that it took, from 0.
        heads: the heads that it took.
    """

    seat: Seat
    deal: int
    turn: int
    card: int
    row: int
    heads: int


class Highlights(NamedTuple):
    """The best and the costliest decision of a seat.

    Attributes:
        best: the best, close or good decision after which the probability of winning grew most; None if it never grew.
        costliest: the decision with the greatest lower bound of its cost, if it was inaccurate or worse; else None.
    """

    best: ReviewStep | None
    costliest: ReviewStep | None


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
    par: DealPar | None
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

    def chances(self, seat: Seat) -> tuple[WinChance, ...]:
        """Return the seat's probabilities of winning at each turn and at the end of each finished deal."""
        by_turn: dict[tuple[int, int | None], WinChance] = {}
        steps = self.of(seat)
        for step, following in zip_longest(steps, steps[1:]):
            deal, turn = step.decision.deal, step.decision.turn
            by_turn.setdefault((deal, turn), WinChance(deal, turn, step.chance))
            if step.win is not None and (following is None or following.decision.deal != deal):
                by_turn[deal, None] = WinChance(deal, None, step.win)
        return tuple(by_turn.values())

    @property
    def deciding_turn(self) -> DecidingTurn | None:
        """The turn in which a reviewed seat took most heads; None if none took a row."""
        steps = [(step.row.heads, step.decision.cost.value, -number, step.row, step.decision)
                 for number, step in enumerate(self.steps) if step.row]  # fmt: skip
        if not steps:
            return None
        heads, _, _, row, decision = max(steps, key=lambda step: step[:3])
        return DecidingTurn(decision.seat, decision.deal, decision.turn, row.card, row.row, heads)

    def highlights(self, seat: Seat) -> Highlights:
        """Return the best and the costliest decision of a seat."""
        good = [step for step in self.of(seat) if step.decision.grade in {"best", "close", "good"} and step.swing > 0]
        bad = [step for step in self.of(seat) if step.decision.grade in THRESHOLDS]
        return Highlights(
            max(good, key=lambda step: step.swing, default=None),
            max(bad, key=lambda step: lower_bound(step.decision.cost), default=None),
        )


def build_review(
    record: Record,
    *,
    frames: Sequence[Frame],
    names: Sequence[str],
    seats: Sequence[Seat],
    effort: SearchBudget,
    points: Sequence[DecisionPoint],
    decisions: Sequence[Decision],
    par: DealPar | None,
    clock: float = 0.0,
) -> Review:
    """Assemble a review.

    Args:
        record: the record of the game.
        frames: the replay of the record.
        names: the names by seat.
        seats: the reviewed seats.
        effort: the search budget.
        points: all decisions of these seats.
        decisions: the evaluated decisions: all of them, or the first ones.
        par: the par of a deal; without it, luck and skill are not separated.
        clock: the seconds that the evaluation took.
    """
    rules = record.rules()
    deals = _Deals(rules, frames)
    chances = _scaled_chances(decisions, everyone=len(seats) == rules.seats)
    steps: list[ReviewStep] = []
    luck: list[Luck] = []
    for (seat, deal), group in groupby(sorted(decisions, key=_by_deal), key=_by_deal):
        evaluated = list(group)
        in_deal = [point for point in points if _by_deal(point) == (seat, deal)]
        complete = len(evaluated) == len(in_deal)
        end = deals.end(deal) if complete else None
        until = [*(point.frame for point in in_deal[1:]), len(frames) - 1 if end is None else end]
        steps += _steps(deals, evaluated, until, end, chances)
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
        requested=len(points),
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


def settled_steps(review: Review, points: Sequence[DecisionPoint]) -> tuple[ReviewStep, ...]:
    """Return the leading steps with values that stay the same when more decisions are evaluated.

    Args:
        review: the review of the first decisions in `found`.
        points: all decisions to review, in order.
    """
    if len(review.steps) == len(points):
        return review.steps
    unsettled = _turn(points[len(review.steps)])
    following: dict[tuple[int, Seat], DecisionPoint] = {}
    last: dict[tuple[Seat, int], DecisionPoint] = {}
    for point in points:
        if (before := last.get(_by_deal(point))) is not None:
            following[before.number, before.seat] = point
        last[_by_deal(point)] = point

    def is_settled(step: ReviewStep) -> bool:
        decision = step.decision
        return _turn(following.get((decision.number, decision.seat), decision)) < unsettled

    return tuple(takewhile(is_settled, review.steps))


def _turn(point: DecisionPoint) -> tuple[int, int]:
    return point.deal, point.turn


def _by_deal(point: DecisionPoint) -> tuple[Seat, int]:
    return point.seat, point.deal


class _Deals:
    """The ends of deals in a replay."""

    def __init__(self, rules: AnyRules, frames: Sequence[Frame]) -> None:
        self.rules = rules
        self.frames = frames
        self.coach = coach_for(rules)
        self._over = [self.coach.finished_deals(frame.state) for frame in frames]

    def end(self, deal: int) -> int | None:
        """Return the frame that ends deal number `deal`, from 1; None if the record ends before the deal."""
        return next((index for index, over in enumerate(self._over) if over >= deal), None)

    def left(self, seat: Seat, end: int) -> bool:
        """Return whether the seat was out of the game at frame `end`, so that its heads are not meaningful."""
        return seat in self.coach.out(self.frames[end].state)


def _scaled_chances(decisions: Sequence[Decision], *, everyone: bool) -> dict[tuple[int, Seat], float]:
    """Return the probability of winning before each decision, by its number and seat.

    Args:
        decisions: the evaluated decisions.
        everyone: whether all seats are reviewed, so that their probabilities are scaled to add up to 1.
    """
    raw = {(decision.number, decision.seat): decision.best.win.value for decision in decisions}
    if not everyone:
        return raw
    first: dict[tuple[int, int], dict[Seat, float]] = {}
    for decision in decisions:
        first.setdefault((decision.deal, decision.turn), {}).setdefault(decision.seat, decision.best.win.value)
    return {
        (decision.number, decision.seat): min(
            1.0, raw[decision.number, decision.seat] / (sum(first[decision.deal, decision.turn].values()) or 1)
        )
        for decision in decisions
    }


def _steps(
    deals: _Deals,
    decisions: Sequence[Decision],
    until: Sequence[int],
    end: int | None,
    chances: Mapping[tuple[int, Seat], float],
) -> list[ReviewStep]:
    """Return the steps of a seat in a deal.

    Args:
        deals: the replay.
        decisions: the evaluated decisions of the seat, from the first of the deal on.
        until: the frame at which the consequences of each decision end.
        end: the frame that ends the deal; None if it is not finished or not all decisions are evaluated.
        chances: the probability of winning before each decision, by its number and seat.
    """
    rules, frames = deals.rules, deals.frames
    steps = []
    for index, decision in enumerate(decisions):
        before, now = (rules.scores(frames[at].state) for at in (decision.frame, until[index]))
        events = [event for frame in frames[decision.frame + 1 : until[index] + 1] for event in frame.events]
        win: float | None = None
        if index < len(decisions) - 1:
            following = decisions[index + 1]
            win = chances[following.number, following.seat]
        elif end is not None:
            win = win_shares(rules.ranks(frames[end].state))[decision.seat]
        took = tuple(end - start for end, start in zip(now, before, strict=True))
        row = deals.coach.taken_row(events, decision.seat)
        steps.append(ReviewStep(decision, took, row, chances[decision.number, decision.seat], win))
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

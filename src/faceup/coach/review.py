"""A review: what every decision of a game was worth, what decided it, and luck apart from skill."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import msgspec

from faceup.coach.decisions import Decision, Effort, Situation
from faceup.coach.lessons import lesson_for
from faceup.coach.luck import Luck, luck_of, together
from faceup.coach.par import Par
from faceup.core import AnyRules, Seat, win_shares
from faceup.core.record import Frame, Record

_MOMENTS: Final = 3
_GREAT: Final = 0.1
"""A third moment is told of if the chance of winning changed by as much as this."""


class Step(msgspec.Struct, frozen=True):
    """A decision, and where it led the seat: up to its next decision in the deal, or to the end of that.

    Attributes:
        decision: it.
        heads: what each seat took meanwhile.
        win: the chance of winning after it: of the next decision's best option, or the part in the win at the end of
            the deal; None where the record ends before that.
    """

    decision: Decision
    heads: tuple[int, ...]
    win: float | None

    @property
    def took(self) -> int:
        """Heads that the seat itself took."""
        return self.heads[self.decision.seat]

    @property
    def swing(self) -> float:
        """By how much the chance of winning changed, from the best option to afterwards."""
        return 0.0 if self.win is None else self.win - self.decision.best.win.value

    @property
    def own(self) -> float:
        """The part of that which the choice made: against the best option."""
        return self.decision.chosen.win.value - self.decision.best.win.value


class Review(msgspec.Struct, frozen=True):
    """What was found.

    Attributes:
        rules: of the game.
        names: by seat.
        seats: which were reviewed.
        effort: how hard it was looked.
        asked: how many decisions there were to judge; more than `steps` if it was stopped.
        steps: the decisions in the order in which they were made.
        luck: by seat and finished deal.
        totals: by seat, over those deals, if there are several.
        moments: the steps that decided the game, in order.
        par: what a deal is measured by; None if no deal was finished.
        scores: as they stand at the end of the record.
        ranks: likewise.
        finished: whether the game is over.
        clock: seconds that judging took.
    """

    rules: AnyRules
    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    effort: Effort
    asked: int
    steps: tuple[Step, ...]
    luck: tuple[Luck, ...]
    totals: tuple[Luck, ...]
    moments: tuple[Step, ...]
    par: Par | None
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    finished: bool
    clock: float = 0.0

    @property
    def error(self) -> float:
        """The middle one of all standard errors of expected heads: how exact the review is."""
        errors = sorted(option.heads.error for step in self.steps for option in step.decision.options)
        return errors[len(errors) // 2] if errors else 0.0

    def of(self, seat: Seat) -> tuple[Step, ...]:
        """The seat's decisions."""
        return tuple(step for step in self.steps if step.decision.seat == seat)


def reviewed(
    record: Record,
    *,
    frames: Sequence[Frame],
    names: Sequence[str],
    seats: Sequence[Seat],
    effort: Effort,
    found: Sequence[Situation],
    decisions: Sequence[Decision],
    par: Par | None,
    clock: float = 0.0,
) -> Review:
    """Put together what was found.

    Args:
        record: the game.
        frames: its replay.
        names: by seat.
        seats: that were looked at.
        effort: how.
        found: all of their decisions.
        decisions: those of them that were judged: all, or the first of them.
        par: of a deal; without it, luck is not told from skill.
        clock: seconds that it took.
    """
    rules = record.rules()
    done = Deals(rules, frames)
    steps: list[Step] = []
    luck: list[Luck] = []
    for (seat, deal), group in groupby(sorted(decisions, key=_by_deal), key=_by_deal):
        of_deal = list(group)
        asked = [each for each in found if _by_deal(each) == (seat, deal)]
        whole = len(of_deal) == len(asked)
        end = done.end(deal) if whole else None
        until = [*(each.frame for each in asked[1:]), len(frames) - 1 if end is None else end]
        steps += _steps(rules, frames, of_deal, until, end)
        if end is not None and par is not None and not done.left(seat, end):
            before, after = (rules.scores(frames[at].state)[seat] for at in (of_deal[0].frame, end))
            luck.append(luck_of(of_deal, after - before, par))
    by_seat = [[part for part in luck if part.seat == seat] for seat in seats]
    state = frames[-1].state
    return Review(
        rules=rules,
        names=tuple(names),
        seats=tuple(seats),
        effort=effort,
        asked=len(found),
        steps=tuple(sorted(steps, key=lambda step: (step.decision.number, step.decision.seat))),
        luck=tuple(luck),
        totals=tuple(together(parts) for parts in by_seat if len(parts) > 1),
        moments=moments(steps),
        par=par if luck else None,
        scores=rules.scores(state),
        ranks=rules.ranks(state),
        finished=not rules.to_act(state),
        clock=clock,
    )


def _by_deal(each: Situation) -> tuple[Seat, int]:
    return each.seat, each.deal


class Deals:
    """Where in a replay deals end."""

    def __init__(self, rules: AnyRules, frames: Sequence[Frame]) -> None:
        self._lesson = lesson_for(rules)
        self._over = [self._lesson.deals_over(frame.state) for frame in frames]
        self._frames = frames

    def end(self, deal: int) -> int | None:
        """The frame with which a deal, from 1, is over; None if the record ends before."""
        return next((index for index, over in enumerate(self._over) if over >= deal), None)

    def left(self, seat: Seat, end: int) -> bool:
        """Whether the seat was put out of the game by then, so that its heads say little."""
        return seat in self._lesson.out(self._frames[end].state)


def _steps(
    rules: AnyRules, frames: Sequence[Frame], decisions: Sequence[Decision], until: Sequence[int], end: int | None
) -> list[Step]:  # fmt: skip
    """The steps of a seat in a deal.

    Args:
        rules: of the game.
        frames: the replay.
        decisions: those that were judged, from the first on.
        until: the frame up to which each of the seat's decisions counts.
        end: the frame with which the deal is over, if it is and all decisions were judged.
    """
    steps = []
    for index, decision in enumerate(decisions):
        before, now = (rules.scores(frames[at].state) for at in (decision.frame, until[index]))
        win: float | None = None
        if index < len(decisions) - 1:
            win = decisions[index + 1].best.win.value
        elif end is not None:
            win = win_shares(rules.ranks(frames[end].state))[decision.seat]
        steps.append(Step(decision, tuple(late - soon for late, soon in zip(now, before, strict=True)), win))
    return steps


def moments(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The two or three steps in which the chance of winning changed the most, one a turn at the most, in order."""
    greatest: dict[tuple[int, int], Step] = {}
    for step in steps:
        turn = (step.decision.deal, step.decision.turn)
        if step.swing and (turn not in greatest or abs(step.swing) > abs(greatest[turn].swing)):
            greatest[turn] = step
    order = sorted(greatest.values(), key=lambda step: -abs(step.swing))
    chosen = order[: _MOMENTS - 1] + [step for step in order[_MOMENTS - 1 : _MOMENTS] if abs(step.swing) >= _GREAT]
    return tuple(sorted(chosen, key=lambda step: (step.decision.number, step.decision.seat)))

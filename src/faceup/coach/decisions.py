"""The decisions of a record, the evaluation of their options, and the grade of each choice."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from faceup.bots.search import Estimate, Option
from faceup.coach.causes import CauseKind
from faceup.coach.judgement import JudgedOption, judge
from faceup.coach.registry import coach_for
from faceup.coach.search_budget import SearchBudget
from faceup.core import FORFEIT, Action, AnyRules, Outcome, Seat, SeededGenerator, View
from faceup.core.record import Applied, Autoplayed, Chosen, Frame, Record, TimedOut, applied_move

Grade: TypeAlias = Literal["only", "best", "close", "good", "inaccurate", "mistake", "blunder"]

ERRORS: Final = 2.0
"""The number of standard errors subtracted from a cost to get its lower bound, for about 95 % confidence."""


class Threshold(NamedTuple):
    """What a choice must lose at least to get a grade.

    Attributes:
        heads: the lower bound of the cost, in heads.
        win: the loss in the probability of winning, from 0 to 1; None if it does not matter.
    """

    heads: float
    win: float | None


THRESHOLDS: Final[Mapping[Grade, Threshold]] = {
    "blunder": Threshold(3.0, 0.05),
    "mistake": Threshold(1.5, 0.02),
    "inaccurate": Threshold(0.5, None),
}
"""The thresholds of the grades for choices that are not good, the worst grade first.

A slip of one head is never worse than inaccurate, and a choice that hardly changes the chance of winning is neither a
mistake nor a blunder. `docs/explanation/coach.md` shows how often players get each grade.
"""


def grade_of(chosen: Option, best: Option, options: int) -> Grade:
    """Return the grade of a choice.

    A choice is *best* if it is the best option, and *close* if it costs nothing, because the models of the other seats
    disagree which of the two is better. Otherwise it has the first grade in `THRESHOLDS` whose limits it reaches, or it
    is *good*. If there was a single option, the grade is *only*.

    Args:
        chosen: the chosen option, with its cost `behind` in heads.
        best: the option with the fewest expected heads.
        options: the number of options.

    >>> from faceup.bots.search import Estimate, Option
    >>> def option(cost: float, win: float) -> Option:
    ...     nothing = Estimate(0.0, 0.0)
    ...     return Option(0, 9, nothing, nothing, Estimate(win, 0.0), Estimate(cost, 0.1), 0.0, ())
    >>> costs = (0, 0.6, 1.2, 2.0, 3.5)
    >>> [grade_of(option(cost, 0.2), option(0, 0.3), 5) for cost in costs]
    ['best', 'good', 'inaccurate', 'mistake', 'blunder']
    >>> grade_of(option(3.5, 0.29), option(0, 0.3), 5)
    'inaccurate'
    """
    if options == 1:
        return "only"
    if chosen.behind.value <= 0:
        return "best" if chosen.action == best.action else "close"
    heads, win = lower_bound(chosen.behind), best.win.value - chosen.win.value
    for grade, least in THRESHOLDS.items():
        if heads >= least.heads and (least.win is None or win >= least.win):
            return grade
    return "good"


def lower_bound(cost: Estimate) -> float:
    """Return the lower bound of a cost, which is the cost minus two standard errors; 0 or more."""
    return max(0.0, cost.value - ERRORS * cost.error)


class DecisionPoint(msgspec.Struct, frozen=True):
    """A decision of one seat in a record.

    Attributes:
        number: the number of the joint decision, from 0.
        frame: the index of the replay frame before the decision.
        deal: the deal, from 1.
        turn: the turn in the deal, from 1.
        seat: the seat.
        view: the seat's view.
        action: the chosen action.
        by: "seat" if the seat chose the action, "clock" if the table chose it, because the time ran out or the player
            was absent.
    """

    number: int
    frame: int
    deal: int
    turn: int
    seat: Seat
    view: View
    action: Action
    by: Literal["seat", "clock"]


class Decision(DecisionPoint, frozen=True):
    """An evaluated decision.

    Attributes:
        options: all legal options, fewest expected heads first.
    """

    options: tuple[JudgedOption, ...]

    @property
    def chosen(self) -> JudgedOption:
        """The chosen option."""
        return next(option for option in self.options if option.action == self.action)

    @property
    def best(self) -> JudgedOption:
        """The option with the fewest expected heads."""
        return self.options[0]

    @property
    def cost(self) -> Estimate:
        """The cost of the choice in heads compared with the best option, in the same worlds."""
        return self.chosen.behind

    @property
    def grade(self) -> Grade:
        """The grade of the choice."""
        return grade_of(self.chosen, self.best, len(self.options))


def fault_in(decision: Decision) -> CauseKind | None:
    """Return why a choice that is inaccurate or worse costs more; None for all other choices."""
    cause = None if (explanation := decision.chosen.explanation) is None else explanation.cause
    return None if cause is None or decision.grade not in THRESHOLDS else cause.kind


def decision_points(record: Record, frames: Sequence[Frame], seats: Sequence[Seat]) -> tuple[DecisionPoint, ...]:
    """Return the decisions of these seats in order, without forfeits.

    Raises:
        Malformed: the game has no coach.
    """
    rules = record.rules()
    coach = coach_for(rules)
    points: list[DecisionPoint] = []
    number = 0
    for index, frame in enumerate(frames[1:]):
        entry = record.entries[frame.entry]
        assert isinstance(entry, Applied)  # noqa: S101 -- every frame is of an applied entry
        move = applied_move(rules, entry)
        if isinstance(move, Outcome):
            continue
        since = record.entries[frames[index].entry + 1 : frame.entry]
        chosen = {entry.seat: entry for entry in since if isinstance(entry, (Chosen, TimedOut, Autoplayed))}
        for seat, action in move.items():
            if seat in seats and action != FORFEIT:
                view = rules.view(frames[index].state, seat)
                automatic = isinstance(chosen.get(seat), (TimedOut, Autoplayed))
                by: Literal["seat", "clock"] = "clock" if automatic else "seat"
                points.append(DecisionPoint(number, index, *coach.turn_of(view), seat, view, action, by))
        number += 1
    return tuple(points)


def evaluate_decisions(rules: AnyRules, points: Sequence[DecisionPoint], effort: SearchBudget) -> Iterator[Decision]:
    """Evaluate the decisions in order, each from its seat's view only.

    Raises:
        Malformed: the search is unknown.
        MissingExtraError: the search needs the extra `fast`.
    """
    options = sum(len(point.view.legal) for point in points if len(point.view.legal) > 1)
    if effort.seconds is not None and points:  # load the search first, so that it does not count as thinking time
        judge(rules, points[0].view, player=effort.player, worlds=2, seed=0)
    for point in points:
        count = len(point.view.legal)
        timed = effort.seconds is not None and count > 1
        seconds = effort.seconds * count / options if effort.seconds is not None and timed else None
        judged = judge(
            rules,
            point.view,
            player=effort.player,
            worlds=None if timed else effort.worlds_per_option,
            seconds=seconds,
            seed=seed_of(effort.seed, point),
            explain=True,
        )
        yield Decision(**msgspec.structs.asdict(point), options=judged)


def seed_of(seed: int, situation: DecisionPoint) -> int:
    """Return the seed of one decision, so that its worlds are independent of the worlds of other decisions."""
    return SeededGenerator(seed, situation.number << 8 | situation.seat).below(1 << 63)

"""The decisions of a record, the evaluation of their options, and the verdict on each choice."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.bots.search import Estimate, Option, evaluate
from faceup.coach.chance_report import SearchBudget
from faceup.coach.registry import coach_for
from faceup.core import FORFEIT, Action, AnyRules, Outcome, Seat, SeededGenerator, View
from faceup.core.record import Applied, Frame, Record, TimedOut, applied_move
from faceup.extras import require

Word: TypeAlias = Literal["only", "best", "fine", "doubtful", "costly"]

ERRORS: Final = 2.0
"""The number of standard errors subtracted from a cost to get its lower bound, for about 95 % confidence."""

INACCURACY: Final = 0.25
MISTAKE: Final = 1.0
"""The least lower bounds, in heads, of the costs of a doubtful choice (`INACCURACY`) and of a costly choice."""


def verdict(chosen: Option, options: int) -> Word:
    """Return the verdict on a choice.

    The lower bound of its cost is the cost minus two standard errors. A choice is *best* if no option was better,
    *costly* if the lower bound is at least one head, *doubtful* if it is at least a quarter of a head, and
    otherwise *fine*. If there was a single option, the verdict is *only*.

    Args:
        chosen: the chosen option, with its cost `behind` in heads.
        options: the number of options.

    >>> from faceup.bots.search import Estimate, Option
    >>> nothing, costs = Estimate(0.0, 0.0), (0, 0.6, 0.7, 1.5)
    >>> [verdict(Option(0, 9, nothing, nothing, nothing, Estimate(cost, 0.2), 0.0, ()), 5) for cost in costs]
    ['best', 'fine', 'doubtful', 'costly']
    """
    if options == 1:
        return "only"
    if chosen.behind.value <= 0:
        return "best"
    sure = lower_bound(chosen.behind)
    return "costly" if sure >= MISTAKE else "doubtful" if sure >= INACCURACY else "fine"


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
        by: "seat" if the seat chose the action, "clock" if the clock chose it for the seat.
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

    options: tuple[Option, ...]

    @property
    def chosen(self) -> Option:
        """The chosen option."""
        return next(option for option in self.options if option.action == self.action)

    @property
    def best(self) -> Option:
        """The option with the fewest expected heads."""
        return self.options[0]

    @property
    def cost(self) -> Estimate:
        """The cost of the choice in heads compared with the best option, in the same worlds."""
        return self.chosen.behind

    @property
    def word(self) -> Word:
        """The verdict on the choice."""
        return verdict(self.chosen, len(self.options))


def decision_points(record: Record, frames: Sequence[Frame], seats: Sequence[Seat]) -> tuple[DecisionPoint, ...]:
    """Return the decisions of these seats in order, without forfeits.

    Raises:
        Malformed: the game has no coach.
    """
    rules = record.rules()
    coach = coach_for(rules)
    found: list[DecisionPoint] = []
    number = 0
    for index, frame in enumerate(frames[1:]):
        entry = record.entries[frame.entry]
        assert isinstance(entry, Applied)  # noqa: S101 -- every frame is of an applied entry
        move = applied_move(rules, entry)
        if isinstance(move, Outcome):
            continue
        since = record.entries[frames[index].entry + 1 : frame.entry]
        late = {each.seat for each in since if isinstance(each, TimedOut)}
        for seat, action in move.items():
            if seat in seats and action != FORFEIT:
                view = rules.view(frames[index].state, seat)
                by: Literal["seat", "clock"] = "clock" if seat in late else "seat"
                found.append(DecisionPoint(number, index, *coach.turn_of(view), seat, view, action, by))
        number += 1
    return tuple(found)


def evaluate_decisions(rules: AnyRules, found: Sequence[DecisionPoint], effort: SearchBudget) -> Iterator[Decision]:
    """Evaluate the decisions in order, each from its seat's view only.

    Raises:
        Malformed: the search is unknown.
        MissingExtraError: the extra `fast` is not installed; without it, a review would take many minutes.
    """
    require("fast", __name__)
    options = sum(len(each.view.legal) for each in found if len(each.view.legal) > 1)
    if effort.seconds is not None and found:  # load the search first, so that it does not count as thinking time
        evaluate(rules, found[0].view, player=effort.player, worlds=2, seed=0)
    for each in found:
        count = len(each.view.legal)
        timed = effort.seconds is not None and count > 1
        seconds = effort.seconds * count / options if effort.seconds is not None and timed else None
        options_found = evaluate(
            rules,
            each.view,
            player=effort.player,
            worlds=None if timed else effort.worlds_per_option,
            seconds=seconds,
            seed=seed_of(effort.seed, each),
            objective="heads",
            every=True,
            use_beliefs=False,  # evaluate against equal opponents, as par does
        ).options
        yield Decision(**msgspec.structs.asdict(each), options=options_found)


def seed_of(seed: int, situation: DecisionPoint) -> int:
    """Return the seed of one decision, so that its worlds are independent of the worlds of other decisions."""
    return SeededGenerator(seed, situation.number << 8 | situation.seat).below(1 << 63)

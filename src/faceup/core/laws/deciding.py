"""Laws 2, 5 and 7: who may do what, within which bounds, and that neither order nor seat makes a difference."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from faceup.core.errors import NotLegal, NotYours, RulesError
from faceup.core.generator import Generator
from faceup.core.laws.plays import Play, a_law, hold, random_move, seen
from faceup.core.notation import write
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, FORFEIT, Move, Outcome, Seat, State, Step

Relabel: TypeAlias = Callable[[AnyRules, Outcome, Sequence[Seat]], Outcome]
"""From an outcome to the same with seat `order[i]` called seat `i`: what a seat was dealt goes with it."""


@a_law
def legality(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Exactly the seats in `to_act` have something legal; whatever else is tried is refused and changes nothing."""
    state, seats = play.state, range(rules.seats)
    to_act = rules.to_act(state)
    shape = to_act in {(), (CHANCE,)} or (set(to_act) <= set(seats) and list(to_act) == sorted(set(to_act)))
    hold("legality", shape, f"{to_act} is not chance, nor seats in order", rules, state)
    for seat in seats:
        legal = rules.legal(state, seat)
        hold("legality", bool(legal) == (seat in to_act), f"seat {seat}: {legal}, but to act: {to_act}", rules, state)
        ordered = list(legal) == sorted(set(legal)) and set(legal) <= set(range(rules.bounds.actions))
        hold("legality", ordered, f"seat {seat}: {legal} is not ascending and within the bounds", rules, state)
    acting = to_act and to_act != (CHANCE,)
    move = random_move(rules, state, rng) if acting else {0: 0}
    if not isinstance(move, dict):  # never: no chance is due
        return
    if acting:
        tried = to_act[rng.below(len(to_act))]
        legal = rules.legal(state, tried)
        for action in range(FORFEIT - 1, rules.bounds.actions + 1):
            if action not in legal and not (action == FORFEIT and rules.forfeits):
                _refused(rules, state, {**move, tried: action}, NotLegal)
        _refused(rules, state, {seat: action for seat, action in move.items() if seat != tried}, NotYours)
    else:
        _refused(rules, state, move, NotYours)
        _refused(rules, state, {}, NotYours)
    for seat in (*seats, CHANCE, rules.seats):
        if seat not in to_act or seat == CHANCE:
            _refused(rules, state, {**(move if acting else {}), seat: 0}, NotYours)
    for taken in play.steps if to_act != (CHANCE,) else ():
        if isinstance(taken.move, Outcome):
            _refused(rules, state, taken.move, RulesError)


def _refused(rules: AnyRules, state: State, move: "Move | Outcome", error: type[RulesError]) -> None:
    """It raises this error, which quotes the position, and changes nothing."""
    before = write(rules, state)
    given = move if isinstance(move, Outcome) else dict(move)
    try:
        rules.apply(state, move)
    except error as refusal:
        hold("legality", before in str(refusal), f"the refusal of {move} does not quote the position", rules, state)
    except Exception as other:
        raise AssertionError(
            f"the law of legality: {move} is refused by {other!r}, not {error.__name__} [in {before}]"
        ) from other
    else:
        raise AssertionError(f"the law of legality: {move} is accepted, but not legal [in {before}]")
    hold("legality", write(rules, state) == before and move == given, "a refusal changed something", rules, state)


@a_law
def bounds(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- every law is called alike
    """Utilities and the number of decisions stay within `bounds`; places are 1 and as many as are better."""
    low, high = rules.bounds.utility
    decisions = sum(not isinstance(taken.move, Outcome) for taken in play.steps)
    most = rules.bounds.decisions
    hold("bounds", decisions + bool(_deciding(rules, play)) <= most, f"more than {most} decisions", rules, play.state)
    for state in [rules.start(), *(taken.step.state for taken in play.steps)]:
        scores, ranks, utilities = rules.scores(state), rules.ranks(state), rules.utilities(state)
        full = len(scores) == len(ranks) == len(utilities) == rules.seats
        hold("bounds", full, "scores, ranks and utilities are not one for each seat", rules, state)
        within = all(low <= utility <= high for utility in utilities)
        hold("bounds", within, f"{utilities} are not within {low} to {high}", rules, state)
        placed = all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
        hold("bounds", placed, f"{ranks} are not places", rules, state)


def _deciding(rules: AnyRules, play: Play) -> tuple[Seat, ...]:
    return tuple(seat for seat in rules.to_act(play.state) if seat != CHANCE)


def unchanged(rules: AnyRules, outcome: Outcome, order: Sequence[Seat]) -> Outcome:  # noqa: ARG001 -- a `Relabel`
    """The `Relabel` of a game whose outcomes concern no seat."""
    return outcome


@a_law
def relabelling(rules: AnyRules, play: Play, rng: Generator, *, relabel: Relabel | None = unchanged) -> None:
    """The same game with its seats renamed goes the same way, and the order of sealed choices does not matter.

    Only the game knows where in a deal a seat's cards stand, so `relabel` has to say how an outcome reads with the
    seats renamed. None says that the seats are not alike, which leaves the order of the choices to be tried.
    """
    for taken in play.steps:
        if isinstance(taken.move, dict):
            backwards = dict(reversed(list(taken.move.items())))
            unordered = rules.apply(taken.before, backwards) == taken.step
            hold("relabelling", unordered, "the order of the choices makes a difference", rules, taken.before)
    if relabel is not None:
        _renamed(rules, play, rng, relabel)


def _renamed(rules: AnyRules, play: Play, rng: Generator, relabel: Relabel) -> None:
    order = list(range(rules.seats))
    for at in range(len(order) - 1, 0, -1):
        other = rng.below(at + 1)
        order[at], order[other] = order[other], order[at]
    renamed = Play(rules)
    for taken in play.steps:
        if isinstance(taken.move, Outcome):
            renamed.take(relabel(rules, taken.move, order), law="relabelling")
        else:
            moved = {seat: taken.move[old] for seat, old in enumerate(order) if old in taken.move}
            renamed.take(moved, law="relabelling")
        _alike(rules, order, taken.step.state, renamed.state)
        for seat, old in (*enumerate(order), (None, None)):
            known, told = _told(taken.step, old), _told(renamed.steps[-1].step, seat)
            hold("relabelling", known == told, f"seat {old} is told {known}, renamed {told}", rules, taken.before)


def _alike(rules: AnyRules, order: Sequence[Seat], state: State, renamed: State) -> None:
    alike = sorted(seat if seat == CHANCE else order[seat] for seat in rules.to_act(renamed)) == list(
        rules.to_act(state)
    )
    for told in (rules.scores, rules.ranks, rules.utilities):
        numbers, moved = told(state), told(renamed)
        alike &= all(moved[seat] == numbers[old] for seat, old in enumerate(order))
    alike &= all(rules.legal(renamed, seat) == rules.legal(state, old) for seat, old in enumerate(order))
    if not alike:
        message = f"with seats {list(order)} called 0, 1, ... it goes otherwise, to {write(rules, renamed)}"
        hold("relabelling", alike, message, rules, state)


def _told(step: Step[State], seat: Seat | None) -> list[str]:
    """The kinds of events that a seat is told of."""
    return sorted(type(event).__name__ for event in seen(step, seat))

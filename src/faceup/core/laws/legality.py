"""The laws of legality, bounds and symmetry."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from faceup.core.errors import IllegalActionError, RulesError, WrongSeatError
from faceup.core.generator import Generator
from faceup.core.laws.catalog import label
from faceup.core.laws.plays import Play, as_law, random_move, require, visible_events
from faceup.core.notation import write
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, FORFEIT, Move, Outcome, Seat, State, Step

Relabel: TypeAlias = Callable[[AnyRules, Outcome, Sequence[Seat]], Outcome]
"""A function that returns an outcome with seat `order[i]` renamed to seat `i`, together with the seat's cards."""


@as_law
def legality(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Check that exactly the seats in `to_act` have legal actions, and that any other move only raises an error.

    Seats that do not exist have no legal actions and no view.
    """
    state, seats = play.state, range(rules.seats)
    to_act = rules.to_act(state)
    shape = to_act in {(), (CHANCE,)} or (set(to_act) <= set(seats) and list(to_act) == sorted(set(to_act)))
    require("legality", shape, f"`to_act` must be chance or ascending seats; got {to_act}", rules, state)
    for seat in seats:
        legal = rules.legal(state, seat)
        require(
            "legality",
            bool(legal) == (seat in to_act),
            f"only the seats to act {to_act} must have legal actions; seat {seat} has {legal}",
            rules,
            state,
        )
        ordered = list(legal) == sorted(set(legal)) and set(legal) <= set(range(rules.bounds.actions))
        message = f"legal actions must be ascending and within the bounds; seat {seat} has {legal}"
        require("legality", ordered, message, rules, state)
    acting = to_act and to_act != (CHANCE,)
    move = random_move(rules, state, rng) if acting else {0: 0}
    if not isinstance(move, dict):  # unreachable, for the type checker: chance is not due
        return
    if acting:
        tried = to_act[rng.below(len(to_act))]
        legal = rules.legal(state, tried)
        for action in range(FORFEIT - 1, rules.bounds.actions + 1):
            if action not in legal and not (action == FORFEIT and rules.forfeits):
                _refused(rules, state, {**move, tried: action}, IllegalActionError)
        _refused(rules, state, {seat: action for seat, action in move.items() if seat != tried}, WrongSeatError)
    else:
        _refused(rules, state, move, WrongSeatError)
        _refused(rules, state, {}, WrongSeatError)
    for seat in (*seats, CHANCE, rules.seats):
        if seat not in to_act or seat == CHANCE:
            _refused(rules, state, {**(move if acting else {}), seat: 0}, WrongSeatError)
    _no_other_seats(rules, state)
    for taken in play.steps if to_act != (CHANCE,) else ():
        if isinstance(taken.move, Outcome):
            _refused(rules, state, taken.move, RulesError)


def _no_other_seats(rules: AnyRules, state: State) -> None:
    """Require that a seat that does not exist has no view and no legal actions."""
    for seat in (CHANCE, rules.seats):
        raised: Exception | None = None
        try:
            legal = rules.legal(state, seat)
            require("legality", legal == (), f"there is no seat {seat}, but it may play {legal}", rules, state)
            rules.view(state, seat)
        except (RulesError, LookupError) as error:
            raised = error
        refused = isinstance(raised, WrongSeatError)
        message = f"a view for seat {seat}, which does not exist, must raise WrongSeatError; got {raised!r}"
        require("legality", refused, message, rules, state)


def _refused(rules: AnyRules, state: State, move: "Move | Outcome", error: type[RulesError]) -> None:
    """Require that the move raises this error, that the message quotes the position, and that nothing changes."""
    before = write(rules, state)
    original = move if isinstance(move, Outcome) else dict(move)
    try:
        rules.apply(state, move)
    except error as raised:
        require("legality", before in str(raised), f"the error for {move} does not quote the position", rules, state)
    except Exception as other:
        raise AssertionError(
            f"{label('legality')}: {move} must raise {error.__name__}; got {other!r} [in {before}]"
        ) from other
    else:
        raise AssertionError(f"{label('legality')}: {move} is accepted, but not legal [in {before}]")
    unchanged = write(rules, state) == before and move == original
    require("legality", unchanged, "a rejected move changed something", rules, state)


@as_law
def bounds(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- the signature of every law
    """Check that utilities and the number of decisions are within `bounds`, and that ranks are competition ranks."""
    low, high = rules.bounds.utility
    decisions = sum(not isinstance(taken.move, Outcome) for taken in play.steps)
    most = rules.bounds.decisions
    require(
        "bounds", decisions + bool(_deciding(rules, play)) <= most, f"more than {most} decisions", rules, play.state
    )
    for state in [rules.start(), *(taken.step.state for taken in play.steps)]:
        scores, ranks, utilities = rules.scores(state), rules.ranks(state), rules.utilities(state)
        full = len(scores) == len(ranks) == len(utilities) == rules.seats
        require("bounds", full, "there must be one score, rank and utility for each seat", rules, state)
        within = all(low <= utility <= high for utility in utilities)
        require("bounds", within, f"utilities must be within {low} to {high}; got {utilities}", rules, state)
        placed = all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
        require("bounds", placed, f"ranks must be competition ranks; got {ranks}", rules, state)


def _deciding(rules: AnyRules, play: Play) -> tuple[Seat, ...]:
    return tuple(seat for seat in rules.to_act(play.state) if seat != CHANCE)


def identity_relabel(rules: AnyRules, outcome: Outcome, order: Sequence[Seat]) -> Outcome:  # noqa: ARG001 -- a `Relabel`
    """Return the outcome unchanged. This is the `Relabel` of a game with outcomes that do not depend on seats."""
    return outcome


@as_law
def symmetry(rules: AnyRules, play: Play, rng: Generator, *, relabel: Relabel | None = identity_relabel) -> None:
    """Check that renaming the seats renames the whole game, and that the order of choices in a move does not matter.

    Only the game knows which part of a deal belongs to which seat, so `relabel` translates an outcome. If `relabel` is
    None, the seats are not interchangeable, and only the order of the choices is checked.
    """
    for taken in play.steps:
        if isinstance(taken.move, dict):
            backwards = dict(reversed(list(taken.move.items())))
            unordered = rules.apply(taken.before, backwards) == taken.step
            require("symmetry", unordered, "the order of the choices makes a difference", rules, taken.before)
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
            renamed.take(relabel(rules, taken.move, order), law="symmetry")
        else:
            moved = {seat: taken.move[old] for seat, old in enumerate(order) if old in taken.move}
            renamed.take(moved, law="symmetry")
        _require_equal_view(rules, order, taken.step.state, renamed.state)
        for seat, old in (*enumerate(order), (None, None)):
            expected, actual = _event_kinds(taken.step, old), _event_kinds(renamed.steps[-1].step, seat)
            same = expected == actual
            message = f"seat {old} sees the events {expected}, but after renaming the seats it sees {actual}"
            require("symmetry", same, message, rules, taken.before)


def _require_equal_view(rules: AnyRules, order: Sequence[Seat], state: State, renamed: State) -> None:
    alike = sorted(seat if seat == CHANCE else order[seat] for seat in rules.to_act(renamed)) == list(
        rules.to_act(state)
    )
    for by_seat in (rules.scores, rules.ranks, rules.utilities):
        numbers, moved = by_seat(state), by_seat(renamed)
        alike &= all(moved[seat] == numbers[old] for seat, old in enumerate(order))
    alike &= all(rules.legal(renamed, seat) == rules.legal(state, old) for seat, old in enumerate(order))
    if not alike:
        message = f"renaming seats {list(order)} to 0, 1, ... changes the game; it leads to {write(rules, renamed)}"
        require("symmetry", alike, message, rules, state)


def _event_kinds(step: Step[State], seat: Seat | None) -> list[str]:
    """Return the type names of the events visible to a seat."""
    return sorted(type(event).__name__ for event in visible_events(step, seat))

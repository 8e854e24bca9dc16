"""The laws of non-interference and determinization: views and events do not depend on hidden information."""

from faceup.core.generator import Generator
from faceup.core.laws.plays import Play, as_law, random_move, require, viewers, visible_events
from faceup.core.rules import AnyRules
from faceup.core.values import DONE, FORFEIT, Outcome, Seat, State


@as_law
def determinization(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Check that a guess from a view is a state in which the viewer has an equal view and the same seats are to act."""
    state = play.state
    for seat in viewers(rules):
        view = rules.view(state, seat)
        guess = rules.guess(view, rng)
        again = rules.view(guess, seat)
        message = f"seat {seat} sees {view}, but in the state that it guesses it sees {again}"
        require("determinization", again == view, message, rules, state)
        require(
            "determinization", rules.to_act(guess) == rules.to_act(state), "other seats act in a guess", rules, state
        )


@as_law
def non_interference(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Check that hidden information does not influence a seat's view, its legal actions or the events visible to it.

    The law applies a move to two states that differ only in information that is hidden from the seat. If the second
    state does not allow part of the move, this part is replaced by a random legal one. Afterwards, the seat's two views
    must be equal if and only if its visible events are equal, so neither of the two may contain more than the other.
    If the move reveals hidden cards, views and events both differ, which is not a leak. This law samples games of any
    size, whereas `uniformity` tries every alternative state of a small game.
    """
    state = play.state
    for seat in viewers(rules):
        view = rules.view(state, seat)
        other = rules.guess(view, rng)
        same = rules.view(other, seat) == view
        require("non-interference", same, f"seat {seat} sees hidden information", rules, state)
        if seat is not None:
            same = rules.legal(other, seat) == rules.legal(state, seat)
            message = f"hidden information changes the legal actions of seat {seat}"
            require("non-interference", same, message, rules, state)
        if not rules.to_act(state):
            continue
        move = random_move(rules, state, rng)
        step, alternative = rules.apply(state, move), rules.apply(other, _same_move(rules, state, other, move, rng))
        same_events = visible_events(step, seat) == visible_events(alternative, seat)
        same_view = rules.view(step.state, seat) == rules.view(alternative.state, seat)
        message = f"the view of seat {seat} holds more than its events"
        require("non-interference", same_view or not same_events, message, rules, state)
        message = f"the events of seat {seat} hold more than its view"
        require("non-interference", same_events or not same_view, message, rules, state)


def _same_move(
    rules: AnyRules, state: State, other: State, move: "dict[Seat, int] | Outcome", rng: Generator
) -> "dict[Seat, int] | Outcome":
    """Return the move for the other state. A choice that is not legal there is replaced by a random legal choice."""
    if isinstance(move, Outcome):
        drawn: list[int] = []
        choices = rules.choices(state, move)
        while (size := rules.chance(other, drawn)) != DONE:
            place = len(drawn)
            possible = place < len(choices) and choices[place] < size
            drawn.append(choices[place] if possible else rng.below(size))
        outcome: Outcome = rules.outcome(other, drawn)
        return outcome
    legal = {seat: rules.legal(other, seat) for seat in move}
    return {
        seat: action if action in legal[seat] or action == FORFEIT else legal[seat][rng.below(len(legal[seat]))]
        for seat, action in move.items()
    }

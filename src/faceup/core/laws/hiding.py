"""Laws 3 and 4, on random plays: what is hidden from a seat makes no difference to what it is shown."""

from faceup.core.generator import Generator
from faceup.core.laws.plays import Play, a_law, hold, onlookers, random_move, seen
from faceup.core.rules import AnyRules
from faceup.core.values import DONE, FORFEIT, Outcome, Seat, State


@a_law
def guessing(rules: AnyRules, play: Play, rng: Generator) -> None:
    """A guess from a view is a state that looks just so from that seat, and in which the same seats act."""
    state = play.state
    for seat in onlookers(rules):
        view = rules.view(state, seat)
        guess = rules.guess(view, rng)
        again = rules.view(guess, seat)
        hold("guessing", again == view, f"seat {seat} sees {view}, and in a guess from it {again}", rules, state)
        hold("guessing", rules.to_act(guess) == rules.to_act(state), "a guess has others to act", rules, state)


@a_law
def non_interference(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Change what is hidden from a seat: its view, its actions and the events that it sees stay the same.

    Two states that differ only in what is hidden from the seat are played on, its own action being the same, the
    others' and chance the same where both allow it. If the seat is told the same events, it must see the same, and
    if it sees the same it must have been told the same: neither the view nor an event may carry more than the other.
    (A move may turn up what was hidden; then both differ, and that is no leak. `uniformity` tries every alternative
    where a game is small enough, this one a few of them in a game of any size.)
    """
    state = play.state
    for seat in onlookers(rules):
        view = rules.view(state, seat)
        other = rules.guess(view, rng)
        hold("non-interference", rules.view(other, seat) == view, f"seat {seat} sees what is hidden", rules, state)
        if seat is not None:
            same = rules.legal(other, seat) == rules.legal(state, seat)
            hold("non-interference", same, f"what is hidden changes the actions of seat {seat}", rules, state)
        if not rules.to_act(state):
            continue
        move = random_move(rules, state, rng)
        step, alternative = rules.apply(state, move), rules.apply(other, _same_move(rules, state, other, move, rng))
        told = seen(step, seat) == seen(alternative, seat)
        sees = rules.view(step.state, seat) == rules.view(alternative.state, seat)
        hold("non-interference", sees or not told, f"seat {seat} sees more than it was told", rules, state)
        hold("non-interference", told or not sees, f"seat {seat} is told what its view does not hold", rules, state)


def _same_move(
    rules: AnyRules, state: State, other: State, move: "dict[Seat, int] | Outcome", rng: Generator
) -> "dict[Seat, int] | Outcome":
    """The move in the other state: the same choices, and where one is impossible there, any."""
    if isinstance(move, Outcome):
        drawn: list[int] = []
        wanted = rules.choices(state, move)
        while (size := rules.chance(other, drawn)) != DONE:
            place = len(drawn)
            possible = place < len(wanted) and wanted[place] < size
            drawn.append(wanted[place] if possible else rng.below(size))
        outcome: Outcome = rules.outcome(other, drawn)
        return outcome
    legal = {seat: rules.legal(other, seat) for seat in move}
    return {
        seat: action if action in legal[seat] or action == FORFEIT else legal[seat][rng.below(len(legal[seat]))]
        for seat, action in move.items()
    }

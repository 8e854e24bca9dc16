"""On what a program is tried: whole matches in every seat, and the corners where programs go wrong.

A trial is played by the rules themselves, the other seats at random, so that what a program is asked in it could be
asked in a match.
"""

from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final, NamedTuple

from faceup.arena.protocols import corners
from faceup.bots import random_policy
from faceup.core import CHANCE, FORFEIT, Action, AnyRules, Seat, Seeded, State, draw

MOST: Final = 120
"""Decisions of one trial: more than a match of the arena has, and the beginning of a long game."""

_AT_A_CORNER: Final = 12
"""Decisions from a corner on: enough to be past it, and in the next deal."""


class Trial(NamedTuple):
    """One process of the program, and what it is asked.

    Attributes:
        name: what it is tried on.
        seat: where it sits.
        start: the state to play on from.
        decisions: it is asked no more often than this.
        out: seats that are put out, each with the number of the move (of decisions, from 0) at which it is.
        manners: whether it is also watched if it waits to be asked, reads all that it is sent, and then is quiet.
    """

    name: str
    seat: Seat
    start: State
    decisions: int = MOST
    out: Mapping[Seat, int] = {}
    manners: bool = False


def trials(rules: AnyRules) -> Iterator[Trial]:
    """What a program for these rules is tried on; the plainest first.

    >>> from faceup.core import make
    >>> [trial.name for trial in trials(make("war"))]
    ['waiting to be asked', 'a match in seat 0', 'a match in seat 1']
    """
    start = rules.start()
    yield Trial("waiting to be asked", 0, start, decisions=4, manners=True)
    for name, seat, position in corners(rules):
        yield Trial(name, seat, rules.from_text(position), _AT_A_CORNER)
    for seat in range(min(rules.seats, 4)):
        yield Trial(f"a match in seat {seat}", seat, start)
    if rules.forfeits and rules.seats > 2:
        others = range(1, rules.seats - 1)
        yield Trial("a match in which others are put out", 0, start, out={seat: 2 * seat for seat in others})


def conversation(
    rules: AnyRules, trial: Trial, seed: int
) -> Generator[Any, Action, None]:  # Any: each game has its own view
    """The views of the program's seat, one for each decision; takes the program's action for each.

    Args:
        rules: of the game.
        trial: what it is tried on.
        seed: for chance and for the other seats.
    """
    rng, state, moves, asked = Seeded(seed), trial.start, 0, 0
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        move = {}
        for seat in to_act:
            if seat == trial.seat:
                if asked == trial.decisions:
                    return
                move[seat] = yield rules.view(state, seat)
                asked += 1
            elif trial.out.get(seat, moves + 1) <= moves:
                move[seat] = FORFEIT
            else:
                move[seat] = random_policy(rules, rules.view(state, seat), rng)
        state = rules.apply(state, move).state
        moves += 1

"""Random plays of any game, on which the laws are checked."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import NamedTuple, TypeAlias, TypeVar, cast

from faceup.core.errors import RulesError
from faceup.core.generator import Generator
from faceup.core.laws.catalog import label
from faceup.core.notation import write
from faceup.core.rules import AnyRules, draw
from faceup.core.values import CHANCE, FORFEIT, Event, Outcome, Seat, State, Step


class PlayStep(NamedTuple):
    """One step of a play: the state before it, the move, and the resulting `Step`."""

    before: State
    move: "dict[Seat, int] | Outcome"
    step: Step[State]


class Play:
    """A game from its start to the current state, with every step in between."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.state: State = rules.start()
        self.steps: list[PlayStep] = []

    def take(self, move: "dict[Seat, int] | Outcome", law: str = "legality") -> None:
        """Apply a move. Raises an `AssertionError` that names the law if the rules reject it."""
        try:
            step: Step[State] = self.rules.apply(self.state, move)
        except RulesError as error:
            raise AssertionError(f"{label(law)}: a legal move is rejected: {error}") from error
        self.steps.append(PlayStep(self.state, move, step))
        self.state = step.state

    def __repr__(self) -> str:
        moves = [_describe_move(self.rules, taken.move) for taken in self.steps]
        return f"<{write(self.rules, self.rules.start())}: {'; '.join(moves) or 'nothing played'}>"


Law: TypeAlias = Callable[[AnyRules, Play, Generator], None]
"""A function that checks the last state or every step of a play. The generator is for the law's own draws."""


_L = TypeVar("_L", bound=Callable[..., None])


def _describe_move(rules: AnyRules, move: "dict[Seat, int] | Outcome") -> str:
    if isinstance(move, Outcome):
        return rules.describe(move)
    return ", ".join(f"{seat}: {rules.describe(action)}" for seat, action in move.items())


def require(law: str, truth: object, message: str, rules: AnyRules, state: State) -> None:
    """Raise an `AssertionError` with the law's number and name and the position, unless `truth` is true."""
    if not truth:
        raise AssertionError(f"{label(law)}: {message} [in {write(rules, state)}]")


def as_law(law: _L) -> _L:
    """Turn a `RulesError` inside the law into an `AssertionError`, because every call that a law makes must succeed."""
    name = str(getattr(law, "__name__", law)).replace("_", "-")

    @wraps(law)
    def wrapped(rules: AnyRules, play: Play, rng: Generator, **options: object) -> None:
        try:
            law(rules, play, rng, **options)
        except RulesError as error:
            where = write(rules, play.state)
            raise AssertionError(f"{label(name)}: a call must succeed: {error} [in {where}]") from error

    return cast("_L", wrapped)


def viewers(rules: AnyRules) -> Iterator[Seat | None]:
    """Yield all viewers, which are the seats, and None for a spectator."""
    yield from range(rules.seats)
    yield None


def visible_events(step: Step[State], seat: Seat | None) -> tuple[Event, ...]:
    """Return the events of a step that are visible to the seat, or to spectators (None)."""
    return tuple(event for event in step.events if event.is_visible_to(seat))


def random_move(rules: AnyRules, state: State, rng: Generator, *, rarity: int = 0) -> "dict[Seat, int] | Outcome":
    """Return a random outcome of chance, or a random action for each seat to act.

    If `rarity` is not 0, each action is a forfeit with probability 1 / `rarity`.
    """
    to_act = rules.to_act(state)
    if to_act == (CHANCE,):
        return draw(rules, state, rng)
    move = {}
    for seat in to_act:
        legal = rules.legal(state, seat)
        require("legality", legal, f"seat {seat} is to act and has nothing legal", rules, state)
        forfeit = rarity and rng.below(rarity) == rarity - 1
        move[seat] = FORFEIT if forfeit else legal[rng.below(len(legal)) if len(legal) > 1 else 0]
    return move


def random_play(rules: AnyRules, rng: Generator, *, steps: int, outs: bool = False) -> Play:
    """Return a play of `steps` random steps, or fewer if the game ends before.

    With `outs`, one seat is likely to forfeit early, and other seats may forfeit.
    """
    play = Play(rules)
    first = outs
    while len(play.steps) < steps and (to_act := rules.to_act(play.state)):
        move = random_move(rules, play.state, rng, rarity=20 if outs else 0)
        if first and isinstance(move, dict) and rng.below(2) == 0:
            move[to_act[rng.below(len(to_act))]] = FORFEIT
            first = False
        play.take(move)
    return play


def termination(rules: AnyRules, rng: Generator, *, outs: bool = False) -> Play:
    """Check that a game ends within the number of decisions that `bounds` allows, and return the complete play."""
    play = Play(rules)
    decisions, most = 0, rules.bounds.decisions
    while to_act := rules.to_act(play.state):
        decisions += to_act != (CHANCE,)
        require("termination", decisions <= most, f"more than the {most} decisions of the bounds", rules, play.state)
        play.take(random_move(rules, play.state, rng, rarity=20 if outs else 0))
    return play

"""Random plays of any game: what the laws are tried on."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import NamedTuple, TypeAlias, TypeVar, cast

from faceup.core.errors import RulesError
from faceup.core.generator import Generator
from faceup.core.notation import write
from faceup.core.rules import AnyRules, draw
from faceup.core.values import CHANCE, FORFEIT, Event, Outcome, Seat, State, Step


class Taken(NamedTuple):
    """One step of a play: the state before, what was applied, and what came of it."""

    before: State
    move: "dict[Seat, int] | Outcome"
    step: Step[State]


class Play:
    """A game from its start as far as it was played, with every step on the way."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.state: State = rules.start()
        self.steps: list[Taken] = []

    def take(self, move: "dict[Seat, int] | Outcome", law: str = "legality") -> None:
        """Play on. An `AssertionError` that names the law if the rules refuse."""
        try:
            step: Step[State] = self.rules.apply(self.state, move)
        except RulesError as error:
            raise AssertionError(f"the law of {law}: a legal move is refused: {error}") from error
        self.steps.append(Taken(self.state, move, step))
        self.state = step.state

    def __repr__(self) -> str:
        said = [_said(self.rules, taken.move) for taken in self.steps]
        return f"<{write(self.rules, self.rules.start())}: {'; '.join(said) or 'nothing played'}>"


Law: TypeAlias = Callable[[AnyRules, Play, Generator], None]
"""Looks at the end of a play, or at every step; the generator is for what the law itself has to draw."""


_L = TypeVar("_L", bound=Callable[..., None])


def _said(rules: AnyRules, move: "dict[Seat, int] | Outcome") -> str:
    if isinstance(move, Outcome):
        return rules.describe(move)
    return ", ".join(f"{seat}: {rules.describe(action)}" for seat, action in move.items())


def hold(law: str, truth: object, message: str, rules: AnyRules, state: State) -> None:
    """Raise an `AssertionError` that names the law and quotes the position, unless the truth is one."""
    if not truth:
        raise AssertionError(f"the law of {law}: {message} [in {write(rules, state)}]")


def a_law(law: _L) -> _L:
    """A law: what it calls has to succeed, so that a refusal by the rules breaks it."""
    name = str(getattr(law, "__name__", law)).replace("_", "-")

    @wraps(law)
    def held(rules: AnyRules, play: Play, rng: Generator, **options: object) -> None:
        try:
            law(rules, play, rng, **options)
        except RulesError as error:
            where = write(rules, play.state)
            raise AssertionError(f"the law of {name}: a call has to succeed: {error} [in {where}]") from error

    return cast("_L", held)


def onlookers(rules: AnyRules) -> Iterator[Seat | None]:
    """Everybody with a view: the seats, and the spectator."""
    yield from range(rules.seats)
    yield None


def seen(step: Step[State], seat: Seat | None) -> tuple[Event, ...]:
    """The events of a step that the seat, or the spectator, is told of."""
    return tuple(event for event in step.events if event.heard_by(seat))


def random_move(rules: AnyRules, state: State, rng: Generator, *, rarity: int = 0) -> "dict[Seat, int] | Outcome":
    """An outcome of chance, or an action for each seat to act; one in `rarity` a forfeit, if that is not 0."""
    to_act = rules.to_act(state)
    if to_act == (CHANCE,):
        return draw(rules, state, rng)
    move = {}
    for seat in to_act:
        legal = rules.legal(state, seat)
        hold("legality", legal, f"seat {seat} is to act and has nothing legal", rules, state)
        forfeit = rarity and rng.below(rarity) == rarity - 1
        move[seat] = FORFEIT if forfeit else legal[rng.below(len(legal)) if len(legal) > 1 else 0]
    return move


def random_play(rules: AnyRules, rng: Generator, *, steps: int, outs: bool = False) -> Play:
    """A play of so many steps, or to the end of the game. With `outs`, a seat forfeits early and others may follow."""
    play = Play(rules)
    first = outs
    while len(play.steps) < steps and (to_act := rules.to_act(play.state)):
        move = random_move(rules, play.state, rng, rarity=20 if outs else 0)
        if first and isinstance(move, dict) and rng.below(2) == 0:
            move[to_act[rng.below(len(to_act))]] = FORFEIT
            first = False
        play.take(move)
    return play


def ending(rules: AnyRules, rng: Generator, *, outs: bool = False) -> Play:
    """The law that every game ends: a play to its end, which asks for no more decisions than `bounds` says."""
    play = Play(rules)
    decisions, most = 0, rules.bounds.decisions
    while to_act := rules.to_act(play.state):
        decisions += to_act != (CHANCE,)
        hold("ending", decisions <= most, f"more than the {most} decisions of the bounds", rules, play.state)
        play.take(random_move(rules, play.state, rng, rarity=20 if outs else 0))
    return play

"""Law 6: lane i of a batch equals the scalar game that is fed the same outcomes and choices.

`check` holds any batch module to it, in both ways into it: step by step, where position, legal actions and scores are
compared after every move, and whole playouts, whose trace the scalar rules replay.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from faceup.core.generator import Seeded
from faceup.core.notation import write
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, FORFEIT, Action, Move, Outcome, Seat, State

R_contra = TypeVar("R_contra", bound=AnyRules, contravariant=True)


class Engine(Protocol):
    """A batch of games that are played step by step, as a batch module's `reset` and `from_states` give it."""

    @property
    def lanes(self) -> int:
        """The number of games, B."""
        ...

    def to_act(self) -> npt.NDArray[np.bool_]:
        """Whose decisions are awaited, bool [B, seats]; a lane in which nobody's are is over."""
        ...

    def mask(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool [B, seats, actions]."""
        ...

    def step(self, actions: npt.NDArray[np.int32]) -> object:
        """Play one action for every seat that is to act, int32 [B, seats], -1 elsewhere; then chance, where it is due.

        Where the rules know forfeits, -1 for a seat that is to act is one.
        """
        ...

    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """What chance did in this lane in the last step, in order; after a reset, what began the game."""
        ...

    def scores(self) -> npt.NDArray[np.int32]:
        """The game's own points, int32 [B, seats]."""
        ...

    def to_state(self, lane: int) -> State:
        """The lane as a state of the scalar rules; its log may be left out."""
        ...


class Trace(Protocol):
    """Whole games, with what was dealt and chosen in them."""

    def moves(self, lane: int) -> Iterable[Outcome | Mapping[Seat, Action]]:
        """What plays this lane's game under the scalar rules."""
        ...

    def scores(self) -> npt.NDArray[np.int32]:
        """The final points, int32 [B, seats]."""
        ...


class BatchModule(Protocol[R_contra]):
    """What a game's `batch` offers under these names; it may take further arguments that have defaults."""

    def reset(self, rules: R_contra, *, lanes: int, seed: int) -> Engine:
        """New games, with the first outcomes of chance behind them."""
        ...

    def from_states(self, rules: R_contra, states: list[Any], *, seed: int) -> Engine:  # Any: that game's states
        """Games that go on from these states, chance that is due included."""
        ...

    def trace(self, rules: R_contra, *, lanes: int, seed: int, matches: bool) -> Trace:
        """Whole games under random play."""
        ...


def check(rules: AnyRules, batch: BatchModule[Any], *, lanes: int, seed: int, forfeits: int = 40) -> int:
    """Hold a batch module to the law.

    Args:
        rules: under which it is held.
        batch: the module.
        lanes: games in each of the three parts: steps from the start, steps from given states, playouts.
        seed: of the games and of the choices.
        forfeits: one decision in so many is a forfeit, where the rules know them.

    Returns:
        The positions that were compared.

    Raises:
        AssertionError: a lane that differs, with its number and the position of the scalar game.
    """
    engine = batch.reset(rules, lanes=lanes, seed=seed)
    states = [_follow(rules, rules.start(), engine.outcomes(lane)) for lane in range(lanes)]
    seen: list[State] = []
    compared = _steps(rules, engine, states, seen, _Choices(seed, forfeits if rules.forfeits else 0))
    picked = [seen[index * len(seen) // lanes] for index in range(lanes)]
    again = batch.from_states(rules, picked, seed=seed)
    picked = [_follow(rules, state, again.outcomes(lane)) for lane, state in enumerate(picked)]
    compared += _steps(rules, again, picked, [], _Choices(seed + 1, forfeits if rules.forfeits else 0))
    return compared + _playouts(rules, batch, lanes, seed)


class _Choices:
    """Any legal actions, now and then a forfeit."""

    def __init__(self, seed: int, forfeits: int) -> None:
        self._below = Seeded(seed, 1 << 63).below
        self._forfeits = forfeits

    def __call__(self, rules: AnyRules, state: State) -> Move:
        move = {}
        for seat in rules.to_act(state):
            legal = rules.legal(state, seat)
            forfeit = self._forfeits and not self._below(self._forfeits)
            move[seat] = FORFEIT if forfeit else legal[self._below(len(legal))]
        return move


def _follow(rules: AnyRules, state: State, outcomes: Iterable[Outcome]) -> State:
    for outcome in outcomes:
        state = rules.apply(state, outcome).state
    return state


def _steps(rules: AnyRules, engine: Engine, states: list[State], seen: list[State], choose: _Choices) -> int:
    """Play all lanes to their ends on both sides; the states on the way are added to `seen`."""
    compared = 0
    while True:
        to_act, mask, scores = engine.to_act(), engine.mask(), engine.scores()
        actions = np.full(to_act.shape, -1, np.int32)
        moves: dict[int, Move] = {}
        for lane, state in enumerate(states):
            due = rules.to_act(state)
            _equal("to act", tuple(np.flatnonzero(to_act[lane]).tolist()), due, (rules, state, lane))
            for seat in range(rules.seats):
                legal = tuple(np.flatnonzero(mask[lane, seat]).tolist())
                _equal(f"legal for seat {seat}", legal, rules.legal(state, seat), (rules, state, lane))
            _equal("scores", tuple(scores[lane].tolist()), rules.scores(state), (rules, state, lane))
            position = rules.position(engine.to_state(lane))
            _equal("position", position, rules.position(state), (rules, state, lane))
            if due:
                moves[lane] = choose(rules, state)
                for seat, action in moves[lane].items():
                    actions[lane, seat] = action
        compared += len(states)
        if not moves:
            return compared
        seen += [states[lane] for lane in moves]
        engine.step(actions)
        for lane, move in moves.items():
            states[lane] = _follow(rules, rules.apply(states[lane], move).state, engine.outcomes(lane))


def _playouts(rules: AnyRules, batch: BatchModule[Any], lanes: int, seed: int) -> int:
    trace = batch.trace(rules, lanes=lanes, seed=seed, matches=True)
    compared = 0
    for lane in range(lanes):
        state = rules.start()
        for move in trace.moves(lane):
            due = rules.to_act(state)
            assert isinstance(move, Outcome) == (due == (CHANCE,)), f"lane {lane}: {move} in {write(rules, state)}"  # noqa: S101 -- a law
            state = rules.apply(state, move).state
            compared += 1
        _equal("to act at the end", (), rules.to_act(state), (rules, state, lane))
        _equal("final scores", tuple(trace.scores()[lane].tolist()), rules.scores(state), (rules, state, lane))
    return compared


def _equal(what: str, batch: object, scalar: object, where: tuple[AnyRules, State, int]) -> None:
    rules, state, lane = where
    assert batch == scalar, (  # noqa: S101 -- a law
        f"law 6, lane {lane}: {what}: the batch says {batch}, the rules say {scalar} [in {write(rules, state)}]"
    )

"""The law of batch equality: each lane of a batch is equal to a scalar game with the same chance outcomes and choices.

`check` tests a batch module in two ways. It plays games step by step, and compares position, legal actions and scores
after every move. It also plays whole games in one call, and the scalar rules replay their traces.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

from faceup.core.generator import SeededGenerator
from faceup.core.laws.catalog import label
from faceup.core.notation import write
from faceup.core.rules import AnyRules
from faceup.core.values import CHANCE, FORFEIT, Action, Move, Outcome, Seat, State
from faceup.extras import needs

with needs("fast", __name__):
    import numpy as np
    import numpy.typing as npt

R_contra = TypeVar("R_contra", bound=AnyRules, contravariant=True)


class SteppedEngine(Protocol):
    """A batch of games played step by step, as returned by a batch module's `reset` and `from_states`."""

    @property
    def lanes(self) -> int:
        """The number of games, B."""
        ...

    def to_act(self) -> npt.NDArray[np.bool_]:
        """Return which seats are to act, bool [B, seats]; a lane in which no seat is to act is over."""
        ...

    def mask(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, bool [B, seats, actions]."""
        ...

    def step(self, actions: npt.NDArray[np.int32]) -> object:
        """Play one action for every seat to act, then apply the chance outcomes due.

        `actions` is int32 [B, seats], with -1 for a seat that is not to act. Where the rules allow forfeits, -1 for a
        seat that is to act is a forfeit.
        """
        ...

    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """Return the chance outcomes of this lane's last step, or of the reset that started the game, in order."""
        ...

    def scores(self) -> npt.NDArray[np.int32]:
        """Return the game's own points, int32 [B, seats]."""
        ...

    def to_state(self, lane: int) -> State:
        """Return the lane as a state of the scalar rules, with or without its log."""
        ...


class TracedGames(Protocol):
    """Whole games, with all chance outcomes and choices."""

    def moves(self, lane: int) -> Iterable[Outcome | Mapping[Seat, Action]]:
        """Yield the moves that replay this lane's game under the scalar rules."""
        ...

    def scores(self) -> npt.NDArray[np.int32]:
        """Return the final points, int32 [B, seats]."""
        ...


class BatchModule(Protocol[R_contra]):
    """The functions of a game's `batch` module; they may take further arguments with defaults."""

    def reset(self, rules: R_contra, *, lanes: int, seed: int) -> SteppedEngine:
        """Start new games and apply their first chance outcomes."""
        ...

    def from_states(self, rules: R_contra, states: list[Any], *, seed: int) -> SteppedEngine:  # Any: that game's states
        """Continue games from these states, and apply the chance outcomes due."""
        ...

    def trace(self, rules: R_contra, *, lanes: int, seed: int, matches: bool) -> TracedGames:
        """Play whole games at random."""
        ...


def check(rules: AnyRules, batch: BatchModule[Any], *, lanes: int, seed: int, forfeits: int = 40) -> int:
    """Check that a batch module satisfies the law.

    Args:
        rules: the rules to test.
        batch: the batch module.
        lanes: number of games in each of the three parts (steps from the start, steps from given states, playouts).
        seed: seed of the games and the choices.
        forfeits: one in this many decisions is a forfeit, where the rules allow forfeits.

    Returns:
        The number of positions compared.

    Raises:
        AssertionError: a lane differs; the message has its number and the scalar game's position.
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
    """Random legal actions, and occasional forfeits."""

    def __init__(self, seed: int, forfeits: int) -> None:
        self._below = SeededGenerator(seed, 1 << 63).below
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


def _steps(rules: AnyRules, engine: SteppedEngine, states: list[State], seen: list[State], choose: _Choices) -> int:
    """Play all lanes to their ends with the engine and the scalar rules, and append the scalar states to `seen`."""
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
            _equal("an outcome due", isinstance(move, Outcome), due == (CHANCE,), (rules, state, lane))
            state = rules.apply(state, move).state
            compared += 1
        _equal("to act at the end", (), rules.to_act(state), (rules, state, lane))
        _equal("final scores", tuple(trace.scores()[lane].tolist()), rules.scores(state), (rules, state, lane))
    return compared


def _equal(what: str, batch: object, scalar: object, where: tuple[AnyRules, State, int]) -> None:
    rules, state, lane = where
    law = label("batch-equality")
    assert batch == scalar, (  # noqa: S101 -- a law
        f"{law}, lane {lane}: {what} is {batch} in the batch, but {scalar} by the rules [in {write(rules, state)}]"
    )

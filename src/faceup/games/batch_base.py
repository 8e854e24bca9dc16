"""Base classes of all batch engines, and of those for games without choices, where every seat's only action is 0."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, NamedTuple, Required, Self, TypedDict, TypeVar

from faceup.core.arguments import check_sequence, check_type
from faceup.core.errors import Malformed, RulesError, WrongSeatError
from faceup.core.moves import check_move
from faceup.core.registry import nearest
from faceup.core.rules import AnyRules
from faceup.core.values import Action, Outcome, Seat, State
from faceup.core.whole_numbers import whole_number
from faceup.extras import needs
from faceup.games.lanes import (
    AnyArray,
    ArrayPiece,
    StepResult,
    allocate,
    check_array,
    checked_batch,
    locate_error,
    memory_of,
    read_only,
)

with needs("fast", __name__):
    import numpy as np
    import numpy.typing as npt

POLICIES: Final = {"random": 0}
"""The one policy of games without choices and its number; with one legal action, all policies are the same."""

R = TypeVar("R", bound=AnyRules)
S = TypeVar("S", bound=State)
P = TypeVar("P")


class PlayoutOptions(TypedDict, total=False):
    """The arguments of a game's `playouts` that are passed by name."""

    lanes: Required[int]
    seed: Required[int]
    first: int
    jobs: int
    matches: bool


def policy_numbers(
    seats: int, policies: str | Sequence[str], numbers: Mapping[str, int] = POLICIES
) -> npt.NDArray[np.uint8]:
    """Return the number of each seat's policy, uint8 [seats]. A single name is used for all seats.

    Raises:
        Malformed: a policy has no kernel (the message suggests the nearest name), or the number of policies is wrong.
    """
    if isinstance(policies, str):
        policies = [policies]
    check_sequence("policies", policies, "names of policies")
    names: list[object] = [*policies]
    if len(names) not in {1, seats}:
        raise Malformed(
            f"there must be 1 policy, or {seats}, one for each seat; got {len(names)}",
            what=len(names),
            where="policies",
        )
    for name in names:
        if not isinstance(name, str) or name not in numbers:
            raise Malformed(f"no kernel plays policy {name!r}{nearest(name, [*numbers])}", what=name, where="policies")
    return np.resize([numbers[name] for name in policies], seats).astype(np.uint8)


def check_engine_rules(rules: object, accepted: type) -> None:
    """Raise `TypeError` unless an argument is the rules of the engine's game."""
    check_type("rules", rules, accepted, f"the rules of this engine's game ({accepted.__name__})")


class BatchEngine(ABC, Generic[R, S]):
    """A batch of games played step by step. Create it with `reset` or `from_states` of the game's `batch` module.

    All arrays it returns are read-only and change with the next step. Copy what you need to keep.

    Args:
        rules: the rules of all lanes.
        lanes: the number of games, B.
        seed: seed of the chance outcomes; None if the caller provides the outcomes.
        first: the number of the first lane.
        auto_reset: whether a lane restarts in the step in which its game ends; otherwise it keeps the final position.
    """

    RULES: ClassVar[type]
    """The type of the rules."""

    def __init__(self, rules: R, lanes: int, seed: int | None, *, first: int = 0, auto_reset: bool = False) -> None:
        check_engine_rules(rules, self.RULES)
        key, lanes, first = checked_batch(0 if seed is None else seed, lanes, first)
        self.rules = rules
        self.lanes = lanes
        self.seed = None if seed is None else key
        self.auto_reset = auto_reset
        self._first = np.uint64(first)
        self._seed = np.uint64(key)
        observed, internal = self.pieces(rules)
        self._observed = [piece.name for piece in observed]
        self._arrays = allocate((*observed, *internal), lanes)
        self._shown = read_only(self._arrays)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for `pickle` and `copy`, without the read-only views of the arrays."""
        return {name: value for name, value in vars(self).items() if name != "_shown"}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self._shown = read_only(self._arrays)

    @classmethod
    @abstractmethod
    def pieces(cls, rules: R) -> tuple[Sequence[ArrayPiece], Sequence[ArrayPiece]]:
        """List the arrays that `observe` returns, and the other arrays."""

    @classmethod
    def memory(cls, rules: R, lanes: int) -> int:
        """Return the memory of an engine of this many lanes, in bytes."""
        observed, internal = cls.pieces(rules)
        return memory_of((*observed, *internal), lanes)

    @classmethod
    def reset(cls, rules: R, *, lanes: int, seed: int | None, first: int = 0, auto_reset: bool = False) -> Self:
        """Start new games.

        Args:
            rules: any rules of the game.
            lanes: number of games, 1 or more; `memory(rules, lanes)` returns the memory that they need.
            seed: 0 to 2**64 - 1. Lane i gets the chance outcomes of lane `first + i` of the seed, as in `playouts`. If
                the seed is None, the caller must pass the outcomes: at the start if one is due, and whenever no seat is
                to act in an unfinished game.
            first: the number of the first lane.
            auto_reset: whether a lane restarts in the step in which its game ends.

        Raises:
            Malformed: an argument out of range.
        """
        return cls(rules, lanes, seed, first=first, auto_reset=auto_reset).start()

    @classmethod
    def from_states(
        cls, rules: R, states: Sequence[S], *, seed: int | None, first: int = 0, auto_reset: bool = False
    ) -> Self:
        """Continue games from these states, one in each lane. If there is a seed, apply the chance outcomes due.

        Raises:
            Malformed: there are no states, or a state is impossible under these rules; the message names its lane.
        """
        check_sequence("states", states, "states, one for each lane")
        return cls(rules, len(states), seed, first=first, auto_reset=auto_reset).start(states)

    def start(self, states: Iterable[S] = ()) -> Self:
        """Put the states into their lanes; then apply the chance outcomes due, if the engine has a seed.

        Raises:
            Malformed: a state is impossible; the message names the lane of this state.
        """
        for lane, state in enumerate(states):
            self.rules.to_act(state)  # refuses what is no state of these rules
            try:
                self._put(lane, state)
            except Malformed as error:
                raise locate_error(lane, error) from None
        self._start()
        return self

    def restart(self, lanes: npt.NDArray[np.bool_] | None = None) -> None:
        """Start a new game in these lanes, bool [B], by default in every lane with a finished game.

        With `auto_reset`, this is only needed to start new games in place of unfinished ones.

        Raises:
            Malformed: the engine has no seed, or the array has the wrong shape or type.
        """
        if self.seed is None:
            raise Malformed("this engine has no seed and cannot start games", what=self.seed, where="seed")
        if lanes is not None:
            check_array("lanes", lanes, (self.lanes,), (np.bool_,))
        self._restart(self._over() if lanes is None else lanes)

    @abstractmethod
    def outcomes(self, lane: int) -> tuple[Outcome, ...]:
        """Return, in order, the chance outcomes that this lane's last step, reset or call for outcomes applied."""

    @abstractmethod
    def to_state(self, lane: int) -> S:
        """Return the lane as a state of the scalar rules, without its log."""

    @abstractmethod
    def step(self, actions: npt.NDArray[np.int32] | npt.NDArray[np.int16]) -> StepResult:
        """Play one action for each seat to act; then apply the chance outcomes due, if the engine has a seed."""

    @abstractmethod
    def scores(self) -> npt.NDArray[np.int32]:
        """Return the game's points, int32 [B, seats]."""

    @abstractmethod
    def _put(self, lane: int, state: S) -> None:
        """Write a state into a lane after checking it: the inverse of `to_state`."""

    @abstractmethod
    def _start(self) -> None:
        """Apply the chance outcomes due, if the engine has a seed."""

    @abstractmethod
    def _over(self) -> npt.NDArray[np.bool_]:
        """Return which lanes have a finished game: bool [B]."""

    @abstractmethod
    def _restart(self, lanes: npt.NDArray[np.bool_]) -> None:
        """Start a new game in these lanes."""

    def to_act(self) -> npt.NDArray[np.bool_]:
        """Return which seats are to act: bool [B, seats]."""
        return self._shown["acts"]

    def observe(self) -> dict[str, AnyArray]:
        """Return the observation arrays by name, as listed by the game's `observations(rules)`."""
        return {name: self._shown[name] for name in self._observed}

    def _result(self) -> StepResult:
        return StepResult(self._shown["ended"], self._shown["final"])

    def _action_error(self, lane: int, move: dict[Seat, Action]) -> RulesError:
        """Return the scalar rules' error for an illegal move in this lane, with the lane's number."""
        try:
            check_move(self.rules, self.to_state(lane), move)
        except RulesError as error:
            return locate_error(lane, error)
        return WrongSeatError(f"lane {lane}: no seat is to act")

    def _require_seed(self, missing: str) -> None:
        """Raise `Malformed` if the engine has no seed; the message asks for the missing argument."""
        if self.seed is None:
            raise Malformed(f"this engine has no seed: pass the {missing}", where=missing)

    def _checked(self, lane: int) -> int:
        return whole_number("lane", lane, 0, self.lanes - 1)


class ChanceEngine(BatchEngine[R, S]):
    """A batch of games without choices, played step by step."""

    @abstractmethod
    def _clear(self, lanes: npt.NDArray[np.bool_]) -> None:
        """Put new games into these lanes."""

    @abstractmethod
    def _choose(self) -> None:
        """Play action 0 in every lane in which seats are to act."""

    @abstractmethod
    def _check_outcomes(self, outcomes: npt.NDArray[np.uint8]) -> None:
        """Raise `Malformed` if the outcomes have another shape or type, or are not possible where they are due."""

    @abstractmethod
    def _settle(self, outcomes: npt.NDArray[np.uint8] | None) -> None:
        """Apply the chance outcomes due: these, or those of the seed."""

    @abstractmethod
    def _close(self, before: npt.NDArray[np.bool_]) -> None:
        """Update what follows from the lanes' games; `before` has the games that were over before this step."""

    def _apply(self, name: str, outcomes: npt.NDArray[np.uint8] | None) -> StepResult:
        """Apply the chance outcomes due: the caller's argument of this name, or those of the seed."""
        if outcomes is None:
            self._require_seed(name)
        else:
            self._check_outcomes(outcomes)
        before = self._over()
        self._settle(outcomes)
        self._close(before)
        return self._result()

    def _start(self) -> None:
        before = self._over()
        if self.seed is not None:
            self._settle(None)
        self._close(before)

    def _restart(self, lanes: npt.NDArray[np.bool_]) -> None:
        self._clear(lanes)
        self._start()

    def mask(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions of every seat: bool [B, seats, 1]; none for a seat that is not to act."""
        return self._shown["acts"][:, :, np.newaxis]

    def scores(self) -> npt.NDArray[np.int32]:
        """Return the game's points, int32 [B, seats]."""
        return self._shown["scores"]

    def step(self, actions: npt.NDArray[np.int32] | npt.NDArray[np.int16]) -> StepResult:
        """Play action 0 for every seat to act; then apply the chance outcomes due, if the engine has a seed.

        Args:
            actions: int16 or int32 [B, seats]; -1 for a seat that is not to act.

        Raises:
            Malformed: the array has the wrong shape or type.
            WrongSeatError: a seat that is not to act has an action, or a seat to act has none. The message has the
                lane.
            IllegalActionError: an action is not 0. The message has the lane, the seat and the legal actions.

        After an error, no lane has changed.
        """
        acts = self._arrays["acts"]
        check_array("actions", actions, acts.shape, (np.int16, np.int32))
        wrong = (actions != acts - np.int16(1)).any(axis=1)
        if wrong.any():
            lane = int(np.flatnonzero(wrong)[0])
            move = {seat: action for seat, action in enumerate(actions[lane].tolist()) if action != -1}
            raise self._action_error(lane, move)
        before = self._over()
        self._choose()
        if self.seed is not None:
            self._settle(None)
        self._close(before)
        return self._result()


class ChanceTrace(NamedTuple, Generic[P]):
    """Playouts of a game without choices, whose moves can be replayed.

    Attributes:
        playouts: the results.
        final: int32 [B, seats]: the final points.
        engine: function from a lane to an engine that has only this lane's game, at its start.
    """

    playouts: P
    final: npt.NDArray[np.int32]
    engine: Callable[[int], ChanceEngine[Any, Any]]  # Any: an engine of the game

    def scores(self) -> npt.NDArray[np.int32]:
        """Return the final points: int32 [B, seats]."""
        return self.final

    def moves(self, lane: int) -> Iterator[Outcome | dict[Seat, Action]]:
        """Yield the moves that replay this lane's game under the scalar rules."""
        engine = self.engine(lane)
        yield from engine.outcomes(0)
        while engine.to_act().any():
            yield dict.fromkeys(range(engine.rules.seats), 0)
            engine.step(np.zeros((1, engine.rules.seats), np.int32))
            yield from engine.outcomes(0)

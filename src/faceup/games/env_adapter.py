"""Adapters between the batch engines and learning environments: masks, samples, rewards and observations of all lanes.

This module imports numba and numpy; only batch engines import it.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, Generic, TypeVar

from faceup.core.observation import observation_spec
from faceup.core.values import State
from faceup.extras import needs
from faceup.games.batch_base import BatchEngine, ChanceEngine
from faceup.games.lanes import AnyArray, Array, Word, kernel, mix

with needs("fast", __name__):
    import numpy as np
    import numpy.typing as npt

BY_CALLER: Final = 255
"""The number of a seat's policy if the caller chooses its actions."""

KINDS: Final = ("points", "relative", "place", "win")
"""The rewards, indexed by their numbers in the kernels; `points` has another name in each game."""


@kernel
def fill_rewards(
    kind: Word, better: Word, before: Array, scores: Array, ranked: Array, ended: Array, seats: Array, rewards: Array
) -> None:
    """Write the rewards of these seats, as `faceup.envs.rewards` defines them.

    Args:
        kind: the index of the reward in `KINDS`.
        better: 1 if more points are better, -1 if fewer are.
        before: the points before the step, int32 [B, seats].
        scores: the points after the step, int32 [B, seats].
        ranked: numbers that rank the seats, the lowest first, int64 [B, seats].
        ended: whether the game ended, bool [B].
        seats: the seats that are rewarded.
        rewards: float64 [B, len(seats)].
    """
    count = ranked.shape[1]
    others = np.float64(max(count - 1, 1))
    for lane in range(len(ended)):
        total = 0.0
        best, first = ranked[lane, 0], 0
        if kind == 1:
            for seat in range(count):
                total += better * (scores[lane, seat] - before[lane, seat])
        elif kind == 3 and ended[lane]:
            for seat in range(count):
                if ranked[lane, seat] < best:
                    best, first = ranked[lane, seat], 0
                first += ranked[lane, seat] == best
        for index in range(len(seats)):
            seat = seats[index]
            if kind <= 1:
                gain = np.float64(better * (scores[lane, seat] - before[lane, seat]))
                rewards[lane, index] = gain - (total - gain) / others if kind == 1 else gain
                continue
            reward = 0.0
            if ended[lane] and kind == 3:
                reward = 1.0 / first if ranked[lane, seat] == best else 0.0
            elif ended[lane]:
                for other in range(count):
                    reward += ranked[lane, other] > ranked[lane, seat]
                    reward -= ranked[lane, other] < ranked[lane, seat]
                reward /= others
            rewards[lane, index] = reward


E_co = TypeVar("E_co", bound=BatchEngine[Any, Any], covariant=True)  # Any: engines of any game
C_co = TypeVar("C_co", bound=ChanceEngine[Any, Any], covariant=True)  # Any: engines of any game without choices


class EnvAdapter(ABC, Generic[E_co]):
    """An engine with what a learning environment needs besides it.

    In all methods, `seats` are the seats concerned, uint64 [K], and B is the number of lanes.

    Args:
        engine: the engine; it starts its games from a seed, and does not restart them by itself.

    Attributes:
        BY_CALLER: the number of a seat's policy if the caller chooses its actions.
    """

    BY_CALLER: ClassVar[int] = BY_CALLER

    def __init__(self, engine: E_co) -> None:
        self.engine = engine
        self._better = observation_spec(engine.rules).points.better
        self._before = engine.scores().copy()
        self._unranked = np.zeros(self._before.shape, np.int64)

    @abstractmethod
    def choose(self, policies: npt.NDArray[np.uint8], key: int, moves: npt.NDArray[np.int32]) -> None:
        """Write the actions of the seats that a policy with a kernel plays, -1 for those that are not to act.

        Args:
            policies: the number of each seat's policy in each lane, uint8 [B, seats], or `BY_CALLER`, for which nothing
                is written.
            key: a random number below 2**63, another one for each step.
            moves: int32 [B, seats].
        """

    @abstractmethod
    def write(self, encoding: str, seats: AnyArray, lanes: AnyArray, slots: AnyArray, out: AnyArray) -> None:
        """Write the observations of these seats in these lanes.

        Args:
            encoding: the name of the encoding.
            seats: the observing seats.
            lanes: the lanes to observe, uint64.
            slots: for each of these lanes, the index in `out`, uint64.
            out: float32 or uint8 [..., len(seats), size], as the encoding has it.
        """

    def step(self, moves: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Play legal moves, int32 [B, seats], and return in which lanes the game ended, bool [B], as a copy."""
        self._before[:] = self.engine.scores()
        return self.engine.step(moves).ended.copy()

    def restart(self, lanes: npt.NDArray[np.bool_]) -> None:
        """Start a new game in these lanes, bool [B]."""
        self.engine.restart(lanes)

    def state(self, lane: int) -> State:
        """Return the lane as a state of the scalar rules, with as much of the history as views need."""
        state: State = self.engine.to_state(lane)
        return state

    def ranked(self) -> npt.NDArray[np.int64]:
        """Return numbers that rank the seats at the end of a game, the lowest first: int64 [B, seats]."""
        return -self._better * self.engine.scores().astype(np.int64)

    @abstractmethod
    def masks(self, seats: AnyArray, out: npt.NDArray[np.int8]) -> None:
        """Write which actions are legal, with `wait` as the last action: int8 [B, K, actions + 1]."""

    @abstractmethod
    def fit(
        self,
        actions: npt.NDArray[np.int64],
        seats: AnyArray,
        moves: npt.NDArray[np.int32],
        played: npt.NDArray[np.int64],
    ) -> int:
        """Write the moves for the given actions, int64 [B, K], and replace illegal actions by the lowest legal ones.

        `played`, int64 [B, K], receives the actions that are played.

        Returns:
            The number of the first action that is out of range, counted over all lanes and seats, or -1.
        """

    @abstractmethod
    def sample(self, key: int, seats: AnyArray) -> npt.NDArray[np.int64]:
        """Return a random legal action for each of these seats, `wait` if it is not to act: int64 [B, K]."""

    def rewards(self, kind: str, ended: npt.NDArray[np.bool_], seats: AnyArray, out: npt.NDArray[np.float64]) -> None:
        """Write the rewards of the last step, float64 [B, K]. Call it before the lanes that ended restart.

        Args:
            kind: one of `KINDS`.
            ended: in which lanes the game ended in this step.
            seats: the seats that are rewarded.
            out: receives the rewards.
        """
        number, scores = KINDS.index(kind), self.engine.scores()
        ranked = self.ranked() if kind in {"place", "win"} and ended.any() else self._unranked
        fill_rewards(number, self._better, self._before, scores, ranked, ended, seats, out)


def hashed(key: int) -> Any:  # noqa: ANN401 -- numpy's unsigned integer, as kernels get it
    """Return a key of random words from a random number below 2**63."""
    return np.uint64(mix(np.uint64(key)))


class ChanceEnvAdapter(EnvAdapter[C_co]):
    """Adapter between an engine and learning environments, for games without choices."""

    def __init__(self, engine: C_co) -> None:
        super().__init__(engine)
        self._pieces = observation_spec(engine.rules).public(engine.rules)

    def choose(self, policies: npt.NDArray[np.uint8], key: int, moves: npt.NDArray[np.int32]) -> None:
        """Write action 0 for the seats to act that a policy plays, and -1 for those that are not to act."""
        del key
        chosen = self.engine.to_act().astype(np.int32) - 1
        np.copyto(moves, chosen, where=policies != BY_CALLER)

    def masks(self, seats: AnyArray, out: npt.NDArray[np.int8]) -> None:
        """Write the masks of action 0 and `wait`."""
        out[:, :, 0] = self.engine.to_act()[:, seats]
        out[:, :, 1] = 1 - out[:, :, 0]

    def fit(
        self,
        actions: npt.NDArray[np.int64],
        seats: AnyArray,
        moves: npt.NDArray[np.int32],
        played: npt.NDArray[np.int64],
    ) -> int:
        """Write the only possible moves, unless an action is out of range."""
        wrong = (actions < 0) | (actions > 1)
        if wrong.any():
            return int(wrong.argmax())
        played[:] = self.sample(0, seats)
        moves[:, seats] = -played
        return -1

    def sample(self, key: int, seats: AnyArray) -> npt.NDArray[np.int64]:
        """Return the only legal action of each of these seats."""
        del key
        return 1 - self.engine.to_act()[:, seats].astype(np.int64)

    def write(self, encoding: str, seats: AnyArray, lanes: AnyArray, slots: AnyArray, out: AnyArray) -> None:
        """Write the observations of these seats in these lanes; these games have only the encoding `scalars`."""
        del encoding
        numbers = self.numbers()
        for index, seat in enumerate(seats.tolist()):
            at = 0
            for piece in self._pieces:
                part = numbers[piece.name][lanes]
                if piece.seat_axis is not None:
                    part = np.roll(part, -seat, axis=1 + piece.seat_axis)
                part = part.reshape(len(lanes), -1) * np.float32(1 / piece.high)
                out[slots, index, at : at + part.shape[1]] = part
                at += part.shape[1]

    @abstractmethod
    def numbers(self) -> dict[str, AnyArray]:
        """Return the pieces of the game's observation, [B, ...] each."""

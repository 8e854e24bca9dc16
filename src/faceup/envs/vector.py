"""One seat in each of many games at a time, as Gymnasium has it, on the batch engines."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from faceup.core import Malformed, Seat, find_game, make
from faceup.core.registry import OptionValue
from faceup.envs.names import env_id
from faceup.envs.observing import Floats, numbers_of, observer
from faceup.envs.rewards import reward as reward_of
from faceup.games.batches import find_batch

Infos = dict[str, Any]  # Any: arrays of several types


class Vector(VectorEnv[Floats, NDArray[np.integer[Any]], NDArray[Any]]):
    """Many games as a Gymnasium vector environment. See `vector_env`.

    Attributes:
        rules: what is played.
        reward: how the seat is rewarded, with its bounds.
        wait: the action of the seat where it is not asked, the one after the game's own.
    """

    def __init__(
        self,
        spec: str,
        *,
        num_envs: int,
        seat: Seat = 0,
        opponents: str | Sequence[str] = "random",
        reward: str | None = None,
        **options: OptionValue,
    ) -> None:
        self.rules = make(spec, **options)
        seats = self.rules.seats
        if not 0 <= seat < seats:
            raise Malformed(f"seats are 0 to {seats - 1}, not {seat}", what=seat, where="seat")
        others = [opponents] * (seats - 1) if isinstance(opponents, str) else [*opponents]
        if len(others) != seats - 1:
            raise Malformed(
                f"{seats - 1} opponents, one for each other seat, not {len(others)}", what=opponents, where="opponents"
            )
        self.seat = seat
        self.num_envs = num_envs
        self.reward = reward_of(self.rules, reward)
        self.wait = self.rules.bounds.actions
        self.metadata = {
            "name": env_id(self.rules, self.reward.name),
            "render_modes": [],
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self._batch = find_batch(find_game(self.rules.game))
        self._policies = [*others[:seat], self._batch_policy(), *others[seat:]]
        self._observer = observer(self.rules)
        self._better = numbers_of(self.rules).points.better
        self._deal(0)  # refuses what is off before anything is played
        self._ready = False
        self.single_observation_space = self._observer.space
        self.observation_space = batch_space(self._observer.space, num_envs)
        self.single_action_space = Discrete(self.wait + 1)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _batch_policy(self) -> str:
        """A policy that stands in for the learner, whose own actions replace what it chooses."""
        names: list[str] = list(self._batch.POLICIES)
        return names[0]

    def _deal(self, seed: int) -> None:
        self._engine = self._batch.reset(self.rules, lanes=self.num_envs, seed=seed)
        self._learning = self._batch.Learning(self._engine, self._policies)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, Infos]:
        """Begin anew everywhere: what chance and the others do follows from the seed, if there is one."""
        del options
        super().reset(seed=seed)
        self._deal(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._ready = True
        return self._observed(), {"action_mask": self._masked()}

    def step(self, actions: NDArray[np.integer[Any]]) -> tuple[Floats, NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """Play one joint decision in every game, and what chance does after it; games that end begin anew.

        An action that is not legal is replaced by the lowest legal one, which the infos then have as `replaced`.

        Raises:
            Malformed: not yet reset; or not one action of the action space for each game.
        """
        if not self._ready:
            raise Malformed("reset the environment first", where="step")
        engine = self._engine
        infos: Infos = {}
        played, replaced = self._fitted(actions)
        if replaced.any():
            infos = {"replaced": np.where(replaced, played, 0), "_replaced": replaced}
        words = self.np_random.integers(2**57, size=(self.num_envs, self.rules.seats), dtype=np.uint64)
        moves = self._learning.choices(words)
        asked = played != self.wait
        moves[asked, self.seat] = played[asked]
        self._learning.note_moves(moves)
        before = engine.scores().copy()
        ended = engine.step(moves).ended.copy()
        self._learning.note_deals()
        rewards = self._rewarded(before, ended)
        if ended.any():
            infos["final_obs"] = np.full(self.num_envs, None, dtype=object)
            final = {name: numbers[ended] for name, numbers in self._learning.numbers().items()}
            for lane, sight in zip(np.flatnonzero(ended), self._observer.lanes(final, self.seat), strict=True):
                infos["final_obs"][lane] = sight
            infos["final_info"] = {"scores": engine.scores().copy(), "_scores": ended}
            infos["_final_obs"], infos["_final_info"] = ended, ended
            engine.restart()
            self._learning.note_deals()
        infos["action_mask"] = self._masked()
        return self._observed(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _fitted(self, actions: object) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The actions that are played, and where they are other ones than were given."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise Malformed(
                f"actions are {self.num_envs} whole numbers, not {given.dtype} {list(given.shape)}",
                what=actions,
                where="actions",
            )
        wrong = (given < 0) | (given > self.wait)
        if wrong.any():
            lane = int(wrong.argmax())
            raise Malformed(
                f"game {lane}: {given[lane]} is not an action: actions are 0 to {self.wait}",
                what=int(given[lane]),
                where=f"game {lane}",
            )
        masks = self._masks
        replaced = ~masks[np.arange(self.num_envs), given]
        return np.where(replaced, masks.argmax(axis=1), given).astype(np.int32), replaced

    def _masked(self) -> NDArray[np.bool_]:
        masks = np.empty((self.num_envs, self.wait + 1), np.bool_)
        masks[:, : self.wait] = self._engine.mask()[:, self.seat]
        masks[:, self.wait] = ~self._engine.to_act()[:, self.seat]
        self._masks = masks
        return masks.copy()

    def _rewarded(self, before: NDArray[np.int32], ended: NDArray[np.bool_]) -> NDArray[np.float64]:
        """As `Reward.between` has it, for the seat in every game."""
        rewards = np.zeros(self.num_envs)
        if self.reward.name in {"place", "win"}:  # which come at the end, and follow from more than points
            for lane in np.flatnonzero(ended).tolist():
                state = self._engine.to_state(lane)
                rewards[lane] = self.reward.between(state, state)[self.seat]
            return rewards
        gains = self._better * (self._engine.scores() - before).astype(np.float64)
        rewards += gains[:, self.seat]
        if self.reward.name == "relative":
            rewards -= (gains.sum(axis=1) - gains[:, self.seat]) / max(self.rules.seats - 1, 1)
        return rewards

    def _observed(self) -> Floats:
        return self._observer.lanes(self._learning.numbers(), self.seat)


def vector_env(
    spec: str,
    *,
    num_envs: int,
    seat: Seat = 0,
    opponents: str | Sequence[str] = "random",
    reward: str | None = None,
    **options: OptionValue,
) -> gymnasium.vector.VectorEnv[Floats, NDArray[np.integer[Any]], NDArray[Any]]:
    """One seat in each of many games, against built-in policies, as a Gymnasium `VectorEnv`.

    A step is one joint decision in every game. Where it is another seat's alone, as when that seat takes a row in
    6 nimmt!, the seat waits: its mask is true for `wait` only, the action after the game's own. A game that ends
    begins anew in the same step (`AutoresetMode.SAME_STEP`); the infos then have its `final_obs`.

    Args:
        spec: the game, its variant and options, as `faceup.core.make` reads them.
        num_envs: how many games.
        seat: whose decisions are asked for.
        opponents: the names of policies that kernels play, one for all other seats or one for each.
        reward: one of `reward_names(rules)`; the game's points unless given.
        options: more options of the game, such as `seats`.

    Raises:
        Malformed: any of these is off, or the game has no batch engine.

    >>> env = vector_env("nimmt:cowheadking", num_envs=64, seats=3, opponents=["greedy", "random"])
    >>> observations, infos = env.reset(seed=7)
    >>> observations.shape, infos["action_mask"].shape
    ((64, 286), (64, 109))
    """
    return Vector(spec, num_envs=num_envs, seat=seat, opponents=opponents, reward=reward, **options)

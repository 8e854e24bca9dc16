"""A Gymnasium vector environment of one seat in many parallel games, which the batch engines run."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from faceup.core import Malformed, Seat, find_game, make
from faceup.core.registry import OptionValue
from faceup.envs.episode import assign_opponents
from faceup.envs.observation import Floats, observation_spec, observer
from faceup.envs.registration import env_id
from faceup.envs.rewards import reward as reward_of
from faceup.games.batch_engines import load_batch_engine

Infos = dict[str, Any]  # Any: arrays of several types


class ManyGamesEnv(VectorEnv[Floats, NDArray[np.integer[Any]], NDArray[Any]]):
    """A Gymnasium `VectorEnv` of one seat in many games, against built-in policies.

    A step is one joint decision in every game. If the seat is not to act in a game, for example because another seat
    chooses a row in 6 nimmt!, the seat's mask is true only for `wait`. A game that ends restarts in the same step
    (`AutoresetMode.SAME_STEP`), and `final_obs` in the infos then holds its last observation.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        num_envs: the number of games.
        seat: the seat of the learner.
        opponents: names of policies with kernels: one name for all other seats, or one for each of them.
        reward: one of `reward_names(rules)`, by default the game's points.
        options: more options of the game, such as `seats`.

    Attributes:
        rules: the rules of the game.
        reward: the reward of the seat, with its bounds.
        wait: the action in games in which the seat is not to act. Its value equals the number of the game's actions.

    Raises:
        Malformed: an argument is invalid, or the game has no batch engine.

    >>> env = ManyGamesEnv("nimmt:cowheadking", num_envs=64, seats=3, opponents=["greedy", "random"])
    >>> observations, infos = env.reset(seed=7)
    >>> observations.shape, infos["action_mask"].shape
    ((64, 286), (64, 109))
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
        others = assign_opponents(self.rules, seat, opponents)
        self.seat = seat
        self.num_envs = num_envs
        self.reward = reward_of(self.rules, reward)
        self.wait = self.rules.bounds.actions
        self.metadata = {
            "name": env_id(self.rules, self.reward.name),
            "render_modes": [],
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self._batch = load_batch_engine(find_game(self.rules.game))
        placeholder = next(iter(self._batch.POLICIES))  # the learner's actions replace its choices
        self._policies = [*others[:seat], placeholder, *others[seat:]]
        self._observer = observer(self.rules)
        self._better = observation_spec(self.rules).points.better
        self._deal(0)  # validates the arguments
        self._ready = False
        self.single_observation_space = self._observer.space
        self.observation_space = batch_space(self._observer.space, num_envs)
        self.single_action_space = Discrete(self.wait + 1)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _deal(self, seed: int) -> None:
        self._engine = self._batch.reset(self.rules, lanes=self.num_envs, seed=seed)
        self._learning = self._batch.EnvAdapter(self._engine, self._policies)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, Infos]:
        """Restart all games. A seed determines chance and the opponents."""
        del options
        super().reset(seed=seed)
        self._deal(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._ready = True
        return self._observed(), {"action_mask": self._masked()}

    def step(self, actions: NDArray[np.integer[Any]]) -> tuple[Floats, NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """Play one joint decision and the outcomes of chance after it in every game. Games that end restart.

        An illegal action is replaced by the lowest legal action, which the infos then hold as `replaced`.

        Raises:
            Malformed: `reset` was not called, or `actions` does not hold one action of the action space for each game.
        """
        if not self._ready:
            raise Malformed("the environment must be reset first", where="step")
        engine = self._engine
        infos: Infos = {}
        played, replaced = self._fitted(actions)
        if replaced.any():
            infos = {"replaced": np.where(replaced, played, 0), "_replaced": replaced}
        words = self.np_random.integers(2**57, size=(self.num_envs, self.rules.seats), dtype=np.uint64)
        moves = self._learning.choices(words)
        asked = played != self.wait
        moves[asked, self.seat] = played[asked]
        self._learning.record_moves(moves)
        before = engine.scores().copy()
        ended = engine.step(moves).ended.copy()
        self._learning.reset_history()
        rewards = self._rewarded(before, ended)
        if ended.any():
            infos["final_obs"] = np.full(self.num_envs, None, dtype=object)
            final = {name: numbers[ended] for name, numbers in self._learning.numbers().items()}
            for lane, sight in zip(np.flatnonzero(ended), self._observer.lanes(final, self.seat), strict=True):
                infos["final_obs"][lane] = sight
            infos["final_info"] = {"scores": engine.scores().copy(), "_scores": ended}
            infos["_final_obs"], infos["_final_info"] = ended, ended
            engine.restart()
            self._learning.reset_history()
        infos["action_mask"] = self._masked()
        return self._observed(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _fitted(self, actions: object) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the actions to play, and a mask of the games in which the action replaces the given action."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise Malformed(
                f"actions must be {self.num_envs} whole numbers; got {given.dtype} {list(given.shape)}",
                what=actions,
                where="actions",
            )
        wrong = (given < 0) | (given > self.wait)
        if wrong.any():
            lane = int(wrong.argmax())
            raise Malformed(
                f"the action in game {lane} must be 0 to {self.wait}; got {given[lane]}",
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
        """Return the seat's reward in every game, as `Reward.between` defines it."""
        rewards = np.zeros(self.num_envs)
        if self.reward.name in {"place", "win"}:  # these rewards come at the end, and depend on more than points
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


vector_env = ManyGamesEnv

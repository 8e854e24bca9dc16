"""A Gymnasium vector environment of one seat or all seats in many parallel games, which the batch engines run."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from faceup.core import Malformed, Seat, find_game
from faceup.core.registry import OptionValue, make_with_keywords
from faceup.envs.episode import MODES, assign_opponents, check_render_mode, refuse_options, render
from faceup.envs.observation import SCALARS, Numbers, observer
from faceup.envs.opponents import Opponent, Opponents, Pool
from faceup.envs.registration import env_id
from faceup.envs.rewards import reward as reward_of
from faceup.envs.rewards import reward_names
from faceup.games.batch_engines import load_batch_engine

Infos = dict[str, Any]  # Any: arrays of several types


class ManyGamesEnv(VectorEnv[Numbers, NDArray[np.integer[Any]], NDArray[Any]]):
    """A Gymnasium `VectorEnv` of many games, in which one seat or every seat is an agent.

    A step is one joint decision in every game. If a seat is not to act in a game, for example because another seat
    chooses a row in 6 nimmt!, the seat's mask allows only `wait`. A game that ends restarts in the same step
    (`AutoresetMode.SAME_STEP`), and the infos then hold its last observation.

    With one agent, all arrays are `[num_envs, ...]`. With all seats as agents, observations, masks, actions and rewards
    are `[num_envs, seats, ...]`.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        num_envs: the number of games.
        agents: "one" for one learner against opponents, or "all" for self-play.
        seat: the seat of the one learner.
        opponents: one opponent for all other seats, or a list with one for each other seat. An opponent is the name
            of a bot, a function from observations and masks to actions, or a `faceup.envs.Pool` of these. By default
            `random`.
        reward: one of `reward_names(rules)`, by default the game's points.
        encoding: one of `encoding_names(rules)`.
        copy: whether every step returns new arrays. Without, a step overwrites the observations, masks, rewards and
            final observations of the last step, which saves time.
        render_mode: `ansi`, `svg` or `rgb_array`.
        options: more options of the game, such as `seats`.

    Attributes:
        rules: the rules of the game.
        reward: the reward of a seat, with its bounds.
        wait: the action in games in which a seat is not to act. Its value equals the number of the game's actions.

    Raises:
        Malformed: an argument is invalid, or the game has no batch engine.
        TypeError: the game has no option of this name.

    >>> env = ManyGamesEnv("nimmt:cowheadking", num_envs=64, seats=3, opponents=["greedy", "random"])
    >>> observations, infos = env.reset(seed=7)
    >>> observations.shape, infos["action_mask"].shape
    ((64, 286), (64, 109))
    >>> env = ManyGamesEnv("nimmt:cowheadking", num_envs=64, seats=3, agents="all", encoding="ids")
    >>> observations, infos = env.reset(seed=7)
    >>> observations.shape, infos["action_mask"].shape, env.sample_legal().shape
    ((64, 3, 205), (64, 3, 109), (64, 3))
    """

    def __init__(
        self,
        spec: str,
        *,
        num_envs: int,
        agents: Literal["one", "all"] = "one",
        seat: Seat = 0,
        opponents: Opponent | Sequence[Opponent] | None = None,
        reward: str | None = None,
        encoding: str = SCALARS,
        copy: bool = True,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        self.rules = make_with_keywords(spec, options)
        self.num_envs, self.agents, self.seat, self.copy = num_envs, agents, seat, copy
        self.reward = reward_of(self.rules, reward)
        self.wait = self.rules.bounds.actions
        self.render_mode = render_mode
        self.metadata = {
            "name": env_id(self.rules, self.reward.name),
            "render_modes": [mode for mode in MODES if mode != "human"],
            "render_fps": 1,
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        check_render_mode(render_mode, self.metadata["render_modes"])
        self._observer = observer(self.rules, encoding)
        learners = self._seat_agents(opponents)
        others = [other for other in range(self.rules.seats) if other not in learners]
        self._learners = np.array(learners, np.uint64)
        opponent_list = self._others(opponents)
        self._deal(0)  # validates the number of games
        self._opponents = Opponents(
            self.rules, self._batch, opponent_list, seats=others, lanes=num_envs, encoding=encoding
        )
        self._ready = False
        self._everywhere = np.arange(num_envs, dtype=np.uint64)
        self._moves = np.empty((num_envs, self.rules.seats), np.int32)
        self._buffers: dict[str, NDArray[Any]] = {}
        seats = self.rules.seats
        space, choice = self._observer.space, Discrete(self.wait + 1)
        self.single_observation_space = space if agents == "one" else batch_space(space, seats)
        self.single_action_space = choice if agents == "one" else MultiDiscrete([self.wait + 1] * seats)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _seat_agents(self, opponents: object) -> list[Seat]:
        """Return the seats of the agents, after checking the arguments that choose them."""
        if self.agents not in {"one", "all"}:
            raise Malformed(f'agents must be "one" or "all"; got {self.agents!r}', what=self.agents, where="agents")
        if self.agents == "one":
            return [self.seat]
        if opponents is not None or self.seat:
            raise Malformed(
                "with all seats as agents, there is neither a seat nor an opponent to choose",
                what=opponents if opponents is not None else self.seat,
                where="opponents" if opponents is not None else "seat",
            )
        return [*range(self.rules.seats)]

    def _others(self, opponents: Opponent | Sequence[Opponent] | None) -> list[Opponent]:
        """Return the opponent in each seat that is not an agent."""
        if self.agents == "all":
            return []
        if isinstance(opponents, Sequence) and not isinstance(opponents, (str, Pool)):
            return assign_opponents(self.rules, self.seat, opponents)  # type: ignore[arg-type]  # it only counts them
        others = len(assign_opponents(self.rules, self.seat, "random"))
        return ["random" if opponents is None else opponents] * others

    @property
    def _batch(self) -> Any:  # noqa: ANN401 -- a module, see `faceup.games.batch_law`
        return load_batch_engine(find_game(self.rules.game))

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for `pickle` and `copy`, with a name in place of the reward, which holds functions."""
        return {**vars(self), "reward": self.reward.name, "_buffers": {}}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self.reward = reward_of(self.rules, attributes["reward"])

    def _deal(self, seed: int) -> None:
        batch = self._batch
        self._adapter = batch.EnvAdapter(batch.reset(self.rules, lanes=self.num_envs, seed=seed))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Numbers, Infos]:
        """Restart all games. A seed determines chance and the opponents.

        Raises:
            Malformed: there are options.
        """
        refuse_options(options)
        super().reset(seed=seed)
        self._deal(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._opponents.start(np.ones(self.num_envs, np.bool_), self.np_random)
        self._ready = True
        return self._observed(), {"action_mask": self._masked()}

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Numbers, NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """Play one joint decision and the outcomes of chance after it in every game. Games that end restart.

        An illegal action is replaced by the lowest legal action, which the infos then hold as `replaced`.

        Args:
            actions: whole numbers, `[num_envs]` for one agent, `[num_envs, seats]` for all.

        Returns:
            Observations, rewards, terminations `[num_envs]`, truncations `[num_envs]`, and infos with `action_mask`. In
            a step in which games end, the infos also have `final_obs`, of which only the rows of these games are
            meaningful, and `final_info` with the `scores` of all seats; `_final_obs` marks these games.

        Raises:
            Malformed: `reset` was not called, or `actions` does not hold one action of the action space for each agent.
        """
        if not self._ready:
            raise Malformed("the environment must be reset first", where="step")
        adapter, moves = self._adapter, self._moves
        infos: Infos = self._fit(actions)
        if self.agents == "one":
            self._opponents.choose(adapter, moves)
            adapter.choose(self._opponents.policies, int(self.np_random.integers(2**63)), moves)
        ended = adapter.step(moves)
        rewards = self._array("rewards", (), np.float64)
        adapter.rewards(self._kind, ended, self._learners, rewards)
        if ended.any():
            lanes = np.flatnonzero(ended).astype(np.uint64)
            final = self._array("final_obs", (self._observer.size,), self._observer.dtype, zeros=True)
            adapter.write(self._observer.encoding, self._learners, lanes, lanes, final)
            infos["final_obs"], infos["_final_obs"] = self._shaped(final), ended
            infos["final_info"] = {"scores": adapter.engine.scores().copy(), "_scores": ended}
            infos["_final_info"] = ended
            adapter.restart()
            self._opponents.start(ended, self.np_random)
        infos["action_mask"] = self._masked()
        return self._observed(), self._shaped(rewards), ended, np.zeros(self.num_envs, np.bool_), infos

    @property
    def _kind(self) -> str:
        return "points" if self.reward.name == reward_names(self.rules)[0] else self.reward.name

    def sample_legal(self, rng: np.random.Generator | None = None) -> NDArray[np.int64]:
        """Return a random legal action for each agent, `wait` for one that is not to act; all are equally probable.

        Args:
            rng: the generator; by default that of the environment, which `reset` seeds.

        Raises:
            Malformed: `reset` was not called.
        """
        if not self._ready:
            raise Malformed("the environment must be reset first", where="sample_legal")
        key = int((rng or self.np_random).integers(2**63))
        actions: NDArray[np.int64] = self._shaped(self._adapter.sample(key, self._learners))
        return actions

    def _array(self, name: str, shape: tuple[int, ...], dtype: Any, *, zeros: bool = False) -> NDArray[Any]:  # noqa: ANN401 -- a numpy type
        """Return an array `[num_envs, agents, *shape]`: a new one, or without `copy` the one of the last step."""
        buffer = self._buffers.get(name)
        if buffer is None:
            make = np.zeros if zeros else np.empty
            buffer = make((self.num_envs, len(self._learners), *shape), dtype)
            if not self.copy:
                self._buffers[name] = buffer
        return buffer

    def _shaped(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the array without the axis of agents if there is one agent."""
        return array[:, 0] if self.agents == "one" else array

    def _fit(self, actions: object) -> Infos:
        """Write the agents' moves, and return infos about the actions that were replaced."""
        numbers = np.asarray(actions)
        shape = (self.num_envs,) if self.agents == "one" else (self.num_envs, self.rules.seats)
        if numbers.shape != shape or numbers.dtype.kind not in "iu":
            raise Malformed(
                f"actions must be {' x '.join(map(str, shape))} whole numbers; "
                f"got {numbers.dtype} {list(numbers.shape)}",
                what=actions,
                where="actions",
            )
        requested = numbers.astype(np.int64, copy=False).reshape(self.num_envs, -1)
        played = np.empty_like(requested)
        wrong = self._adapter.fit(requested, self._learners, self._moves, played)
        if wrong >= 0:
            lane, agent = divmod(wrong, len(self._learners))
            raise Malformed(
                f"the action in game {lane} must be 0 to {self.wait}; got {requested[lane, agent]}",
                what=int(requested[lane, agent]),
                where=f"game {lane}",
            )
        replaced = played != requested
        if not replaced.any():
            return {}
        return {"replaced": self._shaped(np.where(replaced, played, 0)), "_replaced": self._shaped(replaced)}

    def _masked(self) -> NDArray[np.int8]:
        masks = self._array("masks", (self.wait + 1,), np.int8)
        self._adapter.masks(self._learners, masks)
        return self._shaped(masks)

    def _observed(self) -> Numbers:
        seen = self._array("observations", (self._observer.size,), self._observer.dtype)
        self._adapter.write(self._observer.encoding, self._learners, self._everywhere, self._everywhere, seen)
        return self._shaped(seen)

    def render(self) -> tuple[Any, ...] | None:
        """Return a picture or text of every game, as the one agent sees it; as a spectator does if all are agents."""
        if self.render_mode is None or not self._ready:
            return None
        names = tuple(f"seat_{seat}" for seat in range(self.rules.seats))
        viewer = self.seat if self.agents == "one" else None
        states = [self._adapter.state(lane) for lane in range(self.num_envs)]
        views = [self.rules.view(state, viewer) for state in states]
        return tuple(render(self.rules, view, names, self.render_mode) for view in views)


vector_env = ManyGamesEnv

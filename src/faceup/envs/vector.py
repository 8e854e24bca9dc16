"""A Gymnasium vector environment of one seat or all seats in many parallel games, which the batch engines run."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from faceup.core import Malformed, Seat, find_game, plural
from faceup.core.registry import OptionValue, make_with_keywords
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.envs.episode import (
    ILLEGAL,
    MODES,
    MUST_RESET,
    Illegal,
    assign_opponents,
    check_render_mode,
    check_word,
    refuse_options,
    render,
)
from faceup.envs.observation import SCALARS, Numbers, observer
from faceup.envs.opponents import Opponent, Opponents, Pool, illegal_in_lane
from faceup.envs.registration import env_id
from faceup.envs.rewards import reward as reward_of
from faceup.envs.rewards import reward_names
from faceup.games.batch_engines import load_batch_engine

Infos = dict[str, Any]  # Any: arrays of several types


class ManyGamesEnv(VectorEnv[Numbers, NDArray[np.integer[Any]], NDArray[Any]]):
    """A Gymnasium `VectorEnv` of many games, in which one seat or every seat is an agent.

    A step is one joint decision in every game. If a seat is not to act in a game, for example because another seat
    chooses a row in 6 nimmt!, the seat's mask allows only `wait`. `autoreset_mode` decides when a game that ends
    restarts, as in Gymnasium's own vector environments.

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
        autoreset_mode: when a game that ends restarts, as `gymnasium.vector.AutoresetMode` or its value: `SAME_STEP`,
            in the step in which it ends; `NEXT_STEP`, in the next step, which ignores the action; or `DISABLED`, when
            the option `reset_mask` of `reset` marks it.
        illegal: what `step` does with an illegal action of an agent or an opponent: "replace" it by the lowest legal
            action, or "raise" an error and change nothing.
        options: more options of the game, such as `seats`.

    Attributes:
        rules: the rules of the game.
        reward: the reward of a seat, with its bounds.
        wait: the action in games in which a seat is not to act. Its value equals the number of the game's actions.
        autoreset_mode: when a game that ends restarts; `metadata` has it, too.
        state_space: the space of one game's full state.

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
    >>> observations, rewards, terminations, truncations, infos = env.step(env.sample_legal())
    >>> rewards.shape, env.state().shape, env.render()
    ((64, 3), (64, 615), None)
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
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        illegal: Illegal = "replace",
        **options: OptionValue,
    ) -> None:
        self.rules = make_with_keywords(spec, options)
        self.num_envs = whole_number("num_envs", num_envs, 1, 2**40)
        check_word("illegal", illegal, ILLEGAL)
        self.agents, self.copy, self.illegal = agents, copy, illegal
        self.seat = whole_number("a seat", seat, 0, self.rules.seats - 1)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.reward = reward_of(self.rules, reward)
        self.wait = self.rules.bounds.actions
        self.render_mode = render_mode
        self.metadata = {
            "name": env_id(self.rules, self.reward.name),
            "render_modes": [mode for mode in MODES if mode != "human"],
            "render_fps": 1,
            "autoreset_mode": self.autoreset_mode,
        }
        check_render_mode(render_mode, self.metadata["render_modes"])
        self._observer = observer(self.rules, encoding)
        learners = self._seat_agents(opponents)
        others = [other for other in range(self.rules.seats) if other not in learners]
        self._learners = np.array(learners, np.uint64)
        opponent_list = self._others(opponents)
        self._deal(0)
        self._opponents = Opponents(
            self.rules,
            self._batch,
            opponent_list,
            seats=others,
            lanes=self.num_envs,
            encoding=encoding,
            strict=illegal == "raise",
        )
        self._ready = False
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._everywhere = np.arange(self.num_envs, dtype=np.uint64)
        self._all_seats = np.arange(self.rules.seats, dtype=np.uint64)
        self._moves = np.empty((self.num_envs, self.rules.seats), np.int32)
        self._buffers: dict[str, NDArray[Any]] = {}
        seats = self.rules.seats
        space, choice = self._observer.space, Discrete(self.wait + 1)
        self.single_observation_space = space if agents == "one" else batch_space(space, seats)
        self.single_action_space = choice if agents == "one" else MultiDiscrete([self.wait + 1] * seats)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.state_space = self._observer.state_space

    def _seat_agents(self, opponents: object) -> list[Seat]:
        """Return the seats of the agents, after checking the arguments that choose them."""
        check_word("agents", self.agents, ("one", "all"))
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
        """Restart all games, or only those that the option `reset_mask`, bool [num_envs], marks.

        A seed determines chance and the opponents. Games that restart by a mask continue with the chance of the seed.
        The infos mark the games that have restarted as `_action_mask`; observations and masks are those of all games.

        Raises:
            Malformed: the seed is out of range, there are other options, or a mask has the wrong type or shape, marks
                no game, or comes with a seed or before the first reset.
        """
        restarted = self._restarted(seed, options)
        if restarted is None:
            seed = None if seed is None else whole_number("a seed", seed, 0, LARGEST_WORD)
            super().reset(seed=seed)
            self._deal(int(self.np_random.integers(2**63)) if seed is None else seed)
            # Their own stream, so that an agent that samples changes neither chance nor the opponents.
            self._opponents_rng = self.np_random.spawn(1)[0]
            restarted = np.ones(self.num_envs, np.bool_)
            self._ready = True
        else:
            self._adapter.restart(restarted)
        self._ended = self._ended & ~restarted
        self._opponents.start(restarted, self._opponents_rng)
        return self._observed(), self._infos(restarted)

    def _restarted(self, seed: int | None, options: Mapping[str, Any] | None) -> NDArray[np.bool_] | None:
        """Return the option `reset_mask`; None if all games restart."""
        mask = None
        if isinstance(options, Mapping):
            mask = options.get("reset_mask")
            options = {name: option for name, option in options.items() if name != "reset_mask"}
        refuse_options(options)
        if mask is None:
            return None
        self._require_reset("reset")
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            kind = f"{mask.dtype} {list(mask.shape)}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise Malformed(f"reset_mask must be bool [{self.num_envs}]; got {kind}", what=mask, where="reset_mask")
        if not mask.any():
            raise Malformed("reset_mask must mark one game or more", what=mask, where="reset_mask")
        if seed is not None:
            raise Malformed("a seed restarts all games: give it without reset_mask", what=seed, where="seed")
        marked: NDArray[np.bool_] = mask.copy()
        return marked

    def _require_reset(self, where: str) -> None:
        """Raise `Malformed` if `reset` was never called."""
        if not self._ready:
            raise Malformed(MUST_RESET, where=where)

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Numbers, NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """Play one joint decision and the outcomes of chance after it in every game.

        Games that end restart as `autoreset_mode` says. An illegal action is replaced by the lowest legal action, which
        the infos then hold as `replaced`, or with `illegal="raise"` raises an error.

        Args:
            actions: whole numbers, `[num_envs]` for one agent, `[num_envs, seats]` for all.

        Returns:
            Observations, rewards, terminations `[num_envs]`, truncations `[num_envs]`, and infos with `action_mask`.
            For one agent, the infos have the rewards of all seats as `seat_rewards`. If a pool plays, `opponents` has
            the member in each other seat. In a step in which games end, the infos have the `scores` of all seats; with
            `SAME_STEP` they are in `final_info`, and `final_obs` has the last observations, of which only the rows
            that `_final_obs` marks are meaningful.

        Raises:
            Malformed: `reset` was not called, `actions` does not hold one action of the action space for each agent, or
                a game that ended was not reset although `autoreset_mode` is `DISABLED`.
            IllegalActionError: an action is illegal, and `illegal` is "raise".
        """
        self._require_reset("step")
        over, same_step = self._ended, self.autoreset_mode is AutoresetMode.SAME_STEP
        if self.autoreset_mode is AutoresetMode.DISABLED and over.any():
            raise Malformed(
                f"{plural(int(over.sum()), 'game')} ended, such as game {over.argmax()}: reset them with the option "
                "reset_mask",
                where="step",
            )
        adapter, moves = self._adapter, self._moves
        replaced = self._fit(actions)
        if self.agents == "one":
            self._opponents.choose(adapter, moves)
            adapter.choose(self._opponents.policies, int(self._opponents_rng.integers(2**63)), moves)
        ended = adapter.step(moves)
        rewards = self._array("rewards", (), np.float64, of=self._all_seats)
        adapter.rewards(self._kind, ended, self._all_seats, rewards)
        final = self._final(ended, rewards) if ended.any() else {}
        if same_step and final:
            lanes = np.flatnonzero(ended).astype(np.uint64)
            seen = self._array("final_obs", (self._observer.size,), self._observer.dtype, zeros=True)
            adapter.write(self._observer.encoding, self._learners, lanes, lanes, seen)
            final = {"final_obs": self._shaped(seen), "_final_obs": ended, "final_info": final, "_final_info": ended}
        restarted = ended if same_step else over
        if restarted.any():
            adapter.restart(restarted)
            self._opponents.start(restarted, self._opponents_rng)
        if not same_step:
            self._ended = ended.copy()
        infos = self._infos(np.ones(self.num_envs, np.bool_)) | replaced | final
        if self.agents == "one":
            infos["seat_rewards"], infos["_seat_rewards"] = rewards, infos["_action_mask"]
            rewards = rewards[:, self.seat]
        return self._observed(), rewards, ended.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _final(self, ended: NDArray[np.bool_], rewards: NDArray[np.float64]) -> Infos:
        """Return the infos of the games that have ended, before they restart."""
        final: Infos = {"scores": self._adapter.engine.scores().copy(), "_scores": ended}
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return final  # the other infos of the step are still those of these games
        mask = np.zeros((self.num_envs, len(self._learners), self.wait + 1), np.int8)
        mask[ended, :, self.wait] = 1
        final |= {"action_mask": self._shaped(mask), "_action_mask": ended}
        if self.agents == "one":
            final |= {"seat_rewards": rewards, "_seat_rewards": ended}
        if self._opponents.pooled:
            final |= {"opponents": self._opponents.members.copy(), "_opponents": ended}
        return final

    def _infos(self, marked: NDArray[np.bool_]) -> Infos:
        """Return the infos of every step and reset, in which these games are marked."""
        infos: Infos = {"action_mask": self._masked(), "_action_mask": marked}
        if self._opponents.pooled:
            infos |= {"opponents": self._opponents.members.copy(), "_opponents": marked}
        return infos

    def state(self) -> Numbers:
        """Return the full state of every game, `[num_envs, *state_space.shape]`, for centralized training.

        Raises:
            Malformed: `reset` was not called.
        """
        self._require_reset("state")
        seen = self._array("states", (self._observer.size,), self._observer.dtype, of=self._all_seats)
        self._adapter.write(self._observer.encoding, self._all_seats, self._everywhere, self._everywhere, seen)
        return self._observer.state_of(seen)

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
        self._require_reset("sample_legal")
        key = int((rng or self.np_random).integers(2**63))
        actions: NDArray[np.int64] = self._shaped(self._adapter.sample(key, self._learners))
        return actions

    def _array(
        self,
        name: str,
        shape: tuple[int, ...],
        dtype: Any,  # noqa: ANN401 -- a numpy type
        *,
        zeros: bool = False,
        of: NDArray[np.uint64] | None = None,
    ) -> NDArray[Any]:
        """Return an array `[num_envs, seats, *shape]` for the agents' seats, or those of `of`.

        It is a new array, or without `copy` the one of the last step.
        """
        buffer = self._buffers.get(name)
        if buffer is None:
            make = np.zeros if zeros else np.empty
            buffer = make((self.num_envs, len(self._learners if of is None else of), *shape), dtype)
            if not self.copy:
                self._buffers[name] = buffer
        return buffer

    def _shaped(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the array without the axis of agents if there is one agent."""
        return array[:, 0] if self.agents == "one" else array

    def _fit(self, actions: object) -> Infos:
        """Write the agents' moves, and return infos about the actions that were replaced."""
        shape = (self.num_envs,) if self.agents == "one" else (self.num_envs, self.rules.seats)
        try:
            numbers = np.asarray(actions)
        except ValueError:  # a list of lists of several lengths
            numbers = np.array(actions, object)
        if numbers.shape != shape or numbers.dtype.kind not in "iu":
            raise Malformed(
                f"actions must be {' x '.join(map(str, shape))} whole numbers; "
                f"got {numbers.dtype} {list(numbers.shape)}",
                what=actions,
                where="actions",
            )
        requested = numbers.astype(np.int64, copy=False).reshape(self.num_envs, -1)
        if self._ended.any():
            requested = np.where(self._ended[:, np.newaxis], self.wait, requested)  # these games restart
        played = np.empty_like(requested)
        wrong = self._adapter.fit(requested, self._learners, self._moves, played)
        if wrong >= 0:
            lane, agent = divmod(wrong, len(self._learners))
            raise Malformed(
                f"the action in game {lane} must be 0 to {self.wait}; got {numbers.flat[wrong]}",
                what=int(numbers.flat[wrong]),
                where=f"game {lane}",
            )
        replaced = played != requested
        if not replaced.any():
            return {}
        if self.illegal == "raise":
            lane, agent = np.argwhere(replaced)[0].tolist()
            raise illegal_in_lane(self._adapter, lane, int(self._learners[agent]), int(requested[lane, agent]))
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
        """Return a picture or text of every game, as the one agent sees it; as a spectator does if all are agents.

        Raises:
            Malformed: `reset` was not called.
        """
        if self.render_mode is None:
            return None
        self._require_reset("render")
        names = tuple(f"seat_{seat}" for seat in range(self.rules.seats))
        viewer = self.seat if self.agents == "one" else None
        states = [self._adapter.state(lane) for lane in range(self.num_envs)]
        views = [self.rules.view(state, viewer) for state in states]
        return tuple(render(self.rules, view, names, self.render_mode) for view in views)


def _autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(repr(known_mode.value) for known_mode in AutoresetMode)
        raise Malformed(
            f"there is no autoreset mode {mode!r}; there are: {names}", what=mode, where="autoreset_mode"
        ) from None


vector_env = ManyGamesEnv

"""PettingZoo environments with an agent for each seat. All agents act together, and seats that are not to act wait."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec_wrapper
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from faceup.core import Malformed, Seat
from faceup.core.registry import OptionValue, nearest
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.envs.episode import MODES, MUST_RESET, OVER, Episodes, Illegal, check_word, refuse_options
from faceup.envs.observation import SCALARS
from faceup.envs.registration import env_id

Observation: TypeAlias = dict[str, NDArray[Any]] | NDArray[Any]  # Any: float32, uint8 and int8

Masks: TypeAlias = Literal["observation", "info"]
"""Where the action masks are."""


class UnknownAgentError(Malformed, KeyError):
    """There is no such agent. It is a `KeyError` too, as PettingZoo's own environments raise it.

    >>> parallel_env("nimmt", seats=2).action_space("seat_2")
    Traceback (most recent call last):
    faceup.envs.parallel.UnknownAgentError: there is no agent 'seat_2'; did you mean 'seat_1'?
    """

    def __str__(self) -> str:
        """Return the message, which `KeyError` would quote."""
        return self.message


class AllSeatsEnv(Episodes, ParallelEnv[str, Observation, int | None]):
    """A PettingZoo `ParallelEnv` with an agent for each seat. An episode is a match.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        reward: one of `reward_names(rules)`, by default the game's points.
        max_cycles: the number of steps after which an episode is truncated; None for no limit.
        render_mode: one of `MODES`.
        encoding: one of `encoding_names(rules)`.
        masks: where the action masks are: in the "observation", which is then a dictionary, or in the "info", which
            leaves the observation a plain array, as wrappers such as SuperSuit's need it.
        illegal: what `step` does with an illegal action: "replace" it, or "raise" an error and change nothing.
        options: more options of the game, such as `seats`.

    Attributes:
        wait: the action of a seat that is not to act. Its value equals the number of the game's actions.

    Raises:
        Malformed: an argument is invalid.
        TypeError: the game has no option of this name.

    >>> env = AllSeatsEnv("nimmt:cowheadking", seats=3, reward="relative")
    >>> observations, infos = env.reset(seed=7)
    >>> [int(action) for action in observations["seat_0"]["action_mask"].nonzero()[0]][:4]
    [4, 14, 15, 36]
    >>> env.observation_space("seat_0").contains(observations["seat_0"]), env.action_space("seat_0")
    (True, Discrete(109))
    >>> actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    >>> env.check_action("seat_0", actions["seat_0"])
    >>> observations, rewards, terminations, truncations, infos = env.step(actions)
    >>> rewards
    {'seat_0': 0.0, 'seat_1': 0.0, 'seat_2': 0.0}
    >>> env.state().shape == env.state_space.shape, env.render()
    (True, None)
    >>> env.close()
    """

    def __init__(
        self,
        spec: str,
        *,
        reward: str | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        encoding: str = SCALARS,
        masks: Masks = "observation",
        illegal: Illegal = "replace",
        **options: OptionValue,
    ) -> None:
        super().__init__(spec, options, reward, render_mode, encoding, illegal=illegal)
        if max_cycles is not None:
            max_cycles = whole_number("max_cycles", max_cycles, 1, LARGEST_WORD)
        check_word("masks", masks, get_args(Masks))
        self.max_cycles, self.masks = max_cycles, masks
        self.metadata = {
            "name": env_id(self.rules, self.reward.name),
            "render_modes": list(MODES),
            "is_parallelizable": True,
            "render_fps": 1,
        }
        self.possible_agents = [*self.agent_names]
        self.agents: list[str] = []
        mask = Box(0, 1, (self.wait + 1,), np.int8)
        plain = self._observer.space
        self._observation_spaces: dict[str, Space[Any]] = {
            agent: plain if masks == "info" else Dict({"observation": plain, "action_mask": mask})
            for agent in self.possible_agents
        }
        self._action_spaces: dict[str, Space[Any]] = {agent: Discrete(self.wait + 1) for agent in self.possible_agents}
        self.state_space = self._observer.state_space

    def observation_space(self, agent: str) -> Space[Any]:
        """Return a `Dict` space of `observation`, in the encoding, and `action_mask`, which is int8.

        With `masks="info"`, return the space of the observation alone.

        Raises:
            UnknownAgentError: there is no such agent.
        """
        self.seat_of(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return a `Discrete` space of the game's actions and the action `wait`.

        Raises:
            UnknownAgentError: there is no such agent.
        """
        self.seat_of(agent)
        return self._action_spaces[agent]

    def seat_of(self, agent: object) -> Seat:
        """Return the seat of an agent. Raises `UnknownAgentError` if there is no such agent.

        >>> parallel_env("nimmt").seat_of("seat_3")
        3
        """
        if not isinstance(agent, str) or agent not in self._action_spaces:
            message = f"there is no agent {agent!r}{nearest(agent, self.possible_agents)}"
            raise UnknownAgentError(message, what=agent, where="agent")
        return self.agent_names.index(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start an episode. A seed determines the chance of this episode and all later episodes.

        Raises:
            Malformed: the seed is out of range, or there are options.
        """
        refuse_options(options)
        self._start_episode(seed)
        self._cycles = 0
        self.agents = self.possible_agents[:]
        self._show()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        return self._observed(infos), infos

    def step(
        self, actions: dict[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one joint decision and the outcomes of chance after it.

        An illegal action of a seat that is to act, which may be `wait`, is replaced by the seat's lowest legal action.
        Any action of a seat that is not to act is replaced by `wait`. If an action was replaced, the member `replaced`
        of the seat's info holds the action that was played; with `illegal="raise"`, it raises an error instead. In the
        last step of an episode, the member `scores` of each info holds the points of all seats.

        Raises:
            Malformed: `reset` was not called, an agent's action is missing, or is not in its action space.
            IllegalActionError: an action is illegal, and `illegal` is "raise".
        """
        agents, rules = self.agents, self.rules
        before, move = self._state, {}
        if not agents:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            raise Malformed(f"actions must be a dictionary with the agents as keys; got {actions!r}", where="actions")
        infos: dict[str, dict[str, Any]] = {}
        for seat, (agent, legal) in enumerate(zip(agents, self._legal, strict=True)):
            if agent not in actions:
                raise Malformed(f"the action of {agent} is missing", what=agent, where="actions")
            action = actions[agent]
            info: dict[str, Any] = {}
            if action.__class__ is not int or action not in legal:
                action, replaced = self._fit(seat, action, legal)
                if replaced:
                    info = {"replaced": action}
            if legal:
                move[seat] = action
            infos[agent] = info
        self._current = state = self._after_chance(rules.apply(before, move).state)
        self._cycles += 1
        self._show()
        over = not rules.to_act(state)
        cut = not over and self._cycles == self.max_cycles
        observed = self._observed(infos)
        rewards = dict(zip(agents, self.reward.between(before, state), strict=True))
        if over or cut:
            scores = self._final_scores()
            for agent in agents:
                infos[agent]["scores"] = scores
            self.agents = []
        return observed, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def check_action(self, agent: str, action: object) -> None:
        """Raise the error that `step` would raise for this agent's action."""
        seat = self.seat_of(agent)
        self._fit(seat, action, self._legal[seat])

    def _observed(self, infos: dict[str, dict[str, Any]]) -> dict[str, Observation]:
        """Return the observations, and add the masks to the infos if they belong there."""
        state, view, waiting = self._state, self.rules.view, (self.wait,)
        views = [view(state, seat) for seat in range(self.rules.seats)]
        self._legal = [view.legal for view in views]
        seen: dict[str, Observation] = {}
        for agent, legal, sight in zip(self.agents, self._legal, self._observer.seats(state, views), strict=True):
            mask = bytearray(self.wait + 1)
            for action in legal or waiting:
                mask[action] = 1
            action_mask = np.frombuffer(mask, np.int8)
            if self.masks == "info":
                seen[agent], infos[agent]["action_mask"] = sight, action_mask
            else:
                seen[agent] = {"observation": sight, "action_mask": action_mask}
        return seen

    def state(self) -> NDArray[Any]:
        """Return the full state as a vector in `state_space`."""
        return self._observer.state(self._state)

    def render(self) -> Any:  # noqa: ANN401 -- depends on the mode
        """Render the table as a spectator sees it. In the mode `human`, `reset` and `step` do it, too."""
        return self._render(None)

    def close(self) -> None:
        """Do nothing, because there are no resources to release."""


parallel_env = AllSeatsEnv


class SecretTurnsEnv(OrderEnforcingWrapper[str, Observation, int | None]):
    """PettingZoo's conversion to `AECEnv`, which checks each action when it is given, and requires `reset` first.

    >>> env = aec_env("nimmt:cowheadking", seats=2, hand=1, render_mode="svg")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     env.step(None if termination or truncation else int(observation["action_mask"].argmax()))
    >>> env.agents
    []
    >>> env.reset(seed=7)
    >>> env.observe("seat_1")["action_mask"].sum(), env.state().shape, env.render()[:4]
    (np.int64(1), (350,), '<svg')
    """

    @property
    def _parallel(self) -> AllSeatsEnv:
        env: Any = self.unwrapped  # PettingZoo declares another type
        return env  # type: ignore[no-any-return]

    def _require_reset(self, where: str) -> None:
        if not self._has_reset:
            raise Malformed(MUST_RESET, where=where)

    def step(self, action: int | None) -> None:
        """Keep a seat's action until every seat has acted, and then play them all.

        Raises:
            Malformed: `reset` was not called, or the action is not in the action space.
            IllegalActionError: the action is illegal, and `illegal` is "raise".
        """
        self._require_reset("step")
        agent = self.agent_selection if self.agents else None
        if agent is not None and not (self.terminations[agent] or self.truncations[agent]):
            self._parallel.check_action(agent, action)
        super().step(action)

    def observe(self, agent: str) -> Observation | None:
        """Return the agent's observation.

        Raises:
            Malformed: `reset` was not called.
            UnknownAgentError: there is no such agent.
        """
        self._require_reset("observe")
        self._parallel.seat_of(agent)
        return super().observe(agent)

    def last(
        self,
        observe: bool = True,
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what the agent to act sees. Raises `Malformed` before the first reset, and after the episode."""
        self._require_reset("last")
        if not self.agents:
            raise Malformed(OVER, where="last")
        return super().last(observe)

    def state(self) -> NDArray[Any]:
        """Return the full state as a vector in `state_space`. Raises `Malformed` before the first reset."""
        self._require_reset("state")
        return super().state()

    def render(self) -> Any:  # noqa: ANN401 -- depends on the mode
        """Render the table as a spectator sees it. Raises `Malformed` before the first reset."""
        self._require_reset("render")
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Any:  # noqa: ANN401 -- of PettingZoo
        """Iterate over the agents in the order of their turns. Raises `Malformed` before the first reset."""
        self._require_reset("agent_iter")
        return super().agent_iter(whole_number("max_iter", max_iter, 0, 2**63))

    def __str__(self) -> str:
        return str(self.env)


def aec_env(
    spec: str,
    *,
    reward: str | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    encoding: str = SCALARS,
    masks: Masks = "observation",
    illegal: Illegal = "replace",
    **options: OptionValue,
) -> AECEnv[str, Observation, int | None]:
    """Create a PettingZoo `AECEnv` of a game, in which seats act one after another without seeing each other's actions.

    The environment wraps `parallel_env`, so every seat has a turn in every cycle, and seats that are not to act wait.

    >>> env = aec_env("nimmt:cowheadking", seats=3)
    >>> env.reset(seed=7)
    >>> env.agent_selection, env.last()[0]["action_mask"].sum()
    ('seat_0', np.int64(10))
    """
    env = parallel_env(
        spec,
        reward=reward,
        max_cycles=max_cycles,
        render_mode=render_mode,
        encoding=encoding,
        masks=masks,
        illegal=illegal,
        **options,
    )
    return SecretTurnsEnv(parallel_to_aec_wrapper(env))

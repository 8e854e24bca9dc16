"""PettingZoo environments with an agent for each seat. All agents act together, and seats that are not to act wait."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from faceup.core import Malformed
from faceup.core.registry import OptionValue
from faceup.envs.episode import MODES, Episodes, draw_due_chance, refuse_options, replace_illegal
from faceup.envs.observation import SCALARS
from faceup.envs.registration import env_id

Observation = dict[str, NDArray[Any]]  # Any: float32 and int8


class AllSeatsEnv(Episodes, ParallelEnv[str, Observation, int | None]):
    """A PettingZoo `ParallelEnv` with an agent for each seat. An episode is a match.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        reward: one of `reward_names(rules)`, by default the game's points.
        max_cycles: the number of steps after which an episode is truncated; None for no limit.
        render_mode: one of `MODES`.
        encoding: one of `encoding_names(rules)`.
        options: more options of the game, such as `seats`.

    Attributes:
        wait: the action of a seat that is not to act. Its value equals the number of the game's actions.

    Raises:
        Malformed: an argument is invalid.
        TypeError: the game has no option of this name.

    >>> env = AllSeatsEnv("nimmt:cowheadking", seats=3, reward="relative")
    >>> observations, infos = env.reset(seed=7)
    >>> [int(action) for action in observations["seat_0"]["action_mask"].nonzero()[0]][:4]
    [2, 9, 20, 28]
    """

    def __init__(
        self,
        spec: str,
        *,
        reward: str | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        encoding: str = SCALARS,
        **options: OptionValue,
    ) -> None:
        super().__init__(spec, options, reward, render_mode, encoding)
        if max_cycles is not None and max_cycles < 1:
            raise Malformed(f"max_cycles must be 1 or more; got {max_cycles}", what=max_cycles, where="max_cycles")
        self.max_cycles = max_cycles
        self.metadata = {
            "name": env_id(self.rules, self.reward.name),
            "render_modes": list(MODES),
            "is_parallelizable": True,
            "render_fps": 1,
        }
        self.possible_agents = [*self.agent_names]
        self.agents: list[str] = []
        mask = Box(0, 1, (self.wait + 1,), np.int8)
        self._observation_spaces: dict[str, Space[Any]] = {
            agent: Dict({"observation": self._observer.space, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces: dict[str, Space[Any]] = {agent: Discrete(self.wait + 1) for agent in self.possible_agents}
        self.state_space = self._observer.state_space

    def observation_space(self, agent: str) -> Space[Any]:
        """Return a `Dict` space of `observation`, in the encoding, and `action_mask`, which is int8."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return a `Discrete` space of the game's actions and the action `wait`."""
        return self._action_spaces[agent]

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
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one joint decision and the outcomes of chance after it.

        An illegal action of a seat that is to act, which may be `wait`, is replaced by the seat's lowest legal action.
        Any action of a seat that is not to act is replaced by `wait`. If an action was replaced, the member `replaced`
        of the seat's info holds the action that was played. In the last step of an episode, the member `scores` of
        each info holds the points of all seats.

        Raises:
            Malformed: an agent's action is missing, or is not in its action space.
        """
        agents, rules = self.agents, self.rules
        if not agents:
            return {}, {}, {}, {}, {}
        before, move = self._state, {}
        infos: dict[str, dict[str, Any]] = {}
        for seat, (agent, legal) in enumerate(zip(agents, self._legal, strict=True)):
            if agent not in actions:
                raise Malformed(f"the action of {agent} is missing", what=agent, where="actions")
            action = actions[agent]
            info: dict[str, Any] = {}
            if action.__class__ is not int or action not in legal:
                action, replaced = replace_illegal(action, legal or (self.wait,), self.wait + 1)
                if replaced:
                    info = {"replaced": action}
            if legal:
                move[seat] = action
            infos[agent] = info
        self._state = state = draw_due_chance(rules, rules.apply(before, move).state, self._rng)
        self._cycles += 1
        over = not rules.to_act(state)
        cut = not over and self._cycles == self.max_cycles
        observed = self._observed()
        rewards = dict(zip(agents, self.reward.between(before, state), strict=True))
        if over or cut:
            scores = self._final_scores()
            for agent in agents:
                infos[agent]["scores"] = scores
            self.agents = []
        return observed, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def _observed(self) -> dict[str, Observation]:
        state, view, waiting = self._state, self.rules.view, (self.wait,)
        views = [view(state, seat) for seat in range(self.rules.seats)]
        self._legal = [view.legal for view in views]
        seen: dict[str, Observation] = {}
        for agent, legal, sight in zip(self.agents, self._legal, self._observer.seats(state, views), strict=True):
            mask = bytearray(self.wait + 1)
            for action in legal or waiting:
                mask[action] = 1
            seen[agent] = {"observation": sight, "action_mask": np.frombuffer(mask, np.int8)}
        return seen

    def state(self) -> NDArray[Any]:
        """Return the full state as a vector in `state_space`."""
        return self._observer.state(self._state)

    def render(self) -> Any:  # noqa: ANN401 -- depends on the mode
        """Render the table as a spectator sees it."""
        return self._render(None)

    def close(self) -> None:
        """Do nothing, because there are no resources to release."""


parallel_env = AllSeatsEnv


def aec_env(
    spec: str,
    *,
    reward: str | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    encoding: str = SCALARS,
    **options: OptionValue,
) -> AECEnv[str, Observation, int | None]:
    """Create a PettingZoo `AECEnv` of a game, in which seats act one after another without seeing each other's actions.

    The environment wraps `parallel_env`, so every seat has a turn in every cycle, and seats that are not to act wait.
    """
    env = parallel_env(
        spec, reward=reward, max_cycles=max_cycles, render_mode=render_mode, encoding=encoding, **options
    )
    aec: AECEnv[str, Observation, int | None] = parallel_to_aec(env)
    return aec

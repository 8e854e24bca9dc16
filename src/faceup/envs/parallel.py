"""Every seat an agent, as PettingZoo has it: all decide at once, and those who are not asked wait."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from faceup.core import Malformed, make
from faceup.core.registry import OptionValue
from faceup.envs.chance import fitted, seeded, settled
from faceup.envs.names import env_id
from faceup.envs.observing import observer
from faceup.envs.rendering import MODES, check_mode, render
from faceup.envs.rewards import reward as reward_of

Observation = dict[str, NDArray[Any]]  # Any: float32 and int8


class Parallel(ParallelEnv[str, Observation, int | None]):
    """A game as a PettingZoo `ParallelEnv`. See `parallel_env`.

    Attributes:
        rules: what is played.
        reward: how it is rewarded, with its bounds.
        wait: the action of a seat that is not asked, the one after the game's own.
    """

    def __init__(
        self,
        spec: str,
        *,
        reward: str | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        check_mode(render_mode)
        if max_cycles is not None and max_cycles < 1:
            raise Malformed(f"max_cycles is 1 or more, not {max_cycles}", what=max_cycles, where="max_cycles")
        self.rules = make(spec, **options)
        self.reward = reward_of(self.rules, reward)
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.wait = self.rules.bounds.actions
        self.metadata = {
            "name": env_id(self.rules, self.reward.name),
            "render_modes": list(MODES),
            "is_parallelizable": True,
            "render_fps": 1,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        self.agents: list[str] = []
        self._observer = observer(self.rules)
        self._rng = seeded(None)
        mask = Box(0, 1, (self.wait + 1,), np.int8)
        self._spaces: dict[str, Space[Any]] = {}
        self._actions: dict[str, Space[Any]] = {}
        for agent in self.possible_agents:
            self._spaces[agent] = Dict({"observation": self._observer.space, "action_mask": mask})
            self._actions[agent] = Discrete(self.wait + 1)
        self.state_space = self._observer.state_space

    def observation_space(self, agent: str) -> Space[Any]:
        """A `Dict` of the `observation`, float32 from 0 to 1, and the `action_mask`, int8."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """`Discrete`: the game's actions, and one more to wait."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode: what chance does in it, and in those after it, follows from the seed if there is one."""
        del options
        if seed is not None:
            self._rng = seeded(seed)
        self._state = settled(self.rules, self.rules.start(), self._rng)
        self._cycles = 0
        self.agents = self.possible_agents[:]
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one joint decision, and what chance does after it.

        An action that is not legal is replaced by the lowest legal one, the wait of a seat that is asked included, and
        whatever a seat that is not asked gives is taken as its wait; the seat's info then has the action that was
        played as `replaced`.

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
            action, info = actions[agent], {}
            if action.__class__ is not int or action not in legal:
                action, replaced = fitted(action, legal or (self.wait,), self.wait + 1)
                if replaced:
                    info = {"replaced": action}
            if legal:
                move[seat] = action
            infos[agent] = info
        self._state = state = settled(rules, rules.apply(before, move).state, self._rng)
        self._cycles += 1
        over = not rules.to_act(state)
        cut = not over and self._cycles == self.max_cycles
        observed = self._observed()
        rewards = dict(zip(agents, self.reward.between(before, state), strict=True))
        if over or cut:
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
        """The whole truth as one vector, in `state_space`."""
        return self._observer.state(self._state)

    def render(self) -> Any:  # noqa: ANN401 -- as the mode has it
        """The table as a spectator sees it, in the render mode."""
        if self.render_mode is None:
            return None
        view = self.rules.view(self._state, None)
        return render(self.rules, view, tuple(self.possible_agents), self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


def parallel_env(
    spec: str,
    *,
    reward: str | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    **options: OptionValue,
) -> Parallel:
    """A game as a PettingZoo `ParallelEnv`, an episode being a match.

    Args:
        spec: the game, its variant and options, as `faceup.core.make` reads them.
        reward: one of `reward_names(rules)`; the game's points unless given.
        max_cycles: truncate the episode after so many steps.
        render_mode: one of `MODES`.
        options: more options of the game, such as `seats`.

    Raises:
        Malformed: any of these is off.

    >>> env = parallel_env("nimmt:cowheadking", seats=3, reward="relative")
    >>> observations, infos = env.reset(seed=7)
    >>> [int(action) for action in observations["seat_0"]["action_mask"].nonzero()[0]][:4]
    [2, 9, 20, 28]
    """
    return Parallel(spec, reward=reward, max_cycles=max_cycles, render_mode=render_mode, **options)


def aec_env(
    spec: str,
    *,
    reward: str | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    **options: OptionValue,
) -> AECEnv[str, Observation, int | None]:
    """The same as a PettingZoo `AECEnv`: seats give their actions one after the other, and none sees another's.

    It is `parallel_env` wrapped: all seats take their turn in every cycle, and those who are not asked wait.
    """
    env = parallel_env(spec, reward=reward, max_cycles=max_cycles, render_mode=render_mode, **options)
    aec: AECEnv[str, Observation, int | None] = parallel_to_aec(env)
    return aec

"""A Gymnasium environment of one seat, with policies in the other seats."""

from secrets import randbits
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from faceup.bots import policy
from faceup.core import Action, Malformed, Policy, Seat, SeededGenerator, View
from faceup.core.registry import OptionValue
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.envs.episode import (
    MODES,
    MUST_RESET,
    OPPONENTS_LANE,
    OVER,
    Episodes,
    Illegal,
    Opponents,
    assign_opponents,
    refuse_options,
)
from faceup.envs.observation import SCALARS, Numbers
from faceup.envs.opponents import Pool


class SingleSeatEnv(Episodes, gymnasium.Env[Numbers, Action]):
    """A Gymnasium environment of one seat. An episode is a match.

    The observation is a vector: float32 numbers from 0 to 1, or bytes in some encodings. The info has an `action_mask`,
    which is 1 for each legal action. The actions are those of the other environments, although the seat never has to
    `wait`.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        seat: the seat of the learner.
        opponents: a policy or its name for all other seats, or a sequence with one for each other seat.
        reward: one of `reward_names(rules)`, by default the game's points.
        render_mode: one of `MODES`.
        encoding: one of `encoding_names(rules)`.
        illegal: what `step` does with an illegal action: "replace" it by the lowest legal action, or "raise" an error
            and change nothing.
        options: more options of the game, such as `seats`.

    Raises:
        Malformed: an argument is invalid.
        TypeError: the game has no option of this name.

    >>> env = SingleSeatEnv("nimmt:cowheadking", seats=3, opponents=["greedy", "random"])
    >>> observation, info = env.reset(seed=7)
    >>> int(info["action_mask"].sum())
    10
    >>> action = int(env.action_masks().argmax())
    >>> observation, reward, terminated, truncated, info = env.step(action)
    >>> info["seat_rewards"].tolist(), env.view.hand[:3], env.state().shape, env.render()
    ([0.0, 0.0, 0.0], (15, 16, 37), (494,), None)
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012 -- as Gymnasium declares it

    def __init__(
        self,
        spec: str,
        *,
        seat: Seat = 0,
        opponents: Opponents = "random",
        reward: str | None = None,
        render_mode: str | None = None,
        encoding: str = SCALARS,
        illegal: Illegal = "replace",
        **options: OptionValue,
    ) -> None:
        super().__init__(spec, options, reward, render_mode, encoding, illegal=illegal)
        if isinstance(opponents, Pool):
            raise Malformed("only vector_env draws opponents from a Pool", what=opponents, where="opponents")
        self._opponents = assign_opponents(self.rules, seat, opponents)
        for opponent in self._opponents:
            if not isinstance(opponent, str) and not callable(opponent):
                raise Malformed(
                    f"an opponent must be the name of a bot or a function; got {opponent!r}",
                    what=opponent,
                    where="opponents",
                )
        self.seat = int(seat)
        self._opponents_rng = SeededGenerator(randbits(64), OPPONENTS_LANE)
        self._policies = self._find_policies()
        self.observation_space = self._observer.space
        self.state_space = self._observer.state_space
        self.action_space = Discrete(self.wait + 1)  # type: ignore[assignment]  # actions may be int as well as numpy's int64

    def _find_policies(self) -> dict[Seat, Policy]:
        """Return the policy of each other seat."""
        policies = [
            policy(self.rules.game, opponent, files=True) if isinstance(opponent, str) else opponent
            for opponent in self._opponents
        ]
        return dict(zip([other for other in range(self.rules.seats) if other != self.seat], policies, strict=True))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_policies": None}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        super().__setstate__(attributes)
        self._policies = self._find_policies()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Start an episode and play to the seat's first decision. The seed determines chance and the opponents.

        Chance and the opponents have separate random numbers: nothing that is played changes a deal.

        Raises:
            Malformed: the seed is not a whole number or is out of range, or there are options.
        """
        refuse_options(options)
        if seed is not None:
            seed = whole_number("a seed", seed, 0, LARGEST_WORD)
            self._opponents_rng = SeededGenerator(seed, OPPONENTS_LANE)
        super().reset(seed=seed)
        self._start_episode(seed)
        self._play({})
        self._show()
        return self._observed(), {"action_mask": self.action_masks()}

    def step(self, action: Action) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Play the seat's action, and then all that happens before the seat's next decision or the end of the game.

        An illegal action is replaced by the lowest legal action, which the info then holds as `replaced`, or with
        `illegal="raise"` raises an error. The info holds the rewards of all seats as `seat_rewards` and, at the end of
        the episode, their points as `scores`.

        Raises:
            Malformed: `reset` was not called, the episode is over, or the action is not in the action space.
            IllegalActionError: the action is illegal, and `illegal` is "raise".
        """
        before = self._state
        if not self._legal:
            raise Malformed(OVER, where="step")
        played, replaced = self._fit(self.seat, action, self._legal)
        self._play({self.seat: played})
        self._show()
        rewards = self.reward.between(before, self._state)
        info: dict[str, Any] = {"action_mask": self.action_masks(), "seat_rewards": np.array(rewards, np.float64)}
        if replaced:
            info["replaced"] = played
        if not self._legal:
            info["scores"] = self._final_scores()
        return self._observed(), rewards[self.seat], not self._legal, False, info

    def _play(self, move: dict[Seat, Action]) -> None:
        """Play `move`, which may hold the seat's action, and continue to its next decision or the end of the game."""
        rules, state = self.rules, self._state
        while (to_act := rules.to_act(state)) and (move or self.seat not in to_act):
            for other in to_act:
                if other != self.seat:
                    move[other] = self._policies[other](rules, rules.view(state, other), self._opponents_rng)
            state = self._after_chance(rules.apply(state, move).state)
            move = {}
        self._current, self._legal = state, rules.legal(state, self.seat)

    def _observed(self) -> Numbers:
        return self._observer.seat(self._state, self.seat)

    @property
    def view(self) -> View:
        """The seat's view, which a policy or a bot can choose from. `reset` must have been called."""
        view: View = self.rules.view(self._state, self.seat)
        return view

    def action_masks(self) -> NDArray[np.int8]:
        """Return the mask of legal actions, for `action_space.sample` and for MaskablePPO of sb3-contrib.

        At the end of an episode, the only legal action is `wait`, since a mask must allow at least one action.

        Raises:
            Malformed: `reset` was not called.
        """
        if self._current is None:
            raise Malformed(MUST_RESET, where="action_masks")
        mask = np.zeros(self.wait + 1, np.int8)
        mask[list(self._legal or (self.wait,))] = 1
        return mask

    def render(self) -> Any:  # noqa: ANN401 -- depends on the mode
        """Render the table as the seat sees it. In the mode `human`, `reset` and `step` do it, too."""
        return self._render(self.seat)

    def state(self) -> Numbers:
        """Return the full state as a vector in `state_space`, for centralized training."""
        return self._observer.state(self._state)


single_env = SingleSeatEnv

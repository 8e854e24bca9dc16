"""A Gymnasium environment of one seat, with policies in the other seats."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from faceup.bots import policy
from faceup.core import Action, Malformed, Policy, Seat, View
from faceup.core.registry import OptionValue
from faceup.envs.episode import (
    MODES,
    Episodes,
    Opponents,
    assign_opponents,
    draw_due_chance,
    refuse_options,
    replace_illegal,
)
from faceup.envs.observation import SCALARS, Numbers


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
        options: more options of the game, such as `seats`.

    Raises:
        Malformed: an argument is invalid.
        TypeError: the game has no option of this name.

    >>> env = SingleSeatEnv("nimmt:cowheadking", seats=3, opponents=["greedy", "random"])
    >>> observation, info = env.reset(seed=7)
    >>> int(info["action_mask"].sum())
    10
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
        **options: OptionValue,
    ) -> None:
        super().__init__(spec, options, reward, render_mode, encoding)
        self._opponents = assign_opponents(self.rules, seat, opponents)
        self.seat = seat
        self._policies = self._find_policies()
        self.observation_space = self._observer.space
        self.action_space = Discrete(self.wait + 1)  # type: ignore[assignment]  # actions may be int as well as numpy's int64

    def _find_policies(self) -> dict[Seat, Policy]:
        """Return the policy of each other seat."""
        policies = [
            policy(self.rules.game, opponent) if isinstance(opponent, str) else opponent for opponent in self._opponents
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

        Raises:
            Malformed: the seed is out of range, or there are options.
        """
        refuse_options(options)
        super().reset(seed=seed)
        self._start_episode(seed)
        self._play({})
        return self._observed(), {"action_mask": self.action_masks()}

    def step(self, action: Action) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Play the seat's action, and then all that happens before the seat's next decision or the end of the game.

        An illegal action is replaced by the lowest legal action, which the info then holds as `replaced`. At the end of
        the episode, the info holds the points of all seats as `scores`.

        Raises:
            Malformed: the action is not in the action space.
        """
        if not self._legal:
            raise Malformed("the environment must be reset first, because the episode is over", where="step")
        before = self._state
        played, replaced = replace_illegal(action, self._legal, self.wait + 1)
        self._play({self.seat: played})
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if replaced:
            info["replaced"] = played
        if not self._legal:
            info["scores"] = self._final_scores()
        gained = self.reward.between(before, self._state)[self.seat]
        return self._observed(), gained, not self._legal, False, info

    def _play(self, move: dict[Seat, Action]) -> None:
        """Play `move`, which may hold the seat's action, and continue to its next decision or the end of the game."""
        rules, state = self.rules, self._state
        while (to_act := rules.to_act(state)) and (move or self.seat not in to_act):
            for other in to_act:
                if other != self.seat:
                    move[other] = self._policies[other](rules, rules.view(state, other), self._rng)
            state = draw_due_chance(rules, rules.apply(state, move).state, self._rng)
            move = {}
        self._state, self._legal = state, rules.legal(state, self.seat)

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
        """
        mask = np.zeros(self.wait + 1, np.int8)
        mask[list(self._legal or (self.wait,))] = 1
        return mask

    def render(self) -> Any:  # noqa: ANN401 -- depends on the mode
        """Render the table as the seat sees it."""
        return self._render(self.seat)


single_env = SingleSeatEnv

"""One seat of a game as Gymnasium has it, against policies in the others."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from faceup.bots import policy
from faceup.core import Action, Malformed, Policy, Seat, make
from faceup.core.registry import OptionValue
from faceup.envs.chance import fitted, seeded, settled
from faceup.envs.observing import Floats, observer
from faceup.envs.rendering import MODES, check_mode, render
from faceup.envs.rewards import reward as reward_of


class Single(gymnasium.Env[Floats, Action]):
    """A game as a Gymnasium environment. See `single_env`.

    Attributes:
        rules: what is played.
        reward: how the seat is rewarded, with its bounds.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012 -- as Gymnasium declares it

    def __init__(
        self,
        spec: str,
        *,
        seat: Seat = 0,
        opponents: str | Policy | Sequence[str | Policy] = "random",
        reward: str | None = None,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        check_mode(render_mode)
        self.rules = make(spec, **options)
        if not 0 <= seat < self.rules.seats:
            raise Malformed(f"seats are 0 to {self.rules.seats - 1}, not {seat}", what=seat, where="seat")
        self.reward = reward_of(self.rules, reward)
        self.render_mode = render_mode
        self.seat = seat
        self._policies = self._seated(opponents)
        self._observer = observer(self.rules)
        self._actions = self.rules.bounds.actions
        self._rng = seeded(None)
        self.observation_space = self._observer.space
        self.action_space = Discrete(self._actions)  # type: ignore[assignment]  # numpy's int64 is taken as well as int

    def _seated(self, opponents: str | Policy | Sequence[str | Policy]) -> dict[Seat, Policy]:
        """Who plays in each of the other seats."""
        others = [seat for seat in range(self.rules.seats) if seat != self.seat]
        named = [opponents] * len(others) if isinstance(opponents, str) or callable(opponents) else [*opponents]
        if len(named) != len(others):
            raise Malformed(
                f"{len(others)} opponents, one for each other seat, not {len(named)}", what=opponents, where="opponents"
            )
        found = [policy(self.rules.game, one) if isinstance(one, str) else one for one in named]
        return dict(zip(others, found, strict=True))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode, up to the seat's first decision; the seed stands for chance and for the opponents."""
        super().reset(seed=seed)
        del options
        if seed is not None:
            self._rng = seeded(seed)
        self._state = settled(self.rules, self.rules.start(), self._rng)
        self._play({})
        return self._observed(), {"action_mask": self.action_masks()}

    def step(self, action: Action) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play the seat's action, and what the others and chance do until it is asked again or the game is over.

        An action that is not legal is replaced by the lowest legal one, which the info then has as `replaced`.

        Raises:
            Malformed: the action is not in the action space.
        """
        if not self._legal:
            raise Malformed("the episode is over: reset the environment", where="step")
        before = self._state
        played, replaced = fitted(action, self._legal, self._actions)
        self._play({self.seat: played})
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if replaced:
            info["replaced"] = played
        gained = self.reward.between(before, self._state)[self.seat]
        return self._observed(), gained, not self._legal, False, info

    def _play(self, move: dict[Seat, Action]) -> None:
        """Go on with the seat's move, if it has one, until it is asked again or the game is over."""
        rules, state = self.rules, self._state
        while (to_act := rules.to_act(state)) and (move or self.seat not in to_act):
            for other in to_act:
                if other != self.seat:
                    move[other] = self._policies[other](rules, rules.view(state, other), self._rng)
            state = settled(rules, rules.apply(state, move).state, self._rng)
            move = {}
        self._state, self._legal = state, rules.legal(state, self.seat)

    def _observed(self) -> Floats:
        return self._observer.seat(self._state, self.seat)

    def action_masks(self) -> NDArray[np.bool_]:
        """True for each legal action, as MaskablePPO of sb3-contrib asks for it.

        At the end it is true for action 0, which is as good as any, so that no mask is ever without a choice.
        """
        mask = np.zeros(self._actions, np.bool_)
        mask[list(self._legal or (0,))] = True
        return mask

    def render(self) -> Any:  # noqa: ANN401 -- as the mode has it
        """The table as the seat sees it, in the render mode."""
        if self.render_mode is None:
            return None
        names = tuple(f"seat_{seat}" for seat in range(self.rules.seats))
        return render(self.rules, self.rules.view(self._state, self.seat), names, self.render_mode)


def single_env(
    spec: str,
    *,
    seat: Seat = 0,
    opponents: str | Policy | Sequence[str | Policy] = "random",
    reward: str | None = None,
    render_mode: str | None = None,
    **options: OptionValue,
) -> Single:
    """One seat of a game as a Gymnasium environment, an episode being a match.

    The observation is a vector, float32 from 0 to 1; the info has the `action_mask`, true for each legal action.

    Args:
        spec: the game, its variant and options, as `faceup.core.make` reads them.
        seat: whose decisions are asked for.
        opponents: who plays the other seats: a policy, or its name, for all of them or one for each.
        reward: one of `reward_names(rules)`; the game's points unless given.
        render_mode: one of `MODES`.
        options: more options of the game, such as `seats`.

    Raises:
        Malformed: any of these is off.

    >>> env = single_env("nimmt:cowheadking", seats=3, opponents=["greedy", "random"])
    >>> observation, info = env.reset(seed=7)
    >>> int(info["action_mask"].sum())
    10
    """
    return Single(spec, seat=seat, opponents=opponents, reward=reward, render_mode=render_mode, **options)

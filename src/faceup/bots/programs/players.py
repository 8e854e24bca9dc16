"""Players of bot programs, which use either a policy that chooses immediately or a search with a time limit."""

import os
from collections.abc import Callable
from typing import Any

from faceup.bots.programs.time_control import TimeControl
from faceup.core.generator import Generator, SeededGenerator


class PolicyPlayer:
    """A player with a policy that chooses immediately.

    Args:
        policy: a `faceup.core.Policy`.
        rules: the rules to pass to the policy.
        rng: the generator to pass to the policy.
        shown: converts `known` to the view to pass to the policy, which is `known` itself by default.
    """

    def __init__(
        self,
        policy: Callable[..., int],
        rules: Any,  # noqa: ANN401 -- of any game, here and below
        rng: Generator,
        shown: Callable[[Any], Any] | None = None,
    ) -> None:
        self.policy, self.rules, self.rng, self.shown = policy, rules, rng, shown

    def decide(self, observation: Any, pace: TimeControl) -> int:  # noqa: ANN401 -- as above
        """Return the policy's choice."""
        del pace
        return self.policy(self.rules, self.shown(observation) if self.shown else observation, self.rng)

    def use_idle_time(self, log: Callable[[str], None]) -> None:
        """Do nothing."""


class SearchPlayer:
    """A player with a search that runs in this process, such as `numpy_search`.

    Args:
        search: the search, called with the rules, `known`, `over`, `seed` and `worlds`. It must call `over` often, and
            return when this function returns true.
        rules: the rules to pass to the search.
        rng: the generator that draws the seeds.
        worlds: the greatest number of worlds for each option; None for as many as time permits.
    """

    def __init__(
        self,
        search: Callable[..., int],
        rules: Any,  # noqa: ANN401 -- as above
        rng: Generator,
        worlds: int | None = None,
    ) -> None:
        self.search, self.rules, self.rng, self.worlds = search, rules, rng, worlds

    def decide(self, observation: Any, pace: TimeControl) -> int:  # noqa: ANN401 -- as above
        """Return the best action found in time."""
        return self.search(self.rules, observation, over=pace.over, seed=self.rng.below(2**63), worlds=self.worlds)

    def use_idle_time(self, log: Callable[[str], None]) -> None:
        """Do nothing."""


def os_seeded_generator() -> Generator:
    """Return a generator with a random seed for bots. It loads faster than `SystemRandom`, which only deals need."""
    return SeededGenerator(int.from_bytes(os.urandom(8)))

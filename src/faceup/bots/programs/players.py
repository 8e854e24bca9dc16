"""Who decides in a program: a policy that answers at once, or a search until the time is up."""

import os
from collections.abc import Callable
from typing import Any

from faceup.bots.programs.pace import Pace
from faceup.core.generator import Generator, Seeded


class Quick:
    """A policy that needs next to no time.

    Args:
        policy: as `faceup.core.Policy`.
        rules: that it is given.
        rng: that it is given.
        shown: makes the view that it is given from what is known; what is known as it is, if not given.
    """

    def __init__(
        self,
        policy: Callable[..., int],
        rules: Any,  # noqa: ANN401 -- of any game, here and below
        rng: Generator,
        shown: Callable[[Any], Any] | None = None,
    ) -> None:
        self.policy, self.rules, self.rng, self.shown = policy, rules, rng, shown

    def decide(self, known: Any, pace: Pace) -> int:  # noqa: ANN401 -- as above
        """What the policy chooses."""
        del pace
        return self.policy(self.rules, self.shown(known) if self.shown else known, self.rng)

    def rest(self, say: Callable[[str], None]) -> None:
        """Nothing is left to do."""


class Searching:
    """A search in this process that asks `over` whether its time is up, such as `plain_search` of 6 nimmt!.

    Args:
        search: called with rules and what is known, `over`, `seed` and `worlds`.
        rules: that it is given.
        rng: makes the seeds.
        worlds: the most for each option; None for as many as there is time for.
    """

    def __init__(
        self,
        search: Callable[..., int],
        rules: Any,  # noqa: ANN401 -- as above
        rng: Generator,
        worlds: int | None = None,
    ) -> None:
        self.search, self.rules, self.rng, self.worlds = search, rules, rng, worlds

    def decide(self, known: Any, pace: Pace) -> int:  # noqa: ANN401 -- as above
        """The best action found in time."""
        return self.search(self.rules, known, over=pace.over, seed=self.rng.below(2**63), worlds=self.worlds)

    def rest(self, say: Callable[[str], None]) -> None:
        """Nothing is left to do."""


def unpredictable() -> Generator:
    """A generator for a player: nobody knows its seed, and it is quicker to load than `Secret`, which deals need."""
    return Seeded(int.from_bytes(os.urandom(8)))

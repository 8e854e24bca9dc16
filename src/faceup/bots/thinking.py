"""Searching players as policies: a search, and how long it may think."""

import re
from collections.abc import Sequence
from math import exp
from typing import Any, Final, NamedTuple

from faceup.bots.search import Option, judge
from faceup.core import Action, Generator, Malformed

USUAL: Final = "100ms"
"""What a player may use for a decision unless its name says otherwise."""

_BUDGET: Final = re.compile(r"(?P<amount>\d{1,9})(?P<unit>ms|)")


class Thinker(NamedTuple):
    """A player that searches each of its decisions.

    Attributes:
        player: one of `searches(game)`.
        worlds: the work for each decision, as for `judge`; or
        seconds: the time for each decision.
        objective: what it plays for, as for `judge`.
        softness: 0 plays the best that it finds. Else it chooses an option that looks n points worse than the best
            exp(n / softness) times less often: the larger, the more it errs, and never much if little is at stake. Such
            a player plays for points, "relative" or "heads".
    """

    player: str
    worlds: int | None = None
    seconds: float | None = None
    objective: str = "win late"
    softness: float = 0.0

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- as `faceup.core.Policy`
        """The action that it chooses; where there is only one, at once."""
        if len(view.legal) == 1:
            only: Action = view.legal[0]
            return only
        found = judge(
            rules,
            view,
            player=self.player,
            worlds=self.worlds,
            seconds=self.seconds,
            seed=rng.below(2**63),
            objective=self.objective,
            every=self.softness > 0,
        )
        return softly(found.options, self.softness, rng) if self.softness else found.options[0].action


def softly(options: Sequence[Option], softness: float, rng: Generator) -> Action:
    """One of the options, the best first, each as likely as its weight says."""
    weights = [round(2**32 * exp(-option.behind.value / softness)) for option in options]
    drawn = rng.below(sum(weights))
    for option, weight in zip(options, weights, strict=True):
        if drawn < weight:
            return option.action
        drawn -= weight
    raise AssertionError("a number below the sum of the weights is within one of them")


def thinker(name: str) -> Thinker:
    """The player of a name such as `mc@1000` (worlds for each decision) or `mc@50ms` (time); `mc` is `mc@100ms`.

    Raises:
        Malformed: what stands behind the @ is neither.

    >>> thinker("mc@50ms").seconds, thinker("mc@1000").worlds
    (0.05, 1000)
    """
    player, at, budget = name.partition("@")
    found = _BUDGET.fullmatch(budget if at else USUAL)
    amount = int(found["amount"]) if found else 0
    if not found or not amount:
        raise Malformed(
            f"{name!r} does not say how long to think: write {player}@1000 (worlds) or {player}@50ms",
            what=name,
            where="policy",
        )
    return Thinker(player, seconds=amount / 1000) if found["unit"] else Thinker(player, worlds=amount)

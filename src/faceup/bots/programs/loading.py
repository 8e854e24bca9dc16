"""A search that is loaded, or even compiled, while the match has begun: whatever is ready plays."""

from collections.abc import Callable, Sequence
from importlib import import_module
from threading import Thread
from typing import Any, Final

from faceup.bots.programs.compiled import Compiled
from faceup.bots.programs.pace import Pace
from faceup.bots.programs.players import Quick, Searching
from faceup.bots.programs.warming import warm_in_background
from faceup.core import AnyRules, Generator, View, write

SHORT: Final = 0.015
"""Seconds in which the plain search is done sooner than the other can be asked."""


class Loading:
    """The compiled search as soon as it can be asked, before that the plain one, and before that the stand-in.

    Before the compiled search is asked, the plain one has a quick look: that is the answer if the other is late.

    Args:
        name: of the policy that searches, without a budget.
        plain: where the plain search is, as module:name.
        stand_in: plays while nothing is loaded.
        samples: a position of each kind of decision, in text notation.
        as_view: makes a view from what the protocol has told.
        worlds: the work for each decision, if not all that there is time for.
    """

    def __init__(
        self,
        name: str,
        *,
        plain: str,
        stand_in: Quick,
        samples: Sequence[str],
        as_view: Callable[[Any], View],
        worlds: int | None = None,
    ) -> None:
        self.name, self.stand_in, self.samples, self.as_view, self.worlds = name, stand_in, samples, as_view, worlds
        self.rules: AnyRules = stand_in.rules
        self.rng: Generator = stand_in.rng
        self.plain: Searching | None = None
        self.compiled: Compiled | None = None
        self._said = False
        self._import = Thread(target=self._load, args=plain.split(":"), daemon=True)
        self._import.start()

    def _load(self, module: str, search: str) -> None:
        self.plain = Searching(getattr(import_module(module), search), self.rules, self.rng, self.worlds)

    def decide(self, known: Any, pace: Pace) -> int:  # noqa: ANN401 -- what is known is as each protocol has it
        """The best action found in time."""
        if len(known.legal) == 1:
            only: int = known.legal[0]
            return only
        if self.plain is None:
            self._import.join(max(0.0, pace.left()))
        if self.compiled is None:
            self.compiled = Compiled(self.name, self.samples)
        pace.begin()
        if self.plain is None:
            return self.stand_in.decide(known, pace)
        if not self.compiled.ready() or pace.left() < SHORT:
            return self.plain.decide(known, pace)
        at_hand = self.plain.search(self.rules, known, over=_at_once, seed=self.rng.below(2**63))
        found = self.compiled.decide(write(self.rules, self.as_view(known)), self.worlds, pace)
        return at_hand if found is None else found

    def rest(self, say: Callable[[str], None]) -> None:
        """Compile what is not compiled, once and for the next match, and say so."""
        compiled = self.compiled
        if compiled is None or self._said or compiled.ready() or compiled.state == "loading":
            return
        self._said = True
        if compiled.state == "cold":
            why, then = "the search is not compiled yet", _THEN[warm_in_background(compiled.cache)]
        else:
            why, then = "the compiled search has failed", ""
        say(f"{why}: the plain search plays this match{then}")

    def close(self) -> None:
        """End what was begun."""
        if self.compiled is not None:
            self.compiled.close()


_THEN: Final = {
    "begun": "; it is being compiled now, for the next one",
    "under way": "; another process is compiling it, for the next one",
    "impossible": "; what is compiled cannot be kept here",
}


def _at_once() -> bool:
    return True

"""How long War lasts, and how often it reaches its cap, by collecting order, with and without reshuffling.

Nobody can list the deals of 52 cards, so these odds are sampled, with 95 % intervals.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import msgspec

from faceup.core import make
from faceup.games.war import War
from faceup.sim import Counts, Run, add, nothing, plan, play
from faceup.sim.counts import Histogram, mean, quantile
from faceup.statistics import proportion

COLLECT: Final = ("winner_first", "loser_first", "shuffled")
QUANTILES: Final = (0.05, 0.5, 0.95)


class Setting(msgspec.Struct, frozen=True):
    """War under one collecting order and reshuffle interval, and what was counted of it."""

    collect: str
    reshuffle: int
    cap: int
    run: Run
    counts: Counts

    @property
    def name(self) -> str:
        """In a few words."""
        return f"{self.collect.replace('_', ' ')}, {'reshuffled' if self.reshuffle else 'never'}"

    @property
    def rounds(self) -> Histogram:
        """How often each number of rounds came up."""
        return self.counts.values["rounds"][0]

    @property
    def wars(self) -> Histogram:
        """How often each number of wars came up."""
        return self.counts.values["wars"][0]

    @property
    def capped(self) -> int:
        """The games that reached the cap."""
        return sum(times for rounds, times in self.rounds.items() if rounds >= self.cap)


def settings(options: str, deals: int, seed: int) -> tuple[Setting, ...]:
    """The six settings, nothing of them played yet: each collecting order, reshuffled as usual and never.

    Args:
        options: other options of War, in words: "cap=1000".
        deals: how many games of each.
        seed: of all of them.

    Raises:
        Malformed: an option that War does not have or take, no deals, or a seed out of range.
    """
    usual = make(f"war {options}")
    assert isinstance(usual, War)  # noqa: S101 -- "war" is, for the type checker
    found = []
    for collect, reshuffle in product(COLLECT, (usual.reshuffle or War().reshuffle, 0)):
        rules = make(f"war {options}", collect=collect, reshuffle=reshuffle)
        run = plan(rules, ["random"], deals=deals, seed=seed)
        found.append(Setting(collect, reshuffle, usual.cap, run, nothing()))
    return tuple(found)


def sample(setting: Setting, jobs: int) -> Iterator[Setting]:
    """Play the setting's games, part after part."""
    for counts in play(setting.run, 0, setting.run.deals, jobs):
        setting = msgspec.structs.replace(setting, counts=add(setting.counts, counts))
        yield setting


def report(found: tuple[Setting, ...]) -> dict[str, Any]:  # Any: JSON
    """The odds for JSON."""
    return {
        "game": "war",
        "cap": found[0].cap,
        "deals": found[0].counts.games,
        "seed": found[0].run.seed,
        "settings": [
            {
                "collect": setting.collect,
                "reshuffle": setting.reshuffle,
                "rounds": _amount(setting.rounds),
                "wars": _amount(setting.wars),
                "cap": {
                    "count": setting.capped,
                    "probability": setting.capped / setting.counts.games,
                    "interval": proportion(setting.capped, setting.counts.games),
                },
            }
            for setting in found
        ],
    }


def _amount(histogram: Histogram) -> dict[str, Any]:  # Any: JSON
    value = mean(histogram)
    return {
        "mean": value.mean,
        "stderr": value.stderr,
        "interval": value.interval,
        "least": min(histogram),
        **{f"p{round(100 * part)}": quantile(histogram, part) for part in QUANTILES},
        "most": max(histogram),
    }

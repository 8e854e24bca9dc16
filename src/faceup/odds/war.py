"""Odds of the length and the end of War, by collecting order, cap and reshuffle interval.

The deals of 52 cards cannot be enumerated, so these odds are sampled, with 95 % confidence intervals.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import msgspec

from faceup.core import make
from faceup.games.war import ENDS, War
from faceup.sim import Counts, Run, add, plan, play
from faceup.sim.counts import Histogram, mean, quantile
from faceup.statistics import proportion

SEVERAL: Final = {"collect": ("winner_first", "loser_first", "shuffled"), "cap": ("5000",), "reshuffle": ("100", "0")}
"""The options that can have several values, with their default values."""

QUANTILES: Final = (0.05, 0.5, 0.95)


class WarSetting(msgspec.Struct, frozen=True):
    """War under one set of options, with its counts."""

    rules: War
    run: Run
    counts: Counts

    @property
    def rounds(self) -> Histogram:
        """The histogram of the number of rounds."""
        return self.counts.values["rounds"][0]

    @property
    def wars(self) -> Histogram:
        """The histogram of the number of wars."""
        return self.counts.values["wars"][0]

    @property
    def ends(self) -> dict[str, int]:
        """The number of games that ended in each way, with draws split by their cause."""
        ends = self.counts.values["by"][0]
        return {end: ends.get(number, 0) for number, end in enumerate(ENDS)}

    @property
    def unfinished(self) -> int:
        """The number of games that ended at the cap, in sudden death or as a draw, not with all cards in one pile."""
        return self.counts.games - self.ends["all cards"]


def settings(options: Sequence[str], deals: int, seed: int) -> tuple[WarSetting, ...]:
    """Return every combination of the values of `collect`, `cap` and `reshuffle`, with empty counts.

    Each setting plays all of its games. Games with one cap cannot be counted as games with another cap, because sudden
    death and the reshuffle that is due at the cap differ. Game n of a seed has the same deal in every setting.

    Args:
        options: options of War, each as "name=value"; `collect`, `cap` and `reshuffle` can have several values,
            such as "cap=200,1000".
        deals: the number of games of each setting.
        seed: the seed of all settings.

    Raises:
        Malformed: an option is unknown or invalid, or the deals or the seed are out of range.
    """
    several = dict(SEVERAL)
    others = []
    for option in options:
        name, equals, values = option.partition("=")
        if equals and name in SEVERAL:
            several[name] = tuple(dict.fromkeys(values.translate(dict.fromkeys(map(ord, ",[]"), " ")).split() or [""]))
        else:
            others.append(option)
    rows = []
    for values_of_each in product(*several.values()):
        chosen = map("=".join, zip(several, values_of_each, strict=True))
        rules = make(" ".join(["war", *others, *chosen]))
        assert isinstance(rules, War)  # noqa: S101 -- for the type checker
        rows.append(WarSetting(rules, plan(rules, ["random"], deals=deals, seed=seed), Counts()))
    return tuple(rows)


def sample_setting(setting: WarSetting, jobs: int) -> Iterator[WarSetting]:
    """Play the setting's games, and yield the setting with the counts so far after each part."""
    for counts in play(setting.run, 0, setting.run.deals, jobs):
        setting = msgspec.structs.replace(setting, counts=add(setting.counts, counts))
        yield setting


def report(settings: tuple[WarSetting, ...]) -> dict[str, Any]:  # Any: JSON
    """Return the odds for JSON."""
    return {
        "game": "war",
        "deals": settings[0].counts.games,
        "seed": settings[0].run.seed,
        "settings": [
            {
                "collect": setting.rules.collect,
                "cap": setting.rules.cap,
                "reshuffle": setting.rules.reshuffle,
                "rounds": _amount(setting.rounds),
                "wars": _amount(setting.wars),
                "ends": setting.ends,
                "unfinished": {
                    "count": setting.unfinished,
                    "probability": setting.unfinished / setting.counts.games,
                    "interval": proportion(setting.unfinished, setting.counts.games),
                },
            }
            for setting in settings
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

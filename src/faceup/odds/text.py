"""The odds as text tables."""

from collections.abc import Sequence
from typing import Final

from faceup.core import plural
from faceup.formatting import format_mean_parts, format_table
from faceup.games.war import ENDS
from faceup.odds import Chance, niuniu, war
from faceup.odds.nimmt import CardOdds
from faceup.sim.counts import mean, quantile
from faceup.statistics import proportion

_HEADS: Final = {"cap": "larger pile"}
"""Column headings of ends whose name is not used as heading, since `cap` is already the heading of a setting."""


def format_niuniu_odds(odds: niuniu.Odds) -> str:
    """Format ranks, statistics scores, and battles of 2 to 10 seats."""
    ranks = [["hand", "hands", "chance"]]
    ranks += [
        [name, f"{chance.count:,}", f"{chance.value:.4%}"]
        for name, chance in zip(niuniu.RANKS, odds.ranks, strict=True)
    ]
    scores = [["statistics", "hands", "chance"]]
    scores += [
        [str(score), f"{chance.count:,}", f"{chance.value:.4%}"]
        for score, chance in zip(niuniu.SCORES, odds.statistics, strict=True)
    ]
    scores.append(["mean", "", f"{odds.mean_statistics.value:.4f}"])
    battles = [["seats", "you win", "you draw", "you lose", "drawn throws"]]
    battles += [
        [
            str(each.seats),
            *(f"{part.value:.4%}" for part in (each.win, each.draw, each.lose, each.drawn)),
        ]
        for each in odds.battles
    ]
    title = f"five dice with {odds.faces} faces: {odds.hands:,} hands; a baozi is {odds.baozi} alike"
    return "\n\n".join(
        [title, format_table(ranks, left=1), format_table(scores, left=1), format_table(battles, left=1)]
    )


def format_nimmt_odds(found: Sequence[CardOdds], seats: int, unseen: int) -> str:
    """Format the odds of each card of the hand."""
    rows = [["card", "heads on average", "finds room", "row is full", "too low", "most heads"]]
    rows += [
        [
            str(each.card),
            f"{float(each.mean):.4f}",
            f"{each.heads.get(0, Chance(0, 1)).value:.2%}",
            f"{each.full.value:.2%}",
            f"{each.low.value:.2%}",
            str(max(each.heads)),
        ]
        for each in found
    ]
    best = min(found, key=lambda each: (each.mean, each.card))
    return (
        f"{plural(seats, 'seat')}, {plural(unseen, 'card')} unseen; each of the others plays any of these\n\n"
        f"{format_table(rows, left=0)}\n\nFewest heads on average: {best.card}."
    )


def format_war_odds(found: Sequence[war.Setting]) -> str:
    """Format the numbers of rounds and wars, and the ways in which games ended, for each setting."""
    lengths = [
        ["collecting", "reshuffled", "cap", "rounds", *(f"{part:.0%}" for part in war.QUANTILES), "wars"],
        *(
            [
                *_setting(each),
                " ±".join(filter(None, format_mean_parts(mean(each.rounds)))),
                *(str(quantile(each.rounds, part)) for part in war.QUANTILES),
                " ±".join(filter(None, format_mean_parts(mean(each.wars)))),
            ]
            for each in found
        ),
    ]
    shown = [end for end in ENDS if not end.startswith("draw") or any(each.ends[end] for each in found)]
    ends = [
        ["collecting", "reshuffled", "cap", *(_HEADS.get(end, end) for end in shown), "not by all cards"],
        *(
            [
                *_setting(each),
                *(f"{each.ends[end]:,}" for end in shown),
                interval(*proportion(each.unfinished, each.counts.games)),
            ]
            for each in found
        ),
    ]
    title = f"War: {plural(found[0].counts.games, 'game')} of each, seed {found[0].run.seed}"
    draws = "" if any(end.startswith("draw") for end in shown) else "No game was a draw. "
    notes = f"{draws}± and intervals are of 95 % confidence."
    return "\n\n".join([title, format_table(lengths, left=2), format_table(ends, left=2), notes])


def _setting(setting: war.Setting) -> tuple[str, str, str]:
    rules = setting.rules
    return rules.collect, f"every {rules.reshuffle}" if rules.reshuffle else "never", f"{rules.cap:,}"


def interval(low: float, high: float) -> str:
    """Format an interval of proportions in percent, or in scientific notation if percents would show zeros.

    >>> interval(0.25, 0.26), interval(0.0, 0.0000038), interval(0.0000021, 0.0041)
    ('25.00% to 26.00%', '0 to 3.8e-06', '2.1e-06 to 4.1e-03')
    """
    pattern = ".1e" if (low or high) < 0.001 else ".2%"
    return " to ".join(format(share, pattern) if share else "0" for share in (low, high))

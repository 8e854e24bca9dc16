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
"""Column headings of ends with a name that is no heading, since `cap` is already the heading of a setting."""


def format_niuniu_odds(odds: niuniu.Odds) -> str:
    """Format ranks, statistics points, and battles of 2 to 10 seats."""
    ranks = [["hand", "hands", "chance"]]
    ranks += [
        [name, f"{chance.count:,}", f"{chance.value:.4%}"]
        for name, chance in zip(niuniu.RANKS, odds.ranks, strict=True)
    ]
    scores = [["statistics points", "hands", "chance"]]
    scores += [
        [str(score), f"{chance.count:,}", f"{chance.value:.4%}"]
        for score, chance in zip(niuniu.SCORES, odds.statistics, strict=True)
    ]
    scores.append(["mean", "", f"{odds.mean_statistics.value:.4f}"])
    battles = [["seats", "you win", "you draw", "you lose", "drawn throws"]]
    battles += [
        [
            str(battle.seats),
            *(f"{part.value:.4%}" for part in (battle.win, battle.draw, battle.lose, battle.drawn)),
        ]
        for battle in odds.battles
    ]
    title = f"five dice with {odds.faces} faces: {odds.hands:,} hands; a baozi is {odds.baozi} alike"
    return "\n\n".join(
        [title, format_table(ranks, left=1), format_table(scores, left=1), format_table(battles, left=1)]
    )


def format_nimmt_odds(card_odds: Sequence[CardOdds], seats: int, unseen: int) -> str:
    """Format the odds of each card of the hand."""
    rows = [["card", "heads on average", "finds room", "row is full", "too low", "most heads"]]
    rows += [
        [
            str(card.card),
            f"{float(card.mean):.4f}",
            f"{card.heads.get(0, Chance(0, 1)).value:.2%}",
            f"{card.full.value:.2%}",
            f"{card.low.value:.2%}",
            str(max(card.heads)),
        ]
        for card in card_odds
    ]
    best = min(card_odds, key=lambda card: (card.mean, card.card))
    return (
        f"{plural(seats, 'seat')}, {plural(unseen, 'card')} unseen; each of the others plays any of these\n\n"
        f"{format_table(rows, left=0)}\n\nFewest heads on average: {best.card}."
    )


def format_war_odds(settings: Sequence[war.WarSetting]) -> str:
    """Format the numbers of rounds and wars, and the ways in which games ended, for each setting."""
    lengths = [
        ["collecting", "reshuffled", "cap", "rounds", *(f"{part:.0%}" for part in war.QUANTILES), "wars"],
        *(
            [
                *_setting(setting),
                " ±".join(filter(None, format_mean_parts(mean(setting.rounds)))),
                *(str(quantile(setting.rounds, part)) for part in war.QUANTILES),
                " ±".join(filter(None, format_mean_parts(mean(setting.wars)))),
            ]
            for setting in settings
        ),
    ]
    shown = [end for end in ENDS if not end.startswith("draw") or any(setting.ends[end] for setting in settings)]
    ends = [
        ["collecting", "reshuffled", "cap", *(_HEADS.get(end, end) for end in shown), "not by all cards"],
        *(
            [
                *_setting(setting),
                *(f"{setting.ends[end]:,}" for end in shown),
                interval(*proportion(setting.unfinished, setting.counts.games)),
            ]
            for setting in settings
        ),
    ]
    title = f"War: {plural(settings[0].counts.games, 'game')} of each, seed {settings[0].run.seed}"
    draws = "" if any(end.startswith("draw") for end in shown) else "No game was a draw. "
    notes = f"{draws}± and intervals are of 95 % confidence."
    return "\n\n".join([title, format_table(lengths, left=2), format_table(ends, left=2), notes])


def _setting(setting: war.WarSetting) -> tuple[str, str, str]:
    rules = setting.rules
    return rules.collect, f"every {rules.reshuffle}" if rules.reshuffle else "never", f"{rules.cap:,}"


def interval(low: float, high: float) -> str:
    """Format an interval of proportions in percent, or in scientific notation if percents would show zeros.

    >>> interval(0.25, 0.26), interval(0.0, 0.0000038), interval(0.0000021, 0.0041)
    ('25.00% to 26.00%', '0 to 3.8e-06', '2.1e-06 to 4.1e-03')
    """
    pattern = ".1e" if (low or high) < 0.001 else ".2%"
    return " to ".join(format(share, pattern) if share else "0" for share in (low, high))

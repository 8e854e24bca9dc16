"""The odds for people, as tables."""

from collections.abc import Sequence

from faceup.odds import niuniu, war
from faceup.odds.fractions import Chance
from faceup.odds.nimmt import CardOdds
from faceup.sim.counts import mean, quantile
from faceup.sim.report import plus_minus, table
from faceup.statistics import proportion


def niuniu_words(odds: niuniu.Odds) -> str:
    """Every rank, every statistics score, and battles of 2 to 10 seats."""
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
    battles = [["seats", "you win", "another wins", "nobody wins"]]
    battles += [
        [
            str(each.seats),
            *(f"{part:.4%}" for part in (each.win.value, (each.seats - 1) * each.win.value, each.draw.value)),
        ]
        for each in odds.battles
    ]
    title = f"five dice with {odds.faces} faces: {odds.hands:,} hands; a baozi is {odds.baozi} alike"
    return "\n\n".join([title, table(ranks, left=1), table(scores, left=1), table(battles, left=1)])


def nimmt_words(found: Sequence[CardOdds], seats: int, unseen: int) -> str:
    """What each card of the hand can expect."""
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
        f"{seats} seats, {unseen} cards unseen; each of the others plays any of these\n\n"
        f"{table(rows, left=0)}\n\nFewest heads on average: {best.card}."
    )


def war_words(found: Sequence[war.Setting]) -> str:
    """Length, wars and the chance of the cap, setting by setting."""
    rows = [
        ["collecting", "reshuffled", "rounds", *(f"{part:.0%}" for part in war.QUANTILES), "wars", "reaches the cap"]
    ]
    for each in found:
        low, high = proportion(each.capped, each.counts.games)
        rows.append([
            each.collect, f"every {each.reshuffle}" if each.reshuffle else "never",
            " ±".join(filter(None, plus_minus(mean(each.rounds)))),
            *(str(quantile(each.rounds, part)) for part in war.QUANTILES),
            " ±".join(filter(None, plus_minus(mean(each.wars)))),
            f"{low:.2%} to {high:.2%}",
        ])  # fmt: skip
    first = found[0]
    title = f"War: {first.counts.games:,} games of each, seed {first.run.seed}, cap {first.cap:,} rounds"
    return f"{title}\n\n{table(rows, left=2)}\n\n± and intervals are of 95 % confidence."

"""The odds as pictures."""

from collections.abc import Sequence

from faceup.charts import Part, Row, bars, columns, parts, ridges
from faceup.games.panels import heading, headline
from faceup.games.svg import page, stack
from faceup.odds import niuniu, war
from faceup.odds.nimmt import CardOdds
from faceup.odds.words import nimmt_words, niuniu_words, war_words
from faceup.sim.counts import mean
from faceup.sim.plot import scale_for
from faceup.sim.report import plus_minus
from faceup.statistics import proportion


def niuniu_plot(odds: niuniu.Odds) -> str:
    """Ranks, statistics scores and battles, as SVG."""
    left = [
        headline("Niu Niu", f"{odds.hands:,} hands of five dice with {odds.faces} faces"),
        heading(
            "what a hand is worth, in percent of all hands",
            columns([
                (_short(name), chance.value, f"{100 * chance.value:.1f}")
                for name, chance in zip(niuniu.RANKS, odds.ranks, strict=True)
            ]),
        ),
    ]  # fmt: skip
    right = [
        heading(
            "a throw, by the number of seats",
            parts(
                [Row(f"{battle.seats} seats") for battle in odds.battles],
                [
                    Part("you win", [battle.win.value for battle in odds.battles]),
                    Part("another wins", [(battle.seats - 1) * battle.win.value for battle in odds.battles]),
                    Part("nobody wins", [battle.draw.value for battle in odds.battles]),
                ],
            ),
        )
    ]
    scores = zip(niuniu.SCORES, odds.statistics, strict=True)
    left.append(
        heading(
            f"statistics score; on average {odds.mean_statistics.value:.3f}",
            bars([(Row(str(score), "", f"{chance.value:.1%}"), chance.value, None) for score, chance in scores]),
        )
    )
    return page("The odds of Niu Niu", niuniu_words(odds), [stack(left), stack(right)], {})


def _short(name: str) -> str:
    return name.replace("No Niu", "none").replace("Niu Niu", "Niu Niu")


def nimmt_plot(found: Sequence[CardOdds], rows: Sequence[Sequence[int]], seats: int, unseen: int) -> str:
    """What each card can expect, as SVG."""
    table = " / ".join(" ".join(map(str, row)) for row in rows)
    best = min(each.mean for each in found)
    blocks = [
        headline("What each card can expect", f"rows {table}; {seats} seats, {unseen} cards unseen"),
        heading(
            "heads on average",
            bars([
                (Row(str(each.card), "", f"{float(each.mean):.3f}{' *' * (each.mean == best)}"), float(each.mean), None)
                for each in found
            ]),
        ),
        heading(
            "what becomes of it; * brings fewest heads",
            parts(
                [Row(str(each.card)) for each in found],
                [
                    Part("finds room", [1 - each.full.value - each.low.value for each in found]),
                    Part("its row is full", [each.full.value for each in found]),
                    Part("is too low", [each.low.value for each in found]),
                ],
            ),
        ),
    ]  # fmt: skip
    return page("What each card can expect", nimmt_words(found, seats, unseen), [stack(blocks)], {})


def war_plot(found: Sequence[war.Setting]) -> str:
    """The length of games, wars, and the chance of the cap, as SVG."""
    names = [
        (each.collect.replace("_", " "), f"every {each.reshuffle}" if each.reshuffle else "not reshuffled")
        for each in found
    ]
    panels = [
        heading(
            title,
            ridges(
                [
                    (Row(name, note, *_figure(histogram)), histogram, mean(histogram).mean)
                    for (name, note), histogram in zip(names, histograms, strict=True)
                ],
                scale_for(*histograms),
            ),
        )
        for title, histograms in (
            ("rounds", [each.rounds for each in found]),
            ("wars", [each.wars for each in found]),
        )
    ]
    games = found[0].counts.games
    cap = heading(
        f"games that reach the cap of {found[0].cap:,} rounds",
        bars([
            (_capped(name, note, each), each.capped / games, proportion(each.capped, games))
            for (name, note), each in zip(names, found, strict=True)
        ], most=1),
    )  # fmt: skip
    title = headline("How long War lasts", f"{games:,} games of each, lines at their means")
    return page("How long War lasts", war_words(found), [stack([title, panels[0]]), stack([panels[1], cap])], {})


def _figure(histogram: dict[int, int]) -> tuple[str, str]:
    figure, half = plus_minus(mean(histogram))
    return figure, f"±{half}" if half else ""


def _capped(name: str, note: str, setting: war.Setting) -> Row:
    games = setting.counts.games
    return Row(name, note, f"{setting.capped / games:.2%}", f"< {proportion(setting.capped, games)[1]:.2%}")

"""Charts of the odds."""

from collections.abc import Sequence

from faceup.charts import Part, Row, bars, columns, parts, ridges
from faceup.core import plural
from faceup.formatting import format_mean_parts
from faceup.games.svg import heading, page, stack, title_block
from faceup.games.war import War
from faceup.odds import niuniu, war
from faceup.odds.nimmt import CardOdds
from faceup.odds.text import format_nimmt_odds, format_niuniu_odds, format_war_odds, interval
from faceup.sim.counts import mean
from faceup.sim.plot import common_scale
from faceup.statistics import proportion


def niuniu_plot(odds: niuniu.Odds) -> str:
    """Draw ranks, statistics points and battles as SVG."""
    left = [
        title_block("Niu Niu", f"{odds.hands:,} hands of five dice with {odds.faces} faces"),
        heading(
            "probability of each hand, in percent",
            columns([
                (name.replace("No Niu", "none"), chance.value, f"{100 * chance.value:.1f}")
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
                    Part("you draw", [battle.draw.value for battle in odds.battles]),
                    Part("you lose", [battle.lose.value for battle in odds.battles]),
                ],
            ),
        )
    ]
    scores = zip(niuniu.SCORES, odds.statistics, strict=True)
    left.append(
        heading(
            f"statistics points; on average {odds.mean_statistics.value:.3f}",
            bars([(Row(str(score), "", f"{chance.value:.1%}"), chance.value, None) for score, chance in scores]),
        )
    )
    return page("The odds of Niu Niu", format_niuniu_odds(odds), [stack(left), stack(right)], {})


def nimmt_plot(card_odds: Sequence[CardOdds], rows: Sequence[Sequence[int]], seats: int, unseen: int) -> str:
    """Draw the odds of each card as SVG."""
    table = " / ".join(" ".join(map(str, row)) for row in rows)
    best = min(card.mean for card in card_odds)
    places = f"{plural(seats, 'seat')}, {plural(unseen, 'card')} unseen"
    blocks = [
        title_block("Odds of each card", f"rows {table}; {places}"),
        heading(
            "heads on average",
            bars([
                (Row(str(card.card), "", f"{float(card.mean):.3f}{' *' * (card.mean == best)}"), float(card.mean), None)
                for card in card_odds
            ]),
        ),
        heading(
            "outcomes of the card; * has the fewest heads",
            parts(
                [Row(str(card.card)) for card in card_odds],
                [
                    Part("finds room", [1 - card.full.value - card.low.value for card in card_odds]),
                    Part("its row is full", [card.full.value for card in card_odds]),
                    Part("is too low", [card.low.value for card in card_odds]),
                ],
            ),
        ),
    ]  # fmt: skip
    return page("Odds of each card", format_nimmt_odds(card_odds, seats, unseen), [stack(blocks)], {})


def war_plot(settings: Sequence[war.WarSetting]) -> str:
    """Draw the length of games, the number of wars, and the probability of an early end as SVG."""
    names = [_setting_name(setting.rules) for setting in settings]
    panels = [
        heading(
            title,
            ridges(
                [
                    (Row(name, note, *_figure(histogram)), histogram, mean(histogram).mean)
                    for (name, note), histogram in zip(names, histograms, strict=True)
                ],
                common_scale(*histograms),
            ),
        )
        for title, histograms in (
            ("rounds", [setting.rounds for setting in settings]),
            ("wars", [setting.wars for setting in settings]),
        )
    ]
    games = settings[0].counts.games
    ends = heading(
        "games that end before one player has all cards",
        bars([
            (_unfinished(name, note, setting), setting.unfinished / games, proportion(setting.unfinished, games))
            for (name, note), setting in zip(names, settings, strict=True)
        ], most=1),
    )  # fmt: skip
    title = title_block("Length of War games", f"{plural(games, 'game')} of each, lines at their means")
    return page(
        "Length of War games", format_war_odds(settings), [stack([title, panels[0]]), stack([panels[1], ends])], {}
    )


def _figure(histogram: dict[int, int]) -> tuple[str, str]:
    figure, half = format_mean_parts(mean(histogram))
    return figure, f"±{half}" if half else ""


def _setting_name(rules: War) -> tuple[str, str]:
    """Return the name and the note of a setting's row."""
    reshuffled = f"every {rules.reshuffle}" if rules.reshuffle else "not reshuffled"
    return rules.collect.replace("_", " "), f"{reshuffled}, cap {rules.cap:,}"


def _unfinished(name: str, note: str, setting: war.WarSetting) -> Row:
    high = interval(*proportion(setting.unfinished, setting.counts.games)).split(" to ")[1]
    return Row(name, note, f"{setting.unfinished:,}", f"< {high}")

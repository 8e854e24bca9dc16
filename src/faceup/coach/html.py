"""Reviews as self-contained HTML pages, with drawings of the positions, charts, and every option."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from markupsafe import Markup

from faceup.bots.search import Option
from faceup.charts import Line, Row, even, lines, output, ridges, waterfall
from faceup.coach import text
from faceup.coach.chance_report import ChanceReport
from faceup.coach.decisions import Decision
from faceup.coach.luck import Luck
from faceup.coach.registry import coach_for, no_decisions_text
from faceup.coach.review import Review, ReviewStep, WinChance
from faceup.core import AnyRules, Seat, action_text

_OPEN: Final = {"mistake", "blunder"}
"""The grades of decisions that a page shows expanded, unless there are more than `_MANY` such decisions."""

_MANY: Final = 12


def page(review: Review) -> str:
    """Return the review as an HTML page."""

    def parts_of_luck(seat: Seat) -> list[Luck]:
        return [part for part in (*review.totals, *review.luck) if part.seat == seat]

    return output.render_page(
        "coach/templates/review.html",
        f"{text.title(review.rules)}: a review",
        review=review,
        text=text,
        win_charts=list(_win_charts(review)),
        position=partial(output.draw_position, review.rules, review.names),
        action_text=partial(action_text, review.rules),
        explanation=partial(_explanation, review.rules),
        expanded_grades=_OPEN,
        expanded=lambda steps: sum(step.decision.grade in _OPEN for step in steps) <= _MANY,
        luck=parts_of_luck,
        luck_chart=_luck_chart,
        spread_chart=partial(_spread_chart, review.rules),
    )


def chance_report_html(chance: ChanceReport) -> str:
    """Return the report on luck as an HTML page."""
    chart = chance.chart
    return output.render_page(
        "coach/templates/chance_report.html",
        f"{text.title(chance.rules)}: luck report",
        chance=chance,
        summary=no_decisions_text(chance.rules),
        chart=output.chart(chart.heading, lines(chart.drawn, chart.labels, bands=chart.bands)),
        position=partial(output.draw_position, chance.rules, chance.names),
    )


def _win_charts(review: Review) -> Iterator[Markup]:
    """Yield charts of the probability of winning, one for each deal."""
    for deal, group in groupby(sorted(review.steps, key=_deal), key=_deal):
        steps = list(group)
        turns = sorted({step.decision.turn for step in steps})
        drawn = [
            Line(review.names[seat], values)
            for seat in review.seats
            if any(values := _by_turn([chance for chance in review.chances(seat) if chance.deal == deal], turns))
        ]
        if not drawn or len(turns) < 2:
            continue
        title = "Chance of winning, turn by turn"
        if text.several_deals(review):
            title = f"Deal {deal}: chance of winning, turn by turn"
        yield output.chart(title, lines(drawn, [*map(str, turns), "end"]))


def _deal(step: ReviewStep) -> int:
    return step.decision.deal


def _by_turn(chances: Sequence[WinChance], turns: Sequence[int]) -> list[float | None]:
    """Return a seat's probability of winning at each turn of a deal, and at its end."""
    by_turn = {chance.turn: chance.win for chance in chances}
    return [by_turn.get(turn) for turn in (*turns, None)]


def _luck_chart(part: Luck) -> Markup:
    where = "All deals" if part.deal is None else f"Deal {part.deal}"
    parts = [
        ("par", part.par.value),
        ("hand", part.hand.value),
        ("choices", part.choices.value),
        ("others", part.others),
    ]
    return output.chart(f"{where}: where the heads came from", waterfall(parts, ("heads", float(part.heads))))


def _explanation(rules: AnyRules, decision: Decision) -> str:
    """Explain the best option, and why the chosen one or, if it is the best one, another one is worse."""
    explanations = [option.explanation for option in decision.options if option.explanation]
    return coach_for(rules).sentences(explanations, decision.options.index(decision.chosen))


def _spread_chart(rules: AnyRules, decision: Decision) -> Markup:
    """Return the distributions of heads of the best and of the chosen option."""
    pairs: list[tuple[str, Option]] = [("best", decision.best), ("chosen", decision.chosen)]
    scale = even(0, max(_reach(option.spread) for _, option in pairs))
    rows = [
        (
            Row(action_text(rules, option.action), name, f"{option.heads.value:.2f}", "heads"),
            {heads: count for heads, count in enumerate(option.spread) if count},
            option.heads.value,
        )
        for name, option in pairs
    ]
    return output.chart("expected heads in all sampled worlds", ridges(rows, scale))


def _reach(spread: Sequence[int]) -> int:
    """Return the 99.5 % quantile of a distribution."""
    total, so_far = sum(spread), 0
    for heads, count in enumerate(spread):
        so_far += count
        if so_far >= 0.995 * total:
            return max(heads, 1)
    return max(len(spread) - 1, 1)

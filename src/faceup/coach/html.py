"""Reviews as self-contained HTML pages, with drawings of the positions, charts, and every option."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from markupsafe import Markup

from faceup.bots.search import Option
from faceup.charts import Line, Row, even, lines, output, ridges, waterfall
from faceup.coach.chance_report import ChanceReport
from faceup.coach.decisions import Decision
from faceup.coach.luck import Luck
from faceup.coach.registry import coach_for, no_decisions_text
from faceup.coach.review import Review, ReviewStep, WinChance
from faceup.coach.text import ReviewText
from faceup.core import AnyRules, Seat
from faceup.translations import Language
from faceup.translations.drawings import drawn_text

_OPEN: Final = {"mistake", "blunder"}
"""The grades of decisions that a page shows expanded, unless there are more than `_MANY` such decisions."""

_MANY: Final = 12


def page(review: Review, *, language: Language = "en") -> str:
    """Return the review as an HTML page in a language."""
    text = ReviewText(language)

    def parts_of_luck(seat: Seat) -> list[Luck]:
        return [part for part in (*review.totals, *review.luck) if part.seat == seat]

    return output.render_page(
        "coach/templates/review.html",
        text.message("coach.page_title", game=text.title(review.rules)),
        language=language,
        review=review,
        text=text,
        win_charts=list(_win_charts(text, review)),
        position=partial(output.draw_position, review.rules, review.names, say=partial(drawn_text, language)),
        action_text=partial(text.action, review.rules),
        explanation=partial(_explanation, text, review.rules),
        expanded_grades=_OPEN,
        expanded=lambda steps: sum(step.decision.grade in _OPEN for step in steps) <= _MANY,
        luck=parts_of_luck,
        luck_chart=partial(_luck_chart, text),
        spread_chart=partial(_spread_chart, text, review.rules),
    )


def chance_report_html(chance: ChanceReport) -> str:
    """Return the report on luck as an HTML page."""
    chart, text = chance.chart, ReviewText(chance.language)
    return output.render_page(
        "coach/templates/chance_report.html",
        text.message("coach.chance.title", title=text.title(chance.rules)),
        language=chance.language,
        text=text,
        chance=chance,
        summary=no_decisions_text(chance.rules, chance.language),
        chart=output.chart(chart.heading, lines(chart.drawn, chart.labels, bands=chart.bands)),
        position=partial(output.draw_position, chance.rules, chance.names, say=partial(drawn_text, chance.language)),
    )


def _win_charts(text: ReviewText, review: Review) -> Iterator[Markup]:
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
        title = text.message("coach.win_chart", deal=deal, context="deal" if text.several_deals(review) else "")
        yield output.chart(title, lines(drawn, [*map(str, turns), text.message("coach.end")]))


def _deal(step: ReviewStep) -> int:
    return step.decision.deal


def _by_turn(chances: Sequence[WinChance], turns: Sequence[int]) -> list[float | None]:
    """Return a seat's probability of winning at each turn of a deal, and at its end."""
    by_turn = {chance.turn: chance.win for chance in chances}
    return [by_turn.get(turn) for turn in (*turns, None)]


def _luck_chart(text: ReviewText, part: Luck) -> Markup:
    parts = {"par": part.par.value, "hand": part.hand.value, "choices": part.choices.value, "others": part.others}
    columns = [(text.message(f"coach.column.{name}"), value) for name, value in parts.items()]
    title = text.message("coach.luck_chart", deal=part.deal, context="" if part.deal is None else "deal")
    return output.chart(title, waterfall(columns, (text.message("review.luck.heads"), float(part.heads))))


def _explanation(text: ReviewText, rules: AnyRules, decision: Decision) -> str:
    """Explain the best option, and why the chosen one or, if it is the best one, another one is worse."""
    explanations = [option.explanation for option in decision.options if option.explanation]
    chosen = decision.options.index(decision.chosen)
    return coach_for(rules).sentences(explanations, chosen, language=text.language)


def _spread_chart(text: ReviewText, rules: AnyRules, decision: Decision) -> Markup:
    """Return the distributions of heads of the best and of the chosen option."""
    pairs: list[tuple[str, Option]] = [
        (text.grade("best"), decision.best),
        (text.message("coach.chosen"), decision.chosen),
    ]
    scale = even(0, max(_reach(option.spread) for _, option in pairs))
    rows = [
        (
            Row(
                text.action(rules, option.action),
                name,
                text.number(option.heads.value),
                text.message("review.luck.heads"),
            ),
            {heads: count for heads, count in enumerate(option.spread) if count},
            option.heads.value,
        )
        for name, option in pairs
    ]
    return output.chart(text.message("coach.spread"), ridges(rows, scale))


def _reach(spread: Sequence[int]) -> int:
    """Return the 99.5 % quantile of a distribution."""
    total, so_far = sum(spread), 0
    for heads, count in enumerate(spread):
        so_far += count
        if so_far >= 0.995 * total:
            return max(heads, 1)
    return max(len(spread) - 1, 1)

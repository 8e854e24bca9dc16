"""A review as one page of HTML that needs nothing else: drawings of the positions, plots, and every option."""

from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import groupby
from typing import Final

from faceup.bots.search import Option
from faceup.charts import Line, Row, even, lines, pages, ridges, waterfall
from faceup.coach import sentences
from faceup.coach.chance import Fortune
from faceup.coach.fortunes import none_here
from faceup.coach.lessons import lesson_for
from faceup.coach.luck import Luck
from faceup.coach.review import Review, Step
from faceup.core import AnyRules, Seat, View, find_game

_OPEN: Final = {"doubtful", "costly"}
"""Decisions whose details stand open, if they are not too many."""

_MANY: Final = 12


def page(review: Review) -> str:
    """The review as HTML."""
    title = f"{sentences.title(review.rules)}: a review"
    body = [
        f"<header><h1>{pages.words(title)}</h1><p>{pages.words(sentences.standing(review))}</p>",
        f'<p class="note">{pages.words(said)}</p>' if (said := sentences.unfinished(review)) else "",
        _contents(review),
        "</header><main>",
        *_overview(review),
        *_moments(review),
        *(part for seat in review.seats for part in _seat(review, seat)),
        "</main>",
        f"<footer><p>{pages.words(sentences.basis(review))}</p><p>{pages.words(sentences.thresholds())}</p>",
        f"<p>{pages.words(sentences.legend())}</p>" if review.par is not None else "",
        "</footer>",
    ]
    return pages.whole(title, "".join(body), style=_style())


def fortune_page(fortune: Fortune) -> str:
    """How chance went, as HTML."""
    title = f"{sentences.title(fortune.rules)}: how chance went"
    chart = fortune.chart
    drawn = lines(chart.drawn, chart.labels, bands=chart.bands)
    head = "".join(f"<th>{pages.words(cell)}</th>" for cell in fortune.header)
    rows = "".join("<tr>" + "".join(f"<td>{pages.words(cell)}</td>" for cell in row) + "</tr>" for row in fortune.rows)
    scenes = "".join(
        f'<div class="card"><h3>{pages.words(scene.caption)}</h3>'
        f"{_position(fortune.rules, scene.view, fortune.names)}</div>"
        for scene in fortune.scenes
    )
    body = [
        f"<header><h1>{pages.words(title)}</h1><p>{pages.words(none_here(fortune.rules))}</p></header><main>",
        *(f"<p>{pages.words(words)}</p>" for words in fortune.said),
        f'<div class="card chart">{pages.chart(chart.heading, drawn)}</div>',
        f'<h2>In figures</h2><div class="scroll"><table><tr>{head}</tr>{rows}</table></div>',
        f'<h2>Worth a look</h2><div class="two">{scenes}</div></main>',
    ]
    return pages.whole(title, "".join(body), style=_style())


def _style() -> str:
    return resources.files("faceup.coach").joinpath("page.css").read_text("utf-8")


def _contents(review: Review) -> str:
    links = [f'<a href="#seat-{seat}">{pages.words(review.names[seat])}</a>' for seat in review.seats]
    return f"<nav>{''.join(links)}</nav>" if len(links) > 1 else ""


def _overview(review: Review) -> Iterator[str]:
    """How the chances of winning moved, deal by deal."""
    for deal, group in groupby(sorted(review.steps, key=_deal), key=_deal):
        steps = list(group)
        turns = sorted({step.decision.turn for step in steps})
        drawn = [
            Line(review.names[seat], values)
            for seat in review.seats
            if any(values := _by_turn([step for step in steps if step.decision.seat == seat], turns))
        ]
        if not drawn or len(turns) < 2:
            continue
        title = "Chance of winning, turn by turn"
        if sentences.several_deals(review):
            title = f"Deal {deal}: chance of winning, turn by turn"
        labels = [*map(str, turns), "end"]
        yield f'<div class="card chart">{pages.chart(title, lines(drawn, labels))}</div>'


def _deal(step: Step) -> int:
    return step.decision.deal


def _by_turn(steps: Sequence[Step], turns: Sequence[int]) -> list[float | None]:
    """A seat's chance at its first decision of each turn, then at the end of the deal."""
    first: dict[int, float] = {}
    for step in steps:
        first.setdefault(step.decision.turn, step.decision.best.win.value)
    return [*(first.get(turn) for turn in turns), steps[-1].win if steps else None]


def _moments(review: Review) -> Iterator[str]:
    if not review.moments:
        return
    deals = sentences.several_deals(review)
    yield '<h2>What decided it</h2><div class="two">'
    for step in review.moments:
        tone, sign = ("up", "+") if step.swing > 0 else ("down", "\u2212")
        yield (
            f'<div class="card"><h3>{pages.words(sentences.when(step, deals=deals).capitalize())} '
            f'<span class="{tone}">{sign}{abs(100 * step.swing):.0f} points</span></h3>'
            f"<p>{pages.words(sentences.moment(review, step))}</p>"
            f"{_position(review.rules, step.decision.view, review.names)}</div>"
        )
    yield "</div>"


def _position(rules: AnyRules, view: View, names: Sequence[str]) -> str:
    """The game's own drawing; its text where it has no picture."""
    drawings = find_game(rules.game).drawings
    if "svg" in drawings:
        return drawings["svg"](view, names=names, rules=rules)
    return f"<pre>{pages.words(drawings['text'](view, names=names, rules=rules))}</pre>"


def _seat(review: Review, seat: Seat) -> Iterator[str]:
    steps = review.of(seat)
    if not steps:
        return
    name = review.names[seat]
    yield (
        f'<section id="seat-{seat}"><h2>{pages.words(name)}</h2>'
        f"<p>{pages.words(sentences.heads(review.scores[seat]))}; "
        f"{len(steps)} decisions: {pages.words(sentences.counted(steps))}.</p>"
    )
    luck = [part for part in (*review.totals, *review.luck) if part.seat == seat]
    if luck:
        yield f'<div class="two">{"".join(_luck(part, name) for part in luck)}</div>'
    several = sentences.several_deals(review)
    wide_open = sum(step.decision.word in _OPEN for step in steps) <= _MANY
    for deal, group in groupby(steps, key=_deal):
        if several:
            yield f"<h3>Deal {deal}</h3>"
        for step in group:
            yield _decision(review, step, opened=wide_open and step.decision.word in _OPEN)
    yield "</section>"


def _luck(part: Luck, name: str) -> str:
    where = "All deals" if part.deal is None else f"Deal {part.deal}"
    drawn = waterfall(
        [
            ("par", part.par.value),
            ("hand", part.hand.value),
            ("choices", part.choices.value),
            ("others", part.others),
        ],
        ("heads", float(part.heads)),
    )
    plot = pages.chart(f"{where}: where the heads came from", drawn)
    return f'<div class="card chart">{plot}<p class="soft">{pages.words(sentences.luck_words(part, name))}</p></div>'


def _decision(review: Review, step: Step, *, opened: bool) -> str:
    decision, rules = step.decision, review.rules
    cost = sentences.with_error(decision.cost) if decision.cost.value else "0"
    clock = ", by the clock" if decision.by == "clock" else ""
    took = "" if not step.took else f"took {step.took}"
    why = lesson_for(rules).why
    said = [why(rules, decision.view, decision.chosen)]
    if decision.word in _OPEN | {"fine"}:
        said = [f"Best: {why(rules, decision.view, decision.best)}", f"Chosen: {said[0]}"]
    return (
        f"<details{' open' if opened else ''}><summary><span>turn {decision.turn}</span>"
        f'<span class="chosen">{pages.words(rules.describe(decision.action))}{clock}</span>'
        f'<span><span class="word {decision.word}">{decision.word}</span></span>'
        f'<span class="figure">{cost}</span><span class="figure after">{took}</span></summary>'
        f'<div class="opened"><div>{_position(rules, decision.view, review.names)}</div><div>'
        f"{''.join(f'<p>{pages.words(words)}</p>' for words in said)}"
        f"{_options(rules, decision.options, decision.action)}{_spreads(rules, step)}</div></div></details>"
    )


def _options(rules: AnyRules, options: Sequence[Option], chosen: int) -> str:
    most = max(option.heads.value for option in options) or 1.0
    rows = "".join(
        f"<tr{' class=taken' if option.action == chosen else ''}><td>{pages.words(rules.describe(option.action))}</td>"
        f'<td class="bar"><i style="width:{100 * option.heads.value / most:.0f}%"></i></td>'
        f"<td>{sentences.with_error(option.heads)}</td>"
        f"<td>{sentences.with_error(option.behind) if option.behind.value else '0'}</td>"
        f"<td>{sentences.percent(option.win.value)}</td><td>{sentences.percent(option.risk)}</td></tr>"
        for option in options
    )
    return (
        '<div class="scroll"><table><tr><th>option</th><th class="bar"></th><th>heads to come</th><th>behind</th>'
        f"<th>win</th><th>risk</th></tr>{rows}</table></div>"
    )


def _spreads(rules: AnyRules, step: Step) -> str:
    """What might have come of the best option and of the one that was chosen."""
    decision = step.decision
    if decision.word not in _OPEN:
        return ""
    pairs = [("best", decision.best), ("chosen", decision.chosen)]
    scale = even(0, max(_reach(option.spread) for _, option in pairs))
    rows = [
        (
            Row(rules.describe(option.action), name, f"{option.heads.value:.2f}", "heads"),
            {heads: count for heads, count in enumerate(option.spread) if count},
            option.heads.value,
        )
        for name, option in pairs
    ]
    return f'<div class="chart">{pages.chart("heads to come, in all the worlds tried", ridges(rows, scale))}</div>'


def _reach(spread: Sequence[int]) -> int:
    """What all but one in two hundred stay within."""
    whole, so_far = sum(spread), 0
    for heads, count in enumerate(spread):
        so_far += count
        if so_far >= 0.995 * whole:
            return max(heads, 1)
    return max(len(spread) - 1, 1)

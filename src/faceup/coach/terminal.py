"""Reviews in the terminal, as tables of 80 columns that are readable without colour."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from faceup.bots.search import Option
from faceup.coach.chance_report import ChanceReport
from faceup.coach.luck import Luck
from faceup.coach.registry import no_decisions_text
from faceup.coach.review import Review, ReviewStep
from faceup.coach.text import ReviewText
from faceup.core import AnyRules, Seat
from faceup.formatting import cell_width, pad
from faceup.translations import Language, translate

STYLES: Final = {
    "only": "dim", "best": "green", "close": "", "good": "", "inaccurate": "yellow", "mistake": "red",
    "blunder": "bold red",
}  # fmt: skip
_BLOCKS: Final = "▁▂▃▄▅▆▇█"

_HEAD: Final = 73
"""The most columns of a seat's name, result and grades in one line of a review of 80 columns."""


def screen(review: Review, *, every: bool = False, language: Language = "en") -> RenderableType:
    """Format the review for the terminal.

    Args:
        review: the review.
        every: show every option of every decision, not only the chosen one.
        language: the language of the text.
    """
    text = ReviewText(language)
    parts: list[RenderableType] = [
        Text(text.title(review.rules), style="bold"),
        Text(text.standing(review)),
    ]
    if note := text.unfinished(review):
        parts.append(Text(note, style="yellow"))
    for seat in review.seats:
        if steps := review.of(seat):
            parts += ["", *_seat(text, review, seat, steps, every=every)]
    if review.moments:
        parts += ["", Rule(text.message("review.moments"), align="left", style="dim"), *_moments(text, review)]
    if review.steps:
        parts += ["", Text(f"{text.basis(review)} {text.thresholds()}", style="dim")]
    if review.par is not None:
        parts.append(Text(text.legend(), style="dim"))
    if any(step.decision.by == "clock" for step in review.steps):
        parts.append(Text(text.message("coach.by_clock"), style="dim"))
    return Group(*parts)


def _seat(
    text: ReviewText, review: Review, seat: Seat, steps: Sequence[ReviewStep], *, every: bool
) -> Iterator[RenderableType]:
    heads = text.heads(review.scores[seat])
    if review.finished:
        heads = text.message("coach.place", heads=heads, rank=review.ranks[seat])
    head = Text.assemble((review.names[seat], "bold"), f"  {heads}")
    counts = Text(text.counted(steps), style="dim")
    fits = head.cell_len + counts.cell_len <= _HEAD
    yield Rule(head.append("   ").append_text(counts) if fits else head, align="left", style="dim")
    if not fits:
        yield counts
    luck = [part for part in (*review.luck, *review.totals) if part.seat == seat]
    if luck:
        yield _luck(text, luck)
    for deal, group in groupby(steps, key=lambda step: step.decision.deal):
        of_deal = list(group)
        if text.several_deals(review):
            yield Text(text.message("coach.deal", deal=deal), style="bold")
        yield _decisions(text, review.rules, of_deal, every=every)
    chances = [chance.win for chance in review.chances(seat)]
    if len(chances) > 2:
        first, last = text.percent(chances[0]), text.percent(chances[-1])
        yield Text(text.message("coach.winning", first=first, chart=blocks(chances), last=last))


def _luck(text: ReviewText, parts: Sequence[Luck]) -> Table:
    columns = ("par", "hand", "choices", "others", "heads")
    table = _table("", *(text.message(f"coach.column.{column}") for column in columns))
    for part in parts:
        deal = text.message("review.all_deals") if part.deal is None else text.message("coach.deal", deal=part.deal)
        costly = part.choices.value - 2 * part.choices.error >= 1
        table.add_row(
            deal,
            text.with_error(part.par),
            f"{text.signed(part.hand.value)} ±{text.number(part.hand.error)}",
            Text(
                f"{text.signed(part.choices.value)} ±{text.number(part.choices.error)}", style="red" if costly else ""
            ),
            text.signed(part.others),
            Text(str(part.heads), style="bold"),
        )
    return table


def _decisions(text: ReviewText, rules: AnyRules, steps: Sequence[ReviewStep], *, every: bool) -> Table:
    columns = ("turn", "choice", "expected", "win", "risk", "cost", "", "took", "better")
    table = _table(*(column and text.message(f"coach.column.{column}") for column in columns), gap=1)
    table.columns[1].justify = table.columns[6].justify = table.columns[8].justify = "left"
    for step in steps:
        decision = step.decision
        better = "" if decision.grade in {"best", "close", "only"} else text.action(rules, decision.best.action)
        grade = Text(text.grade(decision.grade), style=STYLES[decision.grade])
        chosen = Text(text.action(rules, decision.action), style="bold" if every else "")
        if decision.by == "clock":
            grade.append("*")
        cells = _cells(text, decision.chosen)
        table.add_row(str(decision.turn), chosen, *cells, grade, str(step.took or "·"), better)
        if every:
            for option in decision.options:
                if option.action != decision.action:
                    table.add_row("", text.action(rules, option.action), *_cells(text, option), style="dim")
    return table


def _cells(text: ReviewText, option: Option) -> tuple[str, ...]:
    cost = text.with_error(option.behind) if option.behind.value else "0"
    return (
        text.with_error(option.heads),
        text.percent(option.win.value),
        text.percent(option.risk),
        cost,
    )


def _table(*columns: str, gap: int = 2, wrapped: bool = False) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim", collapse_padding=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=not wrapped)
    table.columns[0].justify = "left"
    return table


def _moments(text: ReviewText, review: Review) -> Iterator[RenderableType]:
    deals = text.several_deals(review)
    for step in review.moments:
        tone = "green" if step.swing > 0 else "red"
        line = Text.assemble(
            (f"{text.when(step, deals=deals)}  ", "bold"),
            text.moment(review, step),
            (f" ({100 * step.swing:+.0f})", tone),
        )
        yield Padding(line, (0, 0, 0, 2))


def render_chance_report(chance: ChanceReport) -> RenderableType:
    """Format the report on luck for the terminal."""
    title = Text(no_decisions_text(chance.rules, chance.language), style="bold")
    intro: list[RenderableType] = [title, Text(chance.sentences[0]), ""]
    if chance.done < chance.requested:
        stopped = translate(chance.language, "coach.chance.stopped", done=chance.done, total=chance.requested)
        intro.insert(0, Text(stopped, style="yellow"))
    table = _table(*chance.header, wrapped=True)
    for row in chance.rows:
        table.add_row(*(Text(cell) for cell in row))
    heading = Text(chance.chart.heading, style="dim")
    width = max(cell_width(line.name) for line in chance.chart.drawn)
    drawn = [
        Text(f"{pad(line.name, width)}  {blocks([value or 0.0 for value in line.values])}")
        for line in chance.chart.drawn
    ]
    rest = [Text(words, style="dim") for words in chance.sentences[1:]]
    return Group(*intro, table, "", heading, *drawn, "", *rest)


def blocks(values: Sequence[float]) -> str:
    """Return a sparkline of probabilities.

    >>> blocks([0.0, 0.5, 1.0])
    '▁▅█'
    """
    return "".join(_BLOCKS[min(int(value * len(_BLOCKS)), len(_BLOCKS) - 1)] for value in values)

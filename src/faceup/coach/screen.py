"""A review in the terminal: tables of 80 columns that stay readable without colour."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from faceup.bots.search import Option
from faceup.coach import sentences
from faceup.coach.chance import Fortune
from faceup.coach.fortunes import none_here
from faceup.coach.luck import Luck
from faceup.coach.review import Review, Step
from faceup.core import AnyRules, Seat

STYLES: Final = {"only": "dim", "best": "green", "fine": "", "doubtful": "yellow", "costly": "bold red"}
_BLOCKS: Final = "▁▂▃▄▅▆▇█"


def screen(review: Review, *, every: bool = False) -> RenderableType:
    """The whole review.

    Args:
        review: what was found.
        every: show every option of every decision, not only the one that was chosen.
    """
    parts: list[RenderableType] = [
        Text(sentences.title(review.rules), style="bold"),
        Text(sentences.standing(review)),
    ]
    if said := sentences.unfinished(review):
        parts.append(Text(said, style="yellow"))
    for seat in review.seats:
        if steps := review.of(seat):
            parts += ["", *_seat(review, seat, steps, every=every)]
    if review.moments:
        parts += ["", Rule("What decided it", align="left", style="dim"), *_moments(review)]
    if review.steps:
        parts += ["", Text(f"{sentences.basis(review)} {sentences.thresholds()}", style="dim")]
    if review.par is not None:
        parts.append(Text(sentences.legend(), style="dim"))
    if any(step.decision.by == "clock" for step in review.steps):
        parts.append(Text("* chosen by the clock.", style="dim"))
    return Group(*parts)


def _seat(review: Review, seat: Seat, steps: Sequence[Step], *, every: bool) -> Iterator[RenderableType]:
    head = Text.assemble((review.names[seat], "bold"), f"  {sentences.heads(review.scores[seat])}")
    if review.finished:
        head.append(f", place {review.ranks[seat]}")
    head.append(f"   {sentences.counted(steps)}", style="dim")
    yield Rule(head, align="left", style="dim")
    luck = [part for part in (*review.luck, *review.totals) if part.seat == seat]
    if luck:
        yield _luck(luck)
    for deal, group in groupby(steps, key=lambda step: step.decision.deal):
        of_deal = list(group)
        if sentences.several_deals(review):
            yield Text(f"deal {deal}", style="bold")
        yield _decisions(review.rules, of_deal, every=every)
    chances = wins(steps)
    if len(chances) > 2:
        yield Text(f"winning {sentences.percent(chances[0])} {blocks(chances)} {sentences.percent(chances[-1])}")


def _luck(parts: Sequence[Luck]) -> Table:
    table = _table("", "par", "hand", "choices", "others", "= heads")
    for part in parts:
        name = "all deals" if part.deal is None else f"deal {part.deal}"
        costly = part.choices.value - 2 * part.choices.error >= 1
        table.add_row(
            name,
            sentences.with_error(part.par),
            f"{sentences.signed(part.hand.value)} ±{part.hand.error:.2f}",
            Text(f"{sentences.signed(part.choices.value)} ±{part.choices.error:.2f}", style="red" if costly else ""),
            sentences.signed(part.others),
            Text(str(part.heads), style="bold"),
        )
    return table


def _decisions(rules: AnyRules, steps: Sequence[Step], *, every: bool) -> Table:
    table = _table("turn", "choice", "heads to come", "win", "risk", "cost", "", "took", "better", gap=1)
    table.columns[1].justify = table.columns[6].justify = table.columns[8].justify = "left"
    for step in steps:
        decision = step.decision
        better = "" if decision.word in {"best", "only"} else rules.describe(decision.best.action)
        word = Text(decision.word, style=STYLES[decision.word])
        chosen = Text(rules.describe(decision.action), style="bold" if every else "")
        if decision.by == "clock":
            word.append("*")
        cells = _cells(decision.chosen)
        table.add_row(str(decision.turn), chosen, *cells, word, str(step.took or "·"), better)
        if every:
            for option in decision.options:
                if option.action != decision.action:
                    table.add_row("", rules.describe(option.action), *_cells(option), style="dim")
    return table


def _cells(option: Option) -> tuple[str, ...]:
    cost = sentences.with_error(option.behind) if option.behind.value else "0"
    return (
        sentences.with_error(option.heads),
        sentences.percent(option.win.value),
        sentences.percent(option.risk),
        cost,
    )


def options_table(rules: AnyRules, options: Sequence[Option], shown: int = 10) -> Table:
    """Options side by side, best first: for a hint."""
    table = _table("", "heads to come", "behind", "win", "risk")
    for option in options[:shown]:
        heads, win, risk, cost = _cells(option)
        table.add_row(Text(rules.describe(option.action)), heads, cost, win, risk)
    return table


def _table(*columns: str, gap: int = 2) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim", collapse_padding=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    table.columns[0].justify = "left"
    return table


def _moments(review: Review) -> Iterator[RenderableType]:
    deals = sentences.several_deals(review)
    for step in review.moments:
        tone = "green" if step.swing > 0 else "red"
        line = Text.assemble(
            (f"{sentences.when(step, deals=deals)}  ", "bold"),
            sentences.moment(review, step),
            (f" ({100 * step.swing:+.0f})", tone),
        )
        yield Padding(line, (0, 0, 0, 2))


def fortune_screen(fortune: Fortune) -> RenderableType:
    """How chance went, in the terminal."""
    said: list[RenderableType] = [Text(none_here(fortune.rules), style="bold"), Text(fortune.said[0]), ""]
    if fortune.done < fortune.asked:
        said.insert(0, Text(f"Stopped: {fortune.done} of {fortune.asked} guesses are played.", style="yellow"))
    table = _table(*fortune.header)
    for row in fortune.rows:
        table.add_row(*(Text(cell) for cell in row))
    heading = Text(fortune.chart.heading, style="dim")
    width = max(len(line.name) for line in fortune.chart.drawn)
    drawn = [
        Text(f"{line.name:<{width}}  {blocks([value or 0.0 for value in line.values])}") for line in fortune.chart.drawn
    ]
    rest = [Text(words, style="dim") for words in fortune.said[1:]]
    return Group(*said, table, "", heading, *drawn, "", *rest)


def blocks(values: Sequence[float]) -> str:
    """Chances as a line of blocks.

    >>> blocks([0.0, 0.5, 1.0])
    '▁▅█'
    """
    return "".join(_BLOCKS[min(int(value * len(_BLOCKS)), len(_BLOCKS) - 1)] for value in values)


def wins(steps: Sequence[Step]) -> list[float]:
    """A seat's chances of winning, decision by decision, and at the end of each deal."""
    found = []
    for index, step in enumerate(steps):
        found.append(step.decision.best.win.value)
        last = index == len(steps) - 1 or steps[index + 1].decision.deal != step.decision.deal
        if last and step.win is not None:
            found.append(step.win)
    return found

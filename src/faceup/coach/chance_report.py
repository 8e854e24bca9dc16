"""Reports on luck in games without decisions: types shared by all games."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from faceup.charts import Line
from faceup.coach.search_budget import SearchBudget
from faceup.core import AnyRules, View
from faceup.core.record import Frame
from faceup.translations import Language


class Chart(msgspec.Struct, frozen=True):
    """Shares over time, as `faceup.charts.line_charts` draws them."""

    heading: str
    drawn: tuple[Line, ...]
    labels: tuple[str, ...]
    bands: tuple[float | None, ...] = ()


class Scene(msgspec.Struct, frozen=True):
    """A position to show, with its caption."""

    caption: str
    view: View


class ChanceReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report on luck, which is refined while it is computed.

    Attributes:
        rules: the rules of the game.
        names: the names by seat.
        language: the language of all text.
        sentences: the findings in sentences, the most important first.
        header: the header of the table.
        rows: the rows of the table; the first column is aligned left.
        chart: the chart.
        scenes: the positions to show.
        data: the results for JSON.
        done: the finished amount of work.
        requested: the total amount of work.
    """

    rules: AnyRules
    names: tuple[str, ...]
    language: Language = "en"
    sentences: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chart: Chart
    scenes: tuple[Scene, ...]
    data: dict[str, Any]  # Any: JSON
    done: int = 1
    requested: int = 1


ChanceAnalysis: TypeAlias = Callable[
    [AnyRules, Sequence[Frame], Sequence[str], SearchBudget, Language], Iterator[ChanceReport]
]
"""A function that analyses a replay and yields reports of increasing precision in a language; the last is final."""

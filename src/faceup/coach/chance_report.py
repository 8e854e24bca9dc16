"""Reports on luck in games without decisions: types shared by all games, and the budget of reviews."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from faceup.charts import Line
from faceup.core import AnyRules, Malformed, SeededGenerator, View
from faceup.core.record import Frame

_DEFAULT_WORLDS: Final = {"mc": 50_000}
"""Default number of worlds for each option, by search. With it, a review of a deal of four seats takes seconds."""

_OTHER_WORLDS: Final = 2_000
"""Default number of worlds for all other, slower searches."""

_MOST_WORLDS: Final = 50_000_000
_MOST_SECONDS: Final = 24 * 60 * 60


class SearchBudget(msgspec.Struct, frozen=True):
    """The search budget of a review.

    Attributes:
        player: the search, "mc" or "deep".
        worlds: the number of worlds for each option. If it and `seconds` are None, the default number is used.
        seconds: the total time, instead of a number of worlds.
        seed: the seed of the worlds. Unless `seconds` is given, a seed always gives the same review.

    Raises:
        Malformed: both worlds and seconds are given, or a value is out of range.
    """

    player: str = "mc"
    worlds: int | None = None
    seconds: float | None = None
    seed: int = 0

    @property
    def worlds_per_option(self) -> int:
        """The number of worlds, given or default."""
        return self.worlds or _DEFAULT_WORLDS.get(self.player, _OTHER_WORLDS)

    def __post_init__(self) -> None:
        if self.worlds is not None and self.seconds is not None:
            raise Malformed("a review must have a budget of worlds or of seconds; got both", where="seconds")
        if self.worlds is not None and not 2 <= self.worlds <= _MOST_WORLDS:
            raise Malformed(
                f"worlds must be 2 to {_MOST_WORLDS:,}; got {self.worlds}", what=self.worlds, where="worlds"
            )
        if self.seconds is not None and not 0 < self.seconds <= _MOST_SECONDS:
            raise Malformed(
                f"seconds must be more than 0 and at most {_MOST_SECONDS:,}; got {self.seconds:g}",
                what=self.seconds,
                where="seconds",
            )
        SeededGenerator(self.seed)


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
    sentences: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chart: Chart
    scenes: tuple[Scene, ...]
    data: dict[str, Any]  # Any: JSON
    done: int = 1
    requested: int = 1


ChanceAnalysis: TypeAlias = Callable[[AnyRules, Sequence[Frame], Sequence[str], SearchBudget], Iterator[ChanceReport]]
"""A function that analyses a replay and yields reports of increasing precision, of which the last is final."""

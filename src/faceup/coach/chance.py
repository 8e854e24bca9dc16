"""How chance went in a game in which nobody decides anything: what there is to tell of it, whatever the game."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from faceup.charts import Line
from faceup.coach.decisions import Effort
from faceup.core import AnyRules, View
from faceup.core.record import Frame


class Chart(msgspec.Struct, frozen=True):
    """Parts of 1 over time, as `faceup.charts.lines` draws them."""

    heading: str
    drawn: tuple[Line, ...]
    labels: tuple[str, ...]
    bands: tuple[float | None, ...] = ()


class Scene(msgspec.Struct, frozen=True):
    """A position worth a look, and what there is to say of it."""

    caption: str
    view: View


class Fortune(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, as far as it is known by now.

    Attributes:
        rules: of the game.
        names: by seat.
        said: sentences, the first the most important.
        header: of the table.
        rows: of the table; its first column is to the left.
        chart: a picture of it.
        scenes: positions.
        data: for JSON.
        done: how much of the work is done.
        asked: of how much.
    """

    rules: AnyRules
    names: tuple[str, ...]
    said: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chart: Chart
    scenes: tuple[Scene, ...]
    data: dict[str, Any]  # Any: JSON
    done: int = 1
    asked: int = 1


Look: TypeAlias = Callable[[AnyRules, Sequence[Frame], Sequence[str], Effort], Iterator[Fortune]]
"""Look at a replay: what is known of it, better and better; the last one is the best."""

"""Histograms of the arrays that a batch engine returns. Imports numba and numpy."""

from collections.abc import Collection, Mapping
from typing import Any

from faceup.extras import needs
from faceup.games.lanes import kernel
from faceup.sim.counts import Counts

with needs("fast", __name__):
    import numpy as np
    import numpy.typing as npt


@kernel
def _fill(values: Any, table: Any) -> None:  # noqa: ANN401 -- arrays [lanes, seats] and [seats, numbers] to numba
    for lane in range(len(values)):
        for seat in range(values.shape[1]):
            table[seat, values[lane, seat]] += 1


@kernel
def _share(places: Any, shares: Any) -> None:  # noqa: ANN401 -- arrays [lanes, seats]
    for lane in range(len(places)):
        first = 0
        for seat in range(places.shape[1]):
            first += places[lane, seat] == 1
        for seat in range(places.shape[1]):
            shares[lane, seat] = first if places[lane, seat] == 1 else 0


def count_arrays(arrays: Mapping[str, npt.NDArray[Any]], counted: Collection[str] = ()) -> Counts:
    """Count games given as one array for each measure; "place" must be among the measures.

    Args:
        arrays: integers, [lanes, seats] or [lanes, 1].
        counted: the measures with arrays that are already frequencies, [seats, numbers].
    """
    places = arrays["place"].astype(np.int32)
    shares = np.empty_like(places)
    _share(places, shares)
    tables = {}
    for name, array in {**arrays, "place": places, "share": shares}.items():
        table = array
        if name not in counted:
            numbers = np.ascontiguousarray(array, np.int32)
            table = np.zeros((numbers.shape[1], int(numbers.max()) + 1), np.int64)
            _fill(numbers, table)
        tables[name] = table
    return read_tables(len(places), tables)


def read_tables(games: int, tables: Mapping[str, npt.NDArray[np.int64]]) -> Counts:
    """Return the counts of games given as how often each number occurred, [seats, numbers], for each measure."""
    values = {}
    for name, table in tables.items():
        numbers = np.flatnonzero(table.any(0))  # only few numbers occur
        rows = table[:, numbers].tolist()
        values[name] = tuple(
            {value: times for value, times in zip(numbers.tolist(), row, strict=True) if times} for row in rows
        )
    return Counts(games, values)


def warm() -> None:
    """Compile the counting kernels, unless they are cached."""
    count_arrays({"place": np.ones((1, 2), np.uint8)})

"""Counting what a batch engine gives: arrays in, histograms out. Imports numba and numpy."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import kernel
from faceup.sim.counts import Counts


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


def tally(arrays: Mapping[str, npt.NDArray[Any]]) -> Counts:
    """Count games given as arrays of whole numbers by measure, [lanes, seats] or [lanes, 1], "place" among them."""
    places = arrays["place"].astype(np.int32)
    shares = np.empty_like(places)
    _share(places, shares)
    values = {}
    for name, array in {**arrays, "place": places, "share": shares}.items():
        numbers = np.ascontiguousarray(array, np.int32)
        table = np.zeros((numbers.shape[1], int(numbers.max()) + 1), np.int64)
        _fill(numbers, table)
        values[name] = tuple({int(value): int(row[value]) for value in np.flatnonzero(row)} for row in table)
    return Counts(len(places), values)

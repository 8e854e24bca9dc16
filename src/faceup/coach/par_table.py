"""The par of the usual settings, measured by `script/par`, which writes this file."""

from collections.abc import Mapping
from typing import Final, TypeAlias

Pair: TypeAlias = tuple[float, float]
"""A mean and its standard error."""

TABLE: Final[Mapping[tuple[str, str, tuple[int, ...]], tuple[Pair, Pair, int]]] = {
    ("nimmt", "mc", (2, 104, 4, 5, 10, 1, 0)): ((5.549, 0.07), (7.617, 0.031), 723),  # nimmt:cowheadking seats=2
    ("nimmt", "mc", (3, 104, 4, 5, 10, 1, 0)): ((8.702, 0.07), (9.899, 0.031), 689),  # nimmt:cowheadking seats=3
    ("nimmt", "mc", (4, 104, 4, 5, 10, 1, 0)): ((9.62, 0.07), (11.135, 0.032), 583),  # nimmt:cowheadking seats=4
    ("nimmt", "mc", (5, 104, 4, 5, 10, 1, 0)): ((11.306, 0.07), (12.023, 0.026), 676),  # nimmt:cowheadking seats=5
    ("nimmt", "mc", (6, 104, 4, 5, 10, 1, 0)): ((13.439, 0.07), (12.64, 0.036), 296),  # nimmt:cowheadking seats=6
    ("nimmt", "mc", (7, 104, 4, 5, 10, 1, 0)): ((13.801, 0.07), (13.091, 0.033), 232),  # nimmt:cowheadking seats=7
    ("nimmt", "mc", (8, 104, 4, 5, 10, 1, 0)): ((13.932, 0.06), (13.341, 0.027), 200),  # nimmt:cowheadking seats=8
    ("nimmt", "mc", (9, 104, 4, 5, 10, 1, 0)): ((13.962, 0.055), (13.5, 0.019), 200),  # nimmt:cowheadking seats=9
    ("nimmt", "mc", (10, 104, 4, 5, 10, 1, 0)): ((13.889, 0.058), (13.626, 0.016), 200),  # nimmt:cowheadking seats=10
    ("nimmt", "mc", (2, 24, 4, 5, 10, 1, 0)): ((4.899, 0.07), (7.007, 0.024), 335),  # nimmt:tactical seats=2
    ("nimmt", "mc", (3, 34, 4, 5, 10, 1, 0)): ((8.173, 0.07), (9.432, 0.017), 370),  # nimmt:tactical seats=3
    ("nimmt", "mc", (4, 44, 4, 5, 10, 1, 0)): ((9.52, 0.07), (10.82, 0.015), 270),  # nimmt:tactical seats=4
    ("nimmt", "mc", (5, 54, 4, 5, 10, 1, 0)): ((10.595, 0.07), (11.591, 0.01), 317),  # nimmt:tactical seats=5
    ("nimmt", "mc", (6, 64, 4, 5, 10, 1, 0)): ((12.724, 0.07), (12.293, 0.01), 231),  # nimmt:tactical seats=6
    ("nimmt", "mc", (7, 74, 4, 5, 10, 1, 0)): ((13.476, 0.061), (12.858, 0.012), 200),  # nimmt:tactical seats=7
    ("nimmt", "mc", (8, 84, 4, 5, 10, 1, 0)): ((13.797, 0.049), (13.21, 0.012), 200),  # nimmt:tactical seats=8
    ("nimmt", "mc", (9, 94, 4, 5, 10, 1, 0)): ((13.902, 0.05), (13.452, 0.015), 200),  # nimmt:tactical seats=9
}  # fmt: skip
"""From game, player and setting to heads, value and the number of deals."""

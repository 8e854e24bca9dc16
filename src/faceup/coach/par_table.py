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
    ("nimmt", "deep", (2, 104, 4, 5, 10, 1, 0)): ((5.383, 0.294), (7.965, 0.141), 30),  # nimmt:cowheadking seats=2
    ("nimmt", "deep", (3, 104, 4, 5, 10, 1, 0)): ((9.268, 0.298), (9.597, 0.09), 46),  # nimmt:cowheadking seats=3
    ("nimmt", "deep", (4, 104, 4, 5, 10, 1, 0)): ((10.441, 0.299), (10.244, 0.144), 38),  # nimmt:cowheadking seats=4
    ("nimmt", "deep", (5, 104, 4, 5, 10, 1, 0)): ((11.44, 0.298), (11.914, 0.243), 25),  # nimmt:cowheadking seats=5
    ("nimmt", "deep", (6, 104, 4, 5, 10, 1, 0)): ((13.479, 0.233), (12.937, 0.196), 24),  # nimmt:cowheadking seats=6
    ("nimmt", "deep", (7, 104, 4, 5, 10, 1, 0)): ((14.077, 0.254), (13.32, 0.126), 24),  # nimmt:cowheadking seats=7
    ("nimmt", "deep", (8, 104, 4, 5, 10, 1, 0)): ((14.365, 0.143), (13.504, 0.079), 24),  # nimmt:cowheadking seats=8
    ("nimmt", "deep", (9, 104, 4, 5, 10, 1, 0)): ((14.481, 0.225), (13.709, 0.072), 24),  # nimmt:cowheadking seats=9
    ("nimmt", "deep", (10, 104, 4, 5, 10, 1, 0)): ((14.033, 0.179), (13.915, 0.053), 24),  # nimmt:cowheadking seats=10
    ("nimmt", "deep", (2, 24, 4, 5, 10, 1, 0)): ((4.862, 0.297), (7.712, 0.117), 29),  # nimmt:tactical seats=2
    ("nimmt", "deep", (3, 34, 4, 5, 10, 1, 0)): ((8.892, 0.294), (9.781, 0.078), 31),  # nimmt:tactical seats=3
    ("nimmt", "deep", (4, 44, 4, 5, 10, 1, 0)): ((10.646, 0.29), (10.756, 0.096), 24),  # nimmt:tactical seats=4
    ("nimmt", "deep", (5, 54, 4, 5, 10, 1, 0)): ((10.6, 0.243), (11.533, 0.107), 24),  # nimmt:tactical seats=5
    ("nimmt", "deep", (6, 64, 4, 5, 10, 1, 0)): ((13.292, 0.245), (12.551, 0.119), 24),  # nimmt:tactical seats=6
    ("nimmt", "deep", (7, 74, 4, 5, 10, 1, 0)): ((13.583, 0.253), (13.099, 0.074), 24),  # nimmt:tactical seats=7
    ("nimmt", "deep", (8, 84, 4, 5, 10, 1, 0)): ((14.13, 0.105), (13.265, 0.074), 24),  # nimmt:tactical seats=8
    ("nimmt", "deep", (9, 94, 4, 5, 10, 1, 0)): ((14.102, 0.168), (13.62, 0.05), 24),  # nimmt:tactical seats=9
}  # fmt: skip
"""From game, player and setting to heads, value and the number of deals."""

"""Pictures of distributions, in the colours and type of the drawings of games, and files of them."""

from faceup.charts.files import check_target, save
from faceup.charts.lines import Line, lines, waterfall
from faceup.charts.panels import Part, Row, bars, columns, parts, ridges
from faceup.charts.scales import Scale, even, logarithmic

__all__ = [
    "Line",
    "Part",
    "Row",
    "Scale",
    "bars",
    "check_target",
    "columns",
    "even",
    "lines",
    "logarithmic",
    "parts",
    "ridges",
    "save",
    "waterfall",
]

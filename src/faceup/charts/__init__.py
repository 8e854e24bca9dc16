"""Charts as SVG, in the colours and fonts of the drawings of games, and chart files."""

from faceup.charts.distributions import Part, Row, Scale, bars, columns, even, logarithmic, parts, ridges
from faceup.charts.line_charts import Line, lines, waterfall
from faceup.charts.output import check_target, save

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

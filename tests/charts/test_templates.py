"""Templates escape every value, replace control characters, and accept no missing variable."""

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from faceup.charts.output import draw_position
from faceup.core import make
from faceup.templates import read_asset, render

CHART = "charts/templates/chart.html"


def test_text_is_escaped_and_markup_is_not() -> None:
    page = render(CHART, title='<b onclick="x">&', svg=Markup("<svg></svg>"))
    assert "<title>&lt;b onclick=&#34;x&#34;&gt;&amp;</title>" in page
    assert "<svg></svg>" in page
    assert "&lt;svg&gt;" in render(CHART, title="", svg="<svg>")


def test_control_characters_and_direction_marks_are_replaced() -> None:
    page = render(CHART, title="a\x1b[2J\u202eb\n", svg=Markup(""))
    assert "<title>a\ufffd[2J\ufffdb\n</title>" in page


def test_a_missing_variable_raises() -> None:
    with pytest.raises(UndefinedError, match="svg"):
        render(CHART, title="")


def test_style_sheets_are_not_escaped() -> None:
    assert "body {" in read_asset("charts/page.css")


def test_names_in_drawings_are_escaped() -> None:
    rules = make("war")
    drawing = draw_position(rules, ("<script>", "Bo"), rules.start())
    assert isinstance(drawing, Markup)
    assert "<script>" not in drawing

"""Axes cover all values, and histogram bars have the correct heights."""

import re

import pytest

from faceup.charts import Row, Scale, bars, even, logarithmic
from faceup.games.svg import WIDTH, text_width

SCALES = [even(0, 1), even(0, 12), even(3, 64), even(0, 5000), logarithmic(26, 5000), logarithmic(10, 1000)]


@pytest.mark.parametrize("scale", SCALES)
def test_an_axis_is_ascending(scale: Scale) -> None:
    places = [scale.place(edge) for edge in scale.edges]
    assert places == sorted(places)
    assert places[0] == pytest.approx(0)
    assert places[-1] == pytest.approx(1)
    assert 2 <= len(scale.ticks) <= 12
    assert all(0 <= scale.place(tick) <= 1 for tick in scale.ticks)
    assert len(scale.edges) <= 50


@pytest.mark.parametrize("scale", SCALES)
def test_the_area_of_the_bars_includes_numbers_beyond_the_end(scale: Scale) -> None:
    histogram = dict.fromkeys(range(30), 2) | {4000: 7, 10**6: 3}
    widths = [scale.place(high) - scale.place(low) for low, high in zip(scale.edges, scale.edges[1:], strict=False)]
    bars = scale.bars(histogram)
    assert sum(bar * width for bar, width in zip(bars, widths, strict=True)) == pytest.approx(1)


def test_small_ranges_have_one_bar_for_each_number() -> None:
    assert len(even(0, 12).bars({0: 1})) == 13
    assert even(0, 3).bars({0: 1, 3: 3}) == pytest.approx([1, 0, 0, 3])


@pytest.mark.parametrize("figure", ["100.00%", "1,234,567 (100.00%)"])
def test_the_longest_bar_ends_before_its_figure(figure: str) -> None:
    body = bars([(Row("all cards", "", figure), 1.0, None)]).body
    [lane, *_] = [
        tuple(map(float, numbers)) for numbers in re.findall(r'<rect x="([\d.]+)"[^>]*? width="([\d.]+)"', body)
    ]
    assert lane[0] + lane[1] < WIDTH - 1.15 * text_width(figure, "name") - 8

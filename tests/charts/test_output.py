"""Plots are sound documents that say in words what they show."""

import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from faceup.charts.output import chart_page
from faceup.core import make
from faceup.games.nimmt.parameters import Parameters
from faceup.odds import nimmt, niuniu, war
from faceup.odds.plot import nimmt_plot, niuniu_plot, war_plot
from faceup.sim import Counts, add, plan, play
from faceup.sim.plot import plot
from faceup.sim.report import format_report

ROWS = ((5, 7), (6,), (88,), (29,))


def run_plot(spec: str, deals: int, *policies: str, matches: bool = False) -> Callable[[], str]:
    def made() -> str:
        run = plan(make(spec), policies, deals=deals, seed=7, matches=matches)
        counts = Counts()
        for part in play(run, 0, deals):
            counts = add(counts, part)
        return plot(run, counts)

    return made


def war_odds() -> str:
    return war_plot(tuple(list(war.sample_setting(setting, 1))[-1] for setting in war.settings(["cap=60"], 40, 1)))


PLOTS = [
    pytest.param(run_plot("nimmt seats=2", 300, "greedy", "random"), id="nimmt of two"),
    pytest.param(run_plot("nimmt:classic seats=10", 50, "random", matches=True), id="matches of ten"),
    pytest.param(run_plot("nimmt", 1, "random"), id="one deal"),
    pytest.param(run_plot("niuniu seats=1", 60, "random"), id="niuniu alone"),
    pytest.param(run_plot("war", 60, "random"), id="war"),
    pytest.param(run_plot("highcard", 10, "random"), id="a fourth game"),
    pytest.param(lambda: niuniu_plot(niuniu.odds()), id="odds of niuniu"),
    pytest.param(lambda: nimmt_plot(nimmt.odds(Parameters(), ROWS, (3, 50)), ROWS, 4, 97), id="odds of nimmt"),
    pytest.param(war_odds, id="odds of war"),
]


@pytest.mark.parametrize("made", PLOTS)
def test_a_plot_is_well_formed_bounded_and_described(made: Callable[[], str]) -> None:
    svg = made()
    root = ET.fromstring(svg)  # noqa: S314 -- our own
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    assert 0 < width <= 900
    assert 0 < height <= 3000
    assert "nan" not in svg
    assert "inf" not in re.sub(r"<style>.*?</style>|<desc>.*?</desc>", "", svg, flags=re.DOTALL)
    title, description = root[0].text, root[1].text
    assert title
    assert description
    assert "\n" in description
    sizes = [float(size) for size in re.findall(r'<rect[^>]* (?:width|height)="([^"]*)"', svg)]
    assert min(sizes) >= 0


def test_the_description_contains_the_printed_tables() -> None:
    run = plan(make("nimmt seats=2"), ["greedy"], deals=50, seed=7)
    (counts,) = play(run, 0, 50)
    root = ET.fromstring(plot(run, counts))  # noqa: S314 -- our own
    assert root[1].text == format_report(run, counts)


def test_an_html_page_contains_the_chart_and_makes_no_requests() -> None:
    html = chart_page(niuniu_plot(niuniu.odds()), "The <odds>")
    assert "<title>The &lt;odds&gt;</title>" in html
    assert html.count("<svg") == 1
    assert not re.search(r'(?:src|href)="(?!#)', html)

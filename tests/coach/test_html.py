"""The page is self-contained, contains every option, and escapes names."""

import re

import msgspec
import pytest
from tests.charts.html_checks import Checked
from tests.coach.helpers import looked_at, recorded

from faceup.bots.search import Estimate
from faceup.coach import DealPar, Review, SearchBudget, chance_analysis_for
from faceup.coach.html import chance_report_html, page
from faceup.core.record import replay

PAR = DealPar(Estimate(9.62, 0.07), Estimate(11.13, 0.03), 100)


def whole_review(spec: str = "nimmt:cowheadking") -> Review:
    return looked_at(recorded(spec), par=PAR)


@pytest.fixture(scope="module")
def review() -> Review:
    return whole_review()


def test_every_element_is_closed_and_the_page_is_self_contained(review: Review) -> None:
    text = page(review)
    checked = Checked(text)
    assert checked.open == []
    assert all(reference.startswith("#") for reference in checked.references)
    assert not set(checked.names) & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"url\(|@import", text)
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}


def test_the_page_contains_every_option_of_every_decision(review: Review) -> None:
    text = page(review)
    options = sum(len(step.decision.options) for step in review.steps)
    assert text.count('<td class="bar">') == options
    assert text.count("<details") == len(review.steps)


def test_names_are_escaped(review: Review) -> None:
    renamed = msgspec.structs.replace(review, names=('<script>alert("x")</script>', "B&B", "'", "\u202e"))
    checked = Checked(page(renamed))
    assert checked.open == []
    assert "script" not in checked.names


def test_light_mode_dark_mode_and_small_screens_are_supported(review: Review) -> None:
    text = page(review)
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text
    assert "max-width: 44rem" in text


@pytest.mark.parametrize("spec", ["war cap=30", "niuniu throws=4 seats=3"])
def test_the_page_of_a_chance_report_is_complete(spec: str) -> None:
    record = recorded(spec)
    look = chance_analysis_for(record.rules())
    assert look is not None
    (*_, report) = look(record.rules(), list(replay(record)), ["<b>", "Bo", "Cem"], SearchBudget(worlds=20), "en")
    checked = Checked(chance_report_html(report))
    assert checked.open == []
    assert "b" not in checked.names
    assert "svg" in checked.names

"""The review fits 80 columns and does not depend on colour."""

import io

import pytest
from rich.console import Console, RenderableType
from tests.coach.helpers import looked_at, recorded

from faceup.bots.search import Estimate
from faceup.coach import DealPar, SearchBudget, chance_analysis_for
from faceup.coach.terminal import render_chance_report, screen
from faceup.core import action_text
from faceup.core.record import replay

PAR = DealPar(Estimate(9.62, 0.07), Estimate(11.13, 0.03), 100)


def printed(what: RenderableType, width: int = 80) -> str:
    file = io.StringIO()
    Console(file=file, width=width, highlight=False).print(what)
    return file.getvalue()


def test_review_fits_eighty_columns_and_needs_no_colour() -> None:
    review = looked_at(recorded("nimmt:cowheadking"), par=PAR)
    text = printed(screen(review))
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "…" not in text
    for step in review.steps:
        assert step.decision.grade in text
        assert action_text(review.rules, step.decision.action) in text
    assert "Turning points" in text


def test_every_option_is_shown_if_requested() -> None:
    review = looked_at(recorded("nimmt:cowheadking"), [0], par=PAR)
    few, all_ = printed(screen(review)), printed(screen(review, every=True))
    options = sum(len(step.decision.options) for step in review.steps)
    assert len(all_.splitlines()) - len(few.splitlines()) == options - len(review.steps)


def test_a_match_of_several_deals_is_shown_deal_by_deal() -> None:
    text = printed(screen(looked_at(recorded("nimmt:arena deals=2 hand=3"), [1], par=PAR)))
    for words in ("deal 1", "deal 2", "all deals"):
        assert words in text


@pytest.mark.parametrize("spec", ["war cap=30", "niuniu throws=4 seats=3"])
def test_chance_fits_eighty_columns(spec: str) -> None:
    record = recorded(spec)
    look = chance_analysis_for(record.rules())
    assert look is not None
    (*_, report) = look(record.rules(), list(replay(record)), ["Ann", "Bo", "Cem"], SearchBudget(worlds=20), "en")
    text = printed(render_chance_report(report))
    assert max(map(len, text.splitlines())) <= 80
    assert "no decisions to review" in text

"""The review in a terminal: eighty columns, and no need of colour."""

import io

import pytest
from rich.console import Console, RenderableType
from tests.coach.records import looked_at, recorded

from faceup.bots.search import Estimate
from faceup.coach import Effort, Par, fortune_for
from faceup.coach.screen import fortune_screen, screen
from faceup.core.record import replay

PAR = Par(Estimate(9.62, 0.07), Estimate(11.13, 0.03), 100)


def printed(what: RenderableType, width: int = 80) -> str:
    file = io.StringIO()
    Console(file=file, width=width, highlight=False).print(what)
    return file.getvalue()


def test_all_there_is_fits_eighty_columns_and_says_by_words_what_colours_say() -> None:
    review = looked_at(recorded("nimmt:cowheadking"), par=PAR)
    text = printed(screen(review))
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "…" not in text
    for step in review.steps:
        assert step.decision.word in text
        assert review.rules.describe(step.decision.action) in text
    assert "What decided it" in text


def test_every_option_is_shown_if_asked_for() -> None:
    review = looked_at(recorded("nimmt:cowheadking"), [0], par=PAR)
    few, all_ = printed(screen(review)), printed(screen(review, every=True))
    options = sum(len(step.decision.options) for step in review.steps)
    assert len(all_.splitlines()) - len(few.splitlines()) == options - len(review.steps)


def test_a_match_of_several_deals_is_told_deal_by_deal() -> None:
    text = printed(screen(looked_at(recorded("nimmt:arena deals=2 hand=3"), [1], par=PAR)))
    for words in ("deal 1", "deal 2", "all deals"):
        assert words in text


@pytest.mark.parametrize("spec", ["war cap=30", "niuniu throws=4 seats=3"])
def test_chance_fits_eighty_columns(spec: str) -> None:
    record = recorded(spec)
    look = fortune_for(record.rules())
    assert look is not None
    (*_, found) = look(record.rules(), list(replay(record)), ["Ann", "Bo", "Cem"], Effort(worlds=20))
    text = printed(fortune_screen(found))
    assert max(map(len, text.splitlines())) <= 80
    assert "no decisions to review" in text

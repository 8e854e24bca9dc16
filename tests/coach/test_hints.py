"""Hints depend only on the player's view, and tables or games can have none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.coach import hint, no_hint, ranking
from faceup.core import Malformed, SeededGenerator, draw, make
from faceup.games.nimmt.state import View

RULES = make("nimmt:cowheadking")
DEALT = RULES.apply(RULES.start(), draw(RULES, RULES.start(), SeededGenerator(3))).state


def test_a_hint_ranks_and_explains_the_options() -> None:
    advice = hint(RULES, RULES.view(DEALT, 0), worlds=500)
    means = [option.heads.value for option in advice.options]
    assert means == sorted(means)
    assert len(ranking(RULES, advice)) == 5
    assert advice.words.startswith(f"Card {advice.options[0].action + 1} ")


@given(st.integers(0, 1000))
def test_hints_do_not_depend_on_hidden_cards(lane: int) -> None:
    view = RULES.view(DEALT, 1)
    other = RULES.guess(view, SeededGenerator(9, lane))
    assert hint(RULES, RULES.view(other, 1), worlds=50) == hint(RULES, view, worlds=50)


def test_choosing_a_row_has_a_hint() -> None:
    view = RULES.from_text("view=0 sizes=1,1,1,1 hand=90 waiting=3:0,8:1,36:2,96:3 rows=5/6,7/31,32,33,34,35/81")
    assert isinstance(view, View)
    words = hint(RULES, view, worlds=200).words
    assert words.startswith("Row ")
    assert " costs " in words


def test_a_seat_that_does_not_decide_gets_no_hint() -> None:
    with pytest.raises(Malformed, match="no decision to make"):
        hint(RULES, RULES.view(DEALT, None))


def test_hint_for_a_single_option() -> None:
    view = RULES.from_text("view=0 sizes=1,1,1,1 hand=90 rows=5/6,7/31/81")
    assert hint(RULES, view, worlds=50).words.startswith("There is only one option.")


def test_reasons_why_there_are_no_hints() -> None:
    assert no_hint(RULES, allowed=True) == ""
    assert no_hint(RULES, allowed=False) == "There are no hints at this table."
    assert "War" in no_hint(make("war"), allowed=True)

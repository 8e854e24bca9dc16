"""A hint is made of the player's own view, and there is none where the table or the game has none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faceup.coach import hint, no_hint, ranking
from faceup.core import Malformed, Seeded, draw, make
from faceup.games.nimmt.state import View

RULES = make("nimmt:cowheadking")
DEALT = RULES.apply(RULES.start(), draw(RULES, RULES.start(), Seeded(3))).state


def test_a_hint_ranks_the_options_and_says_why() -> None:
    advice = hint(RULES, RULES.view(DEALT, 0), worlds=500)
    means = [option.heads.value for option in advice.options]
    assert means == sorted(means)
    assert len(ranking(RULES, advice)) == 5
    assert advice.words.startswith(RULES.describe(advice.options[0].action).split()[-1])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_what_the_others_hold_changes_no_hint(lane: int) -> None:
    view = RULES.view(DEALT, 1)
    other = RULES.guess(view, Seeded(9, lane))
    assert hint(RULES, RULES.view(other, 1), worlds=50) == hint(RULES, view, worlds=50)


def test_a_row_to_take_gets_a_hint_too() -> None:
    view = RULES.from_text("view=0 sizes=1,1,1,1 hand=90 waiting=3:0,8:1,36:2,96:3 rows=5/6,7/31,32,33,34,35/81")
    assert isinstance(view, View)
    words = hint(RULES, view, worlds=200).words
    assert words.startswith("Row ")
    assert "heads now" in words or "head now" in words


def test_where_there_is_nothing_to_decide_there_is_no_hint() -> None:
    with pytest.raises(Malformed, match="nothing to decide"):
        hint(RULES, RULES.view(DEALT, None))


def test_where_there_is_nothing_to_choose_the_hint_says_so() -> None:
    view = RULES.from_text("view=0 sizes=1,1,1,1 hand=90 rows=5/6,7/31/81")
    assert hint(RULES, view, worlds=50).words.startswith("There is nothing to choose.")


def test_a_table_or_a_game_may_have_no_hints() -> None:
    assert no_hint(RULES, allowed=True) == ""
    assert no_hint(RULES, allowed=False) == "There are no hints at this table."
    assert "War" in no_hint(make("war"), allowed=True)

"""Invalid notation of 6 nimmt! raises an error and is never read as another value."""

import pytest

from faceup.core import Malformed, make, read

RULES = make("nimmt:arena")


@pytest.mark.parametrize(
    "words", ["play 00000000105", "take row " + "0" * 5000, "deal " + "0" * 9 + "57", "play \uff15"]
)
def test_a_number_with_too_many_digits_is_refused_and_never_becomes_another_action(words: str) -> None:
    with pytest.raises(Malformed, match="is not a"):
        RULES.parse(words)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("hands=3,4/7 rows=5/6/88/29", "all hands must have the same size; got 2,1"),
        ("hands=-/7 rows=5/6/88/29", "all hands must have the same size; got 0,1"),
        ("hands=3/7 rows=5/6/88/29 waiting=1:0", "`waiting` must have one card for each seat"),
        (
            "hands=3/7 rows=5/6/88/29 waiting=50:0,60:1",
            "the first card of `waiting` must be below all rows; got 50, which fits a row",
        ),
        ("hands=3/7 rows=5/6/88/29 out=0", "no seat can be out in cowheadking"),
        (
            "view=0 sizes=2,2 hand=3 rows=5/6/88/29",
            "`hand` must have the size that `sizes` gives for this seat, .*; got 1 card",
        ),
        (
            "view=- sizes=1,1 hand=3 rows=5/6/88/29",
            "`hand` must have the size that `sizes` gives for this seat, .*; got 1 card",
        ),
        ("view=0_1 sizes=1,1 hand=3 rows=5/6/88/29", "'0_1' is not a number"),
    ],
)
def test_an_impossible_position_is_refused(position: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        read(f"nimmt seats=2 hand=2 | {position}")


def test_a_deal_of_few_cards_is_parsed_as_a_deal() -> None:
    rules = make("nimmt seats=2 hand=1 rows=1")
    deal = rules.parse("deal 3 7 4")
    assert rules.describe(deal) == "deal 3 7 4"
    assert rules.parse("  Deal 3 7 4") == deal
    with pytest.raises(Malformed, match="'dealt 3' is not an action"):
        rules.parse("dealt 3")

"""`faceup odds`: text, JSON, plots and errors."""

from pathlib import Path

import pytest
from tests.cli.test_sim import Command, faceup, result

__all__ = ["faceup"]

NIMMT = ("odds", "nimmt", "--rows", "5,7/6/88/29", "--hand", "3,30,45,89", "--seats", "5")


def test_niu_niu_is_counted_over_all_hands(faceup: Command) -> None:
    answer = result(faceup("odds", "niuniu", "--json"))
    assert answer["hands"] == 7776
    assert [rank["fraction"] for rank in answer["ranks"]][0::10] == ["2811/7776", "510/7776"]
    assert result(faceup("odds", "niuniu", "--faces", "10", "--json"))["hands"] == 100_000
    assert "Niu Niu    510   6.5586%" in faceup("odds", "niuniu")[1]


def test_a_turn_of_nimmt_is_counted_card_by_card(faceup: Command) -> None:
    answer = result(faceup(*NIMMT, "--json"))
    assert [card["card"] for card in answer["cards"]] == [3, 30, 45, 89]
    assert answer["best"] == 30
    assert answer["exact"] is True
    assert "Fewest heads on average: 30." in faceup(*NIMMT)[1]
    assert result(faceup(*NIMMT, "--seen", "100,101", "--json"))["unseen"] == answer["unseen"] - 2


def test_war_is_sampled_by_collecting_order_with_and_without_reshuffling(faceup: Command) -> None:
    words = ("odds", "war", "--deals", "200", "--seed", "7", "--jobs", "1")
    answer = result(faceup(*words, "--json"))
    assert [(setting["collect"], setting["reshuffle"]) for setting in answer["settings"]] == [
        (collect, reshuffle) for collect in ("winner_first", "loser_first", "shuffled") for reshuffle in (100, 0)
    ]
    first, other = faceup(*words), faceup(*words)
    assert first == other
    assert "not by all cards" in first[1]


def test_war_takes_caps_reshuffling_and_the_way_of_collecting(faceup: Command) -> None:
    words = ("odds", "war", "--deals", "20", "--seed", "7", "-o", "cap=30,40", "-o", "reshuffle=0")
    answer = result(faceup(*words, "-o", "collect=loser_first", "--json"))
    assert [(setting["collect"], setting["cap"], setting["reshuffle"]) for setting in answer["settings"]] == [
        ("loser_first", 30, 0), ("loser_first", 40, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("words", [("odds", "niuniu"), NIMMT, ("odds", "war", "--deals", "50", "--seed", "1")])
def test_the_odds_are_drawn(faceup: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "odds.svg"
    assert faceup(*words, "--plot", str(path))[0] == 0
    assert path.read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("niuniu", "--faces", "1"), "faces must be 2 to 100"),
        (("niuniu", "--baozi", "6"), "baozi must be 3 to 5"),
        (("niuniu", "--plot", "x.gif"), "must end in .svg, .png or .html"),
        (("nimmt", "--rows", "5/6/88", "--hand", "3"), "the table must have 4 rows; got 3"),
        (
            ("nimmt", "--rows", "5/6/88/x", "--hand", "3"),
            "a card of rows must be a whole number of at most nine digits; got 'x'",
        ),
        (("nimmt", "--rows", "5/6/88/29", "--hand", "5"), "card 5 occurs twice"),
        (("nimmt", "--rows", "5/6/88/29", "--hand", "3", "--seats", "1"), "2 to 10 seats; got 1"),
        (("war", "--deals", "0"), "deals must be 1 to"),
        (("war", "-o", "capp=3"), "did you mean 'cap'"),
    ],
)
def test_invalid_arguments_are_rejected_in_one_line(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, out, err = faceup("odds", *words)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1

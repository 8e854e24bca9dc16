import re
from collections.abc import Iterator
from itertools import product
from xml.etree import ElementTree as ET

import pytest
from tests.games.svg_words import words

from faceup.core import generator, play_game
from faceup.games.niuniu import DiceShow, NiuNiu, NiuNiuState
from faceup.games.niuniu.view_svg import draw as picture


def states(rules: NiuNiu, seed: int = 1) -> Iterator[NiuNiuState]:
    yield rules.start()
    for _, step in play_game(rules, [lambda *_: 0] * rules.seats, generator(seed)):
        yield step.state


def thrown(*dice: tuple[int, ...], faces: int = 6) -> tuple[NiuNiu, NiuNiuState]:
    rules = NiuNiu(seats=len(dice), faces=faces)
    state = rules.apply(rules.start(), dict.fromkeys(range(len(dice)), 0)).state
    return rules, rules.apply(state, DiceShow(dice)).state


@pytest.mark.parametrize(("seats", "faces"), list(product((1, 2, 10), (2, 6, 7, 100))))
def test_any_match_is_drawn_within_bounds(seats: int, faces: int) -> None:
    rules = NiuNiu(seats=seats, faces=faces, throws=3)
    for state in states(rules):
        for drawn in (picture(state, ["W" * 500], rules), picture(rules.view(state, 0), (), None)):
            assert len(drawn) < 60_000
            ET.fromstring(drawn)  # noqa: S314 -- our own


def test_a_die_has_its_pips() -> None:
    for face in range(1, 7):
        rules, state = thrown((face,) * 5)
        assert picture(state, (), rules).count("<circle") == 5 * face


def test_dice_with_more_faces_show_numbers() -> None:
    rules, state = thrown((1, 2, 3, 4, 99), faces=100)
    drawn = picture(state, (), rules)
    assert "<circle" not in drawn
    assert {"1", "2", "3", "4", "99"} <= set(words(drawn))


@pytest.mark.parametrize("dice", [(5, 2, 4, 6, 3), (1, 5, 5, 4, 3), (5, 5, 1, 5, 4), (3, 3, 4, 5, 5)])
def test_the_three_that_make_the_niu_are_underlined_in_full_and_the_rest_in_dashes(dice: tuple[int, ...]) -> None:
    rules, state = thrown(dice)
    lines = re.findall(r'd="M[\d.]+ 54h40" class="fu-(ring|slot)"', picture(state, (), rules))
    assert sorted(lines) == ["ring", "ring", "ring", "slot", "slot"]
    assert sum(die for die, line in zip(dice, lines, strict=True) if line == "ring") == 10


def test_a_hand_without_niu_is_labelled() -> None:
    rules, state = thrown((3, 3, 3, 5, 1))
    drawn = words(picture(state, (), rules))
    assert {"No Niu", "statistics points: 5"} <= set(drawn)


def test_the_winner_of_the_match_is_named() -> None:
    rules, state = thrown((5, 2, 4, 6, 3), (4, 5, 5, 4, 1))
    assert words(picture(state, ("Ann", "Bob"), rules))[0] == "Ann wins the match"


def test_a_draw_is_between_the_tied_best_hands_alone() -> None:
    rules, state = thrown((2, 3, 5, 4, 1), (5, 2, 4, 6, 3), (6, 4, 5, 2, 3))
    shown = words(picture(state, ("Ann", "Bob", "Cem"), rules))
    assert shown[0] == "Bob and Cem share the match"
    assert (shown.count("won 0 · drawn 0"), shown.count("won 0 · drawn 1")) == (1, 2)
    assert words(picture(state, ("Ann", "Bob", "Cem")))[0] == "Bob and Cem draw the throw"


def test_without_the_rules_no_state_is_drawn_as_final() -> None:
    _, state = thrown((5, 2, 4, 6, 3), (4, 5, 5, 4, 1))
    assert words(picture(state))[0] == "Seat 1 wins the throw with Niu Niu"


def test_a_pending_match_waits_for_players_while_seats_are_empty() -> None:
    rules = NiuNiu(seats=2)
    first, second, last = states(rules)
    for names, title in (
        ((), "Everyone throws"),
        (("Ann", "Bob"), "Everyone throws"),
        (("Ann",), "Waiting for players (1 of 2)"),
        (("", "Bob"), "Waiting for players (1 of 2)"),
        (("", ""), "Waiting for players (0 of 2)"),
    ):
        assert words(picture(first, names, rules))[0] == title
    assert words(picture(second, ("Ann",), rules))[0] == "The dice are in the air"
    assert "Waiting" not in picture(last, ("Ann",), rules)


def test_dice_in_the_air_show_nothing() -> None:
    rules = NiuNiu(seats=2, throws=2)
    _, first, second, third, _ = states(rules)
    assert picture(first, (), rules).count(">?<") == picture(third, (), rules).count(">?<") == 10
    assert ">?<" not in picture(second, (), rules)


def test_a_notebook_shows_states_and_views() -> None:
    rules, state = thrown((5, 2, 4, 6, 3))
    assert state._repr_svg_() == picture(state)
    assert rules.view(state, 0)._repr_svg_() == picture(rules.view(state, 0))

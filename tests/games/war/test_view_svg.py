import re
from collections.abc import Iterator
from itertools import islice, product
from xml.etree import ElementTree as ET

import pytest
from tests.games.svg_words import words

from faceup.core import generator, play_game
from faceup.games.war import War, WarState
from faceup.games.war.view_svg import draw as picture

NAMES = ("Ann", "Bob")
PLAYED = re.compile(r"font-size:22px\">([0-9JQKA]+)<")


def states(rules: War, seed: int, most: int) -> Iterator[WarState]:
    yield rules.start()
    for _, step in islice(play_game(rules, [lambda *_: 0] * 2, generator(seed)), most):
        yield step.state


@pytest.mark.sample(2)
@pytest.mark.parametrize(("suits", "down"), list(product((2, 4), (0, 3, 25))))
def test_any_game_is_drawn_within_bounds(suits: int, down: int) -> None:
    rules = War(suits=suits, down=down, cap=120, reshuffle=7)
    for state in states(rules, 2, 400):
        drawn = picture(state, ["W" * 500, "Bob"], rules)
        assert len(drawn) < 60_000
        ET.fromstring(drawn)  # noqa: S314 -- our own


def test_hidden_cards_do_not_change_the_picture() -> None:
    rules = War()
    for number, state in enumerate(states(rules, 0, 60)):
        guessed = rules.guess(rules.view(state, 0), generator(number))
        assert picture(guessed, NAMES, rules) == picture(state, NAMES, rules)
        assert picture(rules.view(state, 1), NAMES, rules) == picture(state, NAMES, rules)


def test_in_a_war_the_added_cards_lie_face_down_and_the_compared_ones_are_ringed() -> None:
    rules = War()
    state = next(state for state in states(rules, 0, 400) if len(state.turned) == 4)
    drawn = picture(state, NAMES, rules)
    assert words(drawn)[0] == "War! 9 against 9"
    assert PLAYED.findall(drawn) == ["7", "9", "7", "9"]
    assert drawn.count("fu-ring") - drawn.count(".fu-ring") == 2


def test_the_last_round_is_shown_between_rounds() -> None:
    rules = War()
    state = next(state for state in states(rules, 3, 400) if state.rounds == 16 and not state.turned)
    drawn = words(picture(state, NAMES, rules))
    assert drawn[:2] == ["Bob's 8 takes it all", "War · after round 16 · 3 wars so far"]
    assert drawn.count("last round") == 2


def test_the_winner_is_named_with_how() -> None:
    rules = War()
    *_, state = states(rules, 3, 10_000)
    drawn = words(picture(state, NAMES, rules))
    assert drawn[0] == "Bob wins the game"
    assert "with all the cards" in drawn[1]


def test_suits_differ_in_shape_and_not_only_colour() -> None:
    rules = War()
    used = set()
    for state in states(rules, 0, 60):
        used |= set(re.findall(r'href="#fu\w+-(\w+)"', picture(state, NAMES, rules)))
    assert used == {"club", "diamond", "heart", "spade"}


def test_a_notebook_shows_states_and_views() -> None:
    rules = War()
    *_, state = states(rules, 1, 3)
    assert state._repr_svg_() == picture(state) == rules.view(state, None)._repr_svg_()


def test_a_pending_game_waits_for_players_while_a_seat_is_empty() -> None:
    rules = War()
    first, dealt = states(rules, 0, 1)
    assert words(picture(first, NAMES, rules))[0] == "The cards are about to be dealt"
    assert words(picture(first, ("", "Bob"), rules))[0] == "Waiting for players (1 of 2)"
    assert "Waiting" not in picture(dealt, ("Ann",), rules)

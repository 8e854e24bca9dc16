"""What the menu sets, without a screen."""

import pytest

from faceup.core import find_game, spec
from faceup.terminal.setting import NAMES, check, usual_setting


def test_the_usual_setting_is_one_person_against_the_games_best_bots() -> None:
    setting = usual_setting(find_game("nimmt"), names=NAMES)
    assert setting.players() == [("Ada", "person"), ("Bo", "greedy"), ("Cleo", "greedy"), ("Dov", "greedy")]
    assert setting.terms().clock == 30_000


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_every_knob_of_every_game_turns_both_ways(game: str) -> None:
    setting = usual_setting(find_game(game), names=NAMES)
    for knob in setting.knobs():
        for by in (1, -1):
            turned = setting.turned(knob.key, by)
            assert len(turned.knobs()) > 3
            check(turned)


def test_seats_stay_within_the_variants_limits() -> None:
    setting = usual_setting(find_game("nimmt"))
    for _ in range(20):
        setting = setting.turned("seats", 1)
    assert setting.seats == 10
    assert check(setting) == ""


def test_a_reveal_at_the_deadline_needs_a_clock_and_the_menu_knows() -> None:
    setting = usual_setting(find_game("nimmt"), names=NAMES).turned("reveal", 1)
    assert setting.reveal == "at_deadline"
    while setting.clock is not None:
        setting = setting.turned("clock", 1)
    assert setting.reveal == "when_all_in"
    assert check(setting) == ""


def test_options_that_do_not_go_together_are_said_in_the_rules_own_words() -> None:
    setting = usual_setting(find_game("nimmt")).typed("option hand", "0")
    assert "hand is 1 to 10" in check(setting)


def test_words_of_an_option_are_gone_through_in_turn() -> None:
    setting = usual_setting(find_game("war")).turned("option collect", 1)
    assert "collect=loser_first" in spec(setting.rules())

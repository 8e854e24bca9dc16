"""What the menu sets, without a screen."""

import pytest

from faceup.bots import levels, policies
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


def test_levels_are_offered_before_other_bots_and_said_in_words() -> None:
    setting = usual_setting(find_game("nimmt"), names=NAMES)
    offered = []
    for _ in policies("nimmt"):
        setting = setting.turned("seat 0", 1)
        offered.append(setting.kinds[0])
    assert offered == [*levels("nimmt"), *(name for name in policies("nimmt") if name not in levels("nimmt"))]
    knob = usual_setting(find_game("nimmt")).turned("seat 0", 1).knobs()[2]
    assert knob.hint == "a bot, gentle"
    assert knob.more == f"Gentle: {levels('nimmt')['gentle'].does}"


@pytest.mark.parametrize("game", ["niuniu", "war"])
def test_a_game_without_decisions_offers_no_levels_and_says_why(game: str) -> None:
    setting = usual_setting(find_game(game), names=NAMES)
    assert set(setting.kinds) == {"person", "random"}
    assert {setting.turned("seat 1", by).kinds[1] for by in (-1, 1)} == {"person"}
    hints = {knob.label: knob.hint for knob in setting.knobs()}
    assert hints["Seat 1"] == "the computer; there is nothing to decide"


@pytest.mark.parametrize("name", policies("nimmt"))
def test_what_a_bot_does_fits_a_line_of_a_terminal(name: str) -> None:
    kinds = (name,) * 10
    setting = usual_setting(find_game("nimmt"), names=NAMES, kinds=kinds)
    assert all(0 < len(knob.more) <= 76 for knob in setting.knobs() if knob.label.startswith("Seat "))


def test_there_are_hints_for_one_who_plays_against_bots_alone_unless_it_is_set_otherwise() -> None:
    setting = usual_setting(find_game("nimmt"), names=NAMES)
    assert setting.terms().hints
    two = setting.turned("seat 1", 1)
    while two.kinds[1] != "person":
        two = two.turned("seat 1", 1)
    assert not two.terms().hints
    assert two.turned("hints", 1).terms().hints
    assert not setting.turned("hints", 1).terms().hints
    assert "hints" not in [knob.key for knob in usual_setting(find_game("war"), names=NAMES).knobs()]

"""The settings of a new game, without a screen."""

import pytest

from faceup.bots import levels, policies
from faceup.core import find_game, spec
from faceup.terminal.game_setup import NAMES, check, default_setup


def test_the_default_setup_is_one_person_against_the_best_bots() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES)
    assert setting.players() == [("Ada", "person"), ("Bo", "greedy"), ("Cleo", "greedy"), ("Dov", "greedy")]
    assert setting.terms().clock == 30_000


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_every_option_of_every_game_steps_both_ways(game: str) -> None:
    setting = default_setup(find_game(game), names=NAMES)
    for knob in setting.setup_options():
        for by in (1, -1):
            turned = setting.with_step(knob.key, by)
            assert len(turned.setup_options()) > 3
            check(turned)


def test_seats_stay_within_the_variants_limits() -> None:
    setting = default_setup(find_game("nimmt"))
    for _ in range(20):
        setting = setting.with_step("seats", 1)
    assert setting.seats == 10
    assert check(setting) == ""


def test_a_reveal_at_the_deadline_needs_a_clock_and_the_menu_knows() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES).with_step("reveal", 1)
    assert setting.reveal == "at_deadline"
    while setting.clock is not None:
        setting = setting.with_step("clock", 1)
    assert setting.reveal == "when_all_in"
    assert check(setting) == ""


def test_incompatible_options_show_the_rules_error() -> None:
    setting = default_setup(find_game("nimmt")).with_key("option hand", "0")
    assert "hand must be 1 to 10" in check(setting)


def test_the_values_of_an_option_are_cycled() -> None:
    setting = default_setup(find_game("war")).with_step("option collect", 1)
    assert "collect=loser_first" in spec(setting.rules())


def test_levels_are_offered_before_other_bots_with_descriptions() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES)
    offered = []
    for _ in policies("nimmt"):
        setting = setting.with_step("seat 0", 1)
        offered.append(setting.kinds[0])
    assert offered == [*levels("nimmt"), *(name for name in policies("nimmt") if name not in levels("nimmt"))]
    knob = default_setup(find_game("nimmt")).with_step("seat 0", 1).setup_options()[2]
    assert knob.hint == "a bot, gentle"
    assert knob.more == f"Gentle: {levels('nimmt')['gentle'].description}"


@pytest.mark.parametrize("game", ["niuniu", "war"])
def test_a_game_without_decisions_offers_no_levels(game: str) -> None:
    setting = default_setup(find_game(game), names=NAMES)
    assert set(setting.kinds) == {"person", "random"}
    assert {setting.with_step("seat 1", by).kinds[1] for by in (-1, 1)} == {"person"}
    hints = {knob.label: knob.hint for knob in setting.setup_options()}
    assert hints["Seat 2"] == "the computer; nothing to decide"


@pytest.mark.parametrize("name", policies("nimmt"))
def test_what_a_bot_does_fits_a_line_of_a_terminal(name: str) -> None:
    kinds = (name,) * 10
    setting = default_setup(find_game("nimmt"), names=NAMES, kinds=kinds)
    assert all(0 < len(knob.more) <= 76 for knob in setting.setup_options() if knob.label.startswith("Seat "))


def test_hints_default_to_games_with_one_person() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES)
    assert setting.terms().hints
    two = setting.with_step("seat 1", 1)
    while two.kinds[1] != "person":
        two = two.with_step("seat 1", 1)
    assert not two.terms().hints
    assert two.with_step("hints", 1).terms().hints
    assert not setting.with_step("hints", 1).terms().hints
    assert "hints" not in [knob.key for knob in default_setup(find_game("war"), names=NAMES).setup_options()]

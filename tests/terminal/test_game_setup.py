"""The settings of a new game, without a screen."""

import pytest
from rich.cells import cell_len

from faceup.bots import levels, policies
from faceup.core import find_game, spec
from faceup.terminal.game_setup import NAMES, check, default_setup
from faceup.terminal.screens.setup import LABEL, VALUE
from faceup.translations import LANGUAGES, Language


def test_the_default_setup_is_one_person_against_the_best_bots() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES)
    assert setting.players() == [("Ada", "person"), ("Bo", "greedy"), ("Cleo", "greedy"), ("Dov", "greedy")]
    assert setting.terms().clock is None, "no one waits for a person alone"


def test_only_two_people_have_the_clock_of_the_variant_unless_one_is_chosen() -> None:
    alone = default_setup(find_game("nimmt"), names=NAMES)
    assert alone.with_step("clock", 1).terms().clock == 10_000
    two = alone.with_step("seat 1", -1)
    while two.kinds[1] != "person":
        two = two.with_step("seat 1", -1)
    assert two.terms().clock == 30_000
    assert two.with_step("clock", -1).terms().clock == 20_000


def test_opponents_change_together_and_people_stay() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES)
    changed = setting.with_step("bots", 1)
    assert changed.kinds[0] == "person"
    assert set(changed.kinds[1:]) != set(setting.kinds[1:])
    assert len(set(changed.kinds[1:])) == 1
    (line,) = [option for option in changed.with_step("seat 2", 1).main_options() if option.key == "bots"]
    assert line.value == "several kinds"


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_at_most_four_options_are_shown_first(game: str) -> None:
    assert len(default_setup(find_game(game)).main_options()) <= 4


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_every_option_of_every_game_steps_both_ways(game: str) -> None:
    setting = default_setup(find_game(game), names=NAMES)
    for knob in (*setting.main_options(), *setting.more_options()):
        for by in (1, -1):
            turned = setting.with_step(knob.key, by)
            assert len(turned.more_options()) > 1
            check(turned)


def test_seats_stay_within_the_variants_limits() -> None:
    setting = default_setup(find_game("nimmt"))
    for _ in range(20):
        setting = setting.with_step("seats", 1)
    assert setting.seats == 10
    assert check(setting) == ""


def test_a_reveal_at_the_deadline_needs_a_clock_and_the_menu_knows() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES)
    assert setting.with_step("reveal", 1).reveal == "when_all_in"
    setting = setting.with_step("clock", 1).with_step("reveal", 1)
    assert setting.reveal == "at_deadline"
    while setting.seconds() is not None:
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
    knob = default_setup(find_game("nimmt")).with_step("seat 0", 1).more_options()[0]
    assert knob.hint == "a bot, gentle"
    assert knob.more == "Gentle: Looks ahead, and makes many mistakes."


@pytest.mark.parametrize("game", ["niuniu", "war"])
def test_a_game_without_decisions_offers_no_levels(game: str) -> None:
    setting = default_setup(find_game(game), names=NAMES)
    assert set(setting.kinds) == {"person", "random"}
    assert {setting.with_step("seat 1", by).kinds[1] for by in (-1, 1)} == {"person"}
    hints = {knob.label: knob.hint for knob in setting.more_options()}
    assert hints["Seat 2"] == "the computer; nothing to decide"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", policies("nimmt"))
def test_what_a_bot_does_fits_a_line_of_a_terminal(
    name: str, language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEUP_LANGUAGE", language)
    setting = default_setup(find_game("nimmt"), names=NAMES, kinds=(name,) * 10)
    knobs = [knob for knob in setting.more_options() if knob.key.startswith("seat ")]
    assert knobs
    assert all(0 < cell_len(knob.more) <= 76 for knob in knobs)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_labels_and_values_fit_their_columns(game: str, language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEUP_LANGUAGE", language)
    setting = default_setup(find_game(game), names=NAMES)
    knobs = [*setting.main_options(), *setting.more_options()]
    assert [knob.label for knob in knobs if cell_len(knob.label) > LABEL] == []
    assert [knob.value for knob in knobs if cell_len(knob.value) >= VALUE] == []


def test_hints_default_to_games_with_one_person() -> None:
    setting = default_setup(find_game("nimmt"), names=NAMES)
    assert setting.terms().hints
    two = setting.with_step("seat 1", 1)
    while two.kinds[1] != "person":
        two = two.with_step("seat 1", 1)
    assert not two.terms().hints
    assert two.with_step("hints", 1).terms().hints
    assert not setting.with_step("hints", 1).terms().hints
    assert "hints" not in [knob.key for knob in default_setup(find_game("war"), names=NAMES).more_options()]

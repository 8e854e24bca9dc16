"""Finding games by name or entry point, and making rules from specs."""

import subprocess
import sys

import pytest
from highcard import GAME, HighCard

from faceup.core import Malformed, find_game, list_games, make, registry, spec


def test_a_game_from_outside_is_found_by_its_entry_point_alone() -> None:
    assert find_game("highcard") is GAME
    games = list_games()
    assert games[-1] is GAME
    assert "nimmt" in {game.name for game in games[:-1]}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("no_such_module:GAME", "the game 'fifth' cannot be loaded from 'no_such_module:GAME': No module named"),
        ("highcard:GAMES", "the game 'fifth' cannot be loaded from 'highcard:GAMES': .*no attribute 'GAMES'"),
        (
            "highcard:GAME",
            "the entry point 'fifth' must lead to a Game of the same name; 'highcard:GAME' is 'highcard'",
        ),
        ("highcard:HighCard", "must lead to a Game of the same name; 'highcard:HighCard' is StructMeta"),
    ],
)
def test_a_wrong_entry_point_raises_an_error_that_names_it(
    path: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_entry_points", lambda: {"fifth": path})
    for find in (list_games, lambda: find_game("fifth")):
        with pytest.raises(Malformed, match=message):
            find()


def test_entry_points_are_not_scanned_for_a_built_in_game() -> None:
    code = "import sys, faceup; faceup.make('nimmt'); print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nimt", "there is no game 'nimt'; did you mean 'nimmt'"),
        ("hicard", "did you mean 'highcard'"),
        ("", "there is no game ''; there are: .*highcard.*nimmt"),
        ("../nimmt", "there is no game"),
        ("highcard:opn", "High Card has no variant 'opn'; did you mean 'open'"),
        ("highcard:zzz", "there are: open, strict"),
        ("highcard hnad=3", "High Card has no option 'hnad'; did you mean 'hand'"),
        ("highcard hand", "an option must have the form name=value; got 'hand'"),
        ("highcard hand=two", "hand=two has an invalid value: expected a whole number"),
        ("highcard forfeits=perhaps", "expected true, false, yes, no, on, off, 1 or 0"),
        ("highcard hand=none", "hand=None has an invalid value"),
        ("highcard seats=5", "highcard must have 2 to 4 seats; got 5"),
        ("nimmt:arena seats=3", "nimmt:arena must have exactly 4 seats; got 3"),
        ("highcard hand=9", "do not give 2 seats hands of 9"),
    ],
)
def test_unknown_names_raise_with_the_closest_name(words: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        make(words)


def test_options_are_words_or_arguments_and_later_ones_override() -> None:
    assert make("highcard:strict seats=2 hand=3", hand=1) == HighCard(variant="strict", seats=2, hand=1, forfeits=True)
    assert make("highcard") == make("highcard:open")


@pytest.mark.parametrize("on", ["true", "yes", "on", "1", "Yes"])
@pytest.mark.parametrize("off", ["false", "no", "off", "0", "OFF"])
def test_booleans_accept_the_usual_words(on: str, off: str) -> None:
    assert make(f"highcard forfeits={on}") == make("highcard", forfeits=True)
    assert make("highcard:strict", forfeits=off) == make("highcard:strict", forfeits=False)


@pytest.mark.parametrize(
    "words", ["highcard:open seats=2", "highcard:strict seats=4 forfeits=false hand=1", "nimmt:tactical seats=3"]
)
def test_a_spec_is_the_words_that_make_the_rules(words: str) -> None:
    assert make(spec(make(words))) == make(words)
    assert set(spec(make(words)).split()) == set(words.split())


@pytest.mark.parametrize("words", ["highcard variant=strict", "nimmt:cowheadking variant=classic"])
def test_the_variant_is_named_after_the_colon_and_is_not_an_option(words: str) -> None:
    with pytest.raises(Malformed, match="has no option 'variant'"):
        make(words)

"""What a table may be opened as, and how each mistake is answered."""

import msgspec
import pytest

from faceup.core import Malformed
from faceup.core.record import Terms
from faceup.server.rooms import Opening, open_room


def test_what_is_left_open_is_as_the_variant_has_it() -> None:
    opening = Opening(game="nimmt")
    assert (opening.variant, opening.terms) == ("cowheadking", Terms(clock=30_000, stand_in="lowest"))
    assert open_room(opening).table.rules.seats == 4


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("nimmt", {"seats": 10, "hand": 3, "deals": 2, "rows": 5, "capacity": 4, "cards": 90, "target": 9}),
        ("niuniu", {"seats": 3, "throws": 2, "faces": 10, "baozi": 4}),
        ("war", {"collect": "shuffled", "reshuffle": 10, "cap": 9, "sudden_death": False, "redeal": False, "down": 1}),
    ],
)
def test_every_option_of_a_game_can_be_set(game: str, options: dict[str, int | str | bool | None]) -> None:
    rules = open_room(Opening(game=game, options=options)).table.rules
    assert {name: getattr(rules, name) for name in options} == options


def test_the_stand_in_is_the_games_own_whatever_the_terms_say() -> None:
    opening = Opening(game="nimmt", terms=Terms(clock=5000, stand_in="random"))
    assert opening.terms == Terms(clock=5000, stand_in="lowest")


@pytest.mark.parametrize("clock", [5_000, 300_000, None])
def test_a_clock_is_5_to_300_seconds_or_none(clock: int | None) -> None:
    opening = Opening(game="nimmt", terms=Terms(clock=clock))
    assert opening.terms is not None
    assert opening.terms.clock == clock


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "nimmt", "variant": "cow"}, "has no variant 'cow'"),
        ({"game": "nimmt", "options": {"seats": 11}}, "is for 2 to 10 seats, not 11"),
        ({"game": "nimmt", "options": {"seat": 3}}, "has no option 'seat'"),
        ({"game": "nimmt", "options": {"hand": "many"}}, "hand=many does not fit"),
        ({"game": "war", "options": {"cap": 1_000_000}}, "14001414 decisions; 100000 are the most"),
        ({"game": "nimmt", "terms": Terms(clock=4_999)}, "5 to 300 s, or none, not 4.999 s"),
        ({"game": "nimmt", "terms": Terms(clock=300_001)}, "5 to 300 s"),
        ({"game": "war", "terms": Terms(clock=499)}, "0.5 to 300 s"),
        ({"game": "nimmt", "bots": ("nobody",)}, "has no policy 'nobody'"),
        ({"game": "war", "bots": ("random",) * 3}, "3 bots do not fit 2 seats"),
        ({"game": "nimmt", "grace": 600_001}, "grace is 0 to 600000 milliseconds"),
        ({"game": "nimmt", "watch_delay": -1}, "watch_delay is 0 to 600000 milliseconds"),
        ({"game": "nimmt", "kept": ("somebody",)}, "kept names 4 seats, not 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(said: dict[str, object], why: str) -> None:
    with pytest.raises(Malformed) as refused:
        Opening(**said)  # type: ignore[arg-type]  # each case is wrong in its own way
    assert why in str(refused.value)


def test_a_misspelt_setting_is_refused_and_not_ignored() -> None:
    with pytest.raises(msgspec.ValidationError, match="lised"):
        msgspec.json.decode(b'{"game":"nimmt","lised":true}', type=Opening)


def test_an_opening_is_the_same_after_its_json() -> None:
    opening = Opening(game="nimmt", options={"seats": 3}, bots=("greedy",), watch="nobody")
    assert msgspec.json.decode(msgspec.json.encode(opening), type=Opening) == opening

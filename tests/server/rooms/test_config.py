"""What a table may be opened as, and how each mistake is answered."""

import msgspec
import pytest

from faceup.core import Malformed
from faceup.core.record import Terms
from faceup.server.rooms import TableConfig
from faceup.server.rooms.config import DAY
from faceup.server.rooms.room import open_room


def test_missing_config_fields_have_the_variants_defaults() -> None:
    config = TableConfig(game="nimmt")
    assert (config.variant, config.terms) == ("cowheadking", Terms(clock=30_000, autoplay="lowest"))
    assert open_room(config).table.rules.seats == 4


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("nimmt", {"seats": 10, "hand": 3, "deals": 2, "rows": 5, "capacity": 4, "cards": 90, "target": 9}),
        ("niuniu", {"seats": 3, "throws": 2, "faces": 10, "baozi": 4}),
        ("war", {"collect": "shuffled", "reshuffle": 10, "cap": 9, "sudden_death": False, "redeal": False, "down": 1}),
    ],
)
def test_every_option_of_a_game_can_be_set(game: str, options: dict[str, int | str | bool | None]) -> None:
    rules = open_room(TableConfig(game=game, options=options)).table.rules
    assert {name: getattr(rules, name) for name in options} == options


@pytest.mark.parametrize(
    ("game", "options", "rated"),
    [
        ("nimmt", {"seats": 7}, True),
        ("nimmt", {"hand": 10}, True),
        ("nimmt:classic", {"seats": 2}, True),
        ("nimmt", {"hand": 3}, False),
        ("niuniu", {}, False),
        ("war", {}, False),
    ],
)
def test_only_games_with_decisions_and_default_options_can_be_rated(
    game: str, options: dict[str, int | str | bool | None], rated: bool
) -> None:
    name, _, variant = game.partition(":")
    if rated:
        assert TableConfig(game=name, variant=variant, options=options, rated=True).rated
    else:
        with pytest.raises(Malformed, match="cannot be rated") as caught:
            TableConfig(game=name, variant=variant, options=options, rated=True)
        assert caught.value.where == "rated"
    assert not TableConfig(game=name, variant=variant, options=options).rated


def test_the_autoplay_policy_is_always_the_games_own() -> None:
    config = TableConfig(game="nimmt", terms=Terms(clock=5000, autoplay="random"))
    assert config.terms == Terms(clock=5000, autoplay="lowest")


@pytest.mark.parametrize("clock", [5_000, 300_000, None, DAY, 7 * DAY])
def test_a_clock_is_5_to_300_seconds_or_days_or_none(clock: int | None) -> None:
    config = TableConfig(game="nimmt", terms=Terms(clock=clock))
    assert config.terms is not None
    assert config.terms.clock == clock


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "nimmt", "variant": "cow"}, "has no variant 'cow'"),
        ({"game": "nimmt", "options": {"seats": 11}}, "must have 2 to 10 seats; got 11"),
        ({"game": "nimmt", "options": {"seat": 3}}, "has no option 'seat'"),
        ({"game": "nimmt", "options": {"hand": "many"}}, "hand=many has an invalid value"),
        ({"game": "war", "options": {"cap": 1_000_000}}, "at most 100000 decisions; got 14001414"),
        ({"game": "nimmt", "terms": Terms(clock=4_999)}, "5 to 300 s, 1, 2, 3 or 7 days, or none; got 4.999 s"),
        ({"game": "nimmt", "terms": Terms(clock=300_001)}, "5 to 300 s"),
        ({"game": "war", "terms": Terms(clock=499)}, "0.5 to 300 s"),
        ({"game": "nimmt", "terms": Terms(clock=4 * DAY)}, "must be 1, 2, 3 or 7 days; got 4 days"),
        ({"game": "nimmt", "terms": Terms(clock=DAY, fair=True)}, "days per move cannot have fair deals"),
        ({"game": "war", "terms": Terms(clock=DAY)}, "0.5 to 300 s, or none; got 86400 s"),
        ({"game": "nimmt", "bots": ("nobody",)}, "has no policy 'nobody'"),
        ({"game": "war", "bots": ("random",) * 3}, "at most one bot for each of 2 seats; got 3 bots"),
        ({"game": "nimmt", "grace": 600_001}, "grace must be 0 to 600000 milliseconds"),
        ({"game": "nimmt", "spectator_delay": -1}, "spectator_delay must be 0 to 600000 milliseconds"),
        ({"game": "nimmt", "reserved": ("somebody",)}, "reserved must have one entry for each of 4 seats; got 1"),
    ],
)
def test_an_invalid_config_is_rejected_with_a_message(settings: dict[str, object], why: str) -> None:
    with pytest.raises(Malformed) as refused:
        TableConfig(**settings)  # type: ignore[arg-type]  # each case is wrong in its own way
    assert why in str(refused.value)


def test_an_unknown_setting_is_rejected() -> None:
    with pytest.raises(msgspec.ValidationError, match="lised"):
        msgspec.json.decode(b'{"game":"nimmt","lised":true}', type=TableConfig)


def test_a_config_survives_json() -> None:
    config = TableConfig(game="nimmt", options={"seats": 3}, bots=("greedy",), spectators="nobody")
    assert msgspec.json.decode(msgspec.json.encode(config), type=TableConfig) == config

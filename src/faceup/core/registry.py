"""The games there are: folders of `faceup.games`, and other packages' entry points of the group `faceup.games`."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

import msgspec

from faceup.core.errors import Malformed
from faceup.core.rules import AnyRules, Policy

OptionValue: TypeAlias = int | bool | str | None
"""What an option of a variant can be set to."""

Drawing: TypeAlias = Callable[..., str]
"""From a view, `names` and `rules` to a picture: as plain text under the name "text", as SVG under "svg".

An SVG drawing takes a state as well, and then shows all of it that is ever shown to anybody, such as every hand.
"""


class Variant(msgspec.Struct, frozen=True):
    """A named setting of a game's parameters.

    Attributes:
        name: as it stands after the colon in `nimmt:cowheadking`.
        title: its name for people.
        summary: one sentence.
        preset: the parameters that it sets; the rest have their defaults. Holds the usual number of `seats`.
        seats: the fewest and the most seats.
        clock: seconds for a choice at a table of people unless the table says otherwise; None is no clock.
    """

    name: str
    title: str
    summary: str
    preset: Mapping[str, OptionValue]
    seats: tuple[int, int]
    clock: int | None = None


class Game(msgspec.Struct, frozen=True):
    """One game as it registers itself: `GAME` in its package's `__init__`.

    Attributes:
        name: as it stands before the colon in `nimmt:cowheadking`.
        title: its name for people.
        summary: one sentence.
        rules: the frozen Struct that implements `Rules`; its fields are the options.
        variants: the first is the default.
        options: one sentence for each option that a table may set, by name.
        guide: the rules for people, in Markdown.
        policies: players that need no search, by name.
        stand_in: the name of the policy that plays for a seat whose time is up; "random" is known for any game.
        drawings: "text" and "svg" at least.
        formats: outside formats by name, such as an arena's text protocol.
    """

    name: str
    title: str
    summary: str
    rules: type[Any]  # Any: each game has its own Struct, and type[Protocol] cannot be called
    variants: tuple[Variant, ...]
    options: Mapping[str, str]
    guide: str
    policies: Mapping[str, Policy]
    drawings: Mapping[str, Drawing]
    stand_in: str = "random"
    formats: Mapping[str, object] = {}

    def variant(self, name: str) -> Variant:
        """The variant of that name. Raises `Malformed` with the nearest name if there is none."""
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = [variant.name for variant in self.variants]
        raise Malformed(f"{self.title} has no variant {name!r}{nearest(name, known)}", what=name, where="variant")


@cache  # an entry point is looked up in every installed package; a name that is not found is looked up again
def find_game(name: str) -> Game:
    """The game of that name. Raises `Malformed` with the nearest name if there is none.

    >>> find_game("nimmt").title
    '6 nimmt!'
    """
    if name.isidentifier() and name in _built_in():
        return _load(f"faceup.games.{name}", "GAME")
    points = _entry_points()
    if name in points:
        return _load(*points[name].split(":"))
    known = sorted({*_built_in(), *points})
    raise Malformed(f"there is no game {name!r}{nearest(name, known)}", what=name, where="game")


def list_games() -> tuple[Game, ...]:
    """All games, ours first, then those of other packages by name."""
    ours = [_load(f"faceup.games.{name}", "GAME") for name in _built_in()]
    theirs = [_load(*path.split(":")) for name, path in sorted(_entry_points().items()) if name not in _built_in()]
    return (*ours, *theirs)


def _built_in() -> list[str]:
    package = importlib.import_module("faceup.games")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)


def _entry_points() -> dict[str, str]:
    from importlib.metadata import entry_points  # noqa: PLC0415 -- slow to import, and seldom needed

    return {point.name: point.value for point in entry_points(group="faceup.games")}


def _load(module: str, attribute: str) -> Game:
    game: Game = getattr(importlib.import_module(module), attribute)
    return game


def make(spec: str, /, **options: OptionValue) -> AnyRules:
    """The rules that a spec names: a game, perhaps a variant, and options as words `name=value` or as arguments.

    Raises:
        Malformed: an unknown game, variant or option (with the nearest known), or a value that does not fit.

    >>> make("nimmt:cowheadking seats=3", hand=5).seats
    3
    """
    name, *words = spec.split() or [""]
    settings: dict[str, OptionValue] = {}
    for word in words:
        option, equals, setting = word.partition("=")
        if not equals:
            raise Malformed(f"{word!r} is not an option: write name=value", what=word, where=spec)
        settings[option] = setting
    game_name, _, variant_name = name.partition(":")
    game = find_game(game_name)
    variant = game.variant(variant_name) if variant_name else game.variants[0]
    settings = {**variant.preset, **settings, **options}
    fields = {field.name: field for field in msgspec.structs.fields(game.rules) if field.name != "variant"}
    for key, value in settings.items():
        if key not in fields:
            raise Malformed(f"{game.title} has no option {key!r}{nearest(key, [*fields])}", what=key, where="options")
        settings[key] = _fitted(key, value, fields[key].type)
    low, high = variant.seats
    seats = settings["seats"]
    if not isinstance(seats, int) or not low <= seats <= high:
        count = f"exactly {low}" if low == high else f"{low} to {high}"
        raise Malformed(f"{name} is for {count} seats, not {seats}", what=seats, where="seats")
    rules: AnyRules = game.rules(variant=variant.name, **settings)
    return rules


def _fitted(key: str, value: OptionValue, kind: object) -> OptionValue:
    """The value as the type that the option has; words from a command line or a notation are read as that type."""
    if isinstance(value, str) and value.lower() == "none":
        value = None
    try:
        fitted: OptionValue = msgspec.convert(value, kind, strict=not isinstance(value, str))
    except msgspec.ValidationError as error:
        raise Malformed(f"{key}={value} does not fit: {error}", what=value, where=key) from None
    return fitted


def options_of(rules: AnyRules) -> dict[str, OptionValue]:
    """The options by which the rules differ from their variant's usual setting; always the seats."""
    usual = make(f"{rules.game}:{rules.variant}", seats=rules.seats)
    names = [field.name for field in msgspec.structs.fields(find_game(rules.game).rules)]
    different = {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(usual, name)}
    return {"seats": rules.seats, **different}


def nearest(name: str, known: list[str]) -> str:
    """The end of a message about an unknown name: the nearest known one, or all of them."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only for a message

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(known)}"

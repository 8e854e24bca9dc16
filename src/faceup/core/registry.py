"""The registry of games: packages in `faceup.games`, and entry points of other packages in the group `faceup.games`."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import msgspec

from faceup.core.arguments import check_text
from faceup.core.errors import Malformed
from faceup.core.options import convert_option, option_fields
from faceup.core.rules import AnyRules, Policy
from faceup.core.values import Event, View
from faceup.core.whole_numbers import to_int

OptionValue: TypeAlias = int | bool | str | None
"""The value of an option."""

Drawing: TypeAlias = Callable[..., str]
"""A function that draws a view, given `names` and `rules`. The drawing "text" returns plain text, and "svg" an SVG.

`names` has a name for each seat, which is "" for an empty seat. Without names, the drawing shows seat numbers. An SVG
drawing also accepts a state instead of a view, and then shows every hand. It may accept `wide`, to draw two columns,
and `say`, a function that translates its text (`faceup.games.svg.Translate`).
"""


RevealTime: TypeAlias = Callable[[Sequence[Event]], int]
"""A function that returns how long the page's animation of the events of one move takes, in milliseconds."""


FaceUp: TypeAlias = Callable[[Any], frozenset[int]]  # Any: each game has its own View
"""A function that returns the numbers of the cards that lie face up on the table, given the view of a spectator."""


def _no_reveal_time(events: Sequence[Event]) -> int:
    del events
    return 0


def _no_cards(view: View) -> frozenset[int]:
    del view
    return frozenset()


class Variant(msgspec.Struct, frozen=True):
    """A named preset of a game's parameters.

    Attributes:
        name: the identifier, which follows the colon in a spec such as `nimmt:cowheadking`.
        title: the display name.
        summary: a description in one sentence.
        preset: the parameters that the variant sets, including the default number of `seats`. All other parameters have
            the default values of the game.
        seats: the least and greatest number of seats.
        clock: the default number of seconds for a decision at a table for people; None means no clock.
    """

    name: str
    title: str
    summary: str
    preset: Mapping[str, OptionValue]
    seats: tuple[int, int]
    clock: int | None = None


class Game(msgspec.Struct, frozen=True):
    """The description of a game. A game registers itself by defining it as `GAME` in its package's `__init__`.

    Attributes:
        name: the identifier, which precedes the colon in a spec such as `nimmt:cowheadking`.
        title: the display name.
        summary: a description in one sentence.
        rules: the frozen Struct that implements `Rules`; its fields are the parameters and options.
        variants: the variants, of which the first is the default.
        options: for each option that a table may set, a description in one sentence.
        guide: the rules of play, in Markdown.
        policies: the bots that need no search, by name.
        autoplay: the name of the policy that plays for a seat that times out. The default is "random", which every game
            has.
        drawings: the drawings by name, at least "text" and "svg".
        formats: external formats by name, such as the text protocol of an arena.
        reveal_time: how long the reveal of a move takes on the page, by which its decision's deadline is later.
        face_up: the cards to which players can pin an emote; none in a game without numbered cards on the table.
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
    autoplay: str = "random"
    formats: Mapping[str, object] = {}
    reveal_time: RevealTime = _no_reveal_time
    face_up: FaceUp = _no_cards

    def variant(self, name: str) -> Variant:
        """Return the variant with this name. If there is none, raises `Malformed`, which suggests the closest name.

        >>> find_game("nimmt").variant("classic").preset["target"]
        66
        >>> find_game("nimmt").variant("clasic")
        Traceback (most recent call last):
        faceup.core.errors.Malformed: 6 nimmt! has no variant 'clasic'; did you mean 'classic'?
        """
        for variant in self.variants:
            if variant.name == name:
                return variant
        names = [variant.name for variant in self.variants]
        raise Malformed(f"{self.title} has no variant {name!r}{nearest(name, names)}", what=name, where="variant")


def find_game(name: str) -> Game:
    """Return the game with this name. If there is none, raises `Malformed`, which suggests the closest name.

    >>> find_game("nimmt").title
    '6 nimmt!'
    """
    check_text("the name of a game", name, "nimmt")
    return _find_game(name)


@cache  # because finding an entry point searches every installed package
def _find_game(name: str) -> Game:
    if name.isidentifier() and name in _built_in():
        return _load_built_in(name)
    points = _entry_points()
    if name in points:
        return _load_external(name, points[name])
    names = sorted({*_built_in(), *points})
    raise Malformed(f"there is no game {name!r}{nearest(name, names)}", what=name, where="game")


def game_of(spec: str) -> Game:
    """Return the game that a spec names. Raises `Malformed` if the spec is not text, or if there is no such game.

    >>> game_of("nimmt:classic seats=3").title
    '6 nimmt!'
    >>> game_of(6)
    Traceback (most recent call last):
    faceup.core.errors.Malformed: a spec must be text, such as 'nimmt:classic seats=3'; got 6
    """
    return find_game(_words(spec)[0].partition(":")[0])


def _words(spec: object) -> list[str]:
    """Return the words of a spec: the game with its variant, and then the options."""
    if not isinstance(spec, str):
        raise Malformed(f"a spec must be text, such as 'nimmt:classic seats=3'; got {spec!r}", what=spec, where="spec")
    return spec.split() or [""]


def list_games() -> tuple[Game, ...]:
    """Return all games: the built-in games, then those of other packages, each sorted by name.

    >>> [game.name for game in list_games()][:3]
    ['nimmt', 'niuniu', 'war']
    """
    built_in = [_load_built_in(name) for name in _built_in()]
    external = [_load_external(*point) for point in sorted(_entry_points().items()) if point[0] not in _built_in()]
    return (*built_in, *external)


def _built_in() -> list[str]:
    package = importlib.import_module("faceup.games")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)


def _entry_points() -> dict[str, str]:
    from importlib.metadata import entry_points  # noqa: PLC0415 -- slow to import, and seldom needed

    return {point.name: point.value for point in entry_points(group="faceup.games")}


def _load_external(name: str, path: str) -> Game:
    """Return the game of an entry point. Raises `Malformed` if it cannot be imported, or is not a game of this name."""
    module, _, attribute = path.partition(":")
    try:
        game = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Malformed(f"the game {name!r} cannot be loaded from {path!r}: {error}", what=path, where=name) from error
    if not isinstance(game, Game) or game.name != name:
        description = repr(game.name) if isinstance(game, Game) else type(game).__name__
        raise Malformed(
            f"the entry point {name!r} must lead to a Game of the same name; {path!r} is {description}",
            what=path,
            where=name,
        )
    return game


def _load_built_in(name: str) -> Game:
    game: Game = importlib.import_module(f"faceup.games.{name}").GAME
    return game


def make(spec: str, /, **options: OptionValue) -> AnyRules:
    """Make the rules for a spec, which names a game, an optional variant, and options as `name=value`.

    Options may also be given as keyword arguments.

    Raises:
        Malformed: the game, variant or an option is unknown (the message suggests the closest name), or a value is
            invalid.

    >>> make("nimmt:cowheadking seats=3", hand=5).seats
    3
    """
    name, *words = _words(spec)
    settings: dict[str, OptionValue] = {}
    for word in words:
        option, equals, setting = word.partition("=")
        if not equals:
            raise Malformed(f"an option must have the form name=value; got {word!r}", what=word, where=spec)
        settings[option] = setting
    game_name, _, variant_name = name.partition(":")
    game = find_game(game_name)
    variant = game.variant(variant_name) if variant_name else game.variants[0]
    settings = {**variant.preset, **settings, **options}
    fields = {name: field for name, field in option_fields(game.rules).items() if name != "variant"}
    for key, value in settings.items():
        if key not in fields:
            raise Malformed(f"{game.title} has no option {key!r}{nearest(key, [*fields])}", what=key, where="options")
        settings[key] = _fitted(key, value, fields[key].kind)
    low, high = variant.seats
    seats = settings["seats"]
    if not isinstance(seats, int) or not low <= seats <= high:
        count = f"exactly {low}" if low == high else f"{low} to {high}"
        raise Malformed(f"{name} must have {count} seats; got {seats}", what=seats, where="seats")
    rules: AnyRules = game.rules(variant=variant.name, **settings)
    return rules


def make_with_keywords(spec: str, options: Mapping[str, OptionValue]) -> AnyRules:
    """Return the rules for a spec and the options that a function got as keyword arguments.

    Raises:
        TypeError: the game has no option of this name.
        Malformed: the spec or the value of an option is invalid.

    >>> make_with_keywords("nimmt", {"seats": 3}).seats
    3
    >>> make_with_keywords("nimmt", {"seat": 3})
    Traceback (most recent call last):
    TypeError: unexpected keyword argument 'seat': 6 nimmt! has no such option; did you mean 'seats'?
    """
    game = game_of(spec)
    option_names = [name for name in game.rules.__struct_fields__ if name != "variant"]
    for name in options:
        if name not in option_names:
            raise TypeError(
                f"unexpected keyword argument {name!r}: {game.title} has no such option{nearest(name, option_names)}"
            )
    return make(spec, **options)


def _fitted(key: str, value: OptionValue, kind: object) -> OptionValue:
    """Convert a value to the type of its option. Text from a command line or from notation is parsed as this type."""
    if isinstance(value, str) and value.lower() == "none":
        value = None
    if kind is int and not isinstance(value, bool) and hasattr(value, "__index__"):
        value = to_int(key, value)
    elif kind is bool and type(value).__name__ in {"bool", "bool_"}:  # numpy's boolean, by its newer and its older name
        value = bool(value)
    try:
        fitted: OptionValue = convert_option(value, kind, text=True)
    except ValueError as error:
        raise Malformed(f"{key}={value} has an invalid value: {error}", what=value, where=key) from None
    return fitted


def options_of(rules: AnyRules) -> dict[str, OptionValue]:
    """Return the number of seats and the options that differ from the variant's defaults, by name.

    >>> options_of(make("nimmt seats=3 hand=5"))
    {'seats': 3, 'hand': 5}
    """
    default = make(f"{rules.game}:{rules.variant}", seats=rules.seats)
    names = [field.name for field in msgspec.structs.fields(find_game(rules.game).rules)]
    different = {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(default, name)}
    return {"seats": rules.seats, **different}


def nearest(name: object, accepted: list[str]) -> str:
    """Return the end of an error message about an unknown name: the closest known name, or else all known names.

    >>> nearest("nimt", ["nimmt", "war"]), nearest("chess", ["nimmt", "war"])
    ("; did you mean 'nimmt'?", '; there are: nimmt, war')
    """
    from difflib import get_close_matches  # noqa: PLC0415 -- only for a message

    close = get_close_matches(str(name), accepted, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(accepted)}"

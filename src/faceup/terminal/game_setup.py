"""The settings of a new game as an immutable value, and the options of the setup screen that change them."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec

from faceup.bots import default_policy, describe_bot, is_playable, is_pure_chance, policies
from faceup.coach import has_coach
from faceup.core import AnyRules, Game, Malformed, Variant, make
from faceup.core.options import option_fields
from faceup.core.record import PERSON, Terms
from faceup.table.table import default_terms, with_item
from faceup.terminal.words import message_or, option_summary, text, variant_summary, variant_title

NAMES: Final = ("Ada", "Bo", "Cleo", "Dov", "Edda", "Finn", "Gwen", "Hugo", "Ines", "Juno")
"""Default player names; the system's user name, if known, replaces the first."""

CLOCKS: Final = (None, 10, 20, 30, 60, 120, 300)
"""The choices of the clock option, in seconds."""

Reveal = Literal["when_all_in", "at_deadline"]


class SetupOption(NamedTuple):
    """One option of the setup screen.

    Attributes:
        key: identifies the option.
        label: the displayed name.
        value: the current value as text.
        hint: a short explanation of the value.
        more: a longer explanation for the status line.
    """

    key: str
    label: str
    value: str
    hint: str = ""
    more: str = ""


class GameSetup(msgspec.Struct, frozen=True):
    """The settings of a new game.

    Attributes:
        game: the game.
        variant: the variant of the game.
        seats: the number of seats.
        names: a name for each of ten seats; a game uses the first `seats` of them.
        kinds: "person" or a bot's policy for each of ten seats; a game uses the first `seats` of them.
        clock: seconds for a choice; None means no limit, and UNSET the default: no limit for one person against bots,
            else the variant's.
        reveal: when choices are revealed.
        hints: whether hints are allowed; None allows them with one human player.
        options: the game's options with values that differ from the variant's.
    """

    game: Game
    variant: Variant
    seats: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    clock: int | msgspec.UnsetType | None = msgspec.UNSET
    reveal: Reveal = "when_all_in"
    hints: bool | None = None
    options: Mapping[str, Any] = {}  # Any: an option may be of any type

    def rules(self) -> AnyRules:
        """Return the rules. Raises `Malformed` for incompatible options."""
        return make(f"{self.game.name}:{self.variant.name}", **{**self.options, "seats": self.seats})

    def players(self) -> list[tuple[str, str]]:
        """Return the name and kind of each seat."""
        return list(zip(self.names[: self.seats], self.kinds[: self.seats], strict=True))

    def terms(self) -> Terms:
        """Return the terms of the game. Raises `Malformed` if they are incompatible."""
        usual = default_terms(self.rules(), self.people())
        seconds = self.seconds()
        clock = None if seconds is None else seconds * 1000
        return Terms(clock=clock, reveal=self.reveal, autoplay=usual.autoplay, hints=self.hinted())

    def people(self) -> int:
        """Return the number of people."""
        return self.kinds[: self.seats].count(PERSON)

    def seconds(self) -> int | None:
        """Return the seconds for a choice; None means no limit."""
        if self.clock is not msgspec.UNSET:
            return self.clock
        return None if self.people() == 1 else self.variant.clock

    def hinted(self) -> bool:
        """Return whether hints are allowed."""
        return self.people() <= 1 if self.hints is None else self.hints

    def main_options(self) -> list[SetupOption]:
        """Return the options that most people use."""
        seconds = self.seconds()
        clock = (
            (text("none"), text("setup.clock.none"))
            if seconds is None
            else (text("setup.clock.seconds", seconds=seconds), text("setup.clock.summary"))
        )
        return [
            SetupOption("variant", text("setup.variant"), *self._variant()),
            SetupOption("seats", text("setup.seats"), str(self.seats)),
            *self._opponents(),
            SetupOption("clock", text("setup.clock"), *clock),
        ]

    def _variant(self) -> tuple[str, str]:
        return variant_title(self.game, self.variant), variant_summary(self.game, self.variant)

    def _opponents(self) -> list[SetupOption]:
        """Return the option that changes all bots together; a game of pure chance has none."""
        kinds = {kind for kind in self.kinds[: self.seats] if kind != PERSON}
        if is_pure_chance(self.game.name) or not kinds:
            return []
        kind = min(kinds)
        if len(kinds) > 1:
            return [
                SetupOption("bots", text("setup.bots"), text("setup.bots.several"), text("setup.bots.several.summary"))
            ]
        return [SetupOption("bots", text("setup.bots"), kind, self._bot(kind))]

    def more_options(self) -> list[SetupOption]:
        """Return the options that the setup screen shows only when asked to."""
        lines = [
            SetupOption(f"seat {seat}", text("seat", number=seat + 1), self.names[seat], *self._who(self.kinds[seat]))
            for seat in range(self.seats)
        ]
        reveal = text("setup.reveal.chosen" if self.reveal == "when_all_in" else "setup.reveal.timer")
        lines.append(SetupOption("reveal", text("setup.reveal"), reveal))
        if has_coach(self.game.name):
            lines.append(SetupOption("hints", text("setup.hints"), _words(self.hinted()), text("setup.hints.summary")))
        rules_fields = option_fields(self.game.rules)
        for name in self.game.options:
            default = self.variant.preset.get(name, rules_fields[name].default)
            value = self.options.get(name, default)
            label = message_or(f"terminal.option.{name}", name.replace("_", " ").capitalize())
            summary = option_summary(self.game, name)
            lines.append(SetupOption(f"option {name}", label, _words(value), summary))
        return lines

    def bots(self) -> list[str]:
        """Return the bots that a person can play against."""
        return [name for name in policies(self.game.name) if is_playable(self.game.name, name)]

    def _who(self, kind: str) -> tuple[str, str]:
        """Return a short and a long description of a kind of player."""
        if kind == PERSON:
            return text("setup.who.person"), ""
        if is_pure_chance(self.game.name):
            return text("setup.who.computer"), ""
        return text("setup.who.bot", bot=kind), f"{kind.capitalize()}: {self._bot(kind)}"

    def _bot(self, kind: str) -> str:
        """Return how a bot plays, in a sentence."""
        return message_or(f"terminal.bot.{kind}", describe_bot(self.game, kind).description)

    def with_step(self, key: str, by: int) -> "GameSetup":
        """Return the settings with one option changed by one step, up (1) or down (-1)."""
        change = msgspec.structs.replace
        what, _, which = key.partition(" ")
        match what:
            case "variant":
                variant = _next(self.game.variants, self.variant, by)
                return default_setup(self.game, variant, self.names, self.kinds)
            case "seats":
                low, high = self.variant.seats
                return change(self, seats=min(max(self.seats + by, low), high))
            case "seat":
                seat = int(which)
                kind = _next((PERSON, *self.bots()), self.kinds[seat], by)
                return change(self, kinds=with_item(self.kinds, seat, kind))
            case "bots":
                current = next((kind for kind in self.kinds[: self.seats] if kind != PERSON), "")
                kind = _next(self.bots(), current, by)
                return change(self, kinds=tuple(kind if old != PERSON else PERSON for old in self.kinds))
            case "clock":
                clock = _next(CLOCKS, self.seconds(), by)
                return change(self, clock=clock, reveal="when_all_in" if clock is None else self.reveal)
            case "hints":
                return change(self, hints=not self.hinted())
            case "reveal":
                reveal = _next(get_args(Reveal), self.reveal, by)
                return change(self, reveal=reveal if self.seconds() is not None else "when_all_in")
            case _:
                return change(self, options={**self.options, which: self._option(which, by)})

    def with_key(self, key: str, character: str) -> "GameSetup":
        """Return the settings after the player has typed a letter of a name, a digit of a number, or a backspace."""
        what, _, which = key.partition(" ")
        if what == "seat":
            name = self.names[int(which)]
            name = name[:-1] if character == "\b" else (name + character)[:12]
            return msgspec.structs.replace(self, names=with_item(self.names, int(which), name))
        if what == "option" and type(value := self._now(which)) is int:
            text = str(value)[:-1] if character == "\b" else f"{value}{character}"
            if text.isdecimal() or not text:
                number = min(int(text or "0"), 100_000)
                return msgspec.structs.replace(self, options={**self.options, which: number})
        return self

    def _now(self, option: str) -> Any:  # noqa: ANN401 -- an option may be of any type
        return self.options.get(option, self.variant.preset.get(option, option_fields(self.game.rules)[option].default))

    def _option(self, option: str, by: int) -> Any:  # noqa: ANN401 -- as above
        value = self._now(option)
        words = [word for word in get_args(option_fields(self.game.rules)[option].kind) if isinstance(word, str)]
        if words:
            return _next(words, value, by)
        if isinstance(value, bool):
            return not value
        return max((value or 0) + by, 0)


def default_setup(
    game: Game, variant: Variant | None = None, names: Sequence[str] = (), kinds: Sequence[str] = ()
) -> GameSetup:
    """Return the default settings of a variant: one person against its default bots.

    >>> from faceup.core import find_game
    >>> default_setup(find_game("nimmt"), names=NAMES).players()[:2]
    [('Ada', 'person'), ('Bo', 'greedy')]
    """
    variant = variant or game.variants[0]
    seats = variant.preset.get("seats")
    bot = default_policy(game.name)
    return GameSetup(
        game=game,
        variant=variant,
        seats=seats if isinstance(seats, int) else variant.seats[0],
        names=tuple(names) or (system_user_name(os.environ), *NAMES[1:]),
        kinds=tuple(kinds) or (PERSON, *[bot] * 9),
    )


def system_user_name(environ: Mapping[str, str]) -> str:
    """Return the system's user name, capitalized, or the first default name if that does not look like a person's name.

    >>> system_user_name({"USER": "grete"}), system_user_name({"USER": "root"})
    ('Grete', 'Ada')
    """
    name = environ.get("USER") or environ.get("USERNAME") or ""
    is_personal = name.isalpha() and name.lower() not in {"root", "user", "admin"} and len(name) <= 12
    return name.capitalize() if is_personal else NAMES[0]


def check(setting: GameSetup) -> str:
    """Return an error message for invalid settings, or an empty string."""
    try:
        setting.rules()
        setting.terms()
    except Malformed as error:
        return error.message
    if any(not name.strip() for name in setting.names[: setting.seats]):
        return text("setup.unnamed")
    return ""


def _words(value: object) -> str:
    if isinstance(value, bool):
        return text("yes" if value else "no")
    return text("none") if value is None else str(value)


def _next(values: Sequence[Any], value: object, by: int) -> Any:  # noqa: ANN401 -- one of the values
    index = values.index(value) if value in values else 0
    return values[(index + by) % len(values)]

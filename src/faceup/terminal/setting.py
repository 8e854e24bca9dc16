"""What the menu sets before a game: a frozen value, and what turning each of its knobs makes of it."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec

from faceup.bots import describe_bot, is_pure_chance, policies, usual_policy
from faceup.coach import has_coach
from faceup.core import AnyRules, Game, Malformed, Variant, make
from faceup.core.record import Terms
from faceup.table import usual_terms
from faceup.terminal.session import PERSON

NAMES: Final = ("Ada", "Bo", "Cleo", "Dov", "Edda", "Finn", "Gwen", "Hugo", "Ines", "Juno")
"""Who sits at a table if nobody says otherwise: the first is the player's own, where the system knows it."""

CLOCKS: Final = (None, 10, 20, 30, 60, 120, 300)
"""Seconds for a choice that the menu offers."""

Reveal = Literal["when_all_in", "at_deadline"]


class Knob(NamedTuple):
    """One line of the menu.

    Attributes:
        key: what it sets.
        label: its name.
        value: what it is set to, in words.
        hint: what that means, in a few words beside it.
        more: the same in a sentence, where there is a whole line for it.
    """

    key: str
    label: str
    value: str
    hint: str = ""
    more: str = ""


class Setting(msgspec.Struct, frozen=True):
    """A game about to begin.

    Attributes:
        game: what is played.
        variant: which setting of it.
        seats: how many.
        names: of ten seats; the first `seats` count.
        kinds: "person" or a policy, likewise.
        clock: seconds for a choice.
        reveal: when the choices are turned up.
        hints: whether h asks the coach; None is for one who plays against bots alone.
        options: that differ from the variant's.
    """

    game: Game
    variant: Variant
    seats: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    clock: int | None
    reveal: Reveal = "when_all_in"
    hints: bool | None = None
    options: Mapping[str, Any] = {}  # Any: an option may be of any type

    def rules(self) -> AnyRules:
        """The rules. Raises `Malformed` if the options do not go together."""
        return make(f"{self.game.name}:{self.variant.name}", **{**self.options, "seats": self.seats})

    def players(self) -> list[tuple[str, str]]:
        """Name and kind of each seat."""
        return list(zip(self.names[: self.seats], self.kinds[: self.seats], strict=True))

    def terms(self) -> Terms:
        """Clock, reveal and hints. Raises `Malformed` if they do not go together."""
        usual = usual_terms(self.rules())
        clock = None if self.clock is None else self.clock * 1000
        return Terms(clock=clock, reveal=self.reveal, stand_in=usual.stand_in, hints=self.hinted())

    def hinted(self) -> bool:
        """Whether there are hints: as it was set, else where one person plays against bots alone."""
        return self.kinds[: self.seats].count(PERSON) <= 1 if self.hints is None else self.hints

    def knobs(self) -> list[Knob]:
        """The lines of the menu."""
        lines = [
            Knob("variant", "Variant", self.variant.title, self.variant.summary),
            Knob("seats", "Seats", str(self.seats)),
        ]
        lines += [
            Knob(f"seat {seat}", f"Seat {seat}", self.names[seat], *self._who(self.kinds[seat]))
            for seat in range(self.seats)
        ]
        clock = "none" if self.clock is None else f"{self.clock} s"
        lines.append(Knob("clock", "Clock", clock, "for each choice"))
        reveal = "when all have chosen" if self.reveal == "when_all_in" else "when time is up"
        lines.append(Knob("reveal", "Turn up", reveal))
        if has_coach(self.game.name):
            lines.append(Knob("hints", "Hints", _words(self.hinted()), "h asks the coach what to play"))
        rules_fields = {field.name: field for field in msgspec.structs.fields(self.game.rules)}
        for name, meaning in self.game.options.items():
            default = self.variant.preset.get(name, rules_fields[name].default)
            value = self.options.get(name, default)
            lines.append(Knob(f"option {name}", name.replace("_", " ").capitalize(), _words(value), meaning))
        return lines

    def _who(self, kind: str) -> tuple[str, str]:
        """A kind of player in a few words, and in a sentence."""
        if kind == PERSON:
            return "sits here; type another name", ""
        if is_pure_chance(self.game.name):
            return "the computer; there is nothing to decide", ""
        return f"a bot, {kind}", f"{kind.capitalize()}: {describe_bot(self.game, kind).does}"

    def turned(self, key: str, by: int) -> "Setting":
        """The setting with one knob turned a step up (1) or down (-1)."""
        change = msgspec.structs.replace
        what, _, which = key.partition(" ")
        match what:
            case "variant":
                variant = _next(self.game.variants, self.variant, by)
                return usual_setting(self.game, variant, self.names, self.kinds)
            case "seats":
                low, high = self.variant.seats
                return change(self, seats=min(max(self.seats + by, low), high))
            case "seat":
                seat = int(which)
                kind = _next((PERSON, *policies(self.game.name)), self.kinds[seat], by)
                return change(self, kinds=_put(self.kinds, seat, kind))
            case "clock":
                clock = _next(CLOCKS, self.clock, by)
                return change(self, clock=clock, reveal="when_all_in" if clock is None else self.reveal)
            case "hints":
                return change(self, hints=not self.hinted())
            case "reveal":
                reveal = _next(get_args(Reveal), self.reveal, by)
                return change(self, reveal=reveal if self.clock is not None else "when_all_in")
            case _:
                return change(self, options={**self.options, which: self._option(which, by)})

    def typed(self, key: str, character: str) -> "Setting":
        """The setting after a key was typed on a line: a letter of a name, a digit of a number, or a backspace."""
        what, _, which = key.partition(" ")
        if what == "seat":
            name = self.names[int(which)]
            name = name[:-1] if character == "\b" else (name + character)[:12]
            return msgspec.structs.replace(self, names=_put(self.names, int(which), name))
        if what == "option" and type(value := self._now(which)) is int:
            text = str(value)[:-1] if character == "\b" else f"{value}{character}"
            if text.isdecimal() or not text:
                number = min(int(text or "0"), 100_000)
                return msgspec.structs.replace(self, options={**self.options, which: number})
        return self

    def _now(self, option: str) -> Any:  # noqa: ANN401 -- an option may be of any type
        field = next(field for field in msgspec.structs.fields(self.game.rules) if field.name == option)
        return self.options.get(option, self.variant.preset.get(option, field.default))

    def _option(self, option: str, by: int) -> Any:  # noqa: ANN401 -- as above
        value = self._now(option)
        field = next(field for field in msgspec.structs.fields(self.game.rules) if field.name == option)
        words = [each for each in get_args(field.type) if isinstance(each, str)]
        if words:
            return _next(words, value, by)
        if isinstance(value, bool):
            return not value
        return max((value or 0) + by, 0)


def usual_setting(
    game: Game, variant: Variant | None = None, names: Sequence[str] = (), kinds: Sequence[str] = ()
) -> Setting:
    """One person against the usual bots, as the variant has it.

    >>> from faceup.core import find_game
    >>> usual_setting(find_game("nimmt"), names=NAMES).players()[:2]
    [('Ada', 'person'), ('Bo', 'greedy')]
    """
    variant = variant or game.variants[0]
    seats = variant.preset.get("seats")
    bot = usual_policy(game.name)
    return Setting(
        game=game,
        variant=variant,
        seats=seats if isinstance(seats, int) else variant.seats[0],
        names=tuple(names) or (own_name(os.environ), *NAMES[1:]),
        kinds=tuple(kinds) or (PERSON, *[bot] * 9),
        clock=variant.clock,
    )


def own_name(environ: Mapping[str, str]) -> str:
    """The player's name as the system has it; else the first of the usual ones.

    >>> own_name({"USER": "grete"}), own_name({"USER": "root"})
    ('Grete', 'Ada')
    """
    name = environ.get("USER") or environ.get("USERNAME") or ""
    known = name.isalpha() and name.lower() not in {"root", "user", "admin"} and len(name) <= 12
    return name.capitalize() if known else NAMES[0]


def check(setting: Setting) -> str:
    """What is wrong with it, in a sentence; empty if nothing is."""
    try:
        setting.rules()
        setting.terms()
    except Malformed as error:
        return error.message
    if any(not name.strip() for name in setting.names[: setting.seats]):
        return "Every seat needs a name."
    return ""


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _next(values: Sequence[Any], value: object, by: int) -> Any:  # noqa: ANN401 -- one of the values
    index = values.index(value) if value in values else 0
    return values[(index + by) % len(values)]


def _put(values: tuple[str, ...], index: int, value: str) -> tuple[str, ...]:
    return (*values[:index], value, *values[index + 1 :])

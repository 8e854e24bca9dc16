"""Niu Niu in words and in text notation."""

from typing import Final

from faceup.core import Malformed
from faceup.core.notation import fields, number
from faceup.games.niuniu.state import DiceShow, NiuNiuState, NiuNiuView, Throw

_FIELDS: Final = ("played", "won", "statistics", "dice", "log")


def describe_dice(outcome: DiceShow) -> str:
    """The words of a throw's outcome: `dice 5 2 4 6 3 / 4 5 5 4 1`."""
    return "dice " + " / ".join(" ".join(map(str, dice)) for dice in outcome.dice)


def parse_words(text: str) -> "int | DiceShow":
    """An action or an outcome from its words. Raises `Malformed`; whether the dice fit the rules is not asked."""
    head, *rest = text.lower().split() or [""]
    if head == "throw" and not rest:
        return 0
    if head == "dice":
        hands = " ".join(rest).split("/")
        return DiceShow(tuple(tuple(number(word, "a die") for word in hand.split()) for hand in hands))
    raise Malformed(f"{text!r} means nothing in Niu Niu: write throw, or dice and what they show", what=text)


def position_to_text(what: NiuNiuState | NiuNiuView) -> str:
    """A state or a view in one line."""
    log = ",".join("/".join(".".join(map(str, dice)) for dice in throw) for throw in what.log)
    line = (
        f"played={what.played} won={_joined(what.won)} statistics={_joined(what.statistics)} "
        f"dice={'in_air' if what.in_air else 'still'} log={log or '-'}"
    )
    if isinstance(what, NiuNiuState):
        return line
    return f"view={'all' if what.seat is None else what.seat} {line}"


def position_from_text(text: str, seats: int) -> NiuNiuState:
    """The state in a line, whoever's view it is. Raises `Malformed`; whether it fits the rules is not asked."""
    words = fields(text, _FIELDS)
    if words["dice"] not in {"still", "in_air"}:
        raise Malformed(f"dice are still or in_air, not {words['dice']!r}", what=words["dice"], where="dice")
    won, statistics = (_numbers(words[name], name, seats) for name in ("won", "statistics"))
    log = () if words["log"] == "-" else tuple(map(_throw, words["log"].split(",")))
    return NiuNiuState(number(words["played"], "played"), won, statistics, words["dice"] == "in_air", log)


def _throw(text: str) -> Throw:
    return tuple(tuple(number(word, "a die") for word in hand.split(".")) for hand in text.split("/"))


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str, name: str, seats: int) -> tuple[int, ...]:
    numbers = tuple(number(word, name) for word in text.split(","))
    if len(numbers) != seats:
        raise Malformed(f"{name} is a number for each of {seats} seats, not {len(numbers)}", what=text, where=name)
    return numbers

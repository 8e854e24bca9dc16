"""Text notation of Niu Niu actions, outcomes and positions."""

from typing import Final

from faceup.core import Malformed
from faceup.core.notation import fields, number, viewer_text
from faceup.games.niuniu.state import DiceShow, NiuNiuState, NiuNiuView, Throw

_FIELDS: Final = ("played", "won", "drawn", "statistics", "dice", "log")


def describe_dice(outcome: DiceShow) -> str:
    """Return the text of a throw's outcome, such as `dice 5 2 4 6 3 / 4 5 5 4 1`."""
    return "dice " + " / ".join(" ".join(map(str, dice)) for dice in outcome.dice)


def parse_words(text: str) -> "int | DiceShow":
    """Parse an action or an outcome, without checking the dice against the rules. Raises `Malformed`."""
    head, *rest = text.lower().split() or [""]
    if head == "throw" and not rest:
        return 0
    if head == "dice":
        hands = " ".join(rest).split("/")
        return DiceShow(tuple(tuple(number(word, "a die") for word in hand.split()) for hand in hands))
    raise Malformed(
        f"{text!r} is not an action or outcome of Niu Niu: write `throw`, or `dice` and the numbers of each seat",
        what=text,
    )


def position_to_text(what: NiuNiuState | NiuNiuView) -> str:
    """Return a state or a view as one line."""
    log = ",".join("/".join(".".join(map(str, dice)) for dice in throw) for throw in what.log)
    line = (
        f"played={what.played} won={_joined(what.won)} drawn={_joined(what.drawn)} "
        f"statistics={_joined(what.statistics)} dice={'in_air' if what.in_air else 'still'} log={log or '-'}"
    )
    if isinstance(what, NiuNiuState):
        return line
    return f"{viewer_text(what.seat)} {line}"


def position_from_text(text: str, seats: int) -> NiuNiuState:
    """Parse a state from one line without `view=`, not checking it against the rules. Raises `Malformed`."""
    words = fields(text, _FIELDS)
    if words["dice"] not in {"still", "in_air"}:
        raise Malformed(f"dice must be 'still' or 'in_air'; got {words['dice']!r}", what=words["dice"], where="dice")
    won, drawn, statistics = (_numbers(words[name], name, seats) for name in ("won", "drawn", "statistics"))
    log = () if words["log"] == "-" else tuple(map(_throw, words["log"].split(",")))
    return NiuNiuState(number(words["played"], "played"), won, drawn, statistics, words["dice"] == "in_air", log)


def _throw(text: str) -> Throw:
    return tuple(tuple(number(word, "a die") for word in hand.split(".")) for hand in text.split("/"))


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _numbers(text: str, name: str, seats: int) -> tuple[int, ...]:
    numbers = tuple(number(word, name) for word in text.split(","))
    if len(numbers) != seats:
        raise Malformed(
            f"{name} must have {seats} numbers, one for each seat; got {len(numbers)}", what=text, where=name
        )
    return numbers

"""Text notation: any state or view of any game in one line, as `game:variant options | position`."""

from typing import Any

from faceup.core.errors import Malformed
from faceup.core.registry import OptionValue, make, options_of
from faceup.core.rules import AnyRules
from faceup.core.values import Seat, State, View


def spec(rules: AnyRules) -> str:
    """The rules in words that `make` reads: what differs from the variant's usual setting, and the seats.

    >>> spec(make("nimmt:cowheadking", seats=3, hand=5))
    'nimmt:cowheadking seats=3 hand=5'
    """
    return " ".join(
        [f"{rules.game}:{rules.variant}", *(f"{name}={_word(value)}" for name, value in options_of(rules).items())]
    )


def _word(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def write(rules: AnyRules, what: State | View) -> str:
    """A state or a view in one line that `read` turns back into an equal one."""
    return f"{spec(rules)} | {rules.to_text(what)}"


def read(text: str) -> tuple[AnyRules, Any]:  # Any: which game's state or view it is, the text says
    """The rules and the state or view that a line of notation stands for.

    Raises:
        Malformed: what is wrong with it, and where.
    """
    head, bar, rest = text.strip().partition("|")
    if not bar or "\n" in rest:
        raise Malformed(f"a position is one line, `game:variant options | position`, not {text!r}", what=text)
    rules = make(head.strip())
    return rules, rules.from_text(rest.strip())


def fields(text: str, names: tuple[str, ...]) -> dict[str, str]:
    """The words `name=value` of a position, by name: each of `names` once, and no other.

    For games whose notation is a list of such words.

    Raises:
        Malformed: a word that is not one, is unknown, is there twice, or is missing.

    >>> fields("played=2 log=-", ("played", "log"))
    {'played': '2', 'log': '-'}
    """
    found: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in names:
            raise Malformed(f"{word!r} is not a part of this position: it is written {_form(names)}", what=word)
        if name in found:
            raise Malformed(f"{name} is given twice", what=word)
        found[name] = value
    missing = [name for name in names if name not in found]
    if missing:
        raise Malformed(f"{missing[0]} is missing: a position is written {_form(names)}", what=text, where=missing[0])
    return found


def viewer(text: str, seats: int) -> tuple[bool, Seat | None, str]:
    """Whether the position is a view (it begins with `view=0`, or `view=all` for a spectator's), whose, and the rest.

    >>> viewer("view=1 played=2", seats=3)
    (True, 1, 'played=2')
    """
    if not text.startswith("view="):
        return False, None, text
    word, _, rest = text.partition(" ")
    name = word.removeprefix("view=")
    seat = None if name == "all" else number(name, "the seat of a view")
    if seat is not None and seat >= seats:
        raise Malformed(f"there is no seat {seat}: seats are 0 to {seats - 1}", what=word, where="view")
    return True, seat, rest


def number(word: str, name: str) -> int:
    """A whole number of no more than nine digits, from its digits. Raises `Malformed`, saying what `name` should be."""
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise Malformed(f"{name} is a whole number, not {word!r}", what=word, where=name)
    return int(word)


def _form(names: tuple[str, ...]) -> str:
    return " ".join(f"{name}=..." for name in names)

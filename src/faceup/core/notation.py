"""Text notation, which writes a state or view of any game in one line, as `game:variant options | position`."""

import re
from typing import Any, Final

from faceup.core.arguments import check_rules, check_text, check_type
from faceup.core.errors import Malformed
from faceup.core.registry import OptionValue, make, options_of
from faceup.core.rules import AnyRules
from faceup.core.values import Action, Seat, State, View

__all__ = ["action_text", "fields", "number", "read", "spec", "viewer", "viewer_text", "write"]

_ROW: Final = re.compile(r"(?<=\brow )\d+")


def spec(rules: AnyRules) -> str:
    """Return the rules as text for `make`: game, variant, seats and the options that differ from the defaults.

    >>> spec(make("nimmt:cowheadking", seats=3, hand=5))
    'nimmt:cowheadking seats=3 hand=5'
    """
    check_rules(rules)
    return " ".join(
        [f"{rules.game}:{rules.variant}", *(f"{name}={_word(value)}" for name, value in options_of(rules).items())]
    )


def action_text(rules: AnyRules, action: Action) -> str:
    """Return an action as text for readers, which is its notation with rows counted from 1 instead of 0.

    >>> rules = make("nimmt")
    >>> rules.describe(104), action_text(rules, 104)
    ('take row 0', 'take row 1')
    """
    check_rules(rules)
    return _ROW.sub(lambda row: str(int(row[0]) + 1), rules.describe(action))


def _word(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def write(rules: AnyRules, what: State | View) -> str:
    """Return a state or a view as one line of notation. This is the inverse of `read`.

    >>> rules, state = read("nimmt seats=2 hand=1 | hands=7/44 rows=5/6/88/29")
    >>> write(rules, state)
    'nimmt:cowheadking seats=2 hand=1 | hands=7/44 rows=5/6/88/29'
    >>> write(rules, rules.view(state, 0))
    'nimmt:cowheadking seats=2 hand=1 | view=0 sizes=1,1 hand=7 rows=5/6/88/29'
    """
    words = spec(rules)
    check_type("the position", what, (State, View), "a state or a view of the rules")
    return f"{words} | {rules.to_text(what)}"


def read(text: str) -> tuple[AnyRules, Any]:  # Any: the text determines the game
    """Parse a line of notation. Return the rules and the state or view that it describes.

    Raises:
        Malformed: the text is not valid notation; the message names the error and its place.

    >>> rules, view = read("nimmt seats=2 hand=1 | view=0 sizes=1,1 hand=7 rows=5/6/88/29")
    >>> rules.seats, view.hand, view.legal
    (2, (7,), (6,))
    >>> read("nimmt seats=2 hand=1 | hands=5/44 rows=5/6/88/29")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: card 5 occurs twice
    """
    check_text("a position", text, "game:variant options | position")
    head, bar, rest = text.strip().partition("|")
    if not bar or "\n" in rest:
        raise Malformed(
            f"a position must be one line of the form `game:variant options | position`; got {text!r}", what=text
        )
    rules = make(head.strip())
    return rules, rules.from_text(rest.strip())


def fields(text: str, names: tuple[str, ...]) -> dict[str, str]:
    """Parse a position written as `name=value` fields, which must contain each of `names` once and no other name.

    Raises:
        Malformed: a field is malformed, unknown, duplicate or missing.

    >>> fields("played=2 log=-", ("played", "log"))
    {'played': '2', 'log': '-'}
    """
    values: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in names:
            raise Malformed(
                f"{word!r} is not a field of a position, which must have the form {_form(names)}", what=word
            )
        if name in values:
            raise Malformed(f"{name} is given twice", what=word)
        values[name] = value
    missing = [name for name in names if name not in values]
    if missing:
        raise Malformed(
            f"{missing[0]} is missing in a position, which must have the form {_form(names)}",
            what=text,
            where=missing[0],
        )
    return values


def viewer(text: str, seats: int) -> tuple[bool, Seat | None, str]:
    """Split the viewer off the start of a position. This is the inverse of `viewer_text`.

    Returns:
        Whether the position is a view, the seat that views it (None for a spectator), and the remaining text.

    >>> viewer("view=1 played=2", seats=3)
    (True, 1, 'played=2')
    """
    if not text.startswith("view="):
        return False, None, text
    word, _, rest = text.partition(" ")
    name = word.removeprefix("view=")
    seat = None if name == "-" else number(name, "the seat of a view")
    if seat is not None and seat >= seats:
        raise Malformed(f"there is no seat {seat}: seats are 0 to {seats - 1}", what=word, where="view")
    return True, seat, rest


def viewer_text(seat: Seat | None) -> str:
    """Return the start of a view's position: `view=` and the seat, or `view=-` for a spectator.

    >>> viewer_text(1), viewer_text(None)
    ('view=1', 'view=-')
    """
    return f"view={'-' if seat is None else seat}"


def number(word: str, name: str) -> int:
    """Parse a whole number of at most nine digits. Raises `Malformed` with a message that starts with `name`.

    >>> number("104", "a card")
    104
    >>> number("-1", "a card")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: a card must be a whole number of at most nine digits; got '-1'
    """
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise Malformed(f"{name} must be a whole number of at most nine digits; got {word!r}", what=word, where=name)
    return int(word)


def _form(names: tuple[str, ...]) -> str:
    return " ".join(f"{name}=..." for name in names)

"""Text notation: any state or view of any game in one line, as `game:variant options | position`."""

from typing import Any

from faceup.core.errors import Malformed
from faceup.core.registry import OptionValue, make, options_of
from faceup.core.rules import AnyRules
from faceup.core.values import State, View


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

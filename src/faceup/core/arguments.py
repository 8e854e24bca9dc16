"""Check the types of arguments from callers, so that the message names the argument and what it accepts.

Numbers and text often come from files and requests, so a wrong one is `Malformed`, as in `faceup.core.whole_numbers`.
Anything else is a mistake in a program, so it is a `TypeError`.
"""

from collections.abc import Sequence
from functools import cache
from math import isfinite
from numbers import Real
from typing import Any, get_type_hints

import msgspec

from faceup.core.errors import Malformed


def check_text(name: str, value: object, example: str) -> None:
    """Raise `Malformed` unless an argument is text.

    >>> check_text("the name of a game", 6, "nimmt")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: the name of a game must be text, such as 'nimmt'; got 6
    """
    if not isinstance(value, str):
        message = f"{name} must be text, such as {example!r}; got {value!r:.200}"
        raise Malformed(message, what=value, where=name.rpartition(" ")[2])


def real_number(name: str, number: object) -> float:
    """Return a number of any library as a `float`. Booleans, infinities and numbers that are not a number are refused.

    Raises:
        Malformed: it is not a finite number.

    >>> real_number("seconds", 2)
    2.0
    >>> real_number("seconds", "2")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: seconds must be a number; got '2'
    """
    if isinstance(number, bool) or not isinstance(number, Real) or not isfinite(number):
        raise Malformed(f"{name} must be a number; got {number!r:.200}", what=number, where=name.rpartition(" ")[2])
    return float(number)


def check_type(name: str, value: object, accepted: type | tuple[type, ...], words: str) -> None:
    """Raise `TypeError` unless an argument has an accepted type, which `words` describe.

    >>> check_type("counts", 6, dict, "a dict")
    Traceback (most recent call last):
    TypeError: counts must be a dict; got 6
    """
    if not isinstance(value, accepted):
        raise TypeError(f"{name} must be {words}; got {value!r:.200}")


def check_sequence(name: str, values: object, words: str) -> None:
    """Raise `TypeError` unless an argument is a sequence, such as a list, and not text.

    >>> check_sequence("policies", "greedy", "names of bots")
    Traceback (most recent call last):
    TypeError: policies must be a list or tuple of names of bots; got 'greedy'
    """
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise TypeError(f"{name} must be a list or tuple of {words}; got {values!r:.200}")


def check_callable(name: str, value: object, words: str) -> None:
    """Raise `TypeError` unless an argument can be called, as `words` describe it.

    >>> check_callable("log", "out.txt", "a function")
    Traceback (most recent call last):
    TypeError: log must be a function; got 'out.txt'
    """
    if not callable(value):
        raise TypeError(f"{name} must be {words}; got {value!r:.200}")


def check_rules(rules: object) -> None:
    """Raise `TypeError` unless an argument is the rules of a game.

    >>> check_rules("nimmt")
    Traceback (most recent call last):
    TypeError: rules must be the rules of a game, such as make('nimmt'); got 'nimmt'
    """
    if not hasattr(rules, "to_act"):
        raise TypeError(f"rules must be the rules of a game, such as make('nimmt'); got {rules!r:.200}")


def wrong_state(state: object, accepted: type) -> TypeError:
    """Return the error for an argument that is not a state of the game. Games test the type themselves, in less time.

    >>> raise wrong_state("a state", int)
    Traceback (most recent call last):
    TypeError: state must be a state of these rules (int); got 'a state'
    """
    return TypeError(f"state must be a state of these rules ({accepted.__name__}); got {state!r:.200}")


def check_generator(rng: object) -> None:
    """Raise `TypeError` unless an argument is a random number generator.

    >>> check_generator(7)
    Traceback (most recent call last):
    TypeError: rng must be a generator, such as generator(7); got 7
    """
    if not hasattr(rng, "below"):
        raise TypeError(f"rng must be a generator, such as generator(7); got {rng!r:.200}")


def check_fields(struct: msgspec.Struct) -> None:
    """Raise `Malformed` unless each field of a frozen struct has its type and range. Call it in `__post_init__`.

    Fields get the type that they are declared with: a list becomes a tuple, and a number of numpy's one of Python's.

    >>> from typing import Annotated
    >>> class Play(msgspec.Struct, frozen=True):
    ...     card: Annotated[int, msgspec.Meta(ge=1, le=104)]
    ...
    ...     def __post_init__(self) -> None:
    ...         check_fields(self)
    >>> Play(105)
    Traceback (most recent call last):
    faceup.core.errors.Malformed: card must be a whole number from 1 to 104; got 105
    """
    checked = _checked_type(type(struct))
    try:  # all fields at once, because logs with many structs are read
        converted = msgspec.convert(msgspec.structs.asdict(struct), checked)
    except (msgspec.ValidationError, AttributeError):  # the latter if an array is given for a dict
        hints = checked.__annotations__
        converted = checked(**{name: _convert(name, getattr(struct, name), hint) for name, hint in hints.items()})
    for name in checked.__struct_fields__:
        before, after = getattr(struct, name), getattr(converted, name)
        if type(before) is not type(after):
            msgspec.structs.force_setattr(struct, name, after)


@cache
def _checked_type(struct: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return a struct with the same fields that has no `__post_init__`."""
    hints = get_type_hints(struct, include_extras=True)
    return msgspec.defstruct(struct.__name__, [(name, hints[name]) for name in struct.__struct_fields__])


def _convert(name: str, value: Any, hint: Any) -> Any:  # noqa: ANN401 -- any argument, and its type
    try:
        return msgspec.convert(_without_numpy(value), hint)
    except msgspec.ValidationError:
        message = f"{name} must be {_accepted(hint)}; got {value!r:.200}"
        raise Malformed(message, what=value, where=name) from None


def _without_numpy(value: Any) -> Any:  # noqa: ANN401 -- any argument
    if isinstance(value, list | tuple):
        return [_without_numpy(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _accepted(hint: object) -> str:
    import msgspec.inspect  # noqa: PLC0415 -- slow to import, and only messages need it

    return _words(msgspec.inspect.type_info(hint))


def _words(kind: Any) -> str:  # noqa: ANN401 -- a type of `msgspec.inspect`
    """Return in words what a type accepts."""
    match type(kind).__name__:
        case "UnionType":
            return " or ".join(map(_words, kind.types))
        case "VarTupleType" | "ListType":
            return f"a list or tuple of {_words(kind.item_type).replace('a number', 'numbers')}"
        case "DictType":
            return f"a dict of {_words(kind.key_type)} to {_words(kind.value_type)}"
        case "StrType":
            return "text that is not empty" if kind.min_length else "text"
        case "IntType":
            return f"a whole number{_range(kind)}"
        case "FloatType":
            return f"a number{_range(kind)}"
        case other:
            return {"BoolType": "True or False", "NoneType": "None"}.get(other, "a function")


def _range(kind: Any) -> str:  # noqa: ANN401 -- a type of `msgspec.inspect`
    """Return in words which numbers a type accepts."""
    if kind.le is None:
        return "" if kind.ge is None else f", {kind.ge:,} or more"
    return f" from {kind.ge:,} to {kind.le:,}"

"""Check the types of arguments from callers, so that the message names the argument and what it accepts.

Numbers and text often come from files and requests, so a wrong one is `Malformed`, as in `faceup.core.whole_numbers`.
Anything else is a mistake in a program, so it is a `TypeError`.
"""

from collections.abc import Sequence
from math import isfinite
from numbers import Real

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

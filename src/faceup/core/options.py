"""Conversion of the values of options and settings, for specs, command lines, environments and files alike."""

from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin

import msgspec

BOOLEANS: Final = MappingProxyType(
    {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False, "1": True, "0": False}
)
"""The words for a boolean as text, in lower case; upper case is accepted, too."""


def convert_option(value: object, kind: Any, *, text: bool) -> Any:  # noqa: ANN401 -- any type that msgspec converts to
    """Convert a value to the type of its option.

    Args:
        value: the value.
        kind: the type of the option.
        text: whether a string is parsed as this type. It is not if it comes from a format with types, such as TOML.

    Raises:
        ValueError: the value is invalid; the message lists the accepted values.

    >>> convert_option("off", bool, text=True), convert_option("7", int, text=True)
    (False, 7)
    >>> convert_option("maybe", bool, text=True)
    Traceback (most recent call last):
    ValueError: expected true, false, yes, no, on, off, 1 or 0
    """
    parsed = text and isinstance(value, str)
    if parsed and kind is bool:
        value = BOOLEANS.get(str(value).lower(), value)
    try:
        return msgspec.convert(value, kind, strict=not parsed)
    except msgspec.ValidationError as error:
        raise ValueError(_accepted(kind, parsed=parsed) or str(error)) from None


def _accepted(kind: object, *, parsed: bool) -> str:
    """Return an error message with the values that a type accepts; empty if msgspec's message is as clear."""
    words: tuple[str, ...] = ()
    if kind is bool:
        words = tuple(BOOLEANS)[: None if parsed else 2]
    elif kind is int and parsed:
        return "expected a whole number"
    elif get_origin(kind) is Literal:
        words = tuple(map(str, get_args(kind)))
    return f"expected {', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else ""

"""The options of rules as their fields declare them, and the conversion of values of options and settings.

A field declares its option by `Annotated[int, msgspec.Meta(ge=1, le=8, description="rows on the table")] = 4`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import inf
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec

from faceup.core.errors import Malformed
from faceup.core.whole_numbers import to_int

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
        quoted = kind is int and isinstance(value, str) and not parsed
        accepted = "expected a whole number, without quotes" if quoted else _accepted(kind, parsed=parsed)
        raise ValueError(accepted or str(error)) from None


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


class OptionField(msgspec.Struct, frozen=True):
    """An option of rules.

    Attributes:
        name: the name of the option.
        kind: its type, without what its declaration adds.
        default: its value in a variant that sets nothing.
        description: what it means; empty if undeclared.
        low, high: the range of a number; minus and plus infinity if undeclared.
        notes: what else the declaration has.

    >>> from faceup.games.niuniu import NiuNiu
    >>> throws = option_fields(NiuNiu)["throws"]
    >>> throws.ranged, throws.range, throws.summary
    (True, '1 to 1,000', 'throws in a match (1 to 1,000)')
    """

    name: str
    kind: Any  # a type or a union
    default: Any  # of any type
    description: str
    low: float
    high: float
    notes: tuple[object, ...]

    @property
    def ranged(self) -> bool:
        """Return whether the option is a number with a declared range."""
        return self.low > -inf and self.high < inf

    @property
    def range(self) -> str:
        """Return the range of a number in words."""
        return f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"

    @property
    def summary(self) -> str:
        """Return the description with the range of numbers."""
        return f"{self.description} ({self.range})" if self.ranged else self.description


def option_fields(rules: type[msgspec.Struct]) -> Mapping[str, OptionField]:
    """Return the fields of rules by name, with `variant` and `seats`.

    >>> from faceup.games.niuniu import NiuNiu
    >>> [*option_fields(NiuNiu)][:4]
    ['variant', 'seats', 'throws', 'faces']
    >>> option_fields(NiuNiu)["throws"].default
    1
    """
    fields = {}
    for field in msgspec.structs.fields(rules):
        annotated = get_origin(field.type) is Annotated
        kind, *notes = get_args(field.type) if annotated else (field.type,)
        meta = next((note for note in notes if isinstance(note, msgspec.Meta)), msgspec.Meta())
        low, high = -inf if meta.ge is None else meta.ge, inf if meta.le is None else meta.le
        fields[field.name] = OptionField(
            field.name, kind, field.default, meta.description or "", low, high, tuple(notes)
        )
    return MappingProxyType(fields)


def option_summaries(rules: type[msgspec.Struct], first: Sequence[str] = ()) -> dict[str, str]:
    """Return what each option means, as `Game.options` has it; the options in `first` come first.

    >>> from faceup.games.niuniu import NiuNiu
    >>> option_summaries(NiuNiu)["throws"]
    'throws in a match (1 to 1,000)'
    """
    fields = option_fields(rules)
    return {name: fields[name].summary for name in (*first, *fields) if name not in {"variant", "seats"}}


def check_ranges(rules: msgspec.Struct) -> None:
    """Raise `Malformed` if an option is out of its declared range; msgspec does not check it in constructors.

    Whole numbers of other libraries become `int`.

    >>> from faceup.core import make
    >>> check_ranges(make("niuniu", throws=3))
    >>> make("niuniu", throws=0)
    Traceback (most recent call last):
    faceup.core.errors.Malformed: throws must be 1 to 1,000; got 0
    """
    for field in _numbers(type(rules)):
        value = getattr(rules, field.name)
        if field.kind is int:
            value = to_int(field.name, value)
            msgspec.structs.force_setattr(rules, field.name, value)
        if not field.low <= value <= field.high:
            raise Malformed(f"{field.name} must be {field.range}; got {value}", what=value, where=field.name)


@cache
def _numbers(rules: type[msgspec.Struct]) -> tuple[OptionField, ...]:
    return tuple(field for field in option_fields(rules).values() if field.ranged)

"""JSON of the API as the values that it was made from."""

from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT

T = TypeVar("T", bound=msgspec.Struct)


def filled(told: dict[str, Any], kind: type[T]) -> T:  # Any: JSON
    """A value from JSON that leaves nulls out, as sights do: what is absent and has no other default is None.

    Raises:
        msgspec.ValidationError: it is no such value.

    >>> from faceup.core import make
    >>> from faceup.server.rooms.patch import without_nulls
    >>> view = make("war").view(make("war").start(), None)
    >>> filled(without_nulls(msgspec.to_builtins(view)), type(view)) == view
    True
    """
    absent = [
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.default is NODEFAULT and field.default_factory is NODEFAULT and field.encode_name not in told
    ]
    return msgspec.convert({**dict.fromkeys(absent), **told}, kind, strict=False)

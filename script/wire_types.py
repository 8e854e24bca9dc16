"""The types of the server's messages and HTTP responses as JSDoc for the page, and as tables for the documentation.

`./script/wire_types` writes them between markers in three files, from the types in `faceup.server.rooms.wire` and the
types that the routes return.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from inspect import cleandoc
from itertools import chain
from pathlib import Path
from typing import Final, get_args, get_type_hints

import msgspec
from msgspec import inspect
from regenerate import regenerate

from faceup.core import View
from faceup.core.docstrings import attribute_descriptions
from faceup.server.feature import routes_in
from faceup.server.features import FEATURES
from faceup.server.http import server_info, site_routes
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.reactions import Pin
from faceup.server.rooms.series import Series, SeriesPlayer
from faceup.server.rooms.view import RoomSeat, RoomView
from faceup.server.rooms.wire import MESSAGES, Announced, Announcement, Problem, Rejected, TableEvent
from faceup.table.views import FairView

ROOT: Final = Path(__file__).resolve().parent.parent
START: Final = "made by script/wire_types, {}: start"
END: Final = "made by script/wire_types, {}: end"

PARTS: Final = (TableEvent, Problem, Announcement, RoomSeat, TableConfig, FairView, SeriesPlayer, Series, Pin, RoomView)
"""The types inside messages. The page has separate types for a game's view."""

NULLABLE: Final = (Announcement, Announced, Rejected)
"""The types of messages with members that can be null. In all others, null members are left out."""

NAMES: Final = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.AnyType: "any",
    inspect.NoneType: "null",
    inspect.DictType: "Record<string, any>",
}


def response_types() -> tuple[type[msgspec.Struct], ...]:
    """Return the types in responses to HTTP requests, without those that messages have, too.

    Raises:
        ValueError: two types have the same name.
    """
    types: dict[type[msgspec.Struct], None] = {}

    def add(hint: object) -> None:
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct) and hint not in (*types, *PARTS):
            types[hint] = None
            add_all(get_type_hints(hint).values())
        add_all(get_args(hint))

    def add_all(hints: Iterable[object]) -> None:
        for hint in hints:
            add(hint)

    for route in chain(*(feature.routes for feature in FEATURES), routes_in(server_info, site_routes)):
        add(get_type_hints(route.fn).get("return"))
        add_all(response.data_container for response in (route.responses or {}).values())
    kinds: tuple[type, ...] = (*types, *PARTS, *MESSAGES.values())
    names = [kind.__name__ for kind in kinds]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"the page needs a different name for each type: {', '.join(sorted(repeated))}")
    return tuple(types)


RESPONSES: Final = response_types()
"""The types in responses to HTTP requests."""


def js_type(kind: inspect.Type) -> str:
    """Return a type in JSDoc."""
    match kind:
        case inspect.Metadata(extra_json_schema={"$ref": reference}):
            return str(reference).rpartition("/")[2]
        case inspect.Metadata(type=inner):
            return js_type(inner)
        case inspect.UnionType(types=types):
            return " | ".join(map(js_type, types))
        case inspect.LiteralType(values=values):
            return " | ".join(msgspec.json.encode(value).decode() for value in values)
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(js_type, items))}]"
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            name = js_type(item)
            return f"({name})[]" if " | " in name else f"{name}[]"
        case inspect.StructType(cls=cls):
            return struct_type(cls)
    return NAMES[type(kind)]


def struct_type(kind: type[msgspec.Struct]) -> str:
    """Return the name of a type, or its members if it has no name on the page."""
    if issubclass(kind, View):
        return "any"
    if kind in (*PARTS, *RESPONSES):
        return kind.__name__
    members = (f"{member_name(kind, field)}: {member_type(kind, field)}" for field in struct_fields(kind))
    return f"{{{', '.join(members)}}}"


def member_name(kind: type[msgspec.Struct], field: inspect.Field) -> str:
    """Return the name of a member, with a question mark if it can be absent."""
    return field.encode_name + "?" * is_optional(kind, field)


def member_type(kind: type[msgspec.Struct], field: inspect.Field) -> str:
    """Return the type of a member in JSDoc."""
    name = js_type(field.type)
    return name if kind in (*NULLABLE, *RESPONSES) else name.removesuffix(" | null")


def accepts_null(field: inspect.Field) -> bool:
    """Return whether the member can be null."""
    return isinstance(field.type, inspect.UnionType) and any(
        isinstance(part_type, inspect.NoneType) for part_type in field.type.types
    )


def is_optional(kind: type[msgspec.Struct], field: inspect.Field) -> bool:
    """Return whether the member can be absent."""
    if kind.__struct_config__.omit_defaults:
        return not field.required
    # A configuration replaces null by its default.
    return accepts_null(field) and kind not in (*NULLABLE, *RESPONSES, TableConfig)


def summary(kind: type) -> str:
    """Return the first line of the docstring, without the period."""
    return cleandoc(kind.__doc__ or "").partition("\n")[0].rstrip(".")


def member_descriptions(kind: type) -> dict[str, str]:
    """Return the descriptions in the "Attributes" sections of the docstrings of the type and its bases."""
    descriptions = attribute_descriptions(*reversed(kind.__mro__))
    return {name: text.removesuffix(".") for name, text in descriptions.items()}


def message_types() -> str:
    """Return the typedefs of all messages and their parts."""
    last = " * @typedef {KnownEventMembers & Record<string, any>} TableEvent"
    return "\n".join(["/**", *typedefs((*PARTS, *MESSAGES.values())), last, " */\n"])


def http_types() -> str:
    """Return the typedefs of the responses to HTTP requests and their parts, and the imports from those of messages."""
    lines = [*typedefs(RESPONSES)]
    types = " ".join(re.findall(r"@property \{(.*)\}", "\n".join(lines)))
    imported = sorted({kind.__name__ for kind in PARTS} & set(re.findall(r"\w+", types)))
    return "\n".join([f'/** @import {{ {", ".join(imported)} }} from "./types.js" */\n', "/**", *lines[:-1], " */\n"])


def typedefs(kinds: Iterable[type[msgspec.Struct]]) -> Iterator[str]:
    """Yield the lines of a comment with the typedefs of types."""
    for kind in kinds:
        about = member_descriptions(kind)
        name = "KnownEventMembers" if kind is TableEvent else kind.__name__
        yield f" * @typedef {{object}} {name} {summary(kind)}"
        for field in struct_fields(kind):
            member = f"[{field.encode_name}]" if is_optional(kind, field) else field.encode_name
            yield f" * @property {{{member_type(kind, field)}}} {member} {about.get(field.name, '')}".rstrip()
        yield " *"


def struct_fields(kind: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    """Return the members of a message type."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)  # noqa: S101 -- a struct
    return info.fields


def message_table() -> str:
    """Return the table of messages."""
    rows = ["| message | members | meaning |", "| --- | --- | --- |"]
    for kind in MESSAGES.values():
        members = ", ".join(f"`{member_name(kind, field)}`" for field in struct_fields(kind))
        rows.append(f"| `{kind.__name__}` | {members} | {summary(kind)} |")
    return "\n".join(rows) + "\n"


def room_view_table() -> str:
    """Return the table of the members of a room view."""
    about = member_descriptions(RoomView)
    rows = ["| member of a room view | meaning |", "| --- | --- |"]
    rows += [f"| `{field.encode_name}` | {about[field.name]} |" for field in struct_fields(RoomView)]
    return "\n".join(rows) + "\n"


OUTPUTS: Final[tuple[tuple[str, str, str, Callable[[], str]], ...]] = (
    ("src/faceup/web/api/types.js", "types", "// {}\n", message_types),
    ("src/faceup/web/api/http-types.js", "types", "// {}\n", http_types),
    ("docs/reference/online-tables.md", "messages", "<!-- {} -->\n", message_table),
    ("docs/reference/online-tables.md", "room view", "<!-- {} -->\n", room_view_table),
)
"""The generated texts: the file, the name of the text in its markers, the form of a marker, and the function."""


def current_texts() -> dict[Path, str]:
    """Return the contents that the files should have."""
    texts: dict[Path, str] = {}
    for name, part, marker, make in OUTPUTS:
        path = ROOT / name
        text = texts.get(path) or path.read_text("utf-8")
        start, end = (marker.format(marker_text.format(part)) for marker_text in (START, END))
        before, rest = text.split(start)
        texts[path] = f"{before}{start}\n{make()}\n{end}{rest.split(end)[1]}"
    return texts


def main() -> int:
    """Update the files, or with `--check` report whether they are up to date. Return the exit status."""
    return regenerate("wire_types", "Write the message types for the page and the documentation.", current_texts)


if __name__ == "__main__":
    sys.exit(main())

"""The types of the server's messages as JSDoc for the page, and as tables for the documentation.

`./script/wire_types` writes them between markers in two files, from the types in `faceup.server.rooms.wire`.
"""

import re
import sys
from collections.abc import Callable
from inspect import cleandoc
from pathlib import Path
from typing import Final

import msgspec
from msgspec import inspect
from regenerate import regenerate

from faceup.core import View
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.series import Series, SeriesPlayer
from faceup.server.rooms.view import RoomSeat, RoomView
from faceup.server.rooms.wire import MESSAGES, Announced, Announcement, Problem, Rejected, TableEvent
from faceup.table.views import FairView

ROOT: Final = Path(__file__).resolve().parent.parent
START: Final = "made by script/wire_types, {}: start"
END: Final = "made by script/wire_types, {}: end"

PARTS: Final = (TableEvent, Problem, Announcement, RoomSeat, TableConfig, FairView, SeriesPlayer, Series, RoomView)
"""The types inside messages. The page has separate types for a game's view."""

NULLABLE: Final = (Announcement, Announced, Rejected)
"""The types with members that can be null. In all others, null members are left out."""

NAMES: Final = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.AnyType: "any",
    inspect.NoneType: "null",
    inspect.DictType: "Record<string, any>",
}


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
        case inspect.VarTupleType(item_type=item):
            name = js_type(item)
            return f"({name})[]" if " | " in name else f"{name}[]"
        case inspect.StructType(cls=cls):
            return struct_type(cls)
    return NAMES[type(kind)]


def struct_type(kind: type[msgspec.Struct]) -> str:
    """Return the name of a type, or its members if it has no name on the page."""
    if issubclass(kind, View):
        return "any"
    if kind in PARTS:
        return kind.__name__
    members = (f"{member_name(kind, field)}: {member_type(kind, field)}" for field in struct_fields(kind))
    return f"{{{', '.join(members)}}}"


def member_name(kind: type[msgspec.Struct], field: inspect.Field) -> str:
    """Return the name of a member, with a question mark if it can be absent."""
    return field.encode_name + "?" * is_optional(kind, field)


def member_type(kind: type[msgspec.Struct], field: inspect.Field) -> str:
    """Return the type of a member in JSDoc."""
    name = js_type(field.type)
    return name if kind in NULLABLE else name.removesuffix(" | null")


def accepts_null(field: inspect.Field) -> bool:
    """Return whether the member can be null."""
    return isinstance(field.type, inspect.UnionType) and any(
        isinstance(each, inspect.NoneType) for each in field.type.types
    )


def is_optional(kind: type[msgspec.Struct], field: inspect.Field) -> bool:
    """Return whether the member can be absent."""
    if kind.__struct_config__.omit_defaults:
        return not field.required
    return accepts_null(field) and kind not in (*NULLABLE, TableConfig)  # a configuration replaces null by its default


def summary(kind: type) -> str:
    """Return the first line of the docstring, without the period."""
    return cleandoc(kind.__doc__ or "").partition("\n")[0].rstrip(".")


def member_descriptions(kind: type) -> dict[str, str]:
    """Return the descriptions in the "Attributes" section of the docstring."""
    _, _, section = cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    text = re.sub(r"\n {5,}", " ", section)  # continuation lines
    return dict(re.findall(r"^ {4}(\w+): (.*?)\.?$", text, re.MULTILINE))


def js_types() -> str:
    """Return the typedefs of all messages and their parts."""
    lines = ["/**"]
    for kind in (*PARTS, *MESSAGES.values()):
        about = member_descriptions(kind)
        name = "KnownEventMembers" if kind is TableEvent else kind.__name__
        lines.append(f" * @typedef {{object}} {name} {summary(kind)}")
        for field in struct_fields(kind):
            member = f"[{field.encode_name}]" if is_optional(kind, field) else field.encode_name
            lines.append(f" * @property {{{member_type(kind, field)}}} {member} {about[field.name]}")
        lines.append(" *")
    lines.append(" * @typedef {KnownEventMembers & Record<string, any>} TableEvent")
    return "\n".join([*lines, " */\n"])


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
    ("src/faceup/web/api/types.js", "types", "// {}\n", js_types),
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
        start, end = (marker.format(each.format(part)) for each in (START, END))
        before, rest = text.split(start)
        texts[path] = f"{before}{start}\n{make()}\n{end}{rest.split(end)[1]}"
    return texts


def main() -> int:
    """Update the files, or with `--check` report whether they are up to date. Return the exit status."""
    return regenerate("wire_types", "Write the message types for the page and the documentation.", current_texts)


if __name__ == "__main__":
    sys.exit(main())

"""The schema of records as Markdown tables, from `faceup.core.record.schema`."""

import json
import re
from typing import Any

from faceup.core.record import schema


def record_schema() -> str:
    """Return a section for each type of the schema, the record first."""
    return "\n".join(section(name, each) for name, each in schema()["$defs"].items())


def section(name: str, each: dict[str, Any]) -> str:  # Any: JSON
    """Return the section of one type: its description, and a table of its fields."""
    text, _, attributes = each.get("description", "").partition("\n\nAttributes:\n")
    meanings = {match[1]: " ".join(match[2].split()) for match in _ATTRIBUTE.finditer(attributes)}
    required = each.get("required", [])
    rows = [
        f"| `{field}` | {kind(value)} | {default(value) if field not in required else 'required'} "
        f"| {meanings.get(field, '')} |"
        for field, value in each["properties"].items()
    ]
    if not meanings:
        rows = [row.rpartition(" | ")[0] + " |" for row in rows]
    head = ["| field | type | default | meaning |", "| --- | --- | --- | --- |"]
    if not meanings:
        head = ["| field | type | default |", "| --- | --- | --- |"]
    return "\n".join([f"## {name}", "", text, "", *head, *rows, ""])


_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.*(?:\n {5,}.*)*)", re.MULTILINE)


def kind(value: dict[str, Any]) -> str:  # Any: JSON
    """Return a type in words, with links to other types.

    >>> kind({"type": "array", "items": {"type": "integer"}})
    'array of integer'
    """
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in value:
        return " or ".join(kind(each) for each in value["anyOf"])
    if "enum" in value:
        return " or ".join(f"`{each}`" for each in value["enum"])
    if value.get("type") == "array":
        return f"array of {kind(value['items'])}" if value.get("items") else "array"
    if isinstance(value.get("additionalProperties"), dict):
        return f"object of {kind(value['additionalProperties'])}"
    return str(value.get("type", "any value"))


def default(value: dict[str, Any]) -> str:  # Any: JSON
    """Return the default value of a field."""
    if "default" not in value:
        return ""
    given = value["default"]
    if given is None or isinstance(given, bool):
        return "null" if given is None else str(given).lower()
    if isinstance(given, list | dict):
        return f"`{json.dumps(given)}`"
    return f"`{given}`" if given != "" else "empty text"

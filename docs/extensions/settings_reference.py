"""The settings of a server as Markdown, from `faceup.server.process.settings.Settings`."""

from typing import Literal, get_args, get_origin

from msgspec.structs import FieldInfo, fields
from sphinx.pycode import ModuleAnalyzer

from faceup.cli.serve import _FLAGS
from faceup.server.process.settings import PREFIX, SECRET_SETTINGS, Settings


def settings() -> str:
    """Return an entry for each setting: what it means, its type, default, flag and variable."""
    described = ModuleAnalyzer.for_module(Settings.__module__).find_attr_docs()
    return "\n\n".join(entry(field, " ".join(described["Settings", field.name]).strip()) for field in fields(Settings))


def entry(field: FieldInfo, meaning: str) -> str:
    """Return the entry of one setting."""
    name = field.name
    flag = f"`--{name.replace('_', '-')}`" if name in _FLAGS else "none"
    default = "none" if field.default in {"", ()} else f"`{str(field.default).lower()}`"
    hidden = " The value is secret and never shown. There is no flag, because other users can read a program's flags."
    return "\n".join(
        [
            f"````{{confval}} {name}",
            f":type: {kind(field.type)}",
            f":default: {default}",
            "",
            f"{meaning}{hidden if name in SECRET_SETTINGS else ''}",
            "",
            f"Flag: {flag}. Variable: `{PREFIX}{name.upper()}`.",
            "````",
        ]
    )


def kind(annotation: object) -> str:
    """Return the type of a setting in words.

    >>> kind(bool), kind(Literal["text", "json"])
    ('`true` or `false`', '`text` or `json`')
    """
    if get_origin(annotation) is Literal:
        *others, last = (f"`{value}`" for value in get_args(annotation))
        return f"{', '.join(others)} or {last}"
    words = {bool: "`true` or `false`", int: "integer", str: "text", tuple[str, ...]: "list of texts"}
    return words[annotation]  # type: ignore[index]  # a setting of another type fails here, and gets its words above

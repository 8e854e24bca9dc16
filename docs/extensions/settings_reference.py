"""The settings of a server as Markdown, from `faceup.server.process.settings.Settings`."""

from typing import Literal, get_args, get_origin

from sphinx.pycode import ModuleAnalyzer

from faceup.server.process.openid_settings import OpenIdSettings
from faceup.server.process.settings import DEFINITIONS, PREFIX, Definition, Settings
from faceup.server.process.site_settings import SiteSettings


def settings() -> str:
    """Return an entry for each setting: what it means, its type, default, flag and variable."""
    described = {
        name: lines
        for owner in (Settings, OpenIdSettings, SiteSettings)
        for (_, name), lines in ModuleAnalyzer.for_module(owner.__module__).find_attr_docs().items()
    }
    entries = (
        entry(name, definition, " ".join(filter(None, described[name]))) for name, definition in DEFINITIONS.items()
    )
    return "\n\n".join(entries)


def entry(name: str, definition: Definition, meaning: str) -> str:
    """Return the entry of one setting."""
    secret, values = definition.setting.secret, definition.setting.values
    flag = "none" if secret else f"`--{name.replace('_', '-')}`"
    default = "none" if definition.default in {"", ()} else f"`{_shown(definition.default)}`"
    span = "" if values is None else f" from {values[0]} to {values[-1]}"
    hidden = " The value is secret and never shown. There is no flag, because other users can read a program's flags."
    variable = f"`{PREFIX}{name.upper()}`" + (
        f", or `{PREFIX}{name.upper()}_FILE` with the name of a file" if secret else ""
    )
    facts = f"Type: {kind(definition.type)}{span}. Default: {default}. Flag: {flag}. Variable: {variable}."
    return "\n".join(
        [
            f"### `{name}`",
            "",
            f"{meaning}{hidden if secret else ''}",
            "",
            facts,
        ]
    )


def _shown(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)


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

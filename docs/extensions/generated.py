"""Fill pages with text generated from the code.

A line `<!-- generated: NAME ARGUMENTS -->` of a page is replaced by the Markdown that the generator of this name
returns. The source stays readable on GitHub, and the site cannot contradict the code.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from docs.extensions.cli_reference import cli
from docs.extensions.contents import contents
from docs.extensions.openapi import endpoints
from docs.extensions.record_schema import record_schema
from docs.extensions.rules_reference import rules
from docs.extensions.settings_reference import settings
from facts import table as facts
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

GENERATORS: Final[Mapping[str, Callable[..., str]]] = {
    "cli": cli,
    "contents": contents,
    "endpoints": endpoints,
    "facts": partial(facts, "explanation/"),
    "record-schema": record_schema,
    "rules": rules,
    "settings": settings,
}

MARK: Final = re.compile(r"^<!-- generated: ([\w-]+)(.*?) -->$", re.MULTILINE)


def fill(page: str) -> str:
    """Return the page with its marks replaced.

    Raises:
        ExtensionError: there is no generator of this name.
    """

    def text(match: re.Match[str]) -> str:
        if match[1] not in GENERATORS:
            raise ExtensionError(f"there is no generator {match[1]!r}; there are: {', '.join(GENERATORS)}")
        return GENERATORS[match[1]](*match[2].split())

    return MARK.sub(text, page)


def _on_source_read(_app: Sphinx, _page: str, source: list[str]) -> None:
    source[0] = fill(source[0])


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx defines
    """Connect to Sphinx."""
    app.connect("source-read", _on_source_read)
    return {"parallel_read_safe": True}

"""The HTTP API from the OpenAPI description that the application itself serves."""

import json
import shutil
from pathlib import Path
from typing import Any

from docs.extensions import npm_files
from docs.extensions.cli_reference import cell, escape
from sphinx.application import Sphinx

from faceup.server.http.app import api_description

VIEWER = "api"
"""The folder of the site with the viewer and the description."""

LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg"
"""The one address on another site that Redoc would load."""


def endpoints() -> str:
    """Return a table of the endpoints for each tag."""
    schema = api_description()
    parts = []
    for tag in schema["tags"]:
        parts += [f"## {tag['name'].title()}", "", f"{tag['description']}.", "", "| endpoint | |", "| --- | --- |"]
        for path, methods in schema["paths"].items():
            for method, operation in methods.items():
                if tag["name"] in operation.get("tags", []):
                    meaning = operation["description"].partition("\n")[0]
                    parts.append(f"| `{method.upper()} {path}` | {cell(escape(meaning))} |")
        parts.append("")
    return "\n".join(parts)


def _write_viewer(app: Sphinx, error: Exception | None) -> None:
    """Write the page of the viewer, its script, and the description."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, VIEWER)
    script = npm_files.copy("redoc", "bundles/redoc.standalone.js", folder)
    script.write_text(script.read_text("utf-8").replace(LOGO, "../_static/icon.svg"), "utf-8")
    (folder / "openapi.json").write_text(json.dumps(api_description(), indent=2) + "\n", "utf-8")
    shutil.copy(Path(app.srcdir, "_templates", "api.html"), folder / "index.html")


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx defines
    """Connect to Sphinx."""
    app.connect("build-finished", _write_viewer)
    return {"parallel_read_safe": True}

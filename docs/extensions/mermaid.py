"""Blocks marked `mermaid` as diagrams.

sphinxcontrib-mermaid loads the library from another site; here it is a file of this site.
"""

from html import escape
from pathlib import Path
from typing import Any

from docs.extensions import npm_files
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Mermaid(SphinxDirective):
    """A diagram. The browser draws the text, and shows it as it is without JavaScript."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the block for the browser."""
        text = escape("\n".join(self.content))
        return [nodes.raw("", f'<pre class="mermaid" role="img" aria-label="Diagram">{text}</pre>', format="html")]


def _add_script(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document) -> None:
    if 'class="mermaid"' in context.get("body", ""):
        app.add_js_file("mermaid.tiny.js", loading_method="defer")
        app.add_js_file("diagrams.js", loading_method="defer")


def _copy_library(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        npm_files.copy("@mermaid-js/tiny", "dist/mermaid.tiny.js", Path(app.outdir, "_static"))


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx defines
    """Connect to Sphinx."""
    app.add_directive("mermaid", Mermaid)
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _copy_library)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

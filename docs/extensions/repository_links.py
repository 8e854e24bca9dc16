"""Make links to files that are not on the site lead to the repository, and check that they exist.

Pages link to source files and to the README with relative paths, which work on GitHub. On the site they have to be full
addresses. Sphinx itself checks the links between pages.
"""

import os
import re
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.util import logging

_LOG: Final = logging.getLogger(__name__)
_LINK: Final = re.compile(r"\]\((\.\.?/[^)\s#]*)(?:#([^)\s]+))?\)")
_CODE: Final = re.compile(r"^( *)(```+|:::+).*?^\1\2$", re.MULTILINE | re.DOTALL)


def anchors(page: str) -> set[str]:
    r"""Return the anchors that GitHub makes from the headings of a page.

    >>> sorted(anchors("# What is *it*?\n\n## See [this](there.md)\n"))
    ['see-this', 'what-is-it']
    """
    titles = re.findall(r"^#+ (.*)$", _CODE.sub("", page), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


def _on_source_read(app: Sphinx, page: str, source: list[str]) -> None:
    folder = Path(app.srcdir, page).parent
    root = Path(app.srcdir).parent

    def link(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(folder / match[1]))
        if target.is_relative_to(app.srcdir) and target.name != "README.md" and target.parent.name != "contributing":
            return match[0]
        if not target.exists() or not target.is_relative_to(root):
            _LOG.warning("%s does not exist", match[1], location=page, type="link")
        elif match[2] and target.suffix == ".md" and match[2] not in anchors(target.read_text("utf-8")):
            _LOG.warning("%s has no heading #%s", match[1], match[2], location=page, type="link")
        kind = "tree" if target.is_dir() else "blob"
        anchor = f"#{match[2]}" if match[2] else ""
        return f"]({app.config.repository}/{kind}/main/{target.relative_to(root).as_posix()}{anchor})"

    source[0] = _LINK.sub(link, source[0])


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx defines
    """Connect to Sphinx."""
    app.add_config_value("repository", "", "env", str)
    app.connect("source-read", _on_source_read)
    return {"parallel_read_safe": True}

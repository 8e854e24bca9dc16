"""Comments in pages, which GitHub hides and the site uses: navigation, and words for the search.

- `<!-- toctree: PAGE ... -->` lists the pages below this one, for the navigation of the site.
- `<!-- keywords: WORDS, ... -->`, after the title, lists what readers may search for to find the page. The search finds
  a page by exactly these words before all others, and by each single word as if it were in the title.
"""

import re
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

COMMENT: Final = re.compile(r"^<!-- (toctree|keywords):\s(.*?)\s-->$", re.MULTILINE | re.DOTALL)


def keywords_of(page: str) -> tuple[str, ...]:
    r"""Return the keywords of a page.

    >>> keywords_of("# Moderate\n\n<!-- keywords: ban, kick a player -->\n")
    ('ban', 'kick a player')
    """
    listed = [words for kind, words in COMMENT.findall(page) if kind == "keywords"]
    return tuple(" ".join(word.split()) for words in listed for word in words.split(","))


class keywords(nodes.title):  # noqa: N801 -- as the nodes of docutils; a title, because its words count as those of titles
    """Words for the search that the page does not show."""


class Keywords(SphinxDirective):
    """The keywords of a page, separated by commas."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return an index entry for each keyword, and the words."""
        words = [" ".join(word.split()) for word in " ".join(self.content).split(",")]
        index = addnodes.index(entries=[("single", word, "", "main", None) for word in words])
        return [index, keywords("", " ".join(words))]


def to_directives(page: str) -> str:
    r"""Return a page with its comments as directives.

    >>> print(to_directives("<!-- toctree: install browser -->"))
    ```{toctree}
    :hidden:
    <BLANKLINE>
    install
    browser
    ```
    """

    def directive(match: re.Match[str]) -> str:
        if match[1] == "toctree":
            return "\n".join(["```{toctree}", ":hidden:", "", *match[2].split(), "```"])
        return f"```{{keywords}}\n{match[2]}\n```"

    return COMMENT.sub(directive, page)


def _on_source_read(_app: Sphinx, _page: str, source: list[str]) -> None:
    source[0] = to_directives(source[0])


def _skip(_visitor: nodes.NodeVisitor, _node: nodes.Node) -> None:
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx defines
    """Connect to Sphinx."""
    app.add_directive("keywords", Keywords)
    app.add_node(keywords, html=(_skip, None))
    app.connect("source-read", _on_source_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""A page of HTML that needs nothing else: the type, the colours and the parts that all of our pages share."""

from importlib import resources

from faceup.games.panels import heading
from faceup.games.svg import STYLE, Block, clean, escape, stack
from faceup.games.svg import page as picture


def whole(title: str, body: str, *, style: str = "", head: str = "") -> str:
    """A page with that title.

    Args:
        title: in words; it is escaped here.
        body: HTML, in which all that others wrote is escaped already (`words`).
        style: of its own, after the style that pages share.
        head: what else stands in its head, first of all.
    """
    shared = resources.files("faceup.charts").joinpath("page.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{head}<title>{words(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<style>{STYLE}{shared}{style}</style></head><body>\n{once(body)}</body></html>\n"
    )


def once(body: str) -> str:
    """Without the style sheet that every picture carries, since the page has it already."""
    return body.replace(f"<style>{STYLE}</style>", "")


def words(text: str) -> str:
    r"""What anybody wrote, as it may stand in a page.

    >>> words("<b>\x1b & co")
    '&lt;b&gt;&#65533; &amp; co'
    """
    return escape(clean(text))


def chart(title: str, *blocks: Block) -> str:
    """Blocks as a picture, each under the title, which is its description as well."""
    return picture(title, title, [stack([heading(title, block) for block in blocks])], {})

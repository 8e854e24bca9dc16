"""The rules of a game as Markdown: its guide with pictures, its variants and its options."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from faceup.core import Game, Variant, find_game, make
from faceup.core.options import option_fields
from faceup.games.nimmt import view_svg as nimmt
from faceup.games.niuniu import view_svg as dice
from faceup.games.svg import STYLE
from faceup.games.war import view_svg as war
from faceup.games.war.cards import card as card_of

FIGURES: Final = ("rows", "dice", "cards")
"""The names of the blocks of guides that are pictures."""


def rules(name: str) -> str:
    """Return the rules of a game. `Figure` draws the blocks of cards and dice, which GitHub shows as text."""
    game = find_game(name)
    guide = re.sub(r"^# .*\n+", "", game.guide)
    return "\n\n".join([guide.strip(), variants(game), options(game)])


class Figure(SphinxDirective):
    """A block `rows`, `dice` or `cards` of a guide as a picture."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the picture; the first one of a page comes with the symbols that all share."""
        drawn = nodes.raw("", figure(self.name, list(self.content)), format="html", classes=["cards"])
        if any("cards" in node["classes"] for node in self.state.document.findall(nodes.raw)):
            return [drawn]
        return [nodes.raw("", symbols(), format="html"), drawn]


def figure(kind: str, lines: Sequence[str]) -> str:
    """Return a figure of a guide as HTML. See `src/faceup/web/learn/figures.js` for the notation."""
    body = ""
    for line in lines:
        signs, _, caption = (part.strip() for part in line.partition("#"))
        pictures = "".join(picture(kind, sign) for sign in signs.split())
        body += f'<div class="line" role="img" aria-label="{escape(signs)}">{pictures}</div>'
        body += f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure class="cards">{body}</figure>'


def picture(kind: str, sign: str) -> str:
    """Return the SVG of one card or die. `[7]` is new, `(5)` is taken away, and `??` is face down."""
    look = "new" if sign.startswith("[") else "gone" if sign.startswith("(") else ""
    word = sign.strip("[]()")
    width, height = (46.0, 46.0) if kind == "dice" else nimmt.CARD
    if kind == "dice":
        drawn = dice.draw_die(int(word), 6)
    elif kind == "rows":
        drawn = nimmt.draw_card(0, 0, int(word))
    elif word == "??":
        drawn = war.draw_back(0, 0)
    else:
        drawn = war.draw_face(0, card_of(word.replace("10", "T")))
    box = f'viewBox="-1 -1 {width + 2:g} {height + 5:g}" width="{width + 2:g}"'
    return f'<svg {box} class="fu-picture {look}" aria-hidden="true">{drawn}</svg>'


def symbols() -> str:
    """Return the style sheet and the symbols that the pictures of a page share."""
    shapes = "".join(
        f'<symbol id="fu-{name}" viewBox="0 0 24 24"><path fill-rule="evenodd" d="{path}"/></symbol>'
        for name, path in (nimmt.SYMBOLS | war.SYMBOLS).items()
    )
    return (
        f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><style>{STYLE}</style>{shapes}</svg>'
    )


def variants(game: Game) -> str:
    """Return the table of variants."""
    rows = [
        f"| `{game.name}:{each.name}` | {each.title} | {seats(each)} | {clock(each)} | {preset(each)} |"
        for each in game.variants
    ]
    return "\n".join(
        [
            "## Variants for programs",
            "",
            f"The first is the default: `{game.name}` alone means `{game.name}:{game.variants[0].name}`.",
            "",
            "| name | title | seats | clock | options |",
            "| --- | --- | --- | --- | --- |",
            *rows,
        ]
    )


def seats(variant: Variant) -> str:
    """Return the numbers of seats, and the default."""
    low, high = variant.seats
    default = variant.preset["seats"]
    return f"{low}" if low == high else f"{low} to {high}, default {default}"


def clock(variant: Variant) -> str:
    """Return the default time for a choice."""
    return "none" if variant.clock is None else f"{variant.clock} s"


def preset(variant: Variant) -> str:
    """Return the options that a variant sets."""
    options = [f"`{name}={str(value).lower()}`" for name, value in variant.preset.items() if name != "seats"]
    return ", ".join(options) or "defaults"


def options(game: Game) -> str:
    """Return the table of options, and how to set them."""
    defaults = make(game.name)
    fields = option_fields(game.rules)
    rows = []
    for name, meaning in game.options.items():
        value = getattr(defaults, name)
        kind = {bool: "true or false", int: "integer"}.get(fields[name].kind, "text")
        shown = str(value).lower() if isinstance(value, bool) else value
        rows.append(f"| `{name}` | {kind} | `{shown}` | {meaning} |")
    return "\n".join(["## Options", "", "| option | type | default | meaning |", "| --- | --- | --- | --- |", *rows])


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx defines
    """Connect to Sphinx."""
    for name in FIGURES:
        app.add_directive(name, Figure)
    return {"parallel_read_safe": True}

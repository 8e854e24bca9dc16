"""Cards and dice drawn with text in three sizes, and the base class of widgets that show them.

Color is never the only signal. For example, cards show their heads as a number, and dice of a triple have a different
frame.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

from textual.content import Content
from textual.widget import Widget

from faceup.games.nimmt.cards import HEADS, Card

HEAD: Final = "∀"
"""The symbol for bull heads."""

Frame: TypeAlias = Literal["plain", "lifted", "placed", "ghost", "dim"]


class CardSize(NamedTuple):
    """The size of a card in cells."""

    width: int
    height: int


FLAT: Final = CardSize(8, 1)
SMALL: Final = CardSize(6, 3)
LARGE: Final = CardSize(9, 5)

_LINES: Final = {"plain": "╭─╮│╰╯", "lifted": "┏━┓┃┗┛", "placed": "╔═╗║╚╝", "ghost": "╭╌╮╎╰╯", "dim": "╭─╮│╰╯"}
_FLAT: Final = {"plain": "││", "lifted": "▌▐", "placed": "║║", "ghost": "╎╎", "dim": "││"}


def card_lines(card: Card, look: CardSize, frame: Frame = "plain") -> list[Content]:
    r"""Return the lines of a card that is face up.

    >>> print(*[line.plain for line in card_lines(55, SMALL)], sep="\n")
    ╭────╮
    │ 55 │
    ╰─7∀─╯
    """
    heads = HEADS[card]
    edge, ink = _styles(heads, frame)
    inner = look.width - 2
    number = (f"{card:>3} " if look.height < LARGE.height else f"{card}").center(inner)
    if look.height == 1:
        left, right = tuple(_FLAT[frame])
        return [Content.assemble((left, edge), (f"{card:>3} {heads}{HEAD}", ink), (right, edge))]
    a, line, b, side, c, d = tuple(_LINES[frame])
    top = Content.assemble((a + line * inner + b, edge))
    face = [Content.assemble((side, edge), (number, ink), (side, edge))]
    light = ink.replace("reverse ", "")
    if look.height == 3:
        bottom = Content.assemble((c + line, edge), (f"{heads}{HEAD}", light), (line * (inner - 3) + d, edge))
        return [top, *face, bottom]
    counted = [
        Content.assemble((side, edge), (text.center(inner), light), (side, edge)) for text in (HEAD * heads, f"{heads}")
    ]
    return [top, *face, *counted, Content.assemble((c + line * inner + d, edge))]


def back_lines(look: CardSize) -> list[Content]:
    """Return the lines of a card that is face down."""
    inner = look.width - 2
    if look.height == 1:
        return [Content.styled(f"│{'░' * inner}│", "$primary on $card")]
    middle = [f"│{'░' * inner}│"] * (look.height - 2)
    return [Content.styled(line, "$primary on $card") for line in (f"╭{'─' * inner}╮", *middle, f"╰{'─' * inner}╯")]


def gap_lines(look: CardSize, sign: str = "·") -> list[Content]:
    """Return the lines of an empty place for a card, with a sign in its middle."""
    lines = [Content(" " * look.width) for _ in range(look.height)]
    lines[look.height // 2] = Content.styled(sign.center(look.width), "$faint")
    return lines


def side_by_side(blocks: list[list[Content]]) -> list[Content]:
    """Join blocks of equal height horizontally."""
    return [Content("").join(parts) for parts in zip(*blocks, strict=True)]


def _styles(heads: int, frame: Frame) -> tuple[str, str]:
    if frame == "dim":
        return "$faint", "$faint"
    if frame == "ghost":
        return "$faint", "italic $foreground"
    colour = f"$heads-{heads}"
    if frame == "lifted":
        return "bold $accent on $card", f"bold reverse {colour}"
    if frame == "placed":
        return "bold $accent on $card", f"bold {colour} on $card"
    return f"{colour} on $card", f"bold {colour} on $card"


FLAT_DIE: Final = CardSize(5, 1)
SMALL_DIE: Final = CardSize(5, 3)
PIPS: Final = CardSize(9, 5)

Mark: TypeAlias = Literal["plain", "triple", "rest"]

_DIE_LINES: Final = {"plain": "╭─╮│╰╯", "triple": "┏━┓┃┗┛", "rest": "╭─╮│╰╯"}
_FLAT_DIE_TEXT: Final = {"plain": "[]", "triple": "{}", "rest": "[]"}
_STYLE: Final = {"plain": "$foreground on $card", "triple": "bold $accent on $card", "rest": "$primary on $card"}
_PIPS: Final = {
    1: ("", "●", ""),
    2: ("●    ", "", "    ●"),
    3: ("●    ", "●", "    ●"),
    4: ("●   ●", "", "●   ●"),
    5: ("●   ●", "●", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


def die_lines(die: int, look: CardSize, mark: Mark = "plain") -> list[Content]:
    r"""Return the lines of a die; the number 0 means that the die has not landed yet.

    >>> print(*[line.plain for line in die_lines(5, PIPS)], sep="\n")
    ╭───────╮
    │ ●   ● │
    │   ●   │
    │ ●   ● │
    ╰───────╯
    """
    style, inner = _STYLE[mark], look.width - 2
    text = str(die) if die else "?"
    if look.height == 1:
        left, right = tuple(_FLAT_DIE_TEXT[mark])
        return [Content.styled(f"{left}{text.center(inner)}{right}", style)]
    a, line, b, side, c, d = tuple(_DIE_LINES[mark])
    middle = _PIPS[die] if look == PIPS and die in _PIPS else ("", text, "") if look == PIPS else (text,)
    rows = [a + line * inner + b, *(f"{side}{row.center(inner)}{side}" for row in middle), c + line * inner + d]
    return [Content.styled(row, style) for row in rows]


class BoardWidget(Widget):
    """A widget that is as large as the lines it draws; call `redraw` after changing an attribute.

    Attributes:
        look: the size of the cards or dice.
    """

    DEFAULT_CSS = """
    BoardWidget { width: auto; height: auto; }
    """

    look: CardSize = SMALL

    def lines(self) -> list[Content]:
        """Return the lines to draw."""
        raise NotImplementedError

    def render(self) -> Content:
        """Join the lines."""
        return Content("\n").join(self.lines())

    def redraw(self) -> None:
        """Draw again and update the widget's size."""
        self.refresh(layout=True)

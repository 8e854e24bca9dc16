"""How a card of 6 nimmt! looks in characters, in three sizes.

Its number and its heads are always written; its colour, by heads, only helps.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

from textual.content import Content

from faceup.games.nimmt.cards import HEADS, Card

HEAD: Final = "∀"
"""The sign for heads: horns, ears and a muzzle."""

Frame: TypeAlias = Literal["plain", "lifted", "placed", "ghost", "dim"]


class Look(NamedTuple):
    """The size of a card, in cells."""

    width: int
    height: int


FLAT: Final = Look(8, 1)
SMALL: Final = Look(6, 3)
LARGE: Final = Look(9, 5)

_LINES: Final = {"plain": "╭─╮│╰╯", "lifted": "┏━┓┃┗┛", "placed": "╔═╗║╚╝", "ghost": "╭╌╮╎╰╯", "dim": "╭─╮│╰╯"}
_FLAT: Final = {"plain": "││", "lifted": "▌▐", "placed": "║║", "ghost": "╎╎", "dim": "││"}


def card_lines(card: Card, look: Look, frame: Frame = "plain") -> list[Content]:
    r"""A card face up, a content for each line.

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


def back_lines(look: Look) -> list[Content]:
    """A card face down."""
    inner = look.width - 2
    if look.height == 1:
        return [Content.styled(f"│{'░' * inner}│", "$primary on $card")]
    middle = [f"│{'░' * inner}│"] * (look.height - 2)
    return [Content.styled(line, "$primary on $card") for line in (f"╭{'─' * inner}╮", *middle, f"╰{'─' * inner}╯")]


def gap_lines(look: Look, sign: str = "·") -> list[Content]:
    """The place of a card that is not there."""
    lines = [Content(" " * look.width) for _ in range(look.height)]
    lines[look.height // 2] = Content.styled(sign.center(look.width), "$faint")
    return lines


def side_by_side(blocks: list[list[Content]]) -> list[Content]:
    """Blocks of equal height as one."""
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

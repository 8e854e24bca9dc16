"""How a die looks in characters, in three sizes; a die of the triple has another frame, not just another colour."""

from typing import Final, Literal, TypeAlias

from textual.content import Content

from faceup.terminal.boards.cards import Look

FLAT_DIE: Final = Look(5, 1)
SMALL_DIE: Final = Look(5, 3)
PIPS: Final = Look(9, 5)

Mark: TypeAlias = Literal["plain", "triple", "rest"]

_LINES: Final = {"plain": "╭─╮│╰╯", "triple": "┏━┓┃┗┛", "rest": "╭─╮│╰╯"}
_FLAT: Final = {"plain": "[]", "triple": "{}", "rest": "[]"}
_STYLE: Final = {"plain": "$foreground on $card", "triple": "bold $accent on $card", "rest": "$primary on $card"}
_PIPS: Final = {
    1: ("", "●", ""),
    2: ("●    ", "", "    ●"),
    3: ("●    ", "●", "    ●"),
    4: ("●   ●", "", "●   ●"),
    5: ("●   ●", "●", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


def die_lines(die: int, look: Look, mark: Mark = "plain") -> list[Content]:
    r"""A die, a content for each line; 0 is one that is still in the air.

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
        left, right = tuple(_FLAT[mark])
        return [Content.styled(f"{left}{text.center(inner)}{right}", style)]
    a, line, b, side, c, d = tuple(_LINES[mark])
    middle = _PIPS[die] if look == PIPS and die in _PIPS else ("", text, "") if look == PIPS else (text,)
    rows = [a + line * inner + b, *(f"{side}{row.center(inner)}{side}" for row in middle), c + line * inner + d]
    return [Content.styled(row, style) for row in rows]

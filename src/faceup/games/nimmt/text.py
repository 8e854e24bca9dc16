"""A view as plain text: what a screen reader reads aloud, and what a pipe or a dumb terminal shows."""

from collections.abc import Sequence
from textwrap import wrap

from faceup.games.nimmt.cards import total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import View


def draw_text(view: View, names: Sequence[str] = (), rules: Parameters | None = None) -> str:
    """The rows with their heads, the heads of each seat, and the hand.

    Args:
        view: whose eyes it is seen with.
        names: of the seats; "Seat 0" and so on where they are missing.
        rules: for the number of cards that make a row full; 5 if not given.
    """
    capacity = rules.capacity if rules is not None else 5
    names = [*names, *(f"Seat {seat}" for seat in range(len(names), len(view.heads)))]
    lines = []
    for index, row in enumerate(view.rows):
        cards = "".join(f"{card:>4}" for card in row) + "   ." * (capacity - len(row))
        lines.append(f"row {index}:{cards}   {_heads(total(row))}{', full' if len(row) >= capacity else ''}")
    lines.append("heads: " + ", ".join(f"{name} {count}" for name, count in zip(names, view.heads, strict=True)))
    if view.waiting:
        lines.append("face up: " + ", ".join(f"{names[seat]} {card}" for card, seat in view.waiting))
    out = [names[seat] for group in view.out for seat in group]
    if out:
        lines.append("out: " + ", ".join(out))
    if view.hand:
        lines.append("hand: " + " ".join(map(str, view.hand)))
    return "\n".join(part for line in lines for part in wrap(line, 80, subsequent_indent="  "))


def _heads(count: int) -> str:
    return "1 head" if count == 1 else f"{count} heads"

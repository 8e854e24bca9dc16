"""Draw a view of 6 nimmt! as plain text, for screen readers, pipes and simple terminals."""

from collections.abc import Sequence
from textwrap import wrap

from faceup.formatting import plural
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import View


def draw_text(view: View, names: Sequence[str] = (), rules: Parameters | None = None) -> str:
    """Return the rows, counted from 1, with their heads, the heads of each seat, and the hand.

    Args:
        view: the view to draw.
        names: names of the seats; seats without a name are called "Seat 1" and so on.
        rules: the rules, which give the number of cards in a full row; without rules, it is 5.
    """
    capacity = rules.capacity if rules is not None else 5
    names = [*names, *(f"Seat {seat + 1}" for seat in range(len(names), len(view.heads)))]
    lines = []
    for number, row in enumerate(view.rows, 1):
        cards = "".join(f"{card:>4}" for card in row) + "   ." * (capacity - len(row))
        lines.append(f"row {number}:{cards}   {plural(total(row), 'head')}{', full' if len(row) >= capacity else ''}")
    lines.append("heads: " + ", ".join(f"{name} {count}" for name, count in zip(names, view.heads, strict=True)))
    if view.waiting:
        lines.append("face up: " + ", ".join(f"{names[seat]} {card}" for card, seat in view.waiting))
    out = [names[seat] for group in view.out for seat in group]
    if out:
        lines.append("out: " + ", ".join(out))
    if view.hand:
        lines.append("hand: " + " ".join(map(str, view.hand)))
    return "\n".join(part for line in lines for part in wrap(line, 80, subsequent_indent="  "))

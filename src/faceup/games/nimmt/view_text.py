"""Draw a view of 6 nimmt! as plain text, for screen readers, pipes and simple terminals."""

from collections.abc import Sequence
from textwrap import wrap

from faceup.games.nimmt.cards import total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import View
from faceup.games.svg import Translate, count_text, english


def draw_text(
    view: View, names: Sequence[str] = (), rules: Parameters | None = None, *, say: Translate = english
) -> str:
    """Return the rows, counted from 1, with their heads, the heads of each seat, and the hand.

    Args:
        view: the view to draw.
        names: names of the seats; seats without a name are called "Seat 1" and so on.
        rules: the rules, which give the number of cards in a full row; without rules, it is 5.
        say: translates the text.
    """
    capacity = rules.capacity if rules is not None else 5
    names = [*names, *(say("Seat {number}", number=seat + 1) for seat in range(len(names), len(view.heads)))]
    lines = []
    for number, row in enumerate(view.rows, 1):
        cards = "".join(f"{card:>4}" for card in row) + "   ." * (capacity - len(row))
        heads = count_text(total(row), "{count} head", "{count} heads", say)
        heads = say("{heads}, full", heads=heads) if len(row) >= capacity else heads
        lines.append(say("row {number}:{cards}   {heads}", number=number, cards=cards, heads=heads))
    lists = {
        "heads: {list}": [f"{name} {count}" for name, count in zip(names, view.heads, strict=True)],
        "face up: {list}": [f"{names[seat]} {card}" for card, seat in view.waiting],
        "out: {list}": [names[seat] for group in view.out for seat in group],
    }
    lines += [say(title, list=say(", ").join(parts)) for title, parts in lists.items() if parts]
    if view.hand:
        lines.append(say("hand: {cards}", cards=" ".join(map(str, view.hand))))
    return "\n".join(part for line in lines for part in wrap(line, 80, subsequent_indent="  "))

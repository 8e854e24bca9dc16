"""The table as text and as a picture."""

from collections.abc import Sequence
from html import escape

from faceup.core import plural
from goofspiel.rules import Goofspiel
from goofspiel.state import Seen, Table


def draw_text(view: Seen, names: Sequence[str] = (), *, rules: Goofspiel) -> str:
    """Return the prize, each seat's points and last card, and the viewer's hand."""
    last = view.log[-1].bids if view.log else ()
    lines = [f"Prize {len(view.log) + 1} of {rules.hand} is {view.prize}." if view.prize else "No prize is open."]
    for seat, name in enumerate(_named(names, rules)):
        bid = f", last card {last[seat]}" if last else ""
        lines.append(f"  {name}: {plural(view.points[seat], 'point')}{bid}")
    if view.hand:
        lines.append("Your hand: " + " ".join(map(str, view.hand)))
    return "\n".join(lines)


def draw_svg(what: Seen | Table, names: Sequence[str] = (), *, rules: Goofspiel) -> str:
    """Return a picture with a row for each seat, and a row for the prize. A state shows every hand."""
    view = what if isinstance(what, Seen) else rules.view(what, None)
    hands = dict(enumerate(what.hands)) if isinstance(what, Table) else {view.seat: view.hand}
    parts = [_text(20, 46, "Prize"), *_card(190, 16, view.prize, "#f2d479")]
    for seat, name in enumerate(_named(names, rules)):
        top = 84 + 64 * seat
        parts.append(_text(20, top + 30, f"{name}: {view.points[seat]}"))
        for place, card in enumerate(hands.get(seat, ())):
            parts += _card(252 + 44 * place, top, card, "#fffefa")
        if view.log:
            parts += _card(190, top, view.log[-1].bids[seat], "#d8e6e0")
    width, height = 272 + 44 * rules.hand, 84 + 64 * rules.seats
    described = f"<desc>{escape(draw_text(view, names, rules=rules))}</desc>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
        f'{described}<rect width="{width}" height="{height}" fill="#f4f1e9"/>{"".join(parts)}</svg>'
    )


def _named(names: Sequence[str], rules: Goofspiel) -> list[str]:
    return [(names[seat] if seat < len(names) else "") or f"Seat {seat + 1}" for seat in range(rules.seats)]


def _text(x: int, y: int, words: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="16" fill="#1c2523">{escape(words)}</text>'


def _card(x: int, y: int, card: int, colour: str) -> list[str]:
    if not card:
        return []
    box = f'<rect x="{x}" y="{y}" width="38" height="50" rx="5" fill="{colour}" stroke="#1c2523"/>'
    return [box, f'<text x="{x + 19}" y="{y + 31}" font-size="17" text-anchor="middle" fill="#1c2523">{card}</text>']

"""Draw a game of War as SVG: each seat's draw pile, and the cards played. Only public knowledge is shown."""

from collections.abc import Sequence
from typing import Final

from faceup.core.values import Seat
from faceup.games.svg import (
    WIDTH,
    Block,
    Translate,
    back,
    box,
    card,
    count_text,
    display_names,
    english,
    fit,
    icon,
    move,
    page,
    slot,
    stack,
    text,
    text_width,
    title_block,
    waiting,
)
from faceup.games.war.cards import Card, named
from faceup.games.war.public_knowledge import view_of
from faceup.games.war.rules import War
from faceup.games.war.state import WarState, WarView
from faceup.games.war.view_text import draw_text

SYMBOLS: Final = {
    "club": (
        "M10.9 16C10 17.9 8.4 19 6.6 19A4.7 4.7 0 1 1 8.3 9.9A4.7 4.7 0 1 1 15.7 9.9A4.7 4.7 0 1 1 17.4 19"
        "C15.6 19 14 17.9 13.1 16C13.2 19 13.9 21 15.4 22.5H8.6C10.1 21 10.8 19 10.9 16Z"
    ),
    "diamond": "M12 1.5C14 5 17 9 20 12C17 15 14 19 12 22.5C10 19 7 15 4 12C7 9 10 5 12 1.5Z",
    "heart": (
        "M12 21.5C5 16 2 12.6 2 8.6C2 5.4 4.4 3 7.4 3C9.3 3 11 4 12 5.6C13 4 14.7 3 16.6 3C19.6 3 22 5.4 22 8.6"
        "C22 12.6 19 16 12 21.5Z"
    ),
    "spade": (
        "M12 1.5C17 6.5 21.5 10 21.5 14.2C21.5 17 19.6 18.8 17.2 18.8C15.4 18.8 13.9 17.9 13.1 16.5"
        "C13.2 19 13.9 21 15.4 22.5H8.6C10.1 21 10.8 19 10.9 16.5C10.1 17.9 8.6 18.8 6.8 18.8C4.4 18.8 2.5 17 2.5 14.2"
        "C2.5 10 7 6.5 12 1.5Z"
    ),
}
"""SVG paths of the four suits, each in a square with sides of 24 units."""

_SUITS: Final = tuple(SYMBOLS)
_RANKS: Final = (*"23456789", "10", *"JQKA")
_CARD: Final = (56.0, 80.0)
_PLAYED: Final = 100.0
_LANE: Final = 132.0


def draw(
    what: WarView | WarState, names: Sequence[str] = (), rules: War | None = None, *, say: Translate = english
) -> str:
    """Draw the picture as an SVG document.

    Args:
        what: the view or state to draw. A view gives the same picture as its state, since no one sees a draw pile or a
            face-down card.
        names: names of the seats. A missing name is shown as "Seat 1" or "Seat 2". If only one name is given, the seat
            whose name is missing or "" is empty, and the headline before the deal is "Waiting for players".
        rules: the rules, for the text description.
        say: the translation of the text.
    """
    view = view_of(what, None) if isinstance(what, WarState) else what
    pending = "" if view.due != "deal" or view.rounds else waiting(names, 2, say)
    names = display_names(names, 2, say)
    title, *how = (pending,) if pending else _status_text(view, names, say)
    playing = any(view.table) or not view.log
    during = playing and view.due != "over"
    round_ = say("round {number}" if during else "after round {number}", number=view.rounds + during)
    wars = count_text(view.wars, "{count} war so far", "{count} wars so far", say)
    beneath = " · ".join([say("War"), round_, *how, wars])
    lanes = [_lane(view, seat, names[seat], say) for seat in (0, 1)]
    description = draw_text(view, tuple(names), rules=rules or War(), say=say)
    return page(title, description, [stack([title_block(title, beneath), *lanes], 10)], SYMBOLS)


def _status_text(view: WarView, names: Sequence[str], say: Translate) -> tuple[str, ...]:
    """Return the headline, and details to append to the line below it."""
    match view.due:
        case "over" if view.by == "draw":
            return (say("The game is a draw"),)
        case "over":
            how = {"all cards": "with all the cards", "cap": "with the larger pile", "sudden death": "in sudden death"}
            return say("{name} wins the game", name=names[_winner(view)]), say(how[view.by])
        case "deal":
            return (say("The deck is dealt again" if view.rounds else "The cards are about to be dealt"),)
        case "reshuffle":
            return (say("Both draw piles are reshuffled"),)
    turned = view.turned or (view.log[-1] if view.log else ())
    if not turned:
        return (say("Both turn up their top card"),)
    first, other = turned[-2:]
    if first >> 2 == other >> 2:
        return (say("War! {one} against {other}", one=_RANKS[first >> 2], other=_RANKS[other >> 2]),)
    rank = named(max(first, other)).removeprefix("the ").split()[0]
    return (say("{name}'s {rank} takes it all", name=names[0 if first > other else 1], rank=say(rank)),)


def _winner(view: WarView) -> Seat:
    return 0 if len(view.draw[0]) > len(view.draw[1]) else 1


def _lane(view: WarView, seat: Seat, name: str, say: Translate) -> Block:
    count = len(view.draw[seat])
    cards = count_text(count, "{count} card in the pile", "{count} cards in the pile", say)
    width = WIDTH - 28 - text_width(cards, "plain") - 10
    won = view.due == "over" and view.by != "draw" and seat == _winner(view)
    body = box(0, 0, WIDTH, _LANE, "lane ring" if won else "lane", radius=13)
    body += text(14, 25, fit(name, width, "name"), "name")
    body += text(WIDTH - 14, 25, cards, "plain", tone="soft", anchor="end")
    body += move(14, 40, _pile(count))
    turned = view.turned[seat::2]
    played: list[Card | None] = [card_ if card_ in turned else None for card_ in view.table[seat]]
    if played:
        return Block(_LANE, body + move(_PLAYED, 40, _spread(played, ringed=True)))
    if view.log and view.due != "deal":
        last: list[Card | None] = list(view.log[-1][seat::2])
        body += move(_PLAYED, 40, f'<g class="fu-past">{_spread(last)}</g>')
        step = _step(len(last))
        x = _PLAYED + step * (len(last) - 1) + _CARD[0] + 12
        if x < WIDTH - 90:
            body += text(x, 84, say("last round"), "tiny", tone="soft")
    else:
        body += move(_PLAYED, 40, slot(0, 0, *_CARD))
    return Block(_LANE, body)


def _pile(count: int) -> str:
    """Draw a draw pile, thicker with more cards."""
    if not count:
        return slot(0, 0, *_CARD)
    layers = min(4, 1 + count // 8)
    return "".join(draw_back(1.6 * layer, -1.6 * layer) for layer in range(layers))


def _spread(cards: Sequence[Card | None], *, ringed: bool = False) -> str:
    """Draw cards side by side, overlapping if there are many. With `ringed`, a ring marks the last card."""
    step, last = _step(len(cards)), len(cards) - 1
    return "".join(
        draw_back(step * place, 0) if card_ is None else draw_face(step * place, card_, ringed=ringed and place == last)
        for place, card_ in enumerate(cards)
    )


def _step(count: int) -> float:
    """Return the distance from one card to the next; it is less than a card if there is too little room."""
    room = WIDTH - 14 - _PLAYED - _CARD[0]
    full = _CARD[0] + 7
    return full if full * (count - 1) <= room else min(0.7 * _CARD[0], room / (count - 1))


def draw_back(x: float, y: float) -> str:
    """Draw a card face down."""
    return back(x, y, _CARD, "blue-back", "spade")


def draw_face(x: float, card_: Card, *, ringed: bool = False) -> str:
    """Draw a card face up."""
    suit = card_ & 3
    tone = "five" if suit in {1, 2} else "print"
    name = _SUITS[suit]
    return (
        card(x, 0, *_CARD, ringed=ringed)
        + text(x + 6, 25, _RANKS[card_ >> 2], "figure", tone=tone, size=22)
        + icon(name, x + 6.5, 31, 12, tone)
        + icon(name, x + 20, 41, 31, tone)
    )

"""Draw a view or state of 6 nimmt! as SVG: headline, rows, revealed cards, seats and hands.

A picture shows only what its input contains, so a view shows at most one hand, and a state shows all hands. The card
design and the bull's head are original to this project.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from faceup.core.values import CHANCE, Seat
from faceup.games.nimmt.card_outcomes import CardOutcome, card_outcomes
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.rules import Rules, final_ranks
from faceup.games.nimmt.state import State, View, shared_fields
from faceup.games.nimmt.view_text import draw_text
from faceup.games.svg import (
    WIDTH,
    Block,
    Chip,
    Translate,
    back,
    box,
    card,
    count_text,
    display_names,
    english,
    fit,
    grid,
    heading,
    icon,
    join_names,
    move,
    page,
    path,
    seat_chips,
    slot,
    stack,
    text,
    title_block,
    waiting,
)

BULL: Final = (
    "M4.6 1.6C1.2 2.9.6 7.3 3.6 8.9C4.5 9.4 5.5 9.6 6.5 9.5C5.3 10.1 3.4 10.2 2.1 11.2C2.6 13.6 4.6 14.6 6.7 13.9"
    "C6.9 15.6 7.2 16.6 7.2 17.8C7.2 21 9 22.6 12 22.6C15 22.6 16.8 21 16.8 17.8C16.8 16.6 17.1 15.6 17.3 13.9"
    "C19.4 14.6 21.4 13.6 21.9 11.2C20.6 10.2 18.7 10.1 17.5 9.5C18.5 9.6 19.5 9.4 20.4 8.9C23.4 7.3 22.8 2.9 19.4 1.6"
    "C20.8 3.6 20.4 5.9 18.4 6.3C17.4 6.5 16.4 6.3 15.4 6.2C13.4 5.6 10.6 5.6 8.6 6.2C7.6 6.3 6.6 6.5 5.6 6.3"
    "C3.6 5.9 3.2 3.6 4.6 1.6Z"
    "M9.3 11A1.1 1.1 0 1 0 9.3 13.2A1.1 1.1 0 1 0 9.3 11ZM14.7 11A1.1 1.1 0 1 0 14.7 13.2A1.1 1.1 0 1 0 14.7 11Z"
    "M10.2 18.1A.95.95 0 1 0 10.2 20A.95.95 0 1 0 10.2 18.1ZM13.8 18.1A.95.95 0 1 0 13.8 20A.95.95 0 1 0 13.8 18.1Z"
)
"""A bull's head in a square of 24."""

SYMBOLS: Final = {"bull": BULL}
"""Symbols that `draw_card` and `draw_back` need on their page."""

CARD: Final = (57.0, 76.0)
"""Size of a card on the table: the page's 90 by 120, scaled."""

SMALL: Final = (35.0, 46.0)
"""Size of a card in an open hand."""

_TONES: Final = {1: "one", 2: "two", 3: "three", 5: "five", 7: "seven"}
# The band of a card is coloured if the card has several heads, and pale if it has one.
_BANDS: Final = {**_TONES, 1: "pale"}


# For each number of heads, the upper edge of the band on a card of 90 by 120, the number of heads in each line of the
# band, and the size of a head. The page draws its cards in the same way (`web/art/nimmt-card.js`).
_LOOKS: Final[Mapping[int, tuple[str, tuple[int, ...], float]]] = {
    1: ("M0 93H90", (1,), 19),
    2: ("M0 93Q45 78 90 93", (2,), 20),
    3: ("M0 90q15-14 30 0q15-14 30 0q15-14 30 0", (3,), 20),
    5: ("M0 88l9-9 9 9 9-9 9 9 9-9 9 9 9-9 9 9 9-9 9 9", (3, 2), 15.5),
    7: (
        "M0 86q7-3 9-13 5 6 9 13 7-6 9-17 6 7 9 17 6-8 9-21 5 9 9 21 5-8 9-17 5 9 9 17 5-7 9-13 2 9 9 13",
        (4, 3),
        15,
    ),
}


def draw_card(x: float, y: float, number: Card, *, ringed: bool = False) -> str:
    """Draw a card face up: its number, and one bull for each head on a band whose shape depends on their number."""
    heads = HEADS[number]
    edge, lines, size = _LOOKS[heads]
    scale = CARD[0] / 90
    upon = "bulls" if heads == 1 else "face"
    top = 104.5 - len(lines) * size / 2
    bulls = "".join(
        icon("bull", (45 + (place - count / 2) * size) * scale, (top + line * size) * scale, size * 0.96 * scale, upon)
        for line, count in enumerate(lines)
        for place in range(count)
    )
    drawn = (
        card(0, 0, *CARD, ringed=ringed)
        + icon("bull", 11 * scale, 8 * scale, 68.4 * scale, f"{_TONES[heads]} fu-ghost")
        + path(_scaled(f"{edge}V110q0 10-10 10H10q-10 0-10-10Z", scale), _BANDS[heads])
        + text(CARD[0] / 2, 40, str(number), "figure", tone=_TONES[heads], anchor="middle", size=_figure_size(number))
        + bulls
    )
    return move(x, y, drawn)


def _figure_size(number: Card) -> float:
    """Return the font size of a number that fits the width of a card."""
    return 31 if number < 100 else 27


def _scaled(data: str, scale: float) -> str:
    """Return a path with all coordinates scaled."""
    return re.sub(r"-?[\d.]+", lambda match: f" {float(match[0]) * scale:.4g}", data)


def draw_small(x: float, y: float, number: Card) -> str:
    """Draw a small card: its number, and its heads as a numeral next to one bull's head."""
    width, height = SMALL
    heads = HEADS[number]
    tone = _TONES[heads]
    upon = "bulls" if heads == 1 else "face"
    band = 17.0
    top = y + height - band
    return (
        card(x, y, width, height)
        + _band(x, top, width, band, _BANDS[heads])
        + text(x + width / 2, y + 21, str(number), "name", tone=tone, anchor="middle", size=17)
        + text(x + width / 2 - 2, top + 12.8, str(heads), "tiny", tone=upon, anchor="end")
        + icon("bull", x + width / 2, top + 2.5, 12, upon)
    )


def draw_back(x: float, y: float) -> str:
    """Draw a card face down."""
    return back(x, y, CARD, "red-back", "bull")


def _band(x: float, y: float, width: float, height: float, tone: str) -> str:
    """Draw a band across the lower end of a card."""
    r = width / 8
    corners = f"a{r:g} {r:g} 0 0 1 {-r:g} {r:g}h{2 * r - width:g}a{r:g} {r:g} 0 0 1 {-r:g} {-r:g}z"
    return path(f"M{x:g} {y:g}h{width:g}v{height - r:g}{corners}", tone)


_LANE: Final = 5
_GAP: Final = 7.0
_LABEL: Final = 37.0


def draw(
    what: View | State,
    names: Sequence[str] = (),
    rules: Rules | None = None,
    *,
    wide: bool = False,
    say: Translate = english,
) -> str:
    """Draw the picture as an SVG document.

    Args:
        what: the view or state to draw; a state shows every hand.
        names: names of the seats; seats without a name, or with the name "", are called "Seat 1" and so on. If some
            seats have a name and others do not, the headline before the first deal is "Waiting for players".
        rules: the rules, which give the size of a row and the number of turns in a deal.
        wide: whether to draw two columns for a desktop, rather than one column for a phone. Two columns show the cards
            taken only when the deal is over.
        say: the translation of the text.
    """
    view, hands = _open(what, rules)
    pending = waiting(names, len(view.heads), say)
    names = display_names(names, len(view.heads), say)
    title, beneath = _headline(view, names, rules, pending, say)
    top, played, rows = title_block(title, beneath), _played(view, names, say), _rows(view, rules, say)
    seats = heading(say("Heads"), seat_chips(_chips(view, names, say)))
    open_hands = _hands(view, hands, names, rules, say)
    if view.rows and not any(view.sizes):
        left, right = [top, seats, _taken(view, names, say)], [played, rows]
    else:
        left, right = [top, rows], [seats, open_hands] if isinstance(what, State) else [open_hands, seats]
        # On a desktop, the revealed cards are next to the rows; on a phone, they are above the rows.
        if wide:
            right.insert(0, played)
        else:
            left.insert(1, played)
            right.append(_taken(view, names, say))
    columns = [left, right] if wide else [left + right]
    stacks = [stack([block for block in column if block.height]) for column in columns]
    description = [draw_text(view, names, rules, say=say)]
    for seat, hand in hands.items():
        if seat != view.seat:
            owner = say("{name}'s hand", name=names[seat])
            description.append(f"{owner}: {' '.join(map(str, hand))}")
    return page(title, "\n".join(description), stacks, SYMBOLS)


def _open(what: View | State, rules: Rules | None) -> tuple[View, Mapping[Seat, Row]]:
    """Return the view to draw, and the hands that are visible in it."""
    if isinstance(what, View):
        return what, {} if what.seat is None or not what.hand else {what.seat: what.hand}
    hands = {seat: hand for seat, hand in enumerate(what.hands) if hand}
    if rules is not None:
        return rules.view(what, None), hands
    # Without the rules it is unknown whether another deal follows, so assume that one does.
    to_act = (what.waiting[0][1],) if what.waiting else tuple(hands) or (CHANCE,)
    sizes = tuple(map(len, what.hands))
    return View(seat=None, to_act=to_act, legal=(), hand=(), sizes=sizes, **shared_fields(what)), hands


def _headline(view: View, names: Sequence[str], rules: Rules | None, pending: str, say: Translate) -> tuple[str, str]:
    out = {seat for group in view.out for seat in group}
    sizes = [size for seat, size in enumerate(view.sizes) if seat not in out]
    where = [say("6 nimmt!")]
    if not view.to_act:
        winners = [seat for seat, place in enumerate(final_ranks(view.heads, view.out)) if place == 1]
        text = "{names} wins" if len(winners) == 1 else "{names} share the win"
        title = say(text, names=join_names([names[seat] for seat in winners], say))
        where.append(count_text(view.heads[winners[0]], "with {count} head", "with {count} heads", say))
        return title, " · ".join(where)
    if not view.rows:
        where.append(count_text(len(view.heads), "{count} seat", "{count} seats", say))
        where += [say("{count} cards", count=rules.cards)] if rules else []
        return pending or say("The cards are about to be dealt"), " · ".join(where)
    done = view.to_act == (CHANCE,)
    where.append(say("deal {number}", number=len(view.earlier) + (not done)))
    if rules and sizes and not done:
        turn = rules.hand - max(sizes) + (not view.waiting)
        where.append(say("turn {number} of {count}", number=turn, count=rules.hand))
    if done:
        return say("The deal is over"), " · ".join(where)
    if view.waiting:
        card, seat = view.waiting[0]
        where.append(say("{name} takes one", name=names[seat]))
        return say("{name}'s {card} is below every row", name=names[seat], card=card), " · ".join(where)
    where.append(say("everyone chooses"))
    last = card_outcomes(view)
    took = [outcome for outcome in last if outcome.kind == "took"]
    if took:
        takers = [
            say(
                "{name} row {row}" if index else "{name} takes row {row}", name=names[outcome.seat], row=outcome.row + 1
            )
            for index, outcome in enumerate(took)
        ]
        return join_names(takers, say), " · ".join(where)
    if last and all(outcome.kind == "fits" for outcome in last):
        return say("Every card fits"), " · ".join(where)
    return say("Everyone chooses a card"), " · ".join(where[:-1])


def _played(view: View, names: Sequence[str], say: Translate) -> Block:
    """Draw the revealed cards, large, while they wait to be placed; otherwise the cards of the last turn, small."""
    last = card_outcomes(view)
    if not last:
        return Block(0, "")
    if view.waiting:
        columns = min(_LANE, len(last))
        step, height = WIDTH / columns, CARD[1] + 46
        body = grid([_waiting(outcome, names, step, say) for outcome in last], columns, step, height)
        return heading(say("Face up, lowest first"), Block((len(last) + columns - 1) // columns * height - 12, body))
    columns = 2 if len(last) in {2, 4} else 3
    step, height = WIDTH / columns, SMALL[1] + 10
    body = grid([_placed(outcome, names, step, say) for outcome in last], columns, step, height)
    return heading(say("Last turn, lowest first"), Block((len(last) + columns - 1) // columns * height - 10, body))


def _placed(outcome: CardOutcome, names: Sequence[str], width: float, say: Translate) -> str:
    x, width = SMALL[0] + 10, width - SMALL[0] - 14
    return (
        draw_small(0, 0, outcome.card)
        + text(x, 20, fit(names[outcome.seat], width, "name"), "name")
        + text(x, 37, fit(_describe_outcome(outcome, names, say), width, "tiny"), "tiny", tone=_tone(outcome))
    )


def _waiting(outcome: CardOutcome, names: Sequence[str], width: float, say: Translate) -> str:
    x, words = width / 2, fit(_describe_outcome(outcome, names, say), width, "tiny")
    return (
        draw_card((width - CARD[0]) / 2, 0, outcome.card, ringed=outcome.kind == "low")
        + text(x, CARD[1] + 18, fit(names[outcome.seat], width - 4, "plain"), "plain", anchor="middle")
        + text(x, CARD[1] + 33, words, "tiny", tone=_tone(outcome), anchor="middle")
    )


def _describe_outcome(outcome: CardOutcome, names: Sequence[str], say: Translate) -> str:
    match outcome.kind:
        case "fits":
            return say("to row {row}", row=outcome.row + 1)
        case "took":
            return say("takes row {row}", row=outcome.row + 1)
        case "low":
            return say("takes a row")
        case "waits":
            return say("waits")
        case "swept":
            return say("goes to {name}", name=names[outcome.by])
    return say("set aside")


def _tone(outcome: CardOutcome) -> str:
    return {"took": "warn", "low": "accent"}.get(outcome.kind, "soft")


def _rows(view: View, rules: Rules | None, say: Translate) -> Block:
    capacity = rules.capacity if rules else 5
    slots = max([capacity, *map(len, view.rows)])
    new = {outcome.card for outcome in card_outcomes(view)}
    rows = view.rows or ((),) * (rules.rows if rules else 4)
    lanes = [
        _lane(index, row, slots, new, say, full=len(row) >= capacity and any(view.sizes))
        for index, row in enumerate(rows)
    ]
    if view.rows:
        return stack(lanes, 8)
    deck = "".join(draw_back(5 + 2.5 * layer, 5 - 2.5 * layer) for layer in range(3))
    count = text(82, 42, say("{count} cards", count=rules.cards) if rules else say("The deck"), "figure") + text(
        82, 62, say("shuffled, face down"), "plain", tone="soft"
    )
    return stack([Block(CARD[1] + 10, deck + count), *lanes], 8)


def _lane(index: int, row: Row, slots: int, new: set[Card], say: Translate, *, full: bool) -> Block:
    lines = (slots + _LANE - 1) // _LANE
    width, height = CARD
    tall = lines * (height + _GAP) - _GAP + 16
    middle = tall / 2
    body = box(0, 0, WIDTH, tall, "lane alarm" if full else "lane", radius=13)
    body += text(_LABEL / 2, middle - 11, say("row"), "tiny", tone="soft", anchor="middle")
    body += text(_LABEL / 2, middle + 12, str(index + 1), "figure", tone="soft", anchor="middle")
    for place in range(slots):
        x, y = _LABEL + place % _LANE * (width + _GAP), 8 + place // _LANE * (height + _GAP)
        body += draw_card(x, y, row[place], ringed=row[place] in new) if place < len(row) else slot(x, y, width, height)
    x = WIDTH - 21.5
    if row:
        body += text(x, middle + 1, str(total(row)), "figure", anchor="middle", tone="warn" if full else "ink")
        body += icon("bull", x - 8, middle + 7, 16, "soft")
    if full:
        body += text(x, middle - 21, say("full"), "label", tone="warn", anchor="middle")
    return Block(tall, body)


def _chips(view: View, names: Sequence[str], say: Translate) -> list[Chip]:
    standing = final_ranks(view.heads, view.out)
    out = {seat for group in view.out for seat in group}
    awaited = {seat for _, seat in view.waiting[:1]}
    seats = []
    for seat, heads in enumerate(view.heads):
        note, look = count_text(view.sizes[seat], "{count} card", "{count} cards", say), "plain"
        if not view.to_act:
            note = say("{ordinal} place", ordinal=_PLACES[standing[seat] - 1], place=standing[seat])
            look = "marked" if standing[seat] == 1 else "plain"
        elif seat in awaited:
            note, look = say("takes a row"), "marked"
        if seat in out:
            note, look = say("out"), "faded"
        if not view.rows:
            note = say("no cards yet")
        seats.append(Chip(names[seat], note, str(heads), "bull", look))
    order = range(len(seats)) if view.to_act else sorted(range(len(seats)), key=standing.__getitem__)
    return [seats[seat] for seat in order]


_PLACES: Final = ("1st", "2nd", "3rd", *(f"{place}th" for place in range(4, 11)))


def _hands(view: View, hands: Mapping[Seat, Row], names: Sequence[str], rules: Rules | None, say: Translate) -> Block:
    if view.seat is not None and view.seat in hands:
        hand = hands[view.seat]
        columns = (len(hand) + 1) // 2 if len(hand) > 6 else len(hand)
        step, height = CARD[0] + 10.4, CARD[1] + 10
        body = "".join(
            draw_card(index % columns * step, index // columns * height, card) for index, card in enumerate(hand)
        )
        return heading(
            say("{name}'s hand", name=names[view.seat]), Block((2 if len(hand) > 6 else 1) * height - 10, body)
        )
    blocks = [heading(say("{name}'s hand", name=names[seat]), _small(hand)) for seat, hand in hands.items()]
    unseen = rules.cards - rules.dealt if rules and view.opening else 0
    if blocks and unseen:
        several = "{count} cards stay in the deck, unseen."
        note = count_text(unseen, "{count} card stays in the deck, unseen.", several, say)
        blocks.append(Block(14, text(0, 10, note, "plain", tone="soft")))
    return stack(blocks, 14)


def _taken(view: View, names: Sequence[str], say: Translate) -> Block:
    """Draw the cards each seat took."""
    taken = [(names[seat], cards) for seat, cards in enumerate(view.taken) if cards]
    return stack(
        [
            heading(
                count_text(total(cards), "{name} took {count} head", "{name} took {count} heads", say, name=name),
                _small(cards),
            )
            for name, cards in taken
        ],
        14,
    )


def _small(cards: Row) -> Block:
    """Draw small cards, ten to a line."""
    width, height = SMALL
    step = (WIDTH - width) / 9
    body = "".join(draw_small(index % 10 * step, index // 10 * (height + 6), card) for index, card in enumerate(cards))
    return Block((len(cards) + 9) // 10 * (height + 6) - 6, body)

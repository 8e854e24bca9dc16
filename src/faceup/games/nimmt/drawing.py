"""A view of 6 nimmt!, or a whole state, as a picture: what is going on, the rows, the cards turned up, seats and hands.

Nothing is drawn that is not in what is given: a view's picture shows one hand, a state's own picture shows them all.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from faceup.core.values import CHANCE, Seat, places
from faceup.games.nimmt.art import CARD, SMALL, SYMBOLS, draw_back, draw_card, draw_small
from faceup.games.nimmt.cards import Card, Row, total
from faceup.games.nimmt.fates import Fate, fates
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State, View
from faceup.games.nimmt.text import draw_text
from faceup.games.panels import Chip, called, chips, heading, headline, listed
from faceup.games.svg import WIDTH, Block, box, fit, icon, move, page, slot, stack, text

_LANE: Final = 5
_GAP: Final = 7.0
_LABEL: Final = 37.0


def draw(what: View | State, names: Sequence[str] = (), rules: Rules | None = None, *, wide: bool = False) -> str:
    """The picture as an SVG document.

    Args:
        what: whose eyes it is seen with; a state shows every hand.
        names: of the seats; "Seat 0" and so on where they are missing.
        rules: for what the view does not say: how many cards fill a row, and how many turns a deal has.
        wide: two columns, for a desk, in which the cards taken are left out until the deal is over; else one, for a
            phone.
    """
    view, hands = _open(what, rules)
    names = called(names, len(view.heads))
    says, beneath = _headline(view, names, rules)
    top, played, rows = headline(says, beneath), _played(view, names), _rows(view, rules)
    seats, open_hands = heading("Heads", chips(_chips(view, names))), _hands(view, hands, names, rules)
    if view.rows and not any(view.sizes):
        left, right = [top, seats, _taken(view, names)], [played, rows]
    else:
        left, right = [top, rows], [seats, open_hands] if isinstance(what, State) else [open_hands, seats]
        # On a desk the cards turned up stand beside the rows that they go to; on a phone, above them.
        if wide:
            right.insert(0, played)
        else:
            left.insert(1, played)
            right.append(_taken(view, names))
    columns = [left, right] if wide else [left + right]
    stacks = [stack([block for block in column if block.height]) for column in columns]
    told = [draw_text(view, names, rules)]
    told += [f"{names[seat]}'s hand: {' '.join(map(str, hand))}" for seat, hand in hands.items() if seat != view.seat]
    return page(says, "\n".join(told), stacks, SYMBOLS)


def _open(what: View | State, rules: Rules | None) -> tuple[View, Mapping[Seat, Row]]:
    """What is seen, and the hands that are open to it."""
    if isinstance(what, View):
        return what, {} if what.seat is None or not what.hand else {what.seat: what.hand}
    hands = {seat: hand for seat, hand in enumerate(what.hands) if hand}
    if rules is not None:
        return rules.view(what, None), hands
    # Without the rules nobody can say whether another deal follows.
    to_act = (what.waiting[0][1],) if what.waiting else tuple(hands) or (CHANCE,)
    return View(
        seat=None, to_act=to_act, legal=(), hand=(), sizes=tuple(map(len, what.hands)), rows=what.rows,
        taken=what.taken, heads=what.heads, waiting=what.waiting, out=what.out, aside=what.aside,
        earlier=what.earlier, opening=what.opening, log=what.log,
    ), hands  # fmt: skip


def _headline(view: View, names: Sequence[str], rules: Rules | None) -> tuple[str, str]:
    out = {seat for group in view.out for seat in group}
    sizes = [size for seat, size in enumerate(view.sizes) if seat not in out]
    where = ["6 nimmt!"]
    if not view.to_act:
        winners = [seat for seat, place in enumerate(_places(view)) if place == 1]
        says = f"{listed([names[seat] for seat in winners])} {'wins' if len(winners) == 1 else 'share the win'}"
        count = view.heads[winners[0]]
        where.append("with 1 head" if count == 1 else f"with {count} heads")
        return says, " · ".join(where)
    if not view.rows:
        where += [f"{len(view.heads)} seats"] + ([f"{rules.cards} cards"] if rules else [])
        return "The cards are about to be dealt", " · ".join(where)
    done = view.to_act == (CHANCE,)
    where.append(f"deal {len(view.earlier) + (not done)}")
    if rules and sizes and not done:
        where.append(f"turn {rules.hand - max(sizes) + (not view.waiting)} of {rules.hand}")
    if done:
        return "The deal is over", " · ".join(where)
    if view.waiting:
        card, seat = view.waiting[0]
        where.append(f"{names[seat]} takes one")
        return f"{names[seat]}'s {card} is below every row", " · ".join(where)
    where.append("everyone chooses")
    last = fates(view)
    took = [fate for fate in last if fate.kind == "took"]
    if took:
        takers = [f"{names[fate.seat]} {'' if index else 'takes '}row {fate.row}" for index, fate in enumerate(took)]
        return listed(takers), " · ".join(where)
    if last and all(fate.kind == "fits" for fate in last):
        return "Every card fits", " · ".join(where)
    return "Everyone chooses a card", " · ".join(where[:-1])


def _places(view: View) -> tuple[int, ...]:
    keys = [(0, heads) for heads in view.heads]
    for order, group in enumerate(view.out):
        for seat in group:
            keys[seat] = (len(view.out) - order, 0)
    return places(keys)


def _played(view: View, names: Sequence[str]) -> Block:
    """The cards of this turn while they wait, large; those of the last turn, in small, with what became of them."""
    last = fates(view)
    if not last:
        return Block(0, "")
    if view.waiting:
        columns = min(_LANE, len(last))
        step, height = WIDTH / columns, CARD[1] + 46
        body = "".join(
            move(index % columns * step, index // columns * height, _waiting(fate, names, step))
            for index, fate in enumerate(last)
        )
        return heading("Face up, lowest first", Block((len(last) + columns - 1) // columns * height - 12, body))
    columns = 2 if len(last) in {2, 4} else 3
    step, height = WIDTH / columns, SMALL[1] + 10
    body = "".join(
        move(
            index % columns * step,
            index // columns * height,
            draw_small(0, 0, fate.card)
            + text(SMALL[0] + 10, 20, fit(names[fate.seat], step - SMALL[0] - 14, "name"), "name")
            + text(
                SMALL[0] + 10, 37, fit(_became(fate, names), step - SMALL[0] - 14, "tiny"), "tiny", tone=_tone(fate)
            ),
        )
        for index, fate in enumerate(last)
    )
    return heading("Last turn, lowest first", Block((len(last) + columns - 1) // columns * height - 10, body))


def _waiting(fate: Fate, names: Sequence[str], width: float) -> str:
    return (
        draw_card((width - CARD[0]) / 2, 0, fate.card, ringed=fate.kind == "low")
        + text(width / 2, CARD[1] + 18, fit(names[fate.seat], width - 4, "plain"), "plain", anchor="middle")
        + text(
            width / 2, CARD[1] + 33, fit(_became(fate, names), width, "tiny"), "tiny", tone=_tone(fate), anchor="middle"
        )
    )


def _became(fate: Fate, names: Sequence[str]) -> str:
    match fate.kind:
        case "fits":
            return f"to row {fate.row}"
        case "took":
            return f"takes row {fate.row}"
        case "low":
            return "takes a row"
        case "waits":
            return "waits"
        case "swept":
            return f"goes to {names[fate.by]}"
    return "set aside"


def _tone(fate: Fate) -> str:
    return {"took": "warn", "low": "accent"}.get(fate.kind, "soft")


def _rows(view: View, rules: Rules | None) -> Block:
    capacity = rules.capacity if rules else 5
    slots = max([capacity, *map(len, view.rows)])
    new = {fate.card for fate in fates(view)}
    rows = view.rows or ((),) * (rules.rows if rules else 4)
    lanes = [
        _lane(index, row, slots, new, full=len(row) >= capacity and any(view.sizes)) for index, row in enumerate(rows)
    ]
    if view.rows:
        return stack(lanes, 8)
    deck = "".join(draw_back(5 + 2.5 * layer, 5 - 2.5 * layer) for layer in range(3))
    count = text(82, 42, f"{rules.cards} cards" if rules else "The deck", "figure") + text(
        82, 62, "shuffled, face down", "plain", tone="soft"
    )
    return stack([Block(CARD[1] + 10, deck + count), *lanes], 8)


def _lane(index: int, row: Row, slots: int, new: set[Card], *, full: bool) -> Block:
    lines = (slots + _LANE - 1) // _LANE
    width, height = CARD
    tall = lines * (height + _GAP) - _GAP + 16
    middle = tall / 2
    body = box(0, 0, WIDTH, tall, "lane alarm" if full else "lane", radius=13)
    body += text(_LABEL / 2, middle - 11, "row", "tiny", tone="soft", anchor="middle")
    body += text(_LABEL / 2, middle + 12, str(index), "figure", tone="soft", anchor="middle")
    for place in range(slots):
        x, y = _LABEL + place % _LANE * (width + _GAP), 8 + place // _LANE * (height + _GAP)
        body += draw_card(x, y, row[place], ringed=row[place] in new) if place < len(row) else slot(x, y, width, height)
    x = WIDTH - 21.5
    if row:
        body += text(x, middle + 1, str(total(row)), "figure", anchor="middle", tone="warn" if full else "ink")
        body += icon("bull", x - 8, middle + 7, 16, "soft")
    if full:
        body += text(x, middle - 21, "full", "label", tone="warn", anchor="middle")
    return Block(tall, body)


def _chips(view: View, names: Sequence[str]) -> list[Chip]:
    standing = _places(view)
    out = {seat for group in view.out for seat in group}
    awaited = {seat for _, seat in view.waiting[:1]}
    seats = []
    for seat, heads in enumerate(view.heads):
        note, look = ("1 card" if view.sizes[seat] == 1 else f"{view.sizes[seat]} cards"), "plain"
        if not view.to_act:
            note = _PLACES[standing[seat] - 1] + " place"
            look = "marked" if standing[seat] == 1 else "plain"
        elif seat in awaited:
            note, look = "takes a row", "marked"
        if seat in out:
            note, look = "out", "faded"
        if not view.rows:
            note = "no cards yet"
        seats.append(Chip(names[seat], note, str(heads), "bull", look))
    order = range(len(seats)) if view.to_act else sorted(range(len(seats)), key=standing.__getitem__)
    return [seats[seat] for seat in order]


_PLACES: Final = ("1st", "2nd", "3rd", *(f"{place}th" for place in range(4, 11)))


def _hands(view: View, hands: Mapping[Seat, Row], names: Sequence[str], rules: Rules | None) -> Block:
    if view.seat is not None and view.seat in hands:
        hand = hands[view.seat]
        columns = (len(hand) + 1) // 2 if len(hand) > 6 else len(hand)
        step, height = CARD[0] + 10.4, CARD[1] + 10
        body = "".join(
            draw_card(index % columns * step, index // columns * height, card) for index, card in enumerate(hand)
        )
        return heading(f"{names[view.seat]}'s hand", Block((2 if len(hand) > 6 else 1) * height - 10, body))
    blocks = [heading(f"{names[seat]}'s hand", _small(hand)) for seat, hand in hands.items()]
    unseen = rules.cards - rules.dealt if rules and view.opening else 0
    if blocks and unseen:
        blocks.append(Block(14, text(0, 10, f"{unseen} cards stay in the deck, unseen.", "plain", tone="soft")))
    return stack(blocks, 14)


def _taken(view: View, names: Sequence[str]) -> Block:
    """What each seat took."""
    return stack(
        [
            heading(f"{names[seat]} took {total(cards)} {'head' if total(cards) == 1 else 'heads'}", _small(cards))
            for seat, cards in enumerate(view.taken)
            if cards
        ],
        14,
    )


def _small(cards: Row) -> Block:
    """Small cards, ten to a line."""
    width, height = SMALL
    step = (WIDTH - width) / 9
    body = "".join(draw_small(index % 10 * step, index // 10 * (height + 6), card) for index, card in enumerate(cards))
    return Block((len(cards) + 9) // 10 * (height + 6) - 6, body)

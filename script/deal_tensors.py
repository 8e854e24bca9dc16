"""Deals of 6 nimmt! as tensors, for training on a CPU or an accelerator.

A lane is one deal. A row is one number: its tail, its length and its heads (`ROW_TAIL`, `ROW_LENGTH`). A seat that must
take a row takes the first of the cheapest. `encode` gives the inputs of `faceup.games.nimmt.batch.network_inputs`.
"""

from functools import cache
from typing import Final, NamedTuple

import torch
from torch import Tensor

from faceup.games.nimmt.batch.network_inputs import CONTEXT, GENERAL, PLANES, ROW
from faceup.games.nimmt.cards import HEADS, MOST_CARDS
from faceup.games.nimmt.parameters import MOST_HAND, MOST_ROWS
from faceup.games.nimmt.rules import Rules

ROW_TAIL: Final = 1 << 16
ROW_LENGTH: Final = 1 << 8
_BUCKET: Final = 13
_GREATEST: Final = 1 << 30


class Lanes(NamedTuple):
    """Deals under the same rules, int64 unless noted.

    Attributes:
        hands: [lanes, seats, MOST_HAND]: the cards of each hand, ascending, then 0.
        rows: [lanes, rows].
        seen: bool [lanes, MOST_CARDS + 1]: which cards have been face up.
        heads: [lanes, seats]: each seat's heads in the match.
        turns: [lanes]: number of finished turns.
        plays: [lanes, MOST_HAND, seats]: the card that each seat played in each turn, or 0.
        tails: [lanes, MOST_HAND, seats]: the tail below this card when the turn began, or 0.
        slots: [lanes, MOST_HAND, seats]: the free places of that row.
    """

    hands: Tensor
    rows: Tensor
    seen: Tensor
    heads: Tensor
    turns: Tensor
    plays: Tensor
    tails: Tensor
    slots: Tensor

    def take(self, lanes: Tensor | slice) -> "Lanes":
        """Return these lanes; those of a slice share memory."""
        return Lanes(*(tensor[lanes] for tensor in self))


class Inputs(NamedTuple):
    """The inputs of the set network for n = lanes * seats positions, lane by lane.

    Attributes:
        context: [n, CONTEXT].
        card: [n, MOST_HAND, CARD].
        seat: [n, seats - 1, SEAT].
        hands: int64 [n, MOST_HAND].
    """

    context: Tensor
    card: Tensor
    seat: Tensor
    hands: Tensor


def deal(rules: Rules, size: int, device: torch.device) -> Lanes:
    """Deal `size` lanes."""
    seats = rules.seats
    cards = torch.rand(size, rules.cards, device=device).argsort(1)[:, : rules.dealt] + 1
    hands = cards.new_zeros(size, seats, MOST_HAND)
    hands[:, :, : rules.hand] = cards[:, : seats * rules.hand].view(size, seats, rules.hand).sort(2)[0]
    opening = cards[:, seats * rules.hand :]
    seen = torch.zeros(size, MOST_CARDS + 1, dtype=torch.bool, device=device).scatter_(1, opening, True)
    nothing = cards.new_zeros(size, MOST_HAND, seats)
    return Lanes(
        hands,
        opening * ROW_TAIL + ROW_LENGTH + heads_of(opening),
        seen,
        cards.new_zeros(size, seats),
        cards.new_zeros(size),
        nothing,
        nothing.clone(),
        nothing.clone(),
    )


@cache
def constant(numbers: tuple[float, ...], device: torch.device) -> Tensor:
    """Return numbers as a tensor that is made once, because a CUDA graph cannot copy from the host."""
    return torch.tensor(numbers, device=device)


@cache
def _triangle(device: torch.device) -> Tensor:
    kind = torch.bfloat16 if device.type == "cuda" else torch.float32
    return torch.ones(MOST_CARDS + 1, MOST_CARDS + 1, dtype=kind, device=device).triu()


def count_up_to(cards: Tensor) -> Tensor:
    """Return the number of cards up to each number, for sets of cards as bool [..., MOST_CARDS + 1].

    A matrix product is faster than a sum, and exact for numbers up to 256.
    """
    triangle = _triangle(cards.device)
    return cards.to(triangle.dtype) @ triangle


def heads_of(cards: Tensor) -> Tensor:
    """Return the heads of cards; 0 for no card."""
    return constant(HEADS, cards.device)[cards]


def place(rules: Rules, rows: Tensor, cards: Tensor) -> tuple[Tensor, Tensor]:
    """Place one card of each seat.

    Args:
        rules: the rules.
        rows: int64 [n, rows].
        cards: int64 [n, seats].

    Returns:
        The new rows, and the heads that each seat takes: int64 [n, seats].
    """
    ascending, order = cards.sort(1)
    own_heads, index = heads_of(ascending), torch.arange(rows.shape[1], device=rows.device)
    gains = []
    for seat in range(cards.shape[1]):
        card = ascending[:, seat : seat + 1] * ROW_TAIL
        under = rows.where(rows < card, -1).amax(1, keepdim=True)
        low = under < 0
        price = rows % ROW_LENGTH * MOST_ROWS + index
        target = torch.where(low, price == price.amin(1, keepdim=True), rows == under)
        row = (rows * target).sum(1, keepdim=True)
        takes = low | (row % ROW_TAIL >= rules.capacity * ROW_LENGTH)
        gains.append(torch.where(takes, row % ROW_LENGTH, 0))
        new = card + ROW_LENGTH + own_heads[:, seat : seat + 1] + torch.where(takes, 0, row % ROW_TAIL)
        rows = torch.where(target, new, rows)
    return rows, torch.zeros_like(cards).scatter_(1, order, torch.cat(gains, 1))


def without(hands: Tensor, cards: Tensor) -> Tensor:
    """Return hands [..., MOST_HAND] without one card each, ascending, then 0."""
    left = torch.where(hands == cards[..., None], 0, hands)
    gap = (hands == cards[..., None]).cumsum(-1)
    later = torch.cat([left[..., 1:], torch.zeros_like(left[..., :1])], -1)
    return torch.where(gap > 0, later, left)


def step(rules: Rules, lanes: Lanes, cards: Tensor) -> None:
    """Reveal and place the cards of all seats, int64 [lanes, seats], in place."""
    rows = lanes.rows[:, None]
    under = torch.where(rows < cards[:, :, None] * ROW_TAIL, rows, 0).amax(2)
    lane = torch.arange(len(cards), device=cards.device)
    lanes.plays[lane, lanes.turns] = cards
    lanes.tails[lane, lanes.turns] = under // ROW_TAIL
    lanes.slots[lane, lanes.turns] = rules.capacity - (under % ROW_TAIL // ROW_LENGTH).clamp(min=1)
    rows, gains = place(rules, lanes.rows, cards)
    lanes.rows.copy_(rows)
    lanes.heads.add_(gains)
    lanes.seen.scatter_(1, cards, True)
    lanes.hands.copy_(without(lanes.hands, cards))
    lanes.turns.add_(1)


def encode(rules: Rules, lanes: Lanes) -> Inputs:
    """Encode the position of every seat of every lane."""
    size, seats = lanes.heads.shape
    hands = lanes.hands
    numbers = torch.arange(MOST_CARDS + 1, device=hands.device)
    own = torch.zeros(size, seats, MOST_CARDS + 1, dtype=torch.bool, device=hands.device).scatter_(2, hands, True)
    own[:, :, 0] = False
    unseen = ((numbers > 0) & (numbers <= rules.cards) & ~lanes.seen)[:, None] & ~own
    rows = lanes.rows.sort(1)[0]
    context = _encode_context(rules, lanes, rows, own, unseen)
    card = _encode_card(rules, lanes, rows, count_up_to(unseen).float(), count_up_to(own).float())
    seat = _encode_seat(lanes)
    n = size * seats
    return Inputs(
        context.view(n, CONTEXT),
        card.view(n, MOST_HAND, -1),
        seat.view(n, seats - 1, -1),
        hands.reshape(n, MOST_HAND),
    )


def _encode_context(rules: Rules, lanes: Lanes, rows: Tensor, own: Tensor, unseen: Tensor) -> Tensor:
    size, seats = lanes.heads.shape
    others, lines = seats - 1, rows.shape[1]
    tails, costs = rows // ROW_TAIL, (rows % ROW_LENGTH).float()
    free = (rules.capacity - rows % ROW_TAIL // ROW_LENGTH).float()
    count, up_to, own_up_to = own.sum(2), count_up_to(unseen).float(), count_up_to(own).float()
    total = up_to[:, :, -1]
    scale = 1 / total.clamp(min=1).float()
    planes = torch.zeros(2, size, MOST_CARDS, device=rows.device)
    planes[0].scatter_(1, tails - 1, 0.2 + free * 0.2)
    planes[1].scatter_(1, tails - 1, costs * 0.1)
    cheapest, dearest = costs.amin(1, keepdim=True), costs.amax(1, keepdim=True)
    ends = torch.cat([tails[:, 1:], torch.full_like(tails[:, :1], MOST_CARDS)], 1)

    def between(cumulative: Tensor) -> Tensor:
        wide = (size, seats, lines)
        upper = cumulative.gather(2, ends[:, None].expand(wide))
        return upper - cumulative.gather(2, tails[:, None].expand(wide))

    gap = between(up_to) * scale[:, :, None]
    same = (size, seats, lines)
    of_rows = [
        torch.ones_like(gap),
        (tails / MOST_CARDS)[:, None].expand(same),
        (free * 0.2)[:, None].expand(same),
        (costs * 0.1)[:, None].expand(same),
        (costs == cheapest)[:, None].expand(same),
        (free == 0)[:, None].expand(same),
        gap,
        between(own_up_to) * 0.2,
        (gap * others / 3).clamp(max=2),
        (gap * others / (free + 1)[:, None]).clamp(max=2),
    ]
    heads = lanes.heads.float()
    mean = (heads.sum(1, keepdim=True) - heads) / others
    apart = torch.eye(seats, dtype=torch.bool, device=rows.device)
    least = heads[:, None].masked_fill(apart, torch.inf).amin(2)
    most = heads[:, None].masked_fill(apart, -torch.inf).amax(2)
    first = tails[:, None, :1].expand(size, seats, 1)
    level = torch.ones_like(mean)
    general = [
        count * 0.1,
        cheapest * 0.1 * level,
        level * ((others - 1) / 8),
        up_to.gather(2, first)[:, :, 0] * scale,
        own_up_to.gather(2, first)[:, :, 0] / count.clamp(min=1),
        dearest * 0.1 * level,
        (free == 0).float().mean(1, keepdim=True) * level,
        total / MOST_CARDS,
        level * (rules.cards / MOST_CARDS),
        others * count * scale,
        level * (rules.capacity * 0.2),
        level * (lines * 0.25),
        ((heads - mean) / 15).clamp(-2, 2),
        ((heads - least) / 15).clamp(-2, 2),
        ((heads - most) / 15).clamp(-2, 2),
        heads < least,
        level * (others == 1),
        count == 1,
        count == 2,
        count == 3,
        level * (others / (4 * lines)),
    ]
    context = torch.zeros(size, seats, CONTEXT, device=rows.device)
    context[:, :, :MOST_CARDS] = unseen[:, :, 1:]
    context[:, :, MOST_CARDS : 2 * MOST_CARDS] = own[:, :, 1:]
    context[:, :, 2 * MOST_CARDS : 3 * MOST_CARDS] = planes[0][:, None]
    context[:, :, 3 * MOST_CARDS : PLANES] = planes[1][:, None]
    context[:, :, PLANES : PLANES + len(general)] = torch.stack([part.float() for part in general], 2)
    first_row = PLANES + GENERAL
    context[:, :, first_row : first_row + lines * ROW] = torch.stack([part.float() for part in of_rows], 3).flatten(2)
    return context


def _encode_card(rules: Rules, lanes: Lanes, rows: Tensor, up_to: Tensor, own_up_to: Tensor) -> Tensor:
    cards, others, lines = lanes.hands, lanes.heads.shape[1] - 1, rows.shape[1]
    count = (cards > 0).sum(2)
    places = torch.arange(MOST_HAND, device=cards.device)
    under, low, row, end = rows_under(rows, cards)
    tail, row_cost = row // ROW_TAIL, (row % ROW_LENGTH).float()
    cheapest = (rows % ROW_LENGTH).amin(1)[:, None, None]
    slots = torch.where(low, 1, rules.capacity - row % ROW_TAIL // ROW_LENGTH)
    paid = torch.where(low, cheapest, row_cost)
    total = up_to[:, :, -1:].clamp(min=1).float()
    at_card, at_tail, at_end = (up_to.gather(2, numbers) for numbers in (cards, tail, end))
    gap = (at_card - at_tail).float()
    share = (gap / total).clamp(max=1)
    certain = share == 1
    ratio = share / (1 - share).masked_fill(certain, 1)
    probability = (1 - share) ** others
    fewer = torch.zeros_like(share)
    first, exact, more, less = (torch.zeros_like(share) for _ in range(4))
    for before in range(others + 1):
        chance = torch.where(certain, float(before == others), probability)
        fewer += chance * (before < slots)
        exact += chance * (slots == before)
        more += chance * (slots + 1 == before)
        less += chance * (slots - 1 == before)
        if before == 0:
            first = chance
        probability = probability * ratio * ((others - before) / (before + 1))
    takes = torch.where(low, first, exact)
    risk = torch.where(low, fewer, 1 - fewer)
    prize = paid * 0.1 + torch.where(low, 0, 0.164 * slots)
    heads = heads_of(cards)
    below = torch.cat([torch.zeros_like(cards[:, :, :1]), cards[:, :, :-1]], 2)
    above = torch.cat([cards[:, :, 1:], torch.zeros_like(cards[:, :, :1])], 2)
    above = above.masked_fill(above == 0, MOST_CARDS)
    own_at_tail, own_at_end = (own_up_to.gather(2, numbers) for numbers in (tail, end))
    features = [
        low,
        risk,
        prize,
        risk * prize,
        torch.where(low, 0, slots * 0.2),
        (gap * others / total / 3).clamp(max=1),
        cards / MOST_CARDS,
        places / count[:, :, None].clamp(min=1),
        heads * 0.2,
        takes,
        takes * prize,
        more,
        less,
        (places - own_at_tail) * 0.2,
        ((cards - tail) / 30).clamp(max=1),
        (under + 1) / lines,
        (at_card - up_to.gather(2, below)) / total * 2,
        (up_to.gather(2, above) - at_card) / total * 2,
        at_card / total,
        ~low & (slots == 0),
        ~low & (slots == 0) & (gap == 0),
        ~low & (others <= slots),
        paid * 0.1,
        ((row_cost + heads) * 0.1).clamp(max=2),
        (places == 0).expand_as(cards),
        places == count[:, :, None] - 1,
        ((at_end - at_card) * others / total / 3).clamp(max=1),
        (own_at_end - places - 1) * 0.2,
    ]
    return torch.stack([part.float() for part in features], 3) * (cards > 0)[..., None]


def rows_under(rows: Tensor, cards: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the row below each card.

    Args:
        rows: int64 [n, rows], ascending.
        cards: int64 [n, seats, MOST_HAND].

    Returns:
        The index of the row, -1 if there is none; whether there is none; the row, or 0; and the next tail, or
        `MOST_CARDS`.
    """
    size, seats, most = cards.shape
    under = (rows[:, None, None] < cards[..., None] * ROW_TAIL).sum(3) - 1
    edged = torch.cat([torch.zeros_like(rows[:, :1]), rows, torch.full_like(rows[:, :1], MOST_CARDS * ROW_TAIL)], 1)
    flat = (under + 1).view(size, seats * most)
    row, after = edged.gather(1, flat), edged.gather(1, flat + 1)
    return under, under < 0, row.view(size, seats, most), (after // ROW_TAIL).view(size, seats, most)


def _encode_seat(lanes: Lanes) -> Tensor:
    size, seats = lanes.heads.shape
    plays, turns = lanes.plays, lanes.turns[:, None]
    played, at_least = plays > 0, lanes.turns.clamp(min=1)[:, None]
    started = (turns > 0).float()
    low, gaps = played & (lanes.tails == 0), ((plays - lanes.tails) / 30).clamp(max=1) * played
    slots = lanes.slots * 0.2 * played
    bucket = torch.where(played, ((plays - 1) // _BUCKET).clamp(max=7), 8)
    buckets = (bucket[..., None] == torch.arange(8, device=plays.device)).sum(1) / 3

    def back(numbers: Tensor, turns_ago: int) -> Tensor:
        place = (turns - turns_ago)[:, None].expand(size, 1, seats)
        return numbers.gather(1, place.clamp(min=0))[:, 0] * (place[:, 0] >= 0)

    heads, level = lanes.heads.float(), torch.ones(size, seats, device=plays.device)
    last = back(plays, 1)
    habits = [
        heads / 20,
        level * started,
        plays.masked_fill(~played, MOST_CARDS + 1).amin(1) / MOST_CARDS * started,
        plays.amax(1) / MOST_CARDS,
        plays.sum(1) / (MOST_CARDS * at_least),
        last / MOST_CARDS,
        heads_of(last) * 0.2,
        turns * 0.1 * level,
        *buckets.unbind(2),
        back(plays, 2) / MOST_CARDS,
        back(plays, 3) / MOST_CARDS,
        low.sum(1) / 3,
        (played & (lanes.tails > 0) & (lanes.slots == 0)).sum(1) / 3,
        gaps.sum(1) / at_least,
        slots.sum(1) / at_least,
        gaps.amax(1),
        back(gaps, 1),
        back(slots, 1),
        back(low, 1),
    ]
    habit = torch.stack([part.float() for part in habits], 2)
    seat = torch.arange(seats, device=plays.device)
    other = (seat[:, None] + seat[1:]) % seats
    other_heads = heads[:, other]
    relative = ((other_heads - heads[:, :, None]) / 15).clamp(-2, 2)
    least = other_heads == other_heads.amin(2, keepdim=True)
    return torch.cat([relative[..., None], least[..., None].float(), habit[:, other]], 3)


def greedy_cards(rules: Rules, lanes: Lanes) -> Tensor:
    """Return the card that `policies.greedy` plays for each seat: int64 [lanes, seats]."""
    rows, cards = lanes.rows.sort(1)[0], lanes.hands
    _, low, row, _ = rows_under(rows, cards)
    cheapest = (rows % ROW_LENGTH).amin(1)[:, None, None]
    full = row % ROW_TAIL >= rules.capacity * ROW_LENGTH
    cost = torch.where(low, cheapest, row % ROW_LENGTH * full)
    key = (cost * ROW_LENGTH + cards - row // ROW_TAIL) * ROW_LENGTH + cards
    return key.masked_fill(cards == 0, _GREATEST).amin(2) % ROW_LENGTH


def holders(lanes: Lanes) -> Tensor:
    """Return who holds each card, from each seat: int64 [lanes * seats, MOST_CARDS]; 0 for no other seat."""
    size, seats, most = lanes.hands.shape
    seat = torch.arange(seats, device=lanes.hands.device)
    owner = torch.full((size, MOST_CARDS + 1), -1, device=seat.device)
    owner.scatter_(1, lanes.hands.flatten(1), seat[:, None].expand(size, seats, most).flatten(1))
    of_card = owner[:, None, 1:]
    return torch.where(of_card < 0, 0, (of_card - seat[:, None]) % seats).view(size * seats, MOST_CARDS)

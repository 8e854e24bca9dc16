"""The inputs of the set network, from observations in the encoding `ids`.

They are those of `faceup.games.nimmt.batch.network_inputs`, which explains the numbers. A position is one seat's
observation, so that nothing hidden can enter the network.
"""

from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from faceup.games.nimmt.batch.network_inputs import CARD, CONTEXT, GENERAL, PLANES, ROW
from faceup.games.nimmt.cards import HEADS, MOST_CARDS
from faceup.games.nimmt.observation import MINE, UNSEEN, ids
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.rules import Rules

_BUCKETS: Final = 8
_BUCKET: Final = 13


class Inputs(NamedTuple):
    """The inputs of the network: float32, and the cards of the hand.

    Attributes:
        context: [CONTEXT].
        card: [MOST_HAND, CARD].
        seat: [seats - 1, SEAT].
        hand: int32 [MOST_HAND]: the cards, ascending, then 0.
    """

    context: Array
    card: Array
    seat: Array
    hand: Array


class _Cards(NamedTuple):
    """What a seat knows about the cards.

    Attributes:
        hand: as in `Inputs`.
        unseen: bool [MOST_CARDS]: which cards are unseen.
        own: bool [MOST_CARDS]: which cards are in the hand.
        up_to: float32 [MOST_CARDS + 1]: the number of unseen cards up to each number.
        own_up_to: likewise for the cards of the hand.
    """

    hand: Array
    unseen: Array
    own: Array
    up_to: Array
    own_up_to: Array


class SortedRows(NamedTuple):
    """The rows by ascending tail, each array [rows].

    Attributes:
        tails: int32: the last card.
        free: int32: the number of cards that fit.
        costs: float32: the heads.
    """

    tails: Array
    free: Array
    costs: Array


def pieces(rules: Rules, seen: Array) -> dict[str, Array]:
    """Return the pieces of an observation in the encoding `ids`, by name, as int32."""
    arrays: dict[str, Array] = {}
    start = 0
    for piece in ids(rules):
        size = 1
        for length in piece.shape:
            size *= length
        arrays[piece.name] = seen[start : start + size].astype(jnp.int32).reshape(piece.shape)
        start += size
    return arrays


def heads_of(cards: Array) -> Array:
    """Return the heads of cards, float32, and 0 for no card."""
    return jnp.array(HEADS, jnp.float32)[cards]


def table_of(rules: Rules, rows: Array) -> SortedRows:
    """Return the table with these cards in its rows: int32 [rows, capacity]."""
    tails = rows.max(axis=1)
    order = jnp.argsort(tails)
    return SortedRows(
        tails[order],
        rules.capacity - (rows > 0).sum(axis=1)[order],
        heads_of(rows).sum(axis=1)[order],
    )


def row_below(table: SortedRows, cards: Array) -> Array:
    """Return the place in the table of the row below each card; -1 for none."""
    return (table.tails < cards[..., None]).sum(axis=-1) - 1


def encode(rules: Rules, seen: Array, before: Array) -> Inputs:
    """Encode the position of a seat that is to choose a card.

    Args:
        rules: the rules.
        seen: its observation.
        before: int32 [seats, hand, 2]: for each card that was played, with seats counted from the observer, the tail
            below it when it was played, or 0, and the number of cards that fitted in this row.
    """
    piece = pieces(rules, seen)
    table = table_of(rules, piece["rows"])
    hand = jnp.zeros(MOST_HAND, jnp.int32).at[: rules.hand].set(piece["hand"])
    nothing = jnp.zeros(1, jnp.int32)
    unseen, own = piece["place"] == UNSEEN, piece["place"] == MINE
    up_to, own_up_to = (
        jnp.concatenate([nothing, jnp.cumsum(flags.astype(jnp.int32))]).astype(jnp.float32) for flags in (unseen, own)
    )
    cards = _Cards(hand, unseen, own, up_to, own_up_to)
    heads = (piece["heads"][:, 0] * 256 + piece["heads"][:, 1]).astype(jnp.float32)
    return Inputs(
        _context(rules, table, cards, heads),
        _card(rules, table, cards),
        _seat(piece["plays"], before, heads),
        hand,
    )


def _context(rules: Rules, table: SortedRows, cards: _Cards, heads: Array) -> Array:
    others, (tails, free, costs), (hand, unseen, own, up_to, own_up_to) = rules.seats - 1, table, cards
    count, total = (hand > 0).sum(), up_to[-1]
    scale = 1 / jnp.maximum(total, 1)
    ends = jnp.concatenate([tails[1:], jnp.full(1, MOST_CARDS, jnp.int32)])
    gap = (up_to[ends] - up_to[tails]) * scale
    level = jnp.ones_like(gap)
    of_rows = jnp.stack(
        [
            level,
            tails / MOST_CARDS,
            free * 0.2,
            costs * 0.1,
            (costs == costs.min()) * level,
            (free == 0) * level,
            gap,
            (own_up_to[ends] - own_up_to[tails]) * 0.2,
            jnp.minimum(gap * others / 3, 2),
            jnp.minimum(gap * others / (free + 1), 2),
        ],
        axis=1,
    )
    other = heads[1:]
    general = jnp.stack(
        [
            count * 0.1,
            costs.min() * 0.1,
            jnp.float32((others - 1) / 8),
            up_to[tails[0]] * scale,
            own_up_to[tails[0]] / jnp.maximum(count, 1),
            costs.max() * 0.1,
            (free == 0).mean(),
            total / MOST_CARDS,
            jnp.float32(rules.cards / MOST_CARDS),
            others * count * scale,
            jnp.float32(rules.capacity * 0.2),
            jnp.float32(rules.rows * 0.25),
            jnp.clip((heads[0] - other.mean()) / 15, -2, 2),
            jnp.clip((heads[0] - other.min()) / 15, -2, 2),
            jnp.clip((heads[0] - other.max()) / 15, -2, 2),
            (heads[0] < other.min()).astype(jnp.float32),
            jnp.float32(others == 1),
            *((count == number).astype(jnp.float32) for number in (1, 2, 3)),
            jnp.float32(others / (4 * rules.rows)),
        ]
    )
    numbers = jnp.zeros(CONTEXT, jnp.float32)
    numbers = numbers.at[:MOST_CARDS].set(unseen)
    numbers = numbers.at[MOST_CARDS : 2 * MOST_CARDS].set(own)
    numbers = numbers.at[2 * MOST_CARDS + tails - 1].set(0.2 + free * 0.2)
    numbers = numbers.at[3 * MOST_CARDS + tails - 1].set(costs * 0.1)
    numbers = numbers.at[PLANES : PLANES + len(general)].set(general)
    first = PLANES + GENERAL
    return numbers.at[first : first + rules.rows * ROW].set(of_rows.reshape(-1))


def _card(rules: Rules, table: SortedRows, cards: _Cards) -> Array:
    others, (tails, free, costs), (hand, _, _, up_to, own_up_to) = rules.seats - 1, table, cards
    there, places = hand > 0, jnp.arange(MOST_HAND)
    count = jnp.maximum(there.sum(), 1)
    under = row_below(table, hand)
    low, row = under < 0, jnp.maximum(under, 0)
    tail, slots = jnp.where(low, 0, tails[row]), jnp.where(low, 1, free[row])
    paid = jnp.where(low, costs.min(), costs[row])
    end = jnp.append(tails, MOST_CARDS)[under + 1]
    total = jnp.maximum(up_to[-1], 1)
    scale = 1 / total
    gap = up_to[hand] - up_to[tail]
    share = jnp.minimum(gap * scale, 1)
    certain = share == 1
    ratio = share / jnp.where(certain, 1, 1 - share)
    chance = jnp.where(certain, 0, (1 - share) ** others)
    chances = []
    for before in range(others + 1):
        chances.append(jnp.where(certain, float(before == others), chance))
        chance = chance * ratio * ((others - before) / (before + 1))

    def exactly(number: Array) -> Array:
        """Return the probability of a number of cards before this one in its row."""
        return sum((jnp.where(number == before, chance, 0) for before, chance in enumerate(chances)), jnp.zeros(()))

    fewer = sum((jnp.where(before < slots, chance, 0) for before, chance in enumerate(chances)), jnp.zeros(()))
    takes = jnp.where(low, chances[0], exactly(slots))
    risk = jnp.where(low, fewer, 1 - fewer)
    prize = paid * 0.1 + jnp.where(low, 0, 0.164 * slots)
    below = jnp.concatenate([jnp.zeros(1, jnp.int32), hand[:-1]])
    above = jnp.append(hand[1:], 0)
    above = jnp.where(above == 0, MOST_CARDS, above)
    full = ~low & (slots == 0)
    features = [
        low,
        risk,
        prize,
        risk * prize,
        jnp.where(low, 0, slots * 0.2),
        jnp.minimum(gap * others * scale / 3, 1),
        hand / MOST_CARDS,
        places / count,
        heads_of(hand) * 0.2,
        takes,
        takes * prize,
        exactly(slots + 1),
        exactly(slots - 1),
        (own_up_to[hand - 1] - own_up_to[tail]) * 0.2,
        jnp.minimum((hand - tail) / 30, 1),
        jnp.where(low, 0, (under + 1) / rules.rows),
        (up_to[hand] - up_to[below]) * scale * 2,
        (up_to[above] - up_to[hand]) * scale * 2,
        up_to[hand] * scale,
        full,
        full & (gap == 0),
        ~low & (others <= slots),
        paid * 0.1,
        jnp.minimum((jnp.where(low, 0, costs[row]) + heads_of(hand)) * 0.1, 2),
        places == 0,
        places == count - 1,
        jnp.minimum((up_to[end] - up_to[hand]) * others * scale / 3, 1),
        (own_up_to[end] - own_up_to[hand]) * 0.2,
    ]
    assert len(features) == CARD  # noqa: S101 -- as many as the network has weights for
    return jnp.stack([feature.astype(jnp.float32) for feature in features], axis=1) * there[:, None]


def _seat(plays: Array, before: Array, heads: Array) -> Array:
    other = heads[1:]
    relative = [jnp.clip((other - heads[0]) / 15, -2, 2), (other == other.min()).astype(jnp.float32), other / 20]
    habits = jax.vmap(_habits)(plays[1:], before[1:])
    return jnp.concatenate([jnp.stack(relative, axis=1), habits], axis=1)


def _habits(cards: Array, before: Array) -> Array:
    """Return the numbers of a seat's plays in this deal."""
    played = cards > 0
    turns = played.sum()
    started, at_least = turns > 0, jnp.maximum(turns, 1)
    tails, slots = before[:, 0], jnp.where(played, before[:, 1] * 0.2, 0)
    low = played & (tails == 0)
    gaps = jnp.where(played, jnp.minimum((cards - tails) / 30, 1), 0)
    buckets = jnp.where(played, jnp.minimum((cards - 1) // _BUCKET, _BUCKETS - 1), _BUCKETS)

    def ago(numbers: Array, count: int) -> Array:
        """Return a number of one of the last turns; 0 if there was no such turn."""
        return jnp.where(turns >= count, numbers[jnp.maximum(turns - count, 0)], 0)

    last = ago(cards, 1)
    numbers = [
        started,
        jnp.where(started, jnp.min(jnp.where(played, cards, MOST_CARDS + 1)) / MOST_CARDS, 0),
        cards.max() / MOST_CARDS,
        cards.sum() / (MOST_CARDS * at_least),
        last / MOST_CARDS,
        heads_of(last) * 0.2,
        turns * 0.1,
        *((buckets == bucket).sum() / 3 for bucket in range(_BUCKETS)),
        ago(cards, 2) / MOST_CARDS,
        ago(cards, 3) / MOST_CARDS,
        low.sum() / 3,
        (played & (tails > 0) & (before[:, 1] == 0)).sum() / 3,
        gaps.sum() / at_least,
        slots.sum() / at_least,
        gaps.max(),
        ago(gaps, 1),
        ago(slots, 1),
        ago(low, 1),
    ]
    return jnp.stack([jnp.asarray(number, jnp.float32) for number in numbers])


def greedy(rules: Rules, seen: Array) -> Array:
    """Return the action of the bot `greedy` for a seat that is to choose a card."""
    piece = pieces(rules, seen)
    table, hand = table_of(rules, piece["rows"]), piece["hand"]
    under = row_below(table, hand)
    row = jnp.maximum(under, 0)
    full = table.free[row] == 0
    cost = jnp.where(under < 0, table.costs.min(), jnp.where(full, table.costs[row], 0)).astype(jnp.int32)
    key = (cost * 256 + hand - jnp.where(under < 0, 0, table.tails[row])) * 256 + hand
    return jnp.min(jnp.where(hand > 0, key, 1 << 30)) % 256 - 1


def cheapest_row(rows: Array) -> Array:
    """Return the action that takes the first of the cheapest rows, from their cards: int32 [rows, capacity]."""
    return MOST_CARDS + jnp.argmin(heads_of(rows).sum(axis=1))

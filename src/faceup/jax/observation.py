"""Observations in the encoding `ids`."""

from functools import partial
from typing import Final

import jax
import jax.numpy as jnp
from jax import Array

from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.observation import MINE, REVEALED, TAKEN_BY, limits
from faceup.games.nimmt.rules import Rules
from faceup.jax.state import CARDS_PER_PART, State


def observe(rules: Rules, state: State, seats: range) -> Array:
    """Return what seats may know, as the encoding `ids` of `faceup.games.nimmt.observation`: uint8 [seats, ...].

    The pieces, in order: the place of each card; the hand, ascending; each seat's card that is revealed and not placed;
    each seat's heads, the high byte first; the size of each hand; which seats are to act; which seats are out; each
    seat's cards by turn; the cards of each row; the rows chosen by turn; the first card of each row; the phase; the
    number of finished deals; and the rules. Seats are counted from the observer.
    """
    number = jnp.arange(1 + seats.start, 1 + seats.stop, dtype=jnp.uint8)[:, None]
    own = (state.held[:MOST_CARDS] == number) & (state.gone[seats.start : seats.stop] == 0)[:, None]
    hands = jax.vmap(partial(_sorted_hand, rules))(own)  # in one loop for all seats
    return jnp.stack([_observe(rules, state, seat, own[index], hands[index]) for index, seat in enumerate(seats)])


def _observe(rules: Rules, state: State, seat: int, own: Array, hand: Array) -> Array:
    """Return what a seat may know, given which cards are its own, and its hand."""
    cards = state.cards
    earlier = ((cards >= REVEALED) & (cards < REVEALED + seat)) | ((cards >= TAKEN_BY) & (cards < TAKEN_BY + seat))
    turned = cards + jnp.where(
        earlier, jnp.uint8(rules.seats - seat), jnp.where(cards >= REVEALED, jnp.uint8(-seat % 256), jnp.uint8(0))
    )

    def by_seat(array: Array) -> Array:
        return jnp.roll(array, -seat, axis=0).reshape(-1).astype(jnp.uint8)

    heads = jnp.minimum(state.heads, 0xFFFF)
    return jnp.concatenate(
        [
            jnp.where(own, jnp.uint8(MINE), turned),
            hand,
            by_seat(state.plays),
            by_seat(jnp.stack([heads >> 8, heads & 255], axis=-1)),
            by_seat(state.sizes),
            by_seat(state.acts),
            by_seat(state.gone),
            by_seat(state.history),
            rows_of(rules, state).reshape(-1),
            state.chosen,
            state.opening,
            jnp.stack([state.phase, jnp.minimum(state.finished, 255).astype(jnp.uint8)]),
            jnp.array(limits(rules), jnp.uint8),
        ]
    )


_BITS: Final = 32


def _sorted_hand(rules: Rules, own: Array) -> Array:
    """Return the cards of a hand, ascending, then 0: uint8 [hand], from a flag for each card."""
    bits = jnp.concatenate([own, jnp.zeros(-MOST_CARDS % _BITS, bool)]).reshape(-1, _BITS)
    parts = jnp.sum(jnp.where(bits, jnp.uint32(1) << jnp.arange(_BITS, dtype=jnp.uint32), jnp.uint32(0)), axis=1)

    def pop(parts: list[Array], _: None) -> tuple[list[Array], Array]:
        card, done, left = jnp.uint32(0), jnp.bool_(False), []
        for index, part in enumerate(parts):
            rest = part & (part - 1)
            below = jax.lax.population_count((part & ~(part - 1)) - 1)
            taken = ~done & (part != 0)
            card = jnp.where(taken, below + (1 + _BITS * index), card)
            left.append(jnp.where(taken, rest, part))
            done = done | taken
        return left, card.astype(jnp.uint8)

    return jax.lax.scan(pop, [*parts], length=rules.hand)[1]


def rows_of(rules: Rules, state: State) -> Array:
    """Return the cards of each row from its first to its tail, then 0: uint8 [rows, capacity]."""
    shifts = jnp.arange(CARDS_PER_PART, dtype=jnp.uint32) * 8
    cards = (state.rows[..., None] >> shifts & 255).astype(jnp.uint8)
    return cards.reshape(rules.rows, -1)[:, : rules.capacity]

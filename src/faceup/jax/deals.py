"""Shuffle and deal.

A deal takes at least as many steps as a hand has cards, and its cards depend on nothing that was played before.
Therefore each step does a part of the shuffle of the next deal. A compiled program takes the same path for all games of
a batch, so that a whole shuffle would be computed in every step, and used in one of ten.

A deck is kept as the place of each card. A swap of two places is then two comparisons for each card, without reading or
writing at computed addresses.
"""

from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.observation import ABSENT, IN_ROW
from faceup.games.nimmt.parameters import CARDS_PER_WORD, WORDS_PER_DEAL
from faceup.games.nimmt.rules import Rules
from faceup.jax import words
from faceup.jax.state import ANYONE
from faceup.jax.words import Word

_PER_DEAL_BITS: Final = WORDS_PER_DEAL.bit_length() - 1

_NOWHERE: Final = 255
"""Placeholder for a place of the deck without a card."""


class DealArrays(NamedTuple):
    """A deal, as the arrays of these names in `State`."""

    held: Array
    cards: Array
    opening: Array


def words_of(rules: Rules) -> int:
    """Return the number of random words of a deal."""
    return -(-rules.dealt // CARDS_PER_WORD)


def new_deck(rules: Rules) -> Array:
    """Return the deck before the shuffle."""
    return jnp.arange(rules.cards, dtype=jnp.uint8)


def _number(deal: Array, index: Array | int) -> Word:
    """Return the number of a deal's random word; its first word has index 0."""
    start = deal >> (32 - _PER_DEAL_BITS), deal << _PER_DEAL_BITS
    return words.add(start, (jnp.uint32(0), jnp.uint32(1) + index))


def shuffle(rules: Rules, key: Word, deal: Array, done: tuple[Array, Array], count: int) -> tuple[Array, Array]:
    """Draw the next random words of a deal, and swap the cards of each.

    Args:
        rules: the rules.
        key: the key of the lane's random words.
        deal: the number of the deal, from 0.
        done: the number of words drawn before, and the deck.
        count: the number of words to draw. Words beyond those of the deal change nothing.

    Returns:
        The number of words drawn, and the deck.
    """
    drawn, deck = done
    first = drawn.astype(jnp.uint32)

    def swap(deck: Array, index: Array) -> tuple[Array, None]:
        rest = words.fraction(key, _number(deal, first + index))
        for part in range(CARDS_PER_WORD):
            place = (first + index) * CARDS_PER_WORD + part
            pick, rest = words.draw(rest, rules.cards - place)
            replacement = jnp.where(place < rules.dealt, place, _NOWHERE).astype(jnp.uint8)
            there = jnp.where(place < rules.dealt, place + pick, _NOWHERE).astype(jnp.uint8)
            deck = jnp.where(deck == there, replacement, jnp.where(deck == replacement, there, deck))
        return deck, None

    deck, _ = jax.lax.scan(swap, deck, jnp.arange(count, dtype=jnp.uint32))
    return jnp.minimum(drawn + jnp.uint8(count), jnp.uint8(words_of(rules))), deck


def next_deck(
    rules: Rules, key: Word, deal: Array, done: tuple[Array, Array], *, due: Array | bool, pool: Array | None
) -> tuple[Array, Array, Array]:
    """Do a step's part of the shuffle, and complete it if a deal is due.

    Args:
        rules: the rules.
        key: the key of the lane's random words.
        deal: the number of the next deal.
        done: the number of words drawn before, and the deck, as in `State`.
        due: whether the deal is due.
        pool: uint8 [decks, cards in play]: decks from which to pick one instead of shuffling.

    Returns:
        The deck, which is shuffled if the deal is due; then the number of words drawn and the deck for `State`.
    """
    if pool is not None:
        return pool[words.below(words.fraction(key, _number(deal, 0)), pool.shape[0])], *done
    count = words_of(rules)
    drawn, deck = shuffle(rules, key, deal, done, -(-count // rules.hand))
    if rules.forfeits:  # the match can end before the shuffle has
        drawn, deck = jax.lax.while_loop(
            lambda at: due & (at[0] < count), lambda at: shuffle(rules, key, deal, at, 1), (drawn, deck)
        )
    return deck, jnp.where(due, jnp.uint8(0), drawn), jnp.where(due, new_deck(rules), deck)


def open_deal(rules: Rules, deck: Array) -> DealArrays:
    """Return the deal of a shuffled deck: the hand of seat 0, that of seat 1 and so on, then one card for each row."""
    in_hands = rules.seats * rules.hand
    held = jnp.where(deck < in_hands, deck // jnp.uint8(rules.hand) + jnp.uint8(1), jnp.uint8(0))
    on_table = (deck >= in_hands) & (deck < rules.dealt)
    cards = jnp.where(on_table, deck + jnp.uint8((IN_ROW - in_hands) % 256), jnp.uint8(0))
    others = MOST_CARDS - rules.cards
    numbers = jnp.arange(1, rules.cards + 1, dtype=jnp.uint8)  # not a constant of NumPy, which is slower by far
    firsts = jnp.arange(in_hands, rules.dealt, dtype=jnp.uint8)
    return DealArrays(
        jnp.concatenate([held, jnp.zeros(others, jnp.uint8), jnp.full(rules.rows, ANYONE, jnp.uint8)]),
        jnp.concatenate([cards, jnp.full(others, ABSENT, jnp.uint8)]),
        jnp.max(jnp.where(deck == firsts[:, None], numbers, jnp.uint8(0)), axis=1),
    )

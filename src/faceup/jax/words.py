"""64-bit words as pairs of 32-bit words, and the random words of a lane.

JAX has 64-bit integers only where its option `jax_enable_x64` is set, which changes the types of the whole program. A
word here is a pair of uint32 arrays, the high half first, so that the option can stay off.

The words of a lane are those of `faceup.games.lanes`, which explains how to draw numbers from them.
"""

from typing import Final, TypeAlias

import jax.numpy as jnp
from jax import Array

from faceup.core.generator import FRACTION_BITS, WEYL

Word: TypeAlias = tuple[Array, Array]
"""The high and the low 32 bits, each uint32 and of the same shape."""

_HIGH_FRACTION: Final = (1 << (FRACTION_BITS - 32)) - 1


def word(number: int) -> Word:
    """Return an integer from 0 to 2**64 - 1 as a word."""
    return jnp.uint32(number >> 32), jnp.uint32(number & 0xFFFFFFFF)


def add(first: Word, other: Word) -> Word:
    """Return the sum modulo 2**64."""
    low = first[1] + other[1]
    return first[0] + other[0] + (low < other[1]).astype(jnp.uint32), low


def _product(first: Array, other: Array) -> Word:
    """Return the product of two 32-bit words, from products of their halves."""
    low, high = first & 0xFFFF, first >> 16
    other_low, other_high = other & 0xFFFF, other >> 16
    across, along = low * other_high, high * other_low
    carried = (low * other_low >> 16) + (across & 0xFFFF) + (along & 0xFFFF)
    return high * other_high + (across >> 16) + (along >> 16) + (carried >> 16), first * other


def multiply(first: Word, other: Word) -> Word:
    """Return the product modulo 2**64."""
    high, low = _product(first[1], other[1])
    return high + first[0] * other[1] + first[1] * other[0], low


def _shifted_xor(x: Word, bits: int) -> Word:
    """Return `x ^ x >> bits`, for 1 to 31 bits."""
    return x[0] ^ x[0] >> bits, x[1] ^ (x[1] >> bits | x[0] << (32 - bits))


def mix(x: Word) -> Word:
    """Mix a word, as `faceup.core.generator.mix` does."""
    x = multiply(_shifted_xor(x, 30), word(0xBF58476D1CE4E5B9))
    x = multiply(_shifted_xor(x, 27), word(0x94D049BB133111EB))
    return _shifted_xor(x, 31)


def lane_key(seed: Word, lane: Word) -> Word:
    """Return the key of a lane's random words, to which `fraction` adds the number of a word."""
    return mix(add(mix(add(seed, word(WEYL))), multiply(lane, word(WEYL))))


def fraction(key: Word, number: Word) -> Word:
    """Return random word `number` of a lane (the first is 1) as a 57-bit fraction to draw from."""
    high, low = mix(add(key, multiply(number, word(WEYL))))
    return high >> 7, low >> 7 | high << 25


def draw(rest: Word, count: Array) -> tuple[Array, Word]:
    """Draw one of `range(count)`, for a count of at most 128; also return the fraction for the next draw."""
    high, low = _product(rest[1], count)
    high += rest[0] * count
    return high >> (FRACTION_BITS - 32), (high & _HIGH_FRACTION, low)


def below(rest: Word, count: int) -> Array:
    """Return one of `range(count)` as uint32, for a count below 2**32, from the lower half of a fraction."""
    return _product(rest[1], jnp.uint32(count))[0]

"""Random number generators: reproducible (`SeededGenerator`) and unpredictable (`SystemRandom`).

Rules and tables never create a generator. Their callers pass one to them, which is a `SeededGenerator` if there is a
seed, else a `SystemRandom`.
"""

from typing import Final, Protocol

from faceup.core.whole_numbers import LARGEST_WORD, whole_number

_MASK: Final = LARGEST_WORD
WEYL: Final = 0x9E3779B97F4A7C15
"""The increment of the counter, which is 2**64 divided by the golden ratio, rounded to an odd number."""

FRACTION_BITS: Final = 57
"""The number of high bits of a word that are a fraction to draw from; see `faceup.games.lanes`."""


class Generator(Protocol):
    """The interface of a random number generator.

    >>> rng: Generator = SeededGenerator(7)
    >>> rng.below(6) in range(6)
    True
    """

    def below(self, n: int) -> int:
        """Return one of `range(n)`, all equally likely; `n` is 1 to 2**64. Raises `Malformed`."""
        ...


def check_limit(n: int) -> None:
    """Raise `Malformed` unless a generator can draw a number below `n`, which must be 1 to 2**64.

    >>> check_limit(6)
    >>> check_limit(0)
    Traceback (most recent call last):
    faceup.core.errors.Malformed: n must be 1 to 18446744073709551616; got 0
    """
    whole_number("n", n, 1, _MASK + 1)


def mix(x: int) -> int:
    """Return the result of SplitMix64's finaliser for `x`. The finaliser is a bijection on 64-bit words.

    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), variant 13 of Stafford.

    >>> mix(1), mix(2)
    (6238072747940578789, 15839785061582574730)
    """
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def lane_key(seed: int, lane: int) -> int:
    """Return the number from which the random words of a lane count.

    Raises:
        Malformed: the seed or the lane is not a whole number, or is out of range.

    >>> lane_key(7, lane=0) == lane_key(7, lane=1)
    False
    """
    # Integers of numpy have 64 bits at most, and products of them would overflow.
    seed, lane = whole_number("a seed", seed, 0, _MASK), whole_number("a lane", lane, 0, _MASK)
    return mix((mix((seed + WEYL) & _MASK) + lane * WEYL) & _MASK)


class SeededGenerator:
    """A counter-based generator, which makes the k-th 64-bit word as `mix(key + k * weyl)` with a fixed key.

    The key depends on the seed and the lane. The same seed and lane give the same numbers on any machine and in any
    version of this format. The numbers are predictable, so use `SystemRandom` where a player could gain by guessing the
    cards.

    Args:
        seed: 0 to 2**64 - 1, an integer of any library.
        lane: 0 to 2**64 - 1, likewise. Lanes with the same seed are independent of each other.

    Raises:
        Malformed: the seed or the lane is not a whole number, or is out of range.

    >>> rng = SeededGenerator(7)
    >>> [rng.below(104) for _ in range(5)]
    [98, 91, 93, 6, 75]
    """

    __slots__ = ("_counter",)

    def __init__(self, seed: int, lane: int = 0) -> None:
        self._counter = lane_key(seed, lane)

    def below(self, n: int) -> int:
        """Return one of `range(n)`, all equally likely; `n` is 1 to 2**64. Raises `Malformed`.

        The result is the high word of the product of a random word and n. Words that would bias it are rejected.

        Source: Lemire, "Fast random integer generation in an interval" (2019).
        """
        while True:
            self._counter = x = (self._counter + WEYL) & _MASK
            # This is `mix`, inlined because half of a deal's time is spent here.
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
            product = (x ^ (x >> 31)) * n
            if product & _MASK >= n > 0:
                return product >> 64
            # Only here, which is rare: an n below 1 or above 2**64 never passes the condition above.
            check_limit(n)
            if product & _MASK >= (1 << 64) % n:
                return product >> 64


class SystemRandom:
    """A generator that returns the operating system's random numbers, for games without a seed.

    >>> SystemRandom().below(6) in range(6)
    True
    """

    __slots__ = ("_below",)

    def __init__(self) -> None:
        from secrets import randbelow  # noqa: PLC0415 -- `import faceup` stays quick, and few callers need it

        self._below = randbelow

    def below(self, n: int) -> int:
        """Return one of `range(n)`, all equally likely; `n` is 1 to 2**64. Raises `Malformed`."""
        check_limit(n)
        return self._below(n)


def generator(seed: int | None) -> Generator:
    """Return a `SeededGenerator` if there is a seed, else a `SystemRandom`.

    >>> generator(7).below(104) == generator(7).below(104)
    True
    >>> type(generator(None)).__name__
    'SystemRandom'
    """
    return SystemRandom() if seed is None else SeededGenerator(seed)

"""The two sources of random numbers that are handed to whoever deals: reproducible, and secret.

Rules and tables never make one. Their callers do: `Seeded` where a seed was given, else `Secret`.
"""

from typing import Final, Protocol

from faceup.core.errors import Malformed

_MASK: Final = (1 << 64) - 1
_WEYL: Final = 0x9E3779B97F4A7C15


class Generator(Protocol):
    """What the core asks of a source of random numbers."""

    def below(self, n: int) -> int:
        """One of `range(n)`, each equally likely; `n` is 1 or more."""
        ...


def mix(x: int) -> int:
    """The finaliser of SplitMix64: scatters 64 bits over 64 bits, one to one.

    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014), variant 13 of Stafford.
    """
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


class Seeded:
    """A counter-based generator: the k-th 64-bit word of lane L is `mix(key + k * weyl)`, `key` from the seed and L.

    The same seed and lane give the same numbers on any machine and in any version of this format. It is not fit for
    games whose cards are worth guessing: use `Secret` there.

    Args:
        seed: 0 .. 2**64 - 1.
        lane: 0 .. 2**64 - 1; lanes of one seed are independent of each other.

    Raises:
        Malformed: the seed or the lane is out of range.

    >>> rng = Seeded(7)
    >>> [rng.below(104) for _ in range(5)]
    [98, 91, 93, 6, 75]
    """

    __slots__ = ("_counter",)

    def __init__(self, seed: int, lane: int = 0) -> None:
        for name, value in (("seed", seed), ("lane", lane)):
            if not 0 <= value <= _MASK:
                raise Malformed(f"a {name} is 0 to 2**64 - 1, not {value}", what=value, where=name)
        self._counter = mix((mix((seed + _WEYL) & _MASK) + lane * _WEYL) & _MASK)

    def below(self, n: int) -> int:
        """One of `range(n)`: the high word of word x n, words that would favour some results drawn again.

        Source: Lemire, "Fast random integer generation in an interval" (2019).
        """
        while True:
            self._counter = x = (self._counter + _WEYL) & _MASK
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK  # mix, written out: half the time of a deal is here
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
            product = (x ^ (x >> 31)) * n
            if product & _MASK >= n or product & _MASK >= (1 << 64) % n:
                return product >> 64


class Secret:
    """The operating system's own randomness, for every game that was given no seed."""

    __slots__ = ("_below",)

    def __init__(self) -> None:
        from secrets import randbelow  # noqa: PLC0415 -- `import faceup` stays quick, and few callers need it

        self._below = randbelow

    def below(self, n: int) -> int:
        """One of `range(n)`."""
        return self._below(n)


def generator(seed: int | None) -> Generator:
    """The generator for a game: `Seeded` if there is a seed, else `Secret`."""
    return Secret() if seed is None else Seeded(seed)

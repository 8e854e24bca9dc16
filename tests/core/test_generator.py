"""Generators: a seed always gives the same numbers, and all numbers are equally likely."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from faceup.core import Generator, Malformed, SeededGenerator, SystemRandom, generator
from faceup.core.fair_draw import FairDraw
from faceup.core.generator import mix
from faceup.core.laws.determinization import chi_square_survival

MASK = (1 << 64) - 1
WEYL = 0x9E3779B97F4A7C15


def words(seed: int, lane: int, count: int) -> list[int]:
    """Return the words of a lane from their definition: word k is mix(key + k weyl)."""
    key = mix((mix((seed + WEYL) & MASK) + lane * WEYL) & MASK)
    return [mix((key + k * WEYL) & MASK) for k in range(1, count + 1)]


def test_splitmix_gives_its_published_numbers() -> None:
    # The first outputs of Vigna's reference program splitmix64.c from the state 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [mix((1234567 + k * WEYL) & MASK) for k in range(1, 5)] == published


def test_the_numbers_of_a_seed_never_change() -> None:
    # Golden numbers: if they change, the deals of existing seeds change.
    rng = SeededGenerator(20_240_229)
    assert [rng.below(n) for n in (2, 6, 52, 104, 10**6, 2**40)] == [0, 1, 46, 77, 232264, 474113348174]
    rng = SeededGenerator(7, lane=3)
    assert [rng.below(104) for _ in range(6)] == [43, 48, 9, 17, 21, 54]


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.int64, np.uint64])
def test_integers_of_numpy_are_the_seeds_that_they_equal(kind: Any) -> None:
    """Their products overflowed: numpy.uint64(7) dealt the cards 1 to 10 to the first seat."""
    rng = SeededGenerator(kind(7), kind(3))
    assert [rng.below(104) for _ in range(6)] == [43, 48, 9, 17, 21, 54]


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1, 10**30])
@pytest.mark.parametrize(
    "rng", [SeededGenerator(1), SystemRandom(), FairDraw(bytes(32), 0)], ids=lambda rng: type(rng).__name__
)
def test_no_number_is_drawn_below_a_limit_that_is_out_of_range(rng: Generator, n: int) -> None:
    """`below(0)` was 0, and above 2**64 no word was ever accepted."""
    with pytest.raises(Malformed, match=r"n must be 1 to 18446744073709551616; got "):
        rng.below(n)


def test_the_largest_limit_accepts_every_word() -> None:
    assert [SeededGenerator(5, lane=9).below(2**64)] == words(5, 9, 1)


@pytest.mark.parametrize("number", [-1, 2**64, np.int64(-1), True, np.bool_(True), 7.0, np.float32(7), "7", None, [7]])
def test_anything_else_is_no_seed_and_no_lane(number: Any) -> None:
    with pytest.raises(Malformed, match="a seed must be "):
        SeededGenerator(number)
    with pytest.raises(Malformed, match="a lane must be "):
        SeededGenerator(1, number)


def test_a_number_below_n_is_the_high_word_of_the_product() -> None:
    rng = SeededGenerator(5, lane=9)
    assert [rng.below(104) for _ in range(200)] == [word * 104 >> 64 for word in words(5, 9, 200)]


def test_words_that_would_bias_the_result_are_rejected() -> None:
    n = (1 << 63) + 1  # nearly every second word is rejected
    kept = [word * n >> 64 for word in words(1, 0, 400) if word * n & MASK >= (1 << 64) % n]
    assert 150 < len(kept) < 250
    rng = SeededGenerator(1)
    assert [rng.below(n) for _ in kept] == kept


@pytest.mark.parametrize("n", [1, 2, 6, 10, 104])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_each_of_n_is_equally_likely(seed: int, n: int) -> None:
    rng = SeededGenerator(seed)
    counts = Counter(rng.below(n) for _ in range(200 * n))
    assert set(counts) <= set(range(n))
    if n > 1:
        assert chi_square_survival(sum((counts[i] - 200) ** 2 / 200 for i in range(n)), n - 1) > 1e-6


def test_lanes_and_seeds_are_independent() -> None:
    starts = {SeededGenerator(seed, lane).below(2**64) for seed in range(30) for lane in range(30)}
    assert len(starts) == 900


@pytest.mark.parametrize(("seed", "lane"), [(-1, 0), (2**64, 0), (0, -1), (0, 2**64)])
def test_a_seed_or_lane_out_of_range_is_refused(seed: int, lane: int) -> None:
    with pytest.raises(Malformed, match=r"must be 0 to 2\*\*64 - 1"):
        SeededGenerator(seed, lane)


def test_without_a_seed_the_numbers_are_secret() -> None:
    assert isinstance(generator(3), SeededGenerator)
    rng = generator(None)
    assert isinstance(rng, SystemRandom)
    assert len({rng.below(2**64) for _ in range(20)}) == 20
    assert {rng.below(3) for _ in range(200)} == {0, 1, 2}

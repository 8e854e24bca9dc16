"""The generators: the same numbers for a seed everywhere and always, and each of the n equally likely."""

from collections import Counter

import pytest

from faceup.core import Malformed, Secret, Seeded, generator
from faceup.core.generator import mix
from faceup.core.laws.likelihood import chi_square_survival

MASK = (1 << 64) - 1
WEYL = 0x9E3779B97F4A7C15


def words(seed: int, lane: int, count: int) -> list[int]:
    """The words of a seed's lane, from their definition: word k is mix(key + k weyl)."""
    key = mix((mix((seed + WEYL) & MASK) + lane * WEYL) & MASK)
    return [mix((key + k * WEYL) & MASK) for k in range(1, count + 1)]


def test_splitmix_gives_its_published_numbers() -> None:
    # The first outputs of Vigna's reference program splitmix64.c from the state 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [mix((1234567 + k * WEYL) & MASK) for k in range(1, 5)] == published


def test_the_numbers_of_a_seed_never_change() -> None:
    # Golden: the deals of old seeds stay what they were; a change here is a change of the format.
    rng = Seeded(20_240_229)
    assert [rng.below(n) for n in (2, 6, 52, 104, 10**6, 2**40)] == [0, 1, 46, 77, 232264, 474113348174]
    rng = Seeded(7, lane=3)
    assert [rng.below(104) for _ in range(6)] == [43, 48, 9, 17, 21, 54]


def test_a_number_below_n_is_the_high_word_of_the_product() -> None:
    rng = Seeded(5, lane=9)
    assert [rng.below(104) for _ in range(200)] == [word * 104 >> 64 for word in words(5, 9, 200)]


def test_words_that_would_favour_some_results_are_drawn_again() -> None:
    n = (1 << 63) + 1  # nearly every second word is refused
    kept = [word * n >> 64 for word in words(1, 0, 400) if word * n & MASK >= (1 << 64) % n]
    assert 150 < len(kept) < 250
    rng = Seeded(1)
    assert [rng.below(n) for _ in kept] == kept


@pytest.mark.parametrize("n", [1, 2, 6, 10, 104])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_each_of_n_is_equally_likely(seed: int, n: int) -> None:
    rng = Seeded(seed)
    counts = Counter(rng.below(n) for _ in range(200 * n))
    assert set(counts) <= set(range(n))
    if n > 1:
        assert chi_square_survival(sum((counts[i] - 200) ** 2 / 200 for i in range(n)), n - 1) > 1e-6


def test_lanes_and_seeds_go_their_own_ways() -> None:
    starts = {Seeded(seed, lane).below(2**64) for seed in range(30) for lane in range(30)}
    assert len(starts) == 900


@pytest.mark.parametrize(("seed", "lane"), [(-1, 0), (2**64, 0), (0, -1), (0, 2**64)])
def test_a_seed_or_lane_out_of_range_is_refused(seed: int, lane: int) -> None:
    with pytest.raises(Malformed, match=r"is 0 to 2\*\*64 - 1"):
        Seeded(seed, lane)


def test_without_a_seed_the_numbers_are_secret() -> None:
    assert isinstance(generator(3), Seeded)
    rng = generator(None)
    assert isinstance(rng, Secret)
    assert len({rng.below(2**64) for _ in range(20)}) == 20
    assert {rng.below(3) for _ in range(200)} == {0, 1, 2}

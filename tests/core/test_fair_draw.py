"""The format of fair deals is stable, and the same in the library and the verification script."""

import json
import runpy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.core import CHANCE, Malformed, SeededGenerator, draw, make
from faceup.core.fair_draw import SIZE, FairDraw, commitment, draw_key, from_hex, pledge, random_bytes
from faceup.core.laws.determinization import chi_square_survival

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "docs" / "reference" / "fair-vectors.json").read_text("utf-8"))["vectors"]
ALONE = runpy.run_path(str(ROOT / "examples" / "verify_fair.py"))
ids = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])


def parts(vector: dict[str, Any]) -> tuple[int, bytes, dict[int, bytes]]:
    """Return the round, the secret and the contributions of a vector."""
    opened = {
        contribution["seat"]: bytes.fromhex(contribution["contribution"]) for contribution in vector["contributions"]
    }
    return vector["round"], bytes.fromhex(vector["secret"]), opened


@ids
def test_hashes_and_numbers_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    round_, secret, opened = parts(vector)
    assert commitment(round_, secret).hex() == vector["commitment"]
    pledges = {seat: pledge(round_, seat, contribution).hex() for seat, contribution in opened.items()}
    assert pledges == {contribution["seat"]: contribution["pledge"] for contribution in vector["contributions"]}
    assert draw_key(round_, secret, opened).hex() == vector["key"]
    for drawn in vector["draws"]:
        rng = FairDraw(draw_key(round_, secret, opened), drawn["number"])
        assert [rng.below(int(n)) for n in drawn["below"].split()] == list(map(int, drawn["numbers"].split()))


@ids
def test_outcomes_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    for case in vector["outcomes"]:
        rules = make(f"{case['game']}:{case['variant']}", **case["options"])
        state = rules.start()
        if rules.to_act(state) != (CHANCE,):
            state = rules.apply(state, dict.fromkeys(rules.to_act(state), 0)).state
        rng = FairDraw(bytes.fromhex(vector["key"]), case["number"])
        assert rules.describe(draw(rules, state, rng)) == case["outcome"]


@ids
def test_the_independent_script_computes_the_same(vector: dict[str, Any]) -> None:
    round_, secret, opened = parts(vector)
    assert ALONE["commitment"](round_, secret) == vector["commitment"]
    for contribution in vector["contributions"]:
        assert ALONE["pledge"](round_, contribution["seat"], opened[contribution["seat"]]) == contribution["pledge"]
    digest = ALONE["key"](round_, secret, opened)
    assert digest.hex() == vector["key"]
    for drawn in vector["draws"]:
        below = [int(n) for n in drawn["below"].split()]
        assert ALONE["numbers"](digest, drawn["number"], below) == list(map(int, drawn["numbers"].split()))
    for case in vector["outcomes"]:
        record = {**case, "entries": [{"entry": "joined"}] * case["options"].get("seats", 2)}
        assert ALONE["outcome"](record, digest, case["number"], case["outcome"]) == case["outcome"]


@given(st.integers(1, 2**64), st.binary(min_size=SIZE, max_size=SIZE))
def test_a_number_is_below_n(n: int, digest: bytes) -> None:
    rng = FairDraw(digest, 0)
    assert all(0 <= rng.below(n) < n for _ in range(9))


@pytest.mark.parametrize("n", [2, 3, 6, 10, 52, 104])
def test_each_of_n_is_equally_likely(n: int) -> None:
    counts: Counter[int] = Counter()
    for number in range(20):  # across outcomes as well as within one
        rng = FairDraw(b"k" * SIZE, number)
        counts.update(rng.below(n) for _ in range(10 * n))
    assert chi_square_survival(sum((counts[i] - 200) ** 2 / 200 for i in range(n)), n - 1) > 1e-6


def test_words_that_would_bias_the_result_are_rejected() -> None:
    n = 3 << 62  # a quarter of all words is not below the greatest multiple of it
    words, kept = FairDraw(b"k" * SIZE, 0), FairDraw(b"k" * SIZE, 0)
    expected = [word for word in (words.below(1 << 64) for _ in range(400)) if word < n]
    assert 260 < len(expected) < 340
    assert [kept.below(n) for _ in expected] == expected


def test_every_part_of_a_round_changes_the_outcomes() -> None:
    base = (0, b"s" * SIZE, {0: b"a" * SIZE, 1: b"b" * SIZE})
    others = [
        (1, base[1], base[2]),
        (0, b"t" * SIZE, base[2]),
        (0, base[1], {0: b"a" * SIZE}),
        (0, base[1], {0: b"b" * SIZE, 1: b"a" * SIZE}),
        (0, base[1], {0: b"a" * SIZE, 2: b"b" * SIZE}),
        (0, base[1], {}),
    ]
    assert len({draw_key(*arguments) for arguments in [base, *others]}) == 7
    assert draw_key(0, base[1], {1: b"b" * SIZE, 0: b"a" * SIZE}) == draw_key(*base)
    hashes = {commitment(0, b"a" * SIZE), commitment(1, b"a" * SIZE)}
    hashes |= {pledge(round_, seat, b"a" * SIZE) for round_ in (0, 1) for seat in (0, 1)}
    assert len(hashes) == 6


@pytest.mark.parametrize("short", [b"", b"x" * 31, b"x" * 33])
def test_bytes_of_another_length_raise(short: bytes) -> None:
    calls: list[Callable[[], object]] = [
        lambda: commitment(0, short),
        lambda: pledge(0, 0, short),
        lambda: draw_key(0, short, {}),
        lambda: draw_key(0, bytes(SIZE), {3: short}),
        lambda: from_hex(short.hex(), "this"),
    ]
    for call in calls:
        with pytest.raises(Malformed, match=r"must be 32 bytes; got|must be 64 lower-case hexadecimal digits"):
            call()


def test_random_bytes_come_from_the_callers_generator() -> None:
    assert random_bytes(SeededGenerator(1)) == random_bytes(SeededGenerator(1)) != random_bytes(SeededGenerator(2))
    assert len(random_bytes(SeededGenerator(1))) == SIZE


@pytest.mark.parametrize("number", [-1, 2**32, 10**30, 1.0, True])
def test_a_round_or_seat_that_has_no_four_bytes_is_refused(number: Any) -> None:
    with pytest.raises(Malformed, match="a round must be "):
        commitment(number, bytes(32))
    with pytest.raises(Malformed, match="a seat must be "):
        pledge(0, number, bytes(32))
    with pytest.raises(Malformed, match="a seat must be "):
        draw_key(0, bytes(32), {number: bytes(32)})

import re
from collections.abc import Callable
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.jax.law import COMPILER, check, compiled, random_actions
from tests.variants import variants

from faceup.core import Malformed
from faceup.games.lane_chance import LaneChance
from faceup.jax import State, make
from faceup.jax.env import _word

QUICK = {"nimmt:tactical seats=3 target=12": 100, "nimmt:arena seats=4": 30}
"""Rules and the least number of games that end in the steps of the test."""

ODD = (
    "nimmt seats=3 rows=8 capacity=9 hand=3 deals=4 forfeits=true",
    "nimmt seats=5 hand=1 rows=1 capacity=1 cards=0 deals=2",
    "nimmt:classic seats=10 rows=3 capacity=2 hand=9 target=30 cards=99",
    "nimmt seats=2 hand=10 rows=2 deals=0 target=20 capacity=7",
)
EVERY = [*(spec for spec, _ in variants({"nimmt"})), *ODD]

SMALL = make("nimmt seats=2 hand=2 deals=2 rows=2 forfeits=true", auto_reset=False)


_FIRST, *_OTHERS = QUICK


@pytest.mark.parametrize("spec", [_FIRST, *(pytest.param(spec, marks=pytest.mark.long) for spec in _OTHERS)])
def test_lanes_equal_the_readable_rules_and_the_batch_engine(spec: str) -> None:
    assert check(make(spec), lanes=60, steps=60, scalar=15) >= QUICK[spec]


@pytest.mark.long
def test_without_automatic_reset_the_final_position_stays() -> None:
    assert check(SMALL, lanes=60, steps=12) == 60


@pytest.mark.long
@pytest.mark.parametrize("spec", EVERY)
def test_a_hundred_thousand_games_equal_the_readable_rules(spec: str) -> None:
    """The share of one variant; all of them together play more than 100,000 games."""
    games, seed = 0, 0
    while games * len(EVERY) < 100_000:
        games += check(make(spec), lanes=500, steps=100, seed=seed)
        seed += 1


def test_a_seed_has_several_forms() -> None:
    def number(seed: int | jax.Array) -> int:
        high, low = _word("seed", seed)
        return int(high) << 32 | int(low)

    seed = 5 << 32 | 9
    assert number(seed) == number(jnp.array([5, 9], jnp.uint32)) == seed
    assert number(9) == number(jnp.int32(9)) == number(jnp.uint32(9)) == 9
    with jax.enable_x64(True):
        assert number(jnp.int64(seed)) == number(seed) == seed


@pytest.mark.long
def test_decks_of_a_pool_are_dealt() -> None:
    rules, pool = SMALL.rules, SMALL.shuffle_pool(50, seed=4)
    assert np.sort(pool, axis=1).tolist() == [[*range(rules.cards)]] * 50
    openings_of_pool = {tuple(deck.argsort()[4:6] + 1) for deck in np.asarray(pool)}
    start = jax.jit(jax.vmap(SMALL.init, (None, 0, None)), compiler_options=COMPILER)
    step = jax.jit(jax.vmap(SMALL.step, (0, 0, None)), compiler_options=COMPILER)
    legal = jax.jit(jax.vmap(SMALL.legal), compiler_options=COMPILER)
    state: State = start(7, jnp.arange(400), pool)
    openings = [tuple(cards) for cards in state.opening.tolist()]
    assert {*openings} == openings_of_pool
    rng = np.random.default_rng(1)
    while not state.finished.all():
        mask = np.asarray(legal(state))
        state, _ = step(state, jnp.asarray(random_actions(rules, mask, rng, forfeits=10**9)), pool)
    again = [tuple(cards) for cards in state.opening.tolist()]
    assert {*again} <= openings_of_pool
    assert sum(first != other for first, other in zip(openings, again, strict=True)) > 350


def test_nothing_hidden_enters_an_observation() -> None:
    state, _, seen = compiled(SMALL).start(jnp.array([0, 3], jnp.uint32), jnp.arange(20))
    observe = jax.jit(jax.vmap(SMALL.observe), compiler_options=COMPILER)
    for seat in range(2):
        other = 2 - seat  # in `held`
        hidden = jnp.where(state.held == other, 0, state.held)
        changed = state._replace(held=hidden, deck=state.deck[:, ::-1], key=state.key + 1)
        np.testing.assert_array_equal(observe(changed)[:, seat], seen[:, seat])
        assert (np.asarray(observe(changed)[:, 1 - seat]) != seen[:, 1 - seat]).any(axis=1).all()


def test_one_seed_has_the_deals_of_the_other_environments() -> None:
    seeds: list[Any] = [7, np.uint64(7), np.int32(7), 2**64 - 1]
    for seed in seeds:
        deal: Any = LaneChance(SMALL.rules, seed, 3).draw(SMALL.rules.start())
        held = np.array(SMALL.init(seed, lane=3).held)
        for seat in range(2):
            hand = deal.cards[seat * SMALL.rules.hand : (seat + 1) * SMALL.rules.hand]
            assert (np.flatnonzero(held == seat + 1) + 1).tolist() == sorted(hand)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: make("war"), "only nimmt has a JAX environment; got war"),
        (lambda: make(reward="head"), "there is no reward 'head'; did you mean 'heads'"),
        (lambda: SMALL.init(-1), "seed must be 0 to 2**64 - 1; got -1"),
        (lambda: SMALL.init(7.0), "seed must be a whole number; got 7.0"),  # type: ignore[arg-type]  # the error
        (lambda: SMALL.init(True), "seed must be a whole number; got True"),
        (lambda: SMALL.init(1, cast("Any", np.int64(-1))), "lane must be 0 to 2**64 - 1; got -1"),
        (lambda: SMALL.init(1, jnp.zeros(3)), "lane must be an integer or uint32 [2]; got float32 [3]"),
        (
            lambda: SMALL.init(1, 0, jnp.zeros((9, 6))),
            "a pool must be an array of uint8 [decks, 104]; got float32 [9, 6]",
        ),
        (lambda: SMALL.init(1, 0, jnp.zeros((0, 104), jnp.uint8)), "[decks, 104]; got uint8 [0, 104]"),
        (lambda: SMALL.init(1, 0, cast("Any", [1, 2])), "[decks, 104]; got list"),
        (lambda: SMALL.shuffle_pool(0, 1), "decks must be 1 to 4294967295; got 0"),
        (lambda: SMALL.step(SMALL.init(1), jnp.zeros(2)), "actions must be an array of integers [2]; got float32 [2]"),
        (lambda: SMALL.step(SMALL.init(1), cast("Any", [0, 0])), "actions must be an array of integers [2]; got list"),
        (
            lambda: SMALL.step(SMALL.init(1), jnp.zeros(3, int)),
            "actions must be an array of integers [2]; got int32 [3]",
        ),
        (
            lambda: SMALL.step(SMALL.init(1), jnp.zeros(2, int), jnp.zeros((9, 104), jnp.uint8)),
            "pass the same pool to `init` and to `step`, or none to both",
        ),
        (lambda: SMALL.observe(SMALL.init(1), 2), "seat must be 0 to 1; got 2"),
    ],
)
def test_a_wrong_argument_raises(call: Callable[[], object], words: str) -> None:
    with pytest.raises(Malformed, match=re.escape(words)):
        call()


def test_an_unknown_option_raises_a_type_error_as_in_the_other_environments() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour': 6 nimmt! has no such option"):
        make(colour=1)

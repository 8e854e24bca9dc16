"""The environment: the functions of one game with its rules and its reward."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import msgspec
from jax import Array

from faceup.core import Malformed
from faceup.core.arguments import check_fields, check_type
from faceup.core.registry import OptionValue, make_with_keywords, nearest
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.games.nimmt.parameters import check_supported
from faceup.games.nimmt.rules import Rules
from faceup.jax import observation, stepping, words
from faceup.jax.deals import new_deck, shuffle, words_of
from faceup.jax.rewards import REWARDS
from faceup.jax.state import State


class EnvStep(NamedTuple):
    """The result of a step.

    Attributes:
        rewards: float32 [seats]: the reward of each seat.
        ended: bool: whether the match ended in this step.
        heads: int32 [seats]: each seat's heads in the match, before an automatic reset.
    """

    rewards: Array
    ended: Array
    heads: Array


class Env(msgspec.Struct, frozen=True):
    """6 nimmt! as pure functions of one game's arrays, which have fixed shapes. Create it with `make`.

    Apply `jax.vmap` to play many games, and `jax.jit` to compile.

    Attributes:
        rules: the rules.
        reward: the name of the reward.
        auto_reset: whether a match that ends is replaced by the next match in the same step.
    """

    rules: Rules
    reward: str
    auto_reset: bool

    def __post_init__(self) -> None:
        """Raise `Malformed` if there is no such reward, or an attribute has a wrong type."""
        check_fields(self)
        if self.reward not in REWARDS:
            names = [*REWARDS]
            message = f"there is no reward {self.reward!r}{nearest(self.reward, names)}"
            raise Malformed(message, what=self.reward, where="reward")

    def init(self, seed: int | Array, lane: int | Array = 0, pool: Array | None = None) -> State:
        """Return the state after the first deal.

        Lane i of a seed has the same deals as lane i of the batch engine (`faceup.games.nimmt.batch.reset`), unless
        they come from a pool.

        Args:
            seed: 0 to 2**64 - 1; in compiled code an integer, or uint32 [2] with the high half first, such as
                `jax.random.bits(key, 2, "uint32")`.
            lane: likewise.
            pool: decks from `shuffle_pool`.

        Raises:
            Malformed: the seed or the lane is out of range, or has another shape or type.
        """
        return stepping.init(self.rules, _word("seed", seed), _word("lane", lane), self._checked(pool))

    def step(self, state: State, actions: Array, pool: Array | None = None) -> tuple[State, EnvStep]:
        """Play one joint decision, and deal if a deal is due.

        Compiled code raises no errors: an action that `legal` does not list leads to a position that the rules do not
        know.

        Args:
            state: the state.
            actions: an integer [seats] with the action of each seat to act. The actions of other seats are ignored.
                Where the rules allow forfeits, -1 is a forfeit.
            pool: the pool that was passed to `init`.

        Raises:
            Malformed: the actions have another shape or type, or the pool was not passed to `init`.
        """
        _check_state(state)
        if not _is_of(jnp.integer, actions) or actions.shape != (self.rules.seats,):
            raise Malformed(
                f"actions must be an array of integers [{self.rules.seats}]; got {_kind(actions)}",
                what=_kind(actions),
                where="actions",
            )
        if (pool is None) == (state.deck.shape[0] == 0):
            raise Malformed(
                "pass the same pool to `init` and to `step`, or none to both", what=pool is None, where="pool"
            )
        new, played = stepping.step(
            self.rules, state, actions.astype(jnp.int16), self._checked(pool), auto_reset=self.auto_reset
        )
        return new, EnvStep(REWARDS[self.reward](played), played.ended, played.heads)

    def legal(self, state: State) -> Array:
        """Return whether each action is legal for each seat: bool [seats, 104 + rows].

        Actions have the numbers of the rules: 0 to 103 play card n + 1, and 104 and up take row n - 104. A seat that is
        not to act (`state.acts`) has no legal action.
        """
        _check_state(state)
        return stepping.legal(self.rules, state)

    def observe(self, state: State, seat: int | None = None) -> Array:
        """Return what a seat may know, in the encoding `ids`: uint8 [n]; without a seat, for all seats: [seats, n].

        Raises:
            Malformed: there is no such seat.
        """
        _check_state(state)
        seats = range(self.rules.seats)
        if seat is None:
            return observation.observe(self.rules, state, seats)
        seat = whole_number("seat", seat, 0, seats[-1])
        return observation.observe(self.rules, state, range(seat, seat + 1))[0]

    def shuffle_pool(self, decks: int, seed: int | Array) -> Array:
        """Return shuffled decks from which games can be dealt faster: uint8 [decks, cards in play].

        A deal from a pool takes one random number instead of a shuffle, and a pool has fewer deals than the game.

        Raises:
            Malformed: the number of decks or the seed is out of range.
        """
        decks = whole_number("decks", decks, 1, 2**32 - 1)

        def deck(lane: Array) -> Array:
            key = words.lane_key(_word("seed", seed), (jnp.uint32(0), lane))
            start = jnp.uint8(0), new_deck(self.rules)
            return shuffle(self.rules, key, jnp.uint32(0), start, words_of(self.rules))[1]

        pool: Array = jax.jit(jax.vmap(deck))(jnp.arange(decks, dtype=jnp.uint32))
        return pool

    def _checked(self, pool: Array | None) -> Array | None:
        if pool is None:
            return None
        if not _is_of(jnp.uint8, pool) or pool.ndim != 2 or not pool.size or pool.shape[1] != self.rules.cards:
            raise Malformed(
                f"a pool must be an array of uint8 [decks, {self.rules.cards}]; got {_kind(pool)}",
                what=_kind(pool),
                where="pool",
            )
        return pool


def _check_state(state: object) -> None:
    check_type("state", state, State, "a state of `init` or `step`")


def _is_of(kind: Any, array: object) -> bool:  # noqa: ANN401 -- a type of numpy's or JAX's
    return hasattr(array, "dtype") and bool(jnp.issubdtype(array.dtype, kind))


def _kind(array: Any) -> str:  # noqa: ANN401 -- any argument
    """Return the type and shape of an array, or the type of another object, for a message."""
    return f"{array.dtype} {list(array.shape)}" if hasattr(array, "dtype") else type(array).__name__


def _word(name: str, number: int | Array) -> words.Word:
    if isinstance(number, int) or not (isinstance(number, Array) or getattr(number, "shape", ())):
        return words.word(whole_number(name, number, 0, LARGEST_WORD))
    if number.shape == (2,) and number.dtype == jnp.uint32:
        return number[0], number[1]
    if number.shape != () or not jnp.issubdtype(number.dtype, jnp.integer):
        raise Malformed(
            f"{name} must be an integer or uint32 [2]; got {_kind(number)}",
            what=_kind(number),
            where=name,
        )
    high = number >> 32 if number.dtype.itemsize == 8 else jnp.uint32(0)
    return high.astype(jnp.uint32), number.astype(jnp.uint32)


def make(spec: str = "nimmt", *, reward: str = "heads", auto_reset: bool = True, **options: OptionValue) -> Env:
    """Return the environment of a variant of 6 nimmt!.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        reward: "heads", "relative", "place" or "win", as in `faceup.envs`.
        auto_reset: whether a match that ends is replaced by the next match in the same step.
        options: more options of the game, such as `seats`.

    Raises:
        Malformed: an argument is invalid, or the game is not 6 nimmt!.
        TypeError: the game has no option of this name.
    """
    rules = make_with_keywords(spec, options)
    if not isinstance(rules, Rules):
        raise Malformed(f"only nimmt has a JAX environment; got {rules.game}", what=rules.game, where="game")
    check_supported(rules, "jax")
    return Env(rules, reward, auto_reset)

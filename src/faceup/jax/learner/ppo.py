"""Self-play and its update by PPO, compiled as one function.

All seats of all lanes draw their cards from the same network. A rollout is one deal of every lane. In each turn of a
deal, every seat decides once; a seat that must take a row takes the cheapest, as the bot `network` does, so that all
lanes play the same turn. The next rollout continues the matches.

The network has two policies, as the bot plays them: one for few heads, and one for the chance to win, which plays the
last cards of the last deal. Each learns from its own value.

Sources: Schulman et al., "Proximal policy optimization algorithms" (2017) and "High-dimensional continuous control
using generalized advantage estimation" (2016).
"""

from functools import partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from faceup.games.nimmt.batch.network import HEADS_SCALE, Weights
from faceup.games.nimmt.objectives import LATE
from faceup.games.nimmt.observation import TAKE_ROW
from faceup.games.nimmt.rules import Rules
from faceup.jax.env import Env, EnvStep
from faceup.jax.learner.features import (
    Inputs,
    cheapest_row,
    encode,
    greedy,
    row_below,
    table_of,
)
from faceup.jax.learner.network import evaluate
from faceup.jax.observation import rows_of
from faceup.jax.state import State

OPTIMIZER: Final = optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam(eps=1e-5))
"""The optimizer, before the learning rate."""


class PpoSettings(NamedTuple):
    """The settings of an update.

    Attributes:
        rate: the learning rate.
        passes: the number of passes over the decisions of a rollout.
        minibatch: the number of decisions of a gradient step.
        clip: the largest change of a probability, as a ratio, that is rewarded.
        entropy: the weight of the entropy of the policy.
        trace: lambda of the advantages. There is no discount, because deals are short.
        average: the share of the previous mean weights in the next ones, after a gradient step.
    """

    rate: float = 5e-4
    passes: int = 2
    minibatch: int = 2048
    clip: float = 0.2
    entropy: float = 0.01
    trace: float = 0.9
    average: float = 0.995


class Learned(NamedTuple):
    """The learned weights, and the state of the optimizer.

    Attributes:
        weights: the weights of the network.
        mean: their moving average, which is exported.
        optimizer: the state of the optimizer.
        steps: int32: the number of gradient steps.
    """

    weights: Weights
    mean: Weights
    optimizer: Any  # optax names no type for it
    steps: Array


class Decisions(NamedTuple):
    """The decisions of a rollout: arrays [turns, lanes, seats, ...], or [minibatch, ...].

    Attributes:
        inputs: the inputs of the network.
        choice: the place of the chosen card in the hand.
        likelihood: the logarithm of its probability.
        winning: whether the policy for winning chose.
        values: [..., 2]: the network's values, the second as a probability.
    """

    inputs: Inputs
    choice: Array
    likelihood: Array
    winning: Array
    values: Array


class Targets(NamedTuple):
    """The advantages and returns of decisions, [..., 2] each, for heads and for winning; and which are known.

    Attributes:
        advantages: the advantages.
        returns: the returns.
        decided: whether the deal was the last one of its match.
    """

    advantages: Array
    returns: Array
    decided: Array


def start(weights: Weights) -> Learned:
    """Return the state before the first update."""
    weights = jax.tree.map(jnp.asarray, weights)
    return Learned(weights, weights, OPTIMIZER.init(weights), jnp.int32(0))


def _observed(env: Env, state: State, before: Array) -> tuple[Array, Inputs]:
    """Return the observations and the inputs of all seats of a lane."""
    seen = env.observe(state)
    turned = jnp.stack([jnp.roll(before, -seat, axis=0) for seat in range(env.rules.seats)])
    return seen, jax.vmap(partial(encode, env.rules))(seen, turned)


def _play_turn(env: Env, state: State, before: Array, turn: Array, cards: Array) -> tuple[State, Array, EnvStep]:
    """Play one card of every seat of a lane, and let a seat that must take a row take the cheapest.

    Args:
        env: the environment.
        state: the state.
        before: as for `features.encode`, with seats counted from seat 0.
        turn: the number of the turn in the deal, from 0.
        cards: int32 [seats]: the actions.

    Returns:
        The state, `before` with this turn, and the result of both steps.
    """
    rules = env.rules
    table = table_of(rules, rows_of(rules, state).astype(jnp.int32))
    under = row_below(table, cards + 1)
    row = jnp.maximum(under, 0)
    fits = jnp.stack(
        [jnp.where(under < 0, 0, table.tails[row]), jnp.where(under < 0, rules.capacity - 1, table.free[row])], axis=1
    )
    before = jnp.where((jnp.arange(rules.hand) == turn)[:, None], fits[:, None], before)
    seats = rules.seats

    def step(carry: tuple[State, EnvStep], first: Array) -> tuple[tuple[State, EnvStep], None]:
        state, total = carry
        row = jnp.full(seats, cheapest_row(rows_of(rules, state).astype(jnp.int32)), jnp.int32)
        new, result = env.step(state, jnp.where(first, cards, row))
        result = EnvStep(total.rewards + result.rewards, result.ended, result.heads)
        due = first | (state.phase == TAKE_ROW)
        return jax.tree.map(lambda new, old: jnp.where(due, new, old), (new, result), carry), None

    nothing = EnvStep(jnp.zeros(seats), jnp.bool_(False), jnp.zeros(seats, jnp.int32))
    (state, result), _ = jax.lax.scan(step, (state, nothing), jnp.array([True, False]))
    return state, before, result


def _is_last(rules: Rules, state: State) -> Array:
    """Return whether the match of a lane is certain to end with this deal; as `Rules.is_last_deal`."""
    last = state.finished + 1 >= rules.deals if rules.deals else jnp.bool_(False)
    return last | (state.heads.max() >= rules.target) if rules.target else jnp.bool_(last)


def _no_turns(rules: Rules, lanes: int) -> Array:
    return jnp.zeros((lanes, rules.seats, rules.hand, 2), jnp.int32)


def rollout(env: Env, weights: Weights, states: State, key: Array) -> tuple[State, Decisions, Array, Array, Array]:
    """Play one deal in every lane.

    Returns:
        The states; the decisions; the rewards of the turns, [turns, lanes, seats]; the shares of the win, [lanes,
        seats]; and in which lanes the match ended.
    """
    rules = env.rules
    lanes = states.phase.shape[0]

    def play(carry: tuple[State, Array], number: tuple[Array, Array]) -> tuple[tuple[State, Array], Any]:
        (states, before), (turn, key) = carry, number
        _, inputs = jax.vmap(partial(_observed, env))(states, before)
        logits, values = jax.vmap(jax.vmap(partial(evaluate, weights)))(inputs)
        late = jax.vmap(partial(_is_last, rules))(states) & (rules.hand - turn <= LATE)
        winning = jnp.broadcast_to(late[:, None], (lanes, rules.seats))
        logs = jax.nn.log_softmax(jnp.where(winning[..., None], logits[..., 1], logits[..., 0]))
        choice = jax.random.categorical(key, logs)
        chosen = choice[..., None]
        cards = jnp.take_along_axis(inputs.hand, chosen, axis=2)[..., 0] - 1
        states, before, result = jax.vmap(partial(_play_turn, env), (0, 0, None, 0))(states, before, turn, cards)
        likelihood = jnp.take_along_axis(logs, chosen, axis=2)[..., 0]
        values = values.at[..., 1].set(jax.nn.sigmoid(values[..., 1]))
        return (states, before), (Decisions(inputs, choice, likelihood, winning, values), result)

    numbers = jnp.arange(rules.hand), jax.random.split(key, rules.hand)
    (states, _), (decisions, results) = jax.lax.scan(play, (states, _no_turns(rules, lanes)), numbers)
    heads = results.heads[-1]
    fewest = heads == heads.min(axis=1, keepdims=True)
    return states, decisions, results.rewards, fewest / fewest.sum(axis=1, keepdims=True), results.ended[-1]


def targets(decisions: Decisions, rewards: Array, wins: Array, ended: Array, trace: float) -> Targets:
    """Return the targets of a rollout, whose deals are complete."""
    at_end = jnp.zeros_like(rewards).at[-1].set(wins * ended[:, None])
    gains = jnp.stack([-rewards / HEADS_SCALE, at_end], axis=-1)

    def back(carry: tuple[Array, Array], step: tuple[Array, Array]) -> tuple[tuple[Array, Array], Array]:
        (after, advantage), (gain, value) = carry, step
        advantage = gain + after - value + trace * advantage
        return (value, advantage), advantage

    nothing = jnp.zeros_like(gains[0])
    _, advantages = jax.lax.scan(back, (nothing, nothing), (gains, decisions.values), reverse=True)
    decided = jnp.broadcast_to(ended[:, None], rewards.shape)
    return Targets(advantages * jnp.array([-1, 1]), advantages + decisions.values, decided)


def loss(
    weights: Weights, decisions: Decisions, goal: Targets, settings: PpoSettings
) -> tuple[Array, dict[str, Array]]:
    """Return the loss of a minibatch, and its parts. A decision with one card only trains the values."""
    logits, values = jax.vmap(partial(evaluate, weights))(decisions.inputs)
    winning, there = decisions.winning, decisions.inputs.hand > 0
    logs = jax.nn.log_softmax(jnp.where(winning[:, None], logits[..., 1], logits[..., 0]))
    logs = jnp.where(there, logs, 0)
    likelihood = jnp.take_along_axis(logs, decisions.choice[:, None], axis=1)[:, 0]
    entropy = -(jnp.exp(logs) * logs * there).sum(axis=1)
    asked = there.sum(axis=1) > 1

    def scaled(gain: Array, which: Array) -> Array:
        """Return advantages with mean 0 and deviation 1 among these decisions."""
        count = jnp.maximum(which.sum(), 1)
        gain = gain - (gain * which).sum() / count
        return gain / (jnp.sqrt((gain**2 * which).sum() / count) + 1e-6)

    heads, wins = scaled(goal.advantages[:, 0], asked & ~winning), scaled(goal.advantages[:, 1], asked & winning)
    gain = jnp.where(winning, wins, heads) * asked
    ratio = jnp.exp(likelihood - decisions.likelihood)
    bounded = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    parts = {
        "policy": -jnp.minimum(ratio * gain, bounded * gain).mean(),
        "entropy": (entropy * asked).sum() / jnp.maximum(asked.sum(), 1),
        "value": ((values[:, 0] - goal.returns[:, 0]) ** 2).mean(),
        "winning": (
            optax.sigmoid_binary_cross_entropy(values[:, 1], jnp.clip(goal.returns[:, 1], 0, 1)) * goal.decided
        ).mean(),
        "clipped": ((jnp.abs(ratio - 1) > settings.clip) & asked).mean(),
    }
    return parts["policy"] - settings.entropy * parts["entropy"] + 0.5 * (parts["value"] + parts["winning"]), parts


def update(
    env: Env, settings: PpoSettings, learned: Learned, states: State, *, key: Array, rate: Array
) -> tuple[Learned, State, dict[str, Array]]:
    """Play a deal in every lane, and learn from it.

    Args:
        env: the environment, with the reward "relative" and automatic resets.
        settings: the settings.
        learned: what was learned before.
        states: the states of the lanes, all before the first turn of a deal.
        key: the key of all random choices.
        rate: the learning rate as a share of that of the settings.
    """
    playing, *shuffling = jax.random.split(key, settings.passes + 1)
    states, decisions, rewards, shares, ended = rollout(env, learned.weights, states, playing)
    goal = targets(decisions, rewards, shares, ended, settings.trace)
    flat = jax.tree.map(lambda array: array.reshape(-1, *array.shape[3:]), (decisions, goal))
    count = decisions.choice.size
    size = min(settings.minibatch, count)
    order = jnp.concatenate([jax.random.permutation(key, count)[: count // size * size] for key in shuffling])

    def descend(learned: Learned, index: Array) -> tuple[Learned, dict[str, Array]]:
        part = jax.tree.map(lambda array: array[index], flat)
        gradient, parts = jax.grad(loss, has_aux=True)(learned.weights, *part, settings)
        change, optimizer = OPTIMIZER.update(gradient, learned.optimizer)
        weights = jax.tree.map(lambda weight, by: weight - settings.rate * rate * by, learned.weights, change)
        steps = learned.steps + 1
        share = jnp.minimum(settings.average, 1 - 1 / steps)
        mean = jax.tree.map(lambda old, new: share * old + (1 - share) * new, learned.mean, weights)
        return Learned(weights, mean, optimizer, steps), parts

    learned, parts = jax.lax.scan(descend, learned, order.reshape(-1, size))
    return learned, states, jax.tree.map(jnp.mean, parts)


def wins(env: Env, weights: Weights, seed: Array, deals: int) -> tuple[Array, Array]:
    """Play deals against the bot `greedy`, each of them once with the network in every seat.

    Returns:
        For each deal, the mean share of the win, and the mean heads of the network: float32 [deals] each.
    """
    rules, seats = env.rules, env.rules.seats
    own = jnp.tile(jnp.arange(seats), deals)
    states = jax.vmap(env.init, (None, 0))(seed, jnp.repeat(jnp.arange(deals, dtype=jnp.uint32), seats))

    def play(carry: tuple[State, Array], turn: Array) -> tuple[tuple[State, Array], Array]:
        states, before = carry

        def choose(state: State, before: Array, seat: Array) -> Array:
            seen, inputs = _observed(env, state, before)
            seat_inputs = jax.tree.map(lambda array: array[seat], inputs)
            winning = _is_last(rules, state) & (rules.hand - turn <= LATE)
            logits, _ = evaluate(weights, seat_inputs)
            card = seat_inputs.hand[jnp.argmax(jnp.where(winning, logits[:, 1], logits[:, 0]))] - 1
            return jnp.where(jnp.arange(seats) == seat, card, jax.vmap(partial(greedy, rules))(seen))

        cards = jax.vmap(choose)(states, before, own)
        states, before, result = jax.vmap(partial(_play_turn, env), (0, 0, None, 0))(states, before, turn, cards)
        return (states, before), result.heads

    _, heads = jax.lax.scan(play, (states, _no_turns(rules, deals * seats)), jnp.arange(rules.hand))
    final = heads[-1]
    fewest = final == final.min(axis=1, keepdims=True)
    shares = fewest / fewest.sum(axis=1, keepdims=True)
    rows = jnp.arange(len(own))
    return tuple(array[rows, own].reshape(deals, seats).mean(axis=1) for array in (shares, final.astype(jnp.float32)))  # type: ignore[return-value]  # two arrays

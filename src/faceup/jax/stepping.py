"""Start a game, list its legal actions, and play a joint decision, as pure functions of one game's arrays.

A compiled program takes the same path for every game of a batch, so a step computes all that may be due, and selects.
"""

from functools import reduce
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.observation import CHOOSE, OVER, SET_ASIDE, TAKE_ROW, TAKEN_BY
from faceup.games.nimmt.rules import Rules
from faceup.jax import words
from faceup.jax.deals import new_deck, next_deck, open_deal, shuffle, words_of
from faceup.jax.placing import PlacedCards, TurnArrays, TurnTerms, line_of, place_cards, queued
from faceup.jax.state import ANYONE, CARDS_PER_PART, NO_SEAT, State
from faceup.jax.words import Word


class StepChanges(NamedTuple):
    """What a step did, before a finished match was replaced by the next one.

    Attributes:
        gains: int32 [seats]: the heads that each seat took in this step.
        ended: bool: whether the match ended.
        heads: int32 [seats]: each seat's heads after this step.
        gone: uint8 [seats]: as in `State`, after this step.
    """

    gains: Array
    ended: Array
    heads: Array
    gone: Array


def init(rules: Rules, seed: Word, lane: Word, pool: Array | None = None) -> State:
    """Return the state after the first deal of a lane, which is shuffled or picked from a pool of decks."""
    key, first = words.lane_key(seed, lane), jnp.uint32(0)
    unshuffled = new_deck(rules) if pool is None else jnp.zeros(0, jnp.uint8)
    if pool is None:
        _, deck = shuffle(rules, key, first, (jnp.uint8(0), unshuffled), words_of(rules))
    else:
        deck, *_ = next_deck(rules, key, first, (jnp.uint8(0), unshuffled), due=True, pool=pool)
    deal = open_deal(rules, deck)
    zeros = jnp.zeros(rules.seats, jnp.uint8)
    return State(
        key=jnp.stack(key),
        dealt=jnp.uint32(1),
        phase=jnp.uint8(CHOOSE),
        acts=jnp.ones(rules.seats, bool),
        held=deal.held,
        cards=deal.cards,
        rows=_opened(rules, deal.opening),
        lines=line_of(deal.opening),
        sizes=jnp.full(rules.seats, rules.hand, jnp.uint8),
        plays=zeros,
        history=jnp.zeros((rules.seats, rules.hand), jnp.uint8),
        chosen=jnp.zeros(rules.hand, jnp.uint8),
        opening=deal.opening,
        gone=zeros,
        heads=jnp.zeros(rules.seats, jnp.int32),
        finished=jnp.int32(0),
        drawn=jnp.uint8(0),
        deck=unshuffled,
    )


def legal(rules: Rules, state: State) -> Array:
    """Return whether each action is legal for each seat: bool [seats, 104 + rows]."""
    own = jnp.where(state.phase == CHOOSE, jnp.arange(1, rules.seats + 1, dtype=jnp.uint8), jnp.uint8(ANYONE))
    return state.held == jnp.where(state.acts, own, jnp.uint8(NO_SEAT))[:, None]


class _Choices(NamedTuple):
    """The choices of a step, with lists by seat.

    Attributes:
        plays: uint8: the card that the seat chose now or before and that is to be placed; 0 for none.
        revealed: uint8: the card that the seat chose now; 0 for none.
        chosen: int8: the row that a seat chose; -1 if no seat did.
        gone: as in `State`, after this step's forfeits.
        out: whether the seat forfeits.
        ends: whether fewer than two seats are left.
    """

    plays: list[Array]
    revealed: list[Array]
    chosen: Array
    gone: list[Array]
    out: list[Array]
    ends: Array


def _choices(rules: Rules, state: State, actions: Array) -> _Choices:
    choosing = state.phase == CHOOSE
    asked = [jnp.where(state.acts[seat], actions[seat], -1) for seat in range(rules.seats)]
    revealed = [jnp.where(choosing, (action + 1).astype(jnp.uint8), jnp.uint8(0)) for action in asked]
    plays = [card | state.plays[seat] for seat, card in enumerate(revealed)]
    row = jnp.where(choosing, -1, reduce(jnp.maximum, asked) - TAKE)  # only one seat is to act
    gone_groups, no = [*state.gone], jnp.bool_(False)
    out, ends = [no] * rules.seats, no
    if rules.forfeits:
        out = [state.acts[seat] & (action < 0) for seat, action in enumerate(asked)]
        group = reduce(jnp.maximum, gone_groups) + jnp.uint8(1)
        gone_groups = [jnp.where(is_out, group, before) for is_out, before in zip(out, gone_groups, strict=True)]
        left = reduce(jnp.add, [(value == 0).astype(jnp.uint8) for value in gone_groups])
        ends = reduce(jnp.logical_or, out) & (left < 2)
    return _Choices(plays, revealed, jnp.maximum(row, -1).astype(jnp.int8), gone_groups, out, ends)


def step(
    rules: Rules, state: State, actions: Array, pool: Array | None = None, *, auto_reset: bool = True
) -> tuple[State, StepChanges]:
    """Play one joint decision, and deal if a deal is due.

    Args:
        rules: the rules.
        state: the state.
        actions: int16 or int32 [seats]: the actions of the seats to act; -1 is a forfeit, where the rules allow
            forfeits. Actions of other seats are ignored.
        pool: the pool of decks of `init`.
        auto_reset: whether a match that ends is replaced by the next match. If not, the state stays over.
    """
    seats = range(rules.seats)
    live, choosing = state.phase != OVER, state.phase == CHOOSE
    choices = _choices(rules, state, actions)
    sizes = [state.sizes[seat] - (choices.revealed[seat] != 0).astype(jnp.uint8) for seat in seats]
    left = reduce(jnp.maximum, [jnp.where(choices.gone[seat] == 0, sizes[seat], jnp.uint8(0)) for seat in seats])
    terms = TurnTerms(
        aside=choices.ends,
        last=live & (left == 0) & ~choices.ends,
        final=state.finished + 1 >= rules.deals if rules.deals else jnp.bool_(False),
        stays=[live & (value == 0) for value in choices.gone],
    )
    queue = [
        queued(jnp.where(out, jnp.uint8(0), card), seat)
        for seat, (card, out) in enumerate(zip(choices.plays, choices.out, strict=True))
    ]
    turn, placed = place_cards(
        rules,
        terms,
        TurnArrays(
            queue=queue,
            chosen=choices.chosen,
            rows=[[*row] for row in state.rows],
            lines=[*state.lines],
            heads=[*state.heads],
            waits=jnp.bool_(False),
            ended=jnp.bool_(False),
            acts=[*state.acts],
        ),
    )
    heads, gone_groups = jnp.stack(turn.heads), jnp.stack(choices.gone)
    played = StepChanges(heads - state.heads, turn.ended, heads, gone_groups)
    closes = terms.last & ~turn.waits
    finished = state.finished + closes.astype(jnp.int32)
    before = jnp.arange(1, rules.hand + 1, dtype=jnp.uint8) == rules.hand - left
    taken = jnp.where(before & (choices.chosen >= 0), (choices.chosen + 1).astype(jnp.uint8), state.chosen)
    after = state._replace(
        phase=jnp.where(turn.waits, jnp.uint8(TAKE_ROW), jnp.uint8(CHOOSE)),
        acts=jnp.stack(turn.acts),
        held=_without(rules, state.held, placed),
        cards=_moved(rules, state.cards, choices, placed),
        rows=jnp.stack([part for row in turn.rows for part in row]).reshape(rules.rows, -1),
        lines=jnp.stack(turn.lines),
        sizes=jnp.stack(sizes),
        plays=jnp.stack(
            [
                jnp.where(turn.waits & ~out, card, jnp.uint8(0))
                for card, out in zip(choices.plays, choices.out, strict=True)
            ]
        ),
        history=jnp.where(before & choosing, jnp.stack(choices.revealed)[:, None], state.history),
        chosen=taken,
        gone=gone_groups,
        heads=heads,
        finished=finished,
    )
    if auto_reset:
        after = after._replace(
            acts=after.acts | turn.ended,
            gone=jnp.where(turn.ended, jnp.uint8(0), gone_groups),
            heads=jnp.where(turn.ended, 0, heads),
            finished=jnp.where(turn.ended, 0, finished),
        )
        due = closes | turn.ended
    else:
        over = turn.ended | ~live
        after = after._replace(phase=jnp.where(over, jnp.uint8(OVER), after.phase), acts=after.acts & ~over)
        due = closes & ~turn.ended
    return _deal(rules, after, due, pool), played


def _opened(rules: Rules, opening: Array) -> Array:
    """Return `State.rows` with one card in each row."""
    parts = -(-rules.capacity // CARDS_PER_PART)
    return jnp.where(jnp.arange(parts) == 0, opening.astype(jnp.uint32)[:, None], jnp.uint32(0))


def _without(rules: Rules, held: Array, placed: PlacedCards) -> Array:
    """Return `State.held` without the cards of a turn."""
    actions = jnp.arange(1, TAKE + rules.rows + 1, dtype=jnp.uint8)
    return jnp.where(reduce(jnp.logical_or, [actions == card for card in placed.card]), jnp.uint8(0), held)


def _moved(rules: Rules, cards: Array, choices: _Choices, placed: PlacedCards) -> Array:
    """Return `State.cards` after a turn."""
    numbers = jnp.arange(1, MOST_CARDS + 1, dtype=jnp.uint8)
    if rules.forfeits:
        for card, out in zip(choices.plays, choices.out, strict=True):
            cards = jnp.where(out & (card == numbers), jnp.uint8(SET_ASIDE), cards)
    for order in range(rules.seats):
        cards = jnp.where(cards == placed.took[order], placed.seat[order] + jnp.uint8(TAKEN_BY), cards)
        cards = jnp.where(placed.card[order] == numbers, placed.place[order], cards)
    return cards


def _deal(rules: Rules, state: State, due: Array, pool: Array | None) -> State:
    """Return the state after the next deal, if one is due."""
    key = state.key[0], state.key[1]
    shuffled, drawn, deck = next_deck(rules, key, state.dealt, (state.drawn, state.deck), due=due, pool=pool)
    deal = open_deal(rules, shuffled)
    return state._replace(
        dealt=state.dealt + due.astype(jnp.uint32),
        acts=jnp.where(due, state.gone == 0, state.acts),
        held=jnp.where(due, deal.held, state.held),
        cards=jnp.where(due, deal.cards, state.cards),
        rows=jnp.where(due, _opened(rules, deal.opening), state.rows),
        lines=jnp.where(due, line_of(deal.opening), state.lines),
        sizes=jnp.where(due, jnp.uint8(rules.hand), state.sizes),
        history=jnp.where(due, jnp.uint8(0), state.history),
        chosen=jnp.where(due, jnp.uint8(0), state.chosen),
        opening=jnp.where(due, deal.opening, state.opening),
        drawn=drawn,
        deck=deck,
    )

"""An adapter between the batch engine and learning environments.

It chooses actions for seats by their policies, records the turns of a deal, and writes the observations.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from faceup.games.env_adapter import BY_CALLER, EnvAdapter, hashed
from faceup.games.lanes import FRACTION_BITS, AnyArray, Array, Word, fraction, kernel, pick
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch import observation_kernels
from faceup.games.nimmt.batch.engine import NimmtEngine
from faceup.games.nimmt.batch.kernels import HIGHEST, LOWEST, RANDOM
from faceup.games.nimmt.batch.observation_kernels import heads_of
from faceup.games.nimmt.observation import CHOOSE, PADDED, TAKE_ROW, limits, public
from faceup.games.nimmt.state import State, Turn

_ZERO: Final[Word] = np.uint64(0)
_ONE: Final[Word] = np.uint64(1)


@kernel
def cheapest_row(lane: Word, rows: Array) -> Word:
    """Return the index of the row with the fewest heads; of several such rows, the first."""
    best, least = 0, heads_of(lane, np.uint64(0), rows)
    for row in range(1, rows.shape[1]):
        heads = heads_of(lane, np.uint64(row), rows)
        if heads < least:
            best, least = row, heads
    return best


@kernel
def greedy_card(lane: Word, seat: Word, sizes: Array, rows: Array, lengths: Array, ordered: Array) -> Word:
    """Return the action that `faceup.games.nimmt.policies.greedy` chooses when it plays a card."""
    best, least, narrowest, tail = np.int64(0), np.int64(1 << 30), np.int64(1 << 30), np.int64(0)
    cheapest = np.int64(heads_of(lane, np.uint64(cheapest_row(lane, rows)), rows))
    for place in range(np.uint64(sizes[lane, seat])):
        card = np.int64(ordered[lane, seat, place])
        nearest, tail = -1, np.int64(0)
        for row in range(lengths.shape[1]):
            last = np.int64(rows[lane, row, lengths[lane, row] - 1])
            if tail < last < card:
                nearest, tail = row, last
        cost = np.int64(0)
        if nearest < 0:
            cost = cheapest
        elif lengths[lane, nearest] == rows.shape[2]:
            cost = np.int64(heads_of(lane, np.uint64(nearest), rows))
        if cost < least or (cost == least and card - tail < narrowest):
            best, least, narrowest = card, cost, card - tail
    return best - 1


@kernel
def choose_actions(
    policies: Array, key: Word, moves: Array, phase: Array, acts: Array, sizes: Array, rows: Array, lengths: Array,
    ordered: Array,
) -> None:  # fmt: skip
    """Write, in every lane, the action that each seat to act gets from its policy, and -1 for the other seats.

    Nothing is written for a seat if the caller chooses its actions.
    """
    number = _ZERO
    for lane in range(np.uint64(len(phase))):
        for seat in range(np.uint64(sizes.shape[1])):
            number += _ONE
            policy = policies[lane, seat]
            if policy == BY_CALLER:
                continue
            moves[lane, seat] = -1
            if not acts[lane, seat]:
                continue
            if phase[lane] == TAKE_ROW:
                row = np.int64((fraction(key, number) * np.uint64(lengths.shape[1])) >> FRACTION_BITS)
                moves[lane, seat] = TAKE + (row if policy == RANDOM else cheapest_row(lane, rows))
            elif policy == RANDOM:
                place = (fraction(key, number) * np.uint64(sizes[lane, seat])) >> FRACTION_BITS
                moves[lane, seat] = np.int64(ordered[lane, seat, place]) - 1
            elif policy == LOWEST:
                moves[lane, seat] = np.int64(ordered[lane, seat, _ZERO]) - 1
            elif policy == HIGHEST:
                moves[lane, seat] = np.int64(ordered[lane, seat, np.uint64(sizes[lane, seat]) - _ONE]) - 1
            else:
                moves[lane, seat] = greedy_card(lane, seat, sizes, rows, lengths, ordered)


@kernel
def sample_actions(
    key: Word, seats: Array, phase: Array, acts: Array, sizes: Array, lengths: Array, ordered: Array, chosen: Array
) -> None:
    """Draw a legal action for each of these seats, all with equal probability; `wait` for a seat that is not to act."""
    number, rows = _ZERO, np.uint64(lengths.shape[1])
    for lane in range(np.uint64(len(phase))):
        for index in range(np.uint64(len(seats))):
            number += _ONE
            seat = np.uint64(seats[index])
            if not acts[lane, seat]:
                chosen[lane, index] = TAKE + np.int64(rows)
            elif phase[lane] == TAKE_ROW:
                chosen[lane, index] = TAKE + np.int64((fraction(key, number) * rows) >> FRACTION_BITS)
            else:
                place = (fraction(key, number) * np.uint64(sizes[lane, seat])) >> FRACTION_BITS
                chosen[lane, index] = np.int64(ordered[lane, seat, place]) - 1


@kernel
def fit_actions(
    actions: Array, seats: Array, phase: Array, acts: Array, hands: Array, lengths: Array, ordered: Array, moves: Array,
    played: Array,
) -> Word:  # fmt: skip
    """Write the moves of these seats, and replace illegal actions: see `faceup.games.env_adapter.EnvAdapter.fit`."""
    wait = TAKE + np.int64(lengths.shape[1])
    for lane in range(np.uint64(len(phase))):
        for index in range(np.uint64(len(seats))):
            seat = np.uint64(seats[index])
            action = actions[lane, index]
            if action < 0 or action > wait:
                return np.int64(lane * np.uint64(len(seats)) + index)
            if not acts[lane, seat]:
                played[lane, index] = wait
                moves[lane, seat] = -1
                continue
            if phase[lane] == TAKE_ROW:
                action = action if TAKE <= action < wait else TAKE
            elif action >= TAKE or not hands[lane, seat, np.uint64(action)]:
                action = np.int64(ordered[lane, seat, _ZERO]) - 1
            played[lane, index] = action
            moves[lane, seat] = action
    return -1


@kernel
def fill_masks(seats: Array, phase: Array, acts: Array, hands: Array, lengths: Array, masks: Array) -> None:
    """Write the legal actions of these seats, with `wait` as the last action: int8 [B, len(seats), actions + 1]."""
    flat, flags = masks.reshape(-1), hands.reshape(-1)
    count, cards, rows = np.uint64(hands.shape[1]), np.uint64(TAKE), np.uint64(lengths.shape[1])
    at = _ZERO
    for lane in range(np.uint64(len(phase))):
        taking = phase[lane] == TAKE_ROW
        for index in range(np.uint64(len(seats))):
            seat = np.uint64(seats[index])
            start = (lane * count + seat) * cards
            plays = np.uint8(acts[lane, seat] and not taking)
            for card in range(np.uint64(TAKE)):
                flat[at + card] = np.uint8(flags[start + card]) & plays
            at += cards
            for row in range(rows):
                flat[at + row] = acts[lane, seat] and taking
            at += rows
            flat[at] = not acts[lane, seat]
            at += _ONE


@kernel
def record_moves(
    moves: Array, phase: Array, acts: Array, sizes: Array, ordered: Array, plays: Array, chosen: Array
) -> None:
    """Record the moves of a step that is to be played, and remove the cards from the ordered hands."""
    seats, hand = np.uint64(sizes.shape[1]), np.uint64(plays.shape[2])
    for lane in range(np.uint64(len(phase))):
        if phase[lane] == CHOOSE:
            for seat in range(seats):
                if not acts[lane, seat]:
                    continue
                card = np.uint8(moves[lane, seat] + 1)
                plays[lane, seat, hand - np.uint64(sizes[lane, seat])] = card
                for place in range(hand):
                    card_here = ordered[lane, seat, place]
                    after = ordered[lane, seat, place + _ONE] if place + _ONE < hand else np.uint8(0)
                    ordered[lane, seat, place] = pick(card_here >= card, after, card_here)
        elif phase[lane] == TAKE_ROW:
            for seat in range(seats):
                if acts[lane, seat]:
                    turn = hand - np.uint64(sizes[lane, seat]) - _ONE
                    chosen[lane, turn] = moves[lane, seat] - TAKE + 1


@kernel
def open_history(
    fresh: Array, held: Array, rows: Array, ordered: Array, plays: Array, chosen: Array, opening: Array
) -> None:
    """Start the history of the lanes in which a deal has just been made, and order their hands."""
    seats, hand = np.uint64(ordered.shape[1]), np.uint64(ordered.shape[2])
    sorted_cards = np.empty((seats + _ONE) * np.uint64(TAKE), np.uint8)
    ends = np.empty(seats + _ONE, np.uint64)
    for lane in range(np.uint64(len(fresh))):
        if not fresh[lane]:
            continue
        for seat in range(seats + _ONE):
            ends[seat] = seat * np.uint64(TAKE)
        # The cards that no seat holds go to a place before those of the seats, so that there is no branch.
        for card in range(np.uint64(TAKE)):
            owner = np.uint64(held[lane, card])
            sorted_cards[ends[owner]] = np.uint8(card + _ONE)
            ends[owner] += _ONE
        for seat in range(seats):
            start = (seat + _ONE) * np.uint64(TAKE)
            size = ends[seat + _ONE] - start
            for place in range(hand):
                ordered[lane, seat, place] = sorted_cards[start + place] if place < size else np.uint8(0)
                plays[lane, seat, place] = 0
        for turn in range(hand):
            chosen[lane, turn] = 0
        for row in range(np.uint64(rows.shape[1])):
            opening[lane, row] = rows[lane, row, _ZERO]


class NimmtEnvAdapter(EnvAdapter[NimmtEngine]):
    """An engine of 6 nimmt! with a record of the turns of the current deals.

    Args:
        engine: the engine, which deals from a seed.
    """

    def __init__(self, engine: NimmtEngine) -> None:
        super().__init__(engine)
        rules, lanes = engine.rules, engine.lanes
        self._ordered = np.zeros((lanes, rules.seats, rules.hand), np.uint8)
        self._plays = np.zeros((lanes, rules.seats, rules.hand), np.uint8)
        self._chosen = np.zeros((lanes, rules.hand), np.uint8)
        self._opening = np.zeros((lanes, rules.rows), np.uint8)
        self._history = (self._plays, self._chosen, self._opening)
        high = {piece.name: piece.high for piece in public(rules)}
        highs = (
            rules.cards, high["row_heads"], high["heads"], high["chosen_rows"], high["deals"], rules.hand,
            rules.capacity,
        )  # fmt: skip
        self._scales = np.array([1 / number for number in highs], np.float32)
        self._limits = np.array(limits(rules), np.uint8)
        self._sizes = {
            "ids": np.array((rules.seats, rules.rows, rules.capacity, rules.hand), np.uint64),
            "ids-padded": np.array(PADDED, np.uint64),
        }
        self._open(np.ones(lanes, np.bool_))

    def _run(self, kernel: Callable[..., Any], before: tuple[Any, ...], names: str, after: tuple[Any, ...] = ()) -> Any:  # noqa: ANN401 -- what the kernel returns
        """Call a kernel with the engine's arrays of these names between other arguments."""
        return kernel(*before, *self.engine._of(tuple(names.split())), *after)  # noqa: SLF001 -- of the same package

    def _open(self, fresh: npt.NDArray[np.bool_]) -> None:
        self._run(open_history, (fresh,), "held rows", (self._ordered, *self._history))

    def choose(self, policies: npt.NDArray[np.uint8], key: int, moves: npt.NDArray[np.int32]) -> None:
        """Write the actions of the policies: see `faceup.games.env_adapter.EnvAdapter.choose`."""
        names = "phase acts sizes rows lengths"
        self._run(choose_actions, (policies, hashed(key), moves), names, (self._ordered,))

    def sample(self, key: int, seats: AnyArray) -> npt.NDArray[np.int64]:
        """Return a random legal action for each of these seats, `wait` if it is not to act: int64 [B, K]."""
        chosen = np.empty((self.engine.lanes, len(seats)), np.int64)
        self._run(sample_actions, (hashed(key), seats), "phase acts sizes lengths", (self._ordered, chosen))
        return chosen

    def masks(self, seats: AnyArray, out: npt.NDArray[np.int8]) -> None:
        """Write which actions are legal, with `wait` as the last action: int8 [B, K, actions + 1]."""
        self._run(fill_masks, (seats,), "phase acts hands lengths", (out,))

    def fit(
        self,
        actions: npt.NDArray[np.int64],
        seats: AnyArray,
        moves: npt.NDArray[np.int32],
        played: npt.NDArray[np.int64],
    ) -> int:
        """Write the moves and replace illegal actions: see `faceup.games.env_adapter.EnvAdapter.fit`."""
        names = "phase acts hands lengths"
        return int(self._run(fit_actions, (actions, seats), names, (self._ordered, moves, played)))

    def step(self, moves: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Play legal moves, int32 [B, seats], and return in which lanes the match ended, bool [B], as a copy."""
        self._run(record_moves, (moves,), "phase acts sizes", (self._ordered, self._plays, self._chosen))
        ended = super().step(moves)
        self._run(self._open, (), "fresh")
        return ended

    def restart(self, lanes: npt.NDArray[np.bool_]) -> None:
        """Start a new match in these lanes, bool [B]."""
        super().restart(lanes)
        self._run(self._open, (), "fresh")

    def state(self, lane: int) -> State:
        """Return the lane as a state of the scalar rules, with the turns of the deal and its opening."""
        turns = [
            Turn(tuple(plays), row - 1)
            for plays, row in zip(self._plays[lane].T.tolist(), self._chosen[lane].tolist(), strict=True)
            if any(plays)
        ]
        opening = tuple(self._opening[lane].tolist())
        return msgspec.structs.replace(self.engine.to_state(lane), log=tuple(turns), opening=opening)

    def write(self, encoding: str, seats: AnyArray, lanes: AnyArray, slots: AnyArray, out: AnyArray) -> None:
        """Write the observations: see `faceup.games.env_adapter.EnvAdapter.write`."""
        which = (seats, lanes, slots)
        cards = np.uint64(self.engine.rules.cards)
        history = (*self._history, out)
        if encoding == "scalars":
            names = "hands cards rows heads plays acts finished"
            self._run(observation_kernels.write_scalars, (self._scales, cards, *which), names, history)
        elif encoding == "planes":
            names = "hands cards rows lengths heads sizes gone acts finished"
            after = (self._ordered, *history)
            self._run(observation_kernels.write_planes, (self._scales, cards, *which), names, after)
        else:
            names = "hands cards rows heads sizes plays gone acts phase finished"
            before = (self._limits, self._sizes[encoding], *which)
            self._run(observation_kernels.write_ids, before, names, (self._ordered, *history))

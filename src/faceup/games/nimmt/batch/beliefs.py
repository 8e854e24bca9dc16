"""What hands the others are likely to hold, and how they play, by what they played and did not play.

For each world, each other seat and each model of how a seat may play, there is a likelihood: the product, over all
turns, of the chance that this model plays the card that was played from the hand which the seat would have had. A seat
is recognised as the model that is the likeliest over all worlds; then worlds are drawn anew by how likely they make
what all seats played.

Source: Gordon, Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation" (1993).
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.batch.fitted import (
    FITTED,
    Scratch,
    Weights,
    add_to_set,
    as_set,
    chances,
    scratch_for,
    survey_card,
    survey_hand,
    value_card,
    value_hand,
)
from faceup.games.nimmt.batch.kernels import (
    BLOCK,
    GREEDY,
    HIGHEST,
    LOWEST,
    NO_ROW,
    RANDOM,
    card_word,
    make_keys,
    opening_for,
    play_greedily,
    row_word,
    shuffle,
)
from faceup.games.nimmt.cards import Row
from faceup.games.nimmt.placing import Table
from faceup.games.nimmt.position import unseen_by
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View

PRIORS: Final = {RANDOM: np.log([0.7, 0.05, 0.05, 0.2]), FITTED: np.log([0.1, 0.05, 0.05, 0.2, 0.6])}
"""How likely a seat is to play by each model, `RANDOM` to `FITTED`, before it has played.

By what the seats are taken to play that are not recognised: at random stands for all that is not simple, or `FITTED`.
"""

SLIP: Final = 0.02
"""How often a seat is taken to play another card than its model says, for models that leave no choice."""

FEWEST: Final = 128
"""Likelihoods are levelled until the worlds that count are no fewer than so many, or an eighth of all."""

GOLDEN: Final = (math.sqrt(5) - 1) / 2
OFTEN: Final = 16
"""Worlds are drawn anew until the sequence is so many times as long as what was weighed, and then come again."""

_SIZE: Final[Word] = np.uint64(BLOCK)


@kernel
def ask_network(
    opening: Word, capacity: Word, count: Word, seats: Word, rows: Array, cards: Array, seen: Array, unseen: Word,
    likely: Array, network: Weights, held: Array, chosen: Array, scratch: Scratch, sums: Array,
) -> None:  # fmt: skip
    """One over the chance that `FITTED` plays the first card of a hand: float32 [BLOCK], in `sums`.

    Arguments are those of `fitted.play_fitted`; `held` and `chosen`, float32 [BLOCK], are worked in.
    """
    first, last = network
    unknown, features, values, _, tails, _, base = scratch
    held[:] = 0
    add_to_set(cards, np.uint64(0), count, held)
    most = np.uint16((capacity - 1) * 51)
    survey_hand(opening, most, np.uint64(0), count, seats, rows, cards, seen, held, unseen, unknown, tails, features)
    value_hand(first, features, base)
    sums[:] = 0
    for place in range(count):
        survey_card(
            opening, capacity, place, np.uint64(0), count, seats, rows, cards, unseen, unknown, likely, features
        )
        value_card(first, last, features, base, values)
        if place == np.uint64(0):
            chosen[:] = values
        for lane in range(_SIZE):
            sums[lane] += np.exp(min(np.float32(30), max(np.float32(-30), values[lane] - chosen[lane])))


@kernel
def weigh(
    opening: Word, unseen: Array, size: Word, others: Word, capacity: Word, seed: Word, tables: Array, played: Array,
    known: Array, counts: Array, likely: Array, network: Weights, asks: Word, from_world: Word, logs: Array,
) -> None:  # fmt: skip
    """The logarithm of how likely each world makes what each seat played, under each model.

    Args:
        opening: as for `rollouts.try_options`, as are `unseen`, `capacity`, `seed` and `network`.
        unseen: uint16 [unseen].
        size: cards that each hand holds now, numpy.uint64.
        others: seats besides the own one that are not out, numpy.uint64.
        capacity: the most cards in a row.
        seed: numpy.uint64.
        tables: the rows before each turn, uint16 [turns, rows].
        played: the cards of those seats, uint16 [turns, others].
        known: the cards that everybody had seen before each turn, uint64 [turns, 2].
        counts: how many cards each player had not seen, int64 [turns].
        likely: `fitted.chances` of each turn.
        network: the weights.
        asks: whether the network is asked, which takes long; if not, nothing is added for `FITTED`.
        from_world: the first world's number, numpy.uint64.
        logs: float32 [worlds, others, models], to be added to.
    """
    begin = others * size
    seats = others + np.uint64(1)
    turns = np.uint64(len(tables))
    most = np.uint16((capacity - 1) * 51)
    dealt = np.empty(int(begin + np.uint64(1)) * BLOCK, np.uint16)
    picks = np.empty((int(begin) + 3) * BLOCK, np.uint8)
    cards = np.empty(int(size + turns) * BLOCK, np.uint16)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    seen_set, keys = np.empty(2 * BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    sums, best = np.ones(BLOCK, np.float32), np.empty(BLOCK, np.uint32)
    held, chosen, scratch = np.empty(2 * BLOCK, np.uint64), np.empty(BLOCK, np.float32), scratch_for(BLOCK)
    lowest, highest = np.empty(BLOCK, np.bool_), np.empty(BLOCK, np.bool_)
    for start in range(0, len(logs), BLOCK):
        block = min(BLOCK, len(logs) - start)
        make_keys(seed, from_world + np.uint64(start), keys)
        shuffle(np.uint64(0), unseen, begin, dealt, keys, picks)
        for turn in range(turns):
            for row in range(tables.shape[1]):
                rows[row * BLOCK : (row + 1) * BLOCK] = tables[turn, row]
            seen_set[:BLOCK], seen_set[BLOCK:] = known[turn, 0], known[turn, 1]
            count = size + turns - turn
            if count == np.uint64(1):
                continue  # the last card says nothing
            for other in range(others):
                # The card that was played comes first, then those played later, then the hand.
                for later in range(turn, turns):
                    cards[int(later - turn) * BLOCK : int(later - turn + np.uint64(1)) * BLOCK] = played[later, other]
                cards[int(turns - turn) * BLOCK : int(count) * BLOCK] = dealt[
                    int(other * size) * BLOCK : int(other * size + size) * BLOCK
                ]
                if asks:
                    ask_network(
                        opening, capacity, count, seats, rows, cards, seen_set, counts[turn], likely[turn], network,
                        held, chosen, scratch, sums,
                    )  # fmt: skip
                lowest[:] = True
                highest[:] = True
                for place in range(np.uint64(1), count):
                    for lane in range(_SIZE):
                        lowest[lane] &= cards[place * _SIZE + lane] >= cards[lane]
                        highest[lane] &= cards[place * _SIZE + lane] <= cards[lane]
                play_greedily(opening, np.uint64(0), count, most, rows, cards, best)
                slip = np.float32(np.log(SLIP / np.float64(count - np.uint64(1))))
                hit = np.float32(np.log(1 - SLIP))
                for lane in range(block):
                    log = logs[start + lane, other]
                    log[RANDOM] -= np.log(np.float64(count))
                    log[LOWEST] += hit if lowest[lane] else slip
                    log[HIGHEST] += hit if highest[lane] else slip
                    log[GREEDY] += hit if cards[lane] == played[turn, other] else slip
                    log[FITTED] -= np.log(sums[lane])


class Beliefs:
    """Worlds of a seed, by how likely each is after the turns of this deal.

    Args:
        rules: that hold.
        view: of a seat that decides.
        seed: of the worlds.
        network: the weights of policy `fitted`.
        base: how seats play that are not recognised: `RANDOM` or `FITTED`.
        recognise: whether seats may be recognised as something simpler.
        trust: what is learnt from seats that play like `fitted` is raised to this power: 1 takes them to be it, 0
            learns nothing at all.
    """

    def __init__(
        self, rules: Rules, view: View, *, seed: int, network: Weights, base: int, recognise: bool, trust: float
    ) -> None:
        others = [seat for seat in rules.seats_in(view.out) if seat != view.seat]
        tables, known, counts = _before_each_turn(rules, view)
        self._base, self._recognise, self._trust = base, recognise, trust
        self._learns = bool(tables) and trust > 0 and (recognise or base == FITTED)
        self._logs = np.zeros((0, len(others), FITTED + 1), np.float32)
        self._drawn = np.zeros(0, np.uint64)
        self._models: npt.NDArray[np.uint8] | None = None
        self._given = (
            opening_for(rules.rows),
            np.array([card_word(card) for card in unseen_by(rules, view)], np.uint16),
            np.uint64(len(view.hand)),
            np.uint64(len(others)),
            rules.capacity,
            np.uint64(seed),
            np.array(tables, np.uint16),
            np.array([[card_word(turn.plays[seat]) for seat in others] for turn in view.log], np.uint16),
            np.array(known, np.uint64),
            np.array(counts, np.int64),
            chances(len(others) + 1, counts, rules.capacity),
            network,
            base == FITTED,
        )

    def weigh(self, worlds: int) -> int:
        """Weigh so many more worlds: how many now are; 0 where there is nothing to go by, or nothing to learn."""
        if not self._learns:
            return 0
        logs = np.zeros((worlds, *self._logs.shape[1:]), np.float32)
        weigh(*self._given, np.uint64(len(self._logs)), logs)
        self._logs = np.concatenate([self._logs, logs])
        self._drawn = np.zeros(0, np.uint64)
        self._models = None
        return len(self._logs)

    def models(self) -> npt.NDArray[np.uint8]:
        """By which model each of the other seats that are not out is taken to play: uint8 [others]."""
        if self._models is None:
            self._models = self._likeliest()
        return self._models

    def _likeliest(self) -> npt.NDArray[np.uint8]:
        if not len(self._logs) or not self._recognise:
            return np.full(self._logs.shape[1], self._base, np.uint8)
        prior = PRIORS[self._base]
        logs = self._logs[:, :, : len(prior)]
        greatest = logs.max(axis=0)
        evidence = np.log(np.exp((logs - greatest).astype(np.float64)).mean(axis=0)) + greatest + prior
        found: npt.NDArray[np.uint8] = evidence.argmax(axis=1).astype(np.uint8)
        return found

    def draw(self, positions: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """The worlds at these positions of an endless sequence that has each as often as it is likely."""
        if not len(self._logs):
            return positions
        models = self.models()
        if (models == RANDOM).all():  # which makes all worlds equally likely
            return positions
        if not len(self._drawn):
            trust = np.where(models == FITTED, self._trust, 1)
            logs = (self._logs[:, np.arange(len(models)), models] * trust).sum(axis=1, dtype=np.float64)
            weights = np.cumsum(_levelled(logs))
            # Points that are spread evenly however many of them are used.
            points = (0.5 + GOLDEN * np.arange(OFTEN * len(logs))) % 1.0
            self._drawn = np.searchsorted(weights, points * weights[-1]).astype(np.uint64)
        found: npt.NDArray[np.uint64] = self._drawn[positions % np.uint64(len(self._drawn))]
        return found


def _levelled(logs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Weights from their logarithms, all raised to the greatest power, at most 1, that leaves enough worlds to count.

    How many count is Kish's effective sample size, (sum of weights)^2 / (sum of their squares).
    """
    logs = logs - logs.max()
    power, step = 1.0, 0.5
    least = min(FEWEST, len(logs) / 8)
    for attempt in range(12):
        weights = np.exp(power * logs)
        enough = weights.sum() ** 2 / (weights**2).sum() >= least
        if attempt == 0 and enough:
            break
        power += step if enough else -step
        step /= 2
    return weights


def _before_each_turn(rules: Rules, view: View) -> tuple[list[list[int]], list[npt.NDArray[np.uint64]], list[int]]:
    """Before each turn of the deal: the rows; what everybody had seen; how many cards each player had not seen."""
    tables, known, counts = [], [], []
    rows: tuple[Row, ...] = tuple((card,) for card in view.opening)
    face_up = {*view.opening}
    nobody = ((),) * rules.seats
    for number, turn in enumerate(view.log):
        tables.append([row_word(row) for row in rows])
        known.append(as_set({*range(128)} - {*range(1, rules.cards + 1)} | face_up))
        counts.append(rules.cards - len(face_up) - (len(view.hand) + len(view.log) - number))
        table = Table(rows, rules.capacity, nobody, (0,) * rules.seats, [])
        cards = sorted((card, seat) for seat, card in enumerate(turn.plays) if card)
        face_up |= {card for card, _ in cards}
        if turn.row >= 0:
            card, seat = cards.pop(0)
            table.take(seat, card, turn.row, chosen=True)
        table.place(cards)
        rows = tuple(table.rows)
    return tables, known, counts

"""A search in plain Python and numpy: flat Monte Carlo, many worlds at once in arrays, with nothing to compile.

It plays where compiled code is not ready or not to be had: in the first moments of a program, and in an exported one.
In each world the hidden hands are dealt anew from the cards not seen, and from the next turn on all seats play any of
their cards; a seat whose card is too low takes the cheapest row. Each option is played to the end of the deal in the
same worlds. Options that are clearly behind are dropped on the way.

A lane is one option in one world. A row is one number, so that a whole column of rows is one array: from the high bits
down, its tail (so that greater numbers have greater tails), its index, its length, its heads.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from faceup.core.values import Action
from faceup.games.nimmt.actions import TAKE, play
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.codingame.asks import Arena
from faceup.games.nimmt.codingame.recall import Known
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import View

Numbers = npt.NDArray[np.int32]

TAIL: Final = 14
"""The bits below a row's tail: 3 for its index, 4 for its length, 7 for its heads (at most 7 + 9 x 5)."""
INDEX: Final = 11
LENGTH: Final = 7
INSIDE: Final = (1 << INDEX) - 1
ONE: Final = 1 << LENGTH
SHARE: Final = (1 << LENGTH) - 1

FIRST_WORLDS: Final = 32
MOST_WORLDS: Final = 256
"""Worlds of one batch: few at first, so that there soon is an answer at all, then as many as the caches hold."""

BEHIND: Final = 3.0
"""Standard errors by which an option is behind the best when it is dropped."""


def plain_search(
    rules: Parameters | Arena, view: View | Known, *, over: Callable[[], bool], seed: int, worlds: int | None = None
) -> Action:
    """The action with the least own heads to come, less the mean of the others', until the deal is over.

    Args:
        rules: as many seats, cards and places in a row as they say.
        view: of a seat that is to act; what it has seen is counted.
        over: whether the time is up. It is asked several times a batch, the first time when the first batch is done,
            so that there always is an answer.
        seed: of the worlds.
        worlds: no more than so many for each option; the result then follows from the seed, if time never ran out.
    """
    if len(view.legal) == 1:
        return view.legal[0]
    rng = np.random.Generator(np.random.SFC64(seed))
    options = np.arange(len(view.legal))
    sums = np.zeros(len(options))
    done, size, dealer = 0, FIRST_WORLDS, Dealer(rules, view)
    while worlds is None or done < worlds:
        size = size if worlds is None else min(size, worlds - done)
        values = dealer.batch(rng, options, size, over if done else never)
        if values is None:
            break
        sums[options] += values.sum(axis=0)
        done += size
        options = _in_question(options, sums, values, done)
        if len(options) == 1 or over():
            break
        size = min(2 * size, MOST_WORLDS)
    return view.legal[int(options[np.argmin(sums[options])])]


def never() -> bool:
    """For a search whose time is not up before it has begun."""
    return False


def _in_question(
    options: npt.NDArray[np.intp], sums: npt.NDArray[np.float64], values: npt.NDArray[np.float64], done: int
) -> npt.NDArray[np.intp]:
    """The options that are not clearly behind, by the differences to the best in the same worlds."""
    best = int(np.argmin(sums[options]))
    spread = (values - values[:, best : best + 1]).std(axis=0)
    behind = (sums[options] - sums[options[best]]) / done
    kept: npt.NDArray[np.intp] = options[behind <= BEHIND * spread / np.sqrt(done)]
    return kept


class Dealer:
    """Deals worlds that a view allows, and plays them to the end of the deal."""

    def __init__(self, rules: Parameters | Arena, view: View | Known) -> None:
        gone = {seat for group in view.out for seat in group}
        seen = {*view.hand, *view.aside, *(card for card, _ in view.waiting)}
        seen |= {card for cards in (*view.rows, *view.taken) for card in cards}
        self.rules, self.view = rules, view
        self.others = [seat for seat in range(rules.seats) if seat != view.seat and seat not in gone]
        self.unseen = np.array([card for card in range(1, rules.cards + 1) if card not in seen], np.int32)
        self.rows = np.array([_packed(index, row) for index, row in enumerate(view.rows)], np.int32)
        # Others may hold fewer cards while this seat has one more to play, and no fewer than are left to be dealt.
        self.turns = min(len(view.hand), len(self.unseen) // max(1, len(self.others)))

    def batch(
        self, rng: np.random.Generator, options: npt.NDArray[np.intp], worlds: int, over: Callable[[], bool]
    ) -> npt.NDArray[np.float64] | None:
        """The value of each option in each of some new worlds, the smaller the better, [worlds, options].

        None if the time was up before they were played to the end.
        """
        seats, turns = len(self.others) + 1, self.turns
        dealt = _shuffled(rng, self.unseen, worlds)[:, : len(self.others) * turns]
        dealt = dealt.reshape(worlds, len(self.others), turns)
        hand = _shuffled(rng, np.array(self.view.hand, np.int32), worlds)
        lanes = Lanes(self.rows, worlds * len(options), self.rules.capacity)
        plays = np.empty((turns, seats, worlds, len(options)), np.int32)
        plays[:, 1:] = dealt.transpose(2, 1, 0)[..., None]
        if self.view.waiting:
            plays[:, 0] = hand.T[:turns, :, None]
            rows = np.array([self.view.legal[option] - TAKE for option in options], np.intp)
            lanes.take(np.tile(rows, worlds), self.view.waiting[0][0])
            for card, seat in self.view.waiting[1:]:
                lanes.place(np.full(lanes.count, card * 2 + (seat == self.view.seat), np.int32))
        else:
            for column, option in enumerate(options):
                plays[:, 0, :, column] = _chosen_first(hand, self.view.legal[option] - play(0))[:, :turns].T
        plays *= 2
        plays[:, 0] += 1  # an odd number is a card of our own
        for turn in plays.reshape(turns, seats, lanes.count):
            if over():
                return None
            for number, cards in enumerate(_sorted_turn(turn)):
                lanes.place(cards, lowest=number == 0)
        value = lanes.own - (lanes.all - lanes.own) / max(1, len(self.others))
        return value.reshape(worlds, len(options))


def _shuffled(rng: np.random.Generator, cards: Numbers, worlds: int) -> Numbers:
    """The cards in an order of its own for each world, [worlds, cards]."""
    order = rng.random((worlds, len(cards)), np.float32).argsort(axis=1)
    return cards[order]


def _chosen_first(hands: Numbers, card: Card) -> Numbers:
    """The hands [worlds, cards] with the card first, the others in their order."""
    rest = hands[hands != card].reshape(len(hands), -1)
    return np.concatenate([np.full((len(hands), 1), card, np.int32), rest], axis=1)


def _packed(index: int, row: Row) -> int:
    return row[-1] << TAIL | index << INDEX | len(row) << LENGTH | total(row)


CARD: Final[Numbers] = np.array(
    [card // 2 << TAIL | ONE | HEADS[card // 2] for card in range(2 * len(HEADS))], np.int32
)
"""By twice a card, or one more: a row of this card alone, without its index."""


class Lanes:
    """Rows and heads of many tables.

    Attributes:
        rows: packed, lane after lane of row 0, then of row 1 and so on, [rows * lanes].
        own, all: the heads taken by this seat and by all, [lanes].
    """

    def __init__(self, rows: Numbers, count: int, capacity: int) -> None:
        self.count, self.full = count, capacity << LENGTH
        self.rows: Numbers = np.repeat(rows, count)
        self.own: Numbers = np.zeros(count, np.int32)
        self.all: Numbers = np.zeros(count, np.int32)
        self.lane = np.arange(count)

    def take(self, rows: npt.NDArray[np.intp], card: Card) -> None:
        """This seat takes a row, one for each lane, and the card becomes that row."""
        places = rows * self.count + self.lane
        heads = self.rows[places] & SHARE
        self.own += heads
        self.all += heads
        self.rows[places] = CARD[2 * card] + (rows << INDEX)

    def place(self, cards: Numbers, *, lowest: bool = False) -> None:
        """Place a card in each lane.

        Args:
            cards: twice the card, and one more for a card of this seat, [lanes].
            lowest: whether it is the first of its turn, which alone can be below all rows.
        """
        rows = self.rows.reshape(-1, self.count)
        fresh = CARD.take(cards)
        best = (rows * (rows < fresh)).max(axis=0)  # products, for they are much faster than choices
        stays = best & (INSIDE ^ SHARE) < self.full
        if lowest and not best.all():
            low = np.flatnonzero(best == 0)
            choices = rows[:, low]
            cheapest = ((choices & SHARE) << 3 | choices >> INDEX & 7).min(axis=0) & 7
            best[low] = choices[cheapest, np.arange(len(low))]
            stays[low] = False
        heads = (best & SHARE) * ~stays
        self.all += heads
        self.own += heads * (cards & 1)
        index = best >> INDEX & 7
        self.rows[index.astype(np.intp) * self.count + self.lane] = fresh + (index << INDEX) + (best & INSIDE) * stays


def _sorted_turn(cards: Numbers) -> list[Numbers]:
    """The cards of each lane ascending, [seats][lanes]: neighbours change places until all are in order."""
    turn = list(cards)
    for number in range(len(turn)):
        for low in range(number % 2, len(turn) - 1, 2):
            turn[low : low + 2] = np.minimum(*turn[low : low + 2]), np.maximum(*turn[low : low + 2])
    return turn

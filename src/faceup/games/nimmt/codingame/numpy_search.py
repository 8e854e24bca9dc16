"""Search with numpy only: flat Monte Carlo over many worlds in parallel, without compiled code.

This search is used right after a program starts, when compiled code is not ready, and in an exported bot, which has no
compiled code. In each world, the hidden hands are dealt at random from the unseen cards. Each option is played
to the end of the deal in the same worlds. From the next turn on, all seats play random cards. A seat with a card below
all rows takes the cheapest row. Options that are clearly worse than the best one are dropped on the way.

A lane is one option in one world. A row is packed into one integer, which holds the row's tail, index, length and heads
from the high bits to the low bits. Therefore, the row with the greater tail has the greater number.
"""

from collections.abc import Callable
from typing import Final

from faceup.core.values import Action
from faceup.extras import needs
from faceup.games.nimmt.actions import TAKE, play
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.codingame.memory import Knowledge
from faceup.games.nimmt.codingame.messages import Arena
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import View

with needs("fast", __name__):
    import numpy as np
    import numpy.typing as npt

Numbers = npt.NDArray[np.int32]

TAIL: Final = 14
"""Number of bits below a row's tail: 3 for the index, 4 for the length, 7 for the heads (at most 7 + 9 x 5)."""
INDEX: Final = 11
LENGTH: Final = 7
INTERIOR: Final = (1 << INDEX) - 1
ONE: Final = 1 << LENGTH
SHARE: Final = (1 << LENGTH) - 1

FIRST_WORLDS: Final = 32
MOST_WORLDS: Final = 256
"""Maximum number of worlds per batch.

Batches start small, for a quick first answer, and grow to what fits in the caches.
"""

BEHIND: Final = 3.0
"""An option is dropped when it is this many standard errors behind the best."""


def numpy_search(
    rules: Parameters | Arena, view: View | Knowledge, *, over: Callable[[], bool], seed: int, worlds: int | None = None
) -> Action:
    """Return the action with the fewest expected heads in the rest of the deal, relative to the mean of the others.

    Args:
        rules: the rules of the match.
        view: view of a seat that is to act; the other hands are dealt from the cards that this seat has not seen.
        over: returns whether the time is up. It is called several times per batch, but not during the first batch, so
            that there is always an answer.
        seed: seed of the worlds.
        worlds: maximum number of worlds for each option. With this maximum, the result depends only on the seed, unless
            time runs out.
    """
    if len(view.legal) == 1:
        return view.legal[0]
    rng = np.random.Generator(np.random.SFC64(seed))
    options = np.arange(len(view.legal))
    sums = np.zeros(len(options))
    done, size, dealer = 0, FIRST_WORLDS, Dealer(rules, view)
    while worlds is None or done < worlds:
        size = size if worlds is None else min(size, worlds - done)
        values = dealer.batch(rng, options, size, over if done else no_deadline)
        if values is None:
            break
        sums[options] += values.sum(axis=0)
        done += size
        options = _undominated(options, sums, values, done)
        if len(options) == 1 or over():
            break
        size = min(2 * size, MOST_WORLDS)
    return view.legal[int(options[np.argmin(sums[options])])]


def no_deadline() -> bool:
    """Return False, so that a search has no time limit."""
    return False


def _undominated(
    options: npt.NDArray[np.intp], sums: npt.NDArray[np.float64], values: npt.NDArray[np.float64], done: int
) -> npt.NDArray[np.intp]:
    """Return the options that are not clearly behind the best, judged by the differences in each world."""
    best = int(np.argmin(sums[options]))
    spread = (values - values[:, best : best + 1]).std(axis=0)
    behind = (sums[options] - sums[options[best]]) / done
    remaining: npt.NDArray[np.intp] = options[behind <= BEHIND * spread / np.sqrt(done)]
    return remaining


class Dealer:
    """A dealer of random worlds that a view allows, who also plays these worlds to the end of the deal."""

    def __init__(self, rules: Parameters | Arena, view: View | Knowledge) -> None:
        out_seats = {seat for group in view.out for seat in group}
        seen = {*view.hand, *view.aside, *(card for card, _ in view.waiting)}
        seen |= {card for cards in (*view.rows, *view.taken) for card in cards}
        self.rules, self.view = rules, view
        self.others = [seat for seat in range(rules.seats) if seat != view.seat and seat not in out_seats]
        self.unseen = np.array([card for card in range(1, rules.cards + 1) if card not in seen], np.int32)
        self.rows = np.array([_packed(index, row) for index, row in enumerate(view.rows)], np.int32)
        # While this seat is yet to act, the other seats may each hold one card fewer than this seat.
        self.turns = min(len(view.hand), len(self.unseen) // max(1, len(self.others)))

    def batch(
        self, rng: np.random.Generator, options: npt.NDArray[np.intp], worlds: int, over: Callable[[], bool]
    ) -> npt.NDArray[np.float64] | None:
        """Return the value of each option in each of `worlds` new worlds: float64 [worlds, options].

        A lower value is better. Return None if the time is up before all worlds are played.
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
        plays[:, 0] += 1  # odd numbers mark this seat's cards
        for turn in plays.reshape(turns, seats, lanes.count):
            if over():
                return None
            for number, cards in enumerate(_sorted_turn(turn)):
                lanes.place(cards, lowest=number == 0)
        value = lanes.own - (lanes.all - lanes.own) / max(1, len(self.others))
        return value.reshape(worlds, len(options))


def _shuffled(rng: np.random.Generator, cards: Numbers, worlds: int) -> Numbers:
    """Return the cards, shuffled independently for each world: [worlds, cards]."""
    order = rng.random((worlds, len(cards)), np.float32).argsort(axis=1)
    return cards[order]


def _chosen_first(hands: Numbers, card: Card) -> Numbers:
    """Return the hands, [worlds, cards], with the given card first and the other cards in their previous order."""
    rest = hands[hands != card].reshape(len(hands), -1)
    return np.concatenate([np.full((len(hands), 1), card, np.int32), rest], axis=1)


def _packed(index: int, row: Row) -> int:
    return row[-1] << TAIL | index << INDEX | len(row) << LENGTH | total(row)


CARD: Final[Numbers] = np.array(
    [card // 2 << TAIL | ONE | HEADS[card // 2] for card in range(2 * len(HEADS))], np.int32
)
"""The packed row of a single card, without the row's index. The row of card c is at places 2 c and 2 c + 1."""


class Lanes:
    """Rows and heads of many tables.

    Attributes:
        rows: packed rows; first row 0 of all lanes, then row 1 of all lanes and so on, [rows * lanes].
        own, all: heads taken by this seat and by all seats, [lanes].
    """

    def __init__(self, rows: Numbers, count: int, capacity: int) -> None:
        self.count, self.full = count, capacity << LENGTH
        self.rows: Numbers = np.repeat(rows, count)
        self.own: Numbers = np.zeros(count, np.int32)
        self.all: Numbers = np.zeros(count, np.int32)
        self.lane = np.arange(count)

    def take(self, rows: npt.NDArray[np.intp], card: Card) -> None:
        """Let this seat take a row in each lane, and start the row again with the card."""
        places = rows * self.count + self.lane
        heads = self.rows[places] & SHARE
        self.own += heads
        self.all += heads
        self.rows[places] = CARD[2 * card] + (rows << INDEX)

    def place(self, cards: Numbers, *, lowest: bool = False) -> None:
        """Place a card in each lane.

        Args:
            cards: twice the card of each lane, plus one if it is a card of this seat, [lanes].
            lowest: whether these cards are the first of their turn; only the first card can be below all rows.
        """
        rows = self.rows.reshape(-1, self.count)
        fresh = CARD.take(cards)
        best = (rows * (rows < fresh)).max(axis=0)  # multiplying is much faster than np.where
        stays = best & (INTERIOR ^ SHARE) < self.full
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
        self.rows[index.astype(np.intp) * self.count + self.lane] = fresh + (index << INDEX) + (best & INTERIOR) * stays


def _sorted_turn(cards: Numbers) -> list[Numbers]:
    """Sort the cards of each lane, [seats][lanes], with a sorting network."""
    turn = list(cards)
    for number in range(len(turn)):
        for low in range(number % 2, len(turn) - 1, 2):
            turn[low : low + 2] = np.minimum(*turn[low : low + 2]), np.maximum(*turn[low : low + 2])
    return turn

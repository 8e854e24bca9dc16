"""State and view of War, and the outcomes of chance."""

from typing import Final, Literal, TypeAlias

from faceup.core import CHANCE, Outcome, Seat, State, View
from faceup.games import repr_svg
from faceup.games.war.cards import Card, Pile

Due: TypeAlias = Literal["deal", "flip", "collect", "reshuffle", "over"]
"""The next step: chance deals, both seats flip, chance orders the collected cards, chance reshuffles, or nothing."""

Ending: TypeAlias = Literal["", "all cards", "cap", "sudden death", "draw"]
"""How the game ended; empty during the game."""

TO_ACT: Final[dict[Due, tuple[Seat, ...]]] = {
    "deal": (CHANCE,),
    "flip": (0, 1),
    "collect": (CHANCE,),
    "reshuffle": (CHANCE,),
    "over": (),
}


# gc=False: a state has only numbers and tuples of numbers, which cannot form cycles, and one is created per flip.
class WarState(State, frozen=True, gc=False):
    """The full state, with secrets.

    Pairs are by seat. Bit i of a mask is place i of `cards`; bit c of a set is card c.

    Attributes:
        due: the next step.
        cards: the cards that the seat has played in this round, in that order, then its draw pile from the top.
        played: number of `cards` on the table.
        turned: the cards compared in this round, a pair for each flip, seat 0's card first.
        known: mask of the places of publicly known cards.
        members: set of the cards known to be in the pile at an unknown place. During a round, they can also be among
            the seat's face-down cards.
        rounds: rounds finished, including undecided ones.
        wars: number of wars.
        redeals: number of redeals.
        by: how the game ended.
        log: `turned` of each finished round since the last deal.
    """

    due: Due
    cards: tuple[Pile, Pile] = ((), ())
    played: tuple[int, int] = (0, 0)
    turned: tuple[Card, ...] = ()
    known: tuple[int, int] = (0, 0)
    members: tuple[int, int] = (0, 0)
    rounds: int = 0
    wars: int = 0
    redeals: int = 0
    by: Ending = ""
    log: tuple[tuple[Card, ...], ...] = ()

    def table(self, seat: int) -> Pile:
        """Return the cards the seat has played in this round."""
        return self.cards[seat][: self.played[seat]]

    _repr_svg_ = repr_svg


class WarView(View, frozen=True):
    """The public knowledge; unknown cards are None. Pairs are by seat.

    Attributes:
        due: the next step.
        draw: each draw pile from the top.
        table: each seat's played cards, in the order played; the cards in `turned` are face up.
        turned: the cards compared in this round, a pair for each flip.
        members: the cards known to be in the pile (or, during a round, face down on the seat's side), ascending.
        rounds: rounds finished, including undecided ones.
        wars: number of wars.
        redeals: number of redeals.
        by: how the game ended.
        log: `turned` of each finished round since the last deal.
    """

    due: Due
    draw: tuple[tuple[Card | None, ...], tuple[Card | None, ...]]
    table: tuple[tuple[Card | None, ...], tuple[Card | None, ...]]
    turned: tuple[Card, ...]
    members: tuple[Pile, Pile]
    rounds: int
    wars: int
    redeals: int
    by: Ending
    log: tuple[tuple[Card, ...], ...]

    _repr_svg_ = repr_svg


class WarDeal(Outcome, frozen=True):
    """Both draw piles from the top, after the deck was shuffled and halved."""

    piles: tuple[Pile, Pile]


class Reshuffle(Outcome, frozen=True):
    """Both draw piles from the top, in their new order."""

    piles: tuple[Pile, Pile]


class Collect(Outcome, frozen=True):
    """The order in which a round's cards go under the winner's pile, if chance orders them."""

    cards: Pile

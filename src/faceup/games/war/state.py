"""What a game of War is at any moment: the whole truth, what all may know of it, and what chance can do to it."""

from typing import Final, Literal, TypeAlias

from faceup.core import CHANCE, Outcome, Seat, State, View
from faceup.games.war.cards import Card, Pile

Due: TypeAlias = Literal["deal", "flip", "collect", "reshuffle", "over"]
"""What comes next: both seats flip, or chance deals, orders the collected cards, or reshuffles."""

By: TypeAlias = Literal["", "all cards", "cap", "sudden death", "draw"]
"""How the game ended; empty while it has not."""

TO_ACT: Final[dict[Due, tuple[Seat, ...]]] = {
    "deal": (CHANCE,),
    "flip": (0, 1),
    "collect": (CHANCE,),
    "reshuffle": (CHANCE,),
    "over": (),
}


# gc=False: a state holds numbers and tuples of numbers, which no cycle can pass through, and it is made at every flip.
class WarState(State, frozen=True, gc=False):
    """The whole truth. Pairs are by seat; a mask's bit i stands for place i of `cards`, a set's bit c for card c.

    Attributes:
        due: what comes next.
        cards: first the cards that the seat has played in this round, in that order, then its draw pile from the top.
        played: how many of `cards` lie on the table.
        turned: the cards compared in this round, a pair for each flip: seat 0's, seat 1's.
        known: mask of the places whose cards all know, because they were seen going there.
        members: set of the cards that all know to be in the pile, but not where; in a round, one may be among the
            seat's face-down cards.
        rounds: rounds finished, undecided ones too.
        wars: times that the compared cards were equal.
        redeals: times that the cards were dealt anew.
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
    by: By = ""
    log: tuple[tuple[Card, ...], ...] = ()

    def draw_pile(self, seat: int) -> Pile:
        """The seat's draw pile from the top."""
        return self.cards[seat][self.played[seat] :]

    def table(self, seat: int) -> Pile:
        """What the seat has played in this round."""
        return self.cards[seat][: self.played[seat]]

    def _repr_svg_(self) -> str:
        """As a notebook shows it."""
        from faceup.games.war.drawing import draw  # noqa: PLC0415 -- which draws what is defined here

        return draw(self)


class WarView(View, frozen=True):
    """What all may know; a card that nobody can know is None. Pairs are by seat.

    Attributes:
        due: what comes next.
        draw: each draw pile from the top.
        table: each seat's played cards, in that order; those in `turned` lie face up.
        turned: the cards compared in this round, a pair for each flip.
        members: the cards known to be in the pile (in a round, or face down on the seat's side), not where; ascending.
        rounds: rounds finished, undecided ones too.
        wars: times that the compared cards were equal.
        redeals: times that the cards were dealt anew.
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
    by: By
    log: tuple[tuple[Card, ...], ...]

    def _repr_svg_(self) -> str:
        """As a notebook shows it."""
        from faceup.games.war.drawing import draw  # noqa: PLC0415 -- which draws what is defined here

        return draw(self)


class Deal(Outcome, frozen=True):
    """Both draw piles from the top, of a deck shuffled and halved."""

    piles: tuple[Pile, Pile]


class Reshuffle(Outcome, frozen=True):
    """Both draw piles from the top, each in its new order."""

    piles: tuple[Pile, Pile]


class Collect(Outcome, frozen=True):
    """The order in which a round's cards go under the winner's pile, where chance orders them."""

    cards: Pile

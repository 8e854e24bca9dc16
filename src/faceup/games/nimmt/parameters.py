"""The parameters of 6 nimmt!, their limits, and derived values."""

from typing import Final

import msgspec

from faceup.core import plural
from faceup.core.errors import Malformed
from faceup.games.nimmt.cards import HEADS, MOST_CARDS

MOST_SEATS: Final = 10
MOST_HAND: Final = 10
MOST_ROWS: Final = 8

WORDS_PER_DEAL: Final = 64
"""The number of random words per deal in the batch engine, the JAX engine and the searches.

The words of deal d of a lane are 64 d + 1 to 64 d + 64. From the first word upwards, each word is used to deal
`CARDS_PER_WORD` cards; from the last word downwards, each word is used to choose rows in eight turns.
"""
CARDS_PER_WORD: Final = 3


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of 6 nimmt!; a variant is a named set of them.

    Attributes:
        variant: name of the variant that these parameters are based on.
        seats: number of seats, 2 to 10.
        cards: the highest card in play, at most 104; 0 means that only as many cards are in play as are dealt.
        rows: number of rows, 1 to 8.
        capacity: maximum number of cards in a row, 1 to 10.
        hand: number of cards dealt to each seat, 1 to 10.
        deals: the match ends after this many deals; 0 means no limit.
        target: the match ends after the deal in which a seat reaches this many heads in the match; 0 means no target.
        forfeits: whether a referee may submit a forfeit in place of a seat's decision; the seat is then out.

    Raises:
        Malformed: a parameter is out of range, a deal needs more cards than are in play, or the match might never end.
    """

    variant: str = "cowheadking"
    seats: int = 4
    cards: int = MOST_CARDS
    rows: int = 4
    capacity: int = 5
    hand: int = 10
    deals: int = 1
    target: int = 0
    forfeits: bool = False

    def __post_init__(self) -> None:
        limits = (
            ("seats", 2, MOST_SEATS),
            ("rows", 1, MOST_ROWS),
            ("capacity", 1, 10),
            ("hand", 1, MOST_HAND),
            ("deals", 0, 1000),
            ("target", 0, 10_000),
            ("cards", 0, MOST_CARDS),
        )
        for name, low, high in limits:
            if not low <= getattr(self, name) <= high:
                raise Malformed(
                    f"{name} must be {low} to {high}; got {getattr(self, name)}", what=name, where="options"
                )
        if not self.cards:
            msgspec.structs.force_setattr(self, "cards", self.dealt)
        if self.dealt > self.cards:
            raise Malformed(
                f"{self.seats} hands of {self.hand} and {plural(self.rows, 'row')} need {self.dealt} cards, "
                f"but only {self.cards} are in play",
                what="cards",
                where="options",
            )
        if not self.most_deals:
            raise Malformed(
                "this match might never end: set `deals` to a number above 0", what="deals", where="options"
            )

    @property
    def dealt(self) -> int:
        """Return the number of cards in a deal: all hands, and one card for each row."""
        return self.seats * self.hand + self.rows

    @property
    def most_deals(self) -> int:
        """Return the maximum number of deals of a match; 0 if unlimited.

        The rows hold at most `rows * capacity` cards. All further cards of a deal are taken, each with at least one
        head. Therefore every deal adds heads, and a match with a target ends after a limited number of deals. This
        limit does not hold with forfeits, because they can keep cards out of play.
        """
        if self.deals:
            return self.deals
        surplus = self.dealt - self.rows * self.capacity
        if not self.target or self.forfeits or surplus <= 0:
            return 0
        return (self.target - 1) * self.seats // surplus + 1

    @property
    def most_heads(self) -> int:
        """Return an upper limit for the heads of a seat at the end of the match.

        A seat takes at most the whole deck in each deal. With a target, each seat is below it before the last deal.
        """
        deck = sum(HEADS[: self.cards + 1])
        most = self.most_deals * deck
        return min(most, self.target - 1 + deck) if self.target else most

"""The numbers of 6 nimmt!, their limits, and what follows from them."""

from typing import Final

import msgspec

from faceup.core.errors import Malformed
from faceup.games.nimmt.cards import HEADS, MOST_CARDS

MOST_SEATS: Final = 10
MOST_HAND: Final = 10
MOST_ROWS: Final = 8


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of 6 nimmt!; a variant is a named setting of them.

    Attributes:
        variant: the named setting that these parameters come from.
        seats: 2 to 10.
        cards: the cards in play are 1 to this, at most 104; given as 0, only as many as are dealt.
        rows: 1 to 8.
        capacity: the most cards in a row, 1 to 10.
        hand: cards dealt to each seat, 1 to 10.
        deals: the match ends after this many; 0 is no limit.
        target: the match ends after the deal in which a seat reaches this many heads; 0 is none.
        forfeits: whether a referee may put a forfeit in place of a decision.

    Raises:
        Malformed: a parameter out of range, more cards dealt than there are, or a match that might never end.
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
                raise Malformed(f"{name} is {low} to {high}, not {getattr(self, name)}", what=name, where="options")
        if not self.cards:
            msgspec.structs.force_setattr(self, "cards", self.dealt)
        if self.dealt > self.cards:
            raise Malformed(
                f"{self.seats} hands of {self.hand} and {self.rows} rows need {self.dealt} cards; "
                f"there are {self.cards}",
                what="cards",
                where="options",
            )
        if not self.most_deals:
            raise Malformed("this match might never end: set deals", what="deals", where="options")

    @property
    def dealt(self) -> int:
        """The number of cards that a deal uses."""
        return self.seats * self.hand + self.rows

    @property
    def most_deals(self) -> int:
        """No match has more deals than this; 0 if nothing bounds it.

        The rows hold `rows * capacity` cards at most, so that whatever more is dealt is taken, each card with a head at
        least: that bounds the deals to a target, unless forfeits keep cards out of play.
        """
        if self.deals:
            return self.deals
        surplus = self.dealt - self.rows * self.capacity
        if not self.target or self.forfeits or surplus <= 0:
            return 0
        return (self.target - 1) * self.seats // surplus + 1

    @property
    def most_heads(self) -> int:
        """The most heads that a seat could have at the end: all of the deck, deal after deal, or past the target."""
        deck = sum(HEADS[: self.cards + 1])
        most = self.most_deals * deck
        return min(most, self.target - 1 + deck) if self.target else most

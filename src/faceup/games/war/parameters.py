"""The settings of War."""

from typing import Literal

import msgspec

from faceup.core import Malformed, plural


class WarParameters(msgspec.Struct, frozen=True):
    """The settings of a game of War.

    Attributes:
        variant: "standard".
        seats: 2.
        collect: the order in which the played cards go under the winner's pile; "shuffled" is a random order.
        reshuffle: number of rounds between reshuffles of the draw piles; 0 for no reshuffles.
        cap: the round after which the larger draw pile wins.
        sudden_death: whether one more round decides the game if the piles are equal at the cap; otherwise the game is
            a draw.
        redeal: whether the deck is dealt again when both seats run out of cards; otherwise the game is a draw.
        per_suit: number of cards in each suit, from the two up.
        suits: number of suits in the deck.
        down: number of cards that each seat adds face down in a war, before the one it turns up.
    """

    variant: str = "standard"
    seats: int = 2
    collect: Literal["winner_first", "loser_first", "shuffled"] = "winner_first"
    reshuffle: int = 100
    cap: int = 5000
    sudden_death: bool = True
    redeal: bool = True
    per_suit: int = 13
    suits: int = 4
    down: int = 3

    def __post_init__(self) -> None:
        """Check that the settings are in range."""
        for name, low, high in (
            ("seats", 2, 2),
            ("reshuffle", 0, 1_000_000),
            ("cap", 1, 1_000_000),
            ("per_suit", 1, 13),
            ("suits", 1, 4),
            ("down", 0, 25),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                allowed = str(low) if low == high else f"{low} to {high}"
                raise Malformed(f"{name} must be {allowed} in War; got {value}", what=value, where=name)
        if self.per_suit * self.suits % 2:
            raise Malformed(
                f"a deck of {plural(self.per_suit * self.suits, 'card')} cannot be halved", where="per_suit"
            )
        if self.collect not in {"winner_first", "loser_first", "shuffled"}:
            raise Malformed(
                f"collect must be winner_first, loser_first or shuffled; got {self.collect!r}",
                what=self.collect,
                where="collect",
            )
        if self.variant != "standard":
            raise Malformed(f"War has no variant {self.variant!r}; its only variant is standard", what=self.variant)

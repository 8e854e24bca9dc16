"""The settings of War."""

from typing import Literal

import msgspec

from faceup.core import Malformed


class WarOptions(msgspec.Struct, frozen=True):
    """What a game of War can be set to.

    Attributes:
        variant: "standard".
        seats: 2.
        collect: whose played cards go under the winner's pile first, or that chance orders them.
        reshuffle: the draw piles are reshuffled after every so many rounds; 0 is never.
        cap: the round after which the larger draw pile wins.
        sudden_death: whether equal piles at the cap play one more round that decides; otherwise they draw.
        redeal: whether a round that leaves both without cards is dealt anew; otherwise it is a draw.
        per_suit: cards of each suit, from the two up.
        suits: suits in the deck.
        down: cards that each seat adds face down in a war, before the one it turns up.
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
        """Refuse settings out of range."""
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
                raise Malformed(f"{name} is {allowed} in War, not {value}", what=value, where=name)
        if self.per_suit * self.suits % 2:
            raise Malformed(f"a deck of {self.per_suit * self.suits} cards cannot be halved", where="per_suit")
        if self.collect not in {"winner_first", "loser_first", "shuffled"}:
            raise Malformed(
                f"collect is winner_first, loser_first or shuffled, not {self.collect!r}",
                what=self.collect,
                where="collect",
            )
        if self.variant != "standard":
            raise Malformed(f"War has no variant {self.variant!r}; there is: standard", what=self.variant)

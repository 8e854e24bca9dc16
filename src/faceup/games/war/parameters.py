"""The settings of War."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from faceup.core import Malformed, plural
from faceup.core.options import check_ranges


class WarParameters(msgspec.Struct, frozen=True):
    """The settings of a game of War."""

    variant: Annotated[str, Meta(description='"standard"')] = "standard"
    seats: Annotated[int, Meta(ge=2, le=2, description="seats")] = 2
    collect: Annotated[
        Literal["winner_first", "loser_first", "shuffled"],
        Meta(
            description="order of the cards that go under the winner's pile: winner_first, loser_first or shuffled "
            "(random)"
        ),
    ] = "winner_first"
    reshuffle: Annotated[
        int, Meta(ge=0, le=1_000_000, description="rounds between reshuffles of the draw piles; 0 is never")
    ] = 100
    cap: Annotated[int, Meta(ge=1, le=1_000_000, description="the round after which the larger draw pile wins")] = 5000
    sudden_death: Annotated[
        bool, Meta(description="whether equal piles at the cap play one more, deciding round; otherwise a draw")
    ] = True
    redeal: Annotated[
        bool, Meta(description="whether the deck is dealt again when both run out of cards; otherwise a draw")
    ] = True
    per_suit: Annotated[int, Meta(ge=1, le=13, description="cards of each suit, from the two up")] = 13
    suits: Annotated[int, Meta(ge=1, le=4, description="suits in the deck")] = 4
    down: Annotated[
        int, Meta(ge=0, le=25, description="cards that each adds face down in a war, before the one it turns up")
    ] = 3

    def __post_init__(self) -> None:
        """Check that the settings are in range."""
        check_ranges(self)
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

"""The parameters of 6 nimmt!, their limits, and derived values."""

from functools import lru_cache
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from faceup.core import plural
from faceup.core.errors import Malformed
from faceup.core.options import check_ranges, option_fields
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


Values: TypeAlias = Literal["all", "default", "up to default"]


class Support(NamedTuple):
    """Which values of an option are played by what does not follow the readable rules.

    Attributes:
        batch: the batch engine and its playouts.
        jax: the JAX environment.
        codingame: CodinGame's text protocol.
        encoded: whether piece `rules` of the encoding `ids` has the option.
    """

    batch: Values
    jax: Values
    codingame: Values
    encoded: bool = True


_FULL: Final = Support(batch="all", jax="all", codingame="all")
_FIXED_IN_CODINGAME: Final = Support(batch="all", jax="all", codingame="default")


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of 6 nimmt!; a variant is a named set of them.

    Each field is the only declaration of its option: type, range, default, description, and what engines play.

    Raises:
        Malformed: a parameter is out of range, a deal needs more cards than are in play, or the match might never end.
    """

    variant: Annotated[str, Meta(description="the variant that these parameters are based on")] = "cowheadking"
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS, description="seats"), _FIXED_IN_CODINGAME] = 4
    cards: Annotated[
        int,
        Meta(ge=0, le=MOST_CARDS, description="the cards in play are 1 to this; 0 is only as many as are dealt"),
        _FIXED_IN_CODINGAME,
    ] = MOST_CARDS
    rows: Annotated[int, Meta(ge=1, le=MOST_ROWS, description="rows on the table"), _FIXED_IN_CODINGAME] = 4
    capacity: Annotated[int, Meta(ge=1, le=10, description="the most cards in a row"), _FIXED_IN_CODINGAME] = 5
    hand: Annotated[
        int,
        Meta(ge=1, le=MOST_HAND, description="cards dealt to each seat"),
        Support(batch="all", jax="all", codingame="up to default"),
    ] = 10
    deals: Annotated[
        int, Meta(ge=0, le=1000, description="the match ends after this many deals; 0 is no limit"), _FULL
    ] = 1
    target: Annotated[
        int,
        Meta(
            ge=0,
            le=10_000,
            description="the match ends after the deal in which a seat reaches this many heads; 0 is none",
        ),
        _FULL,
    ] = 0
    forfeits: Annotated[
        bool,
        Meta(description="whether a referee may put a seat out, by a forfeit in place of its decision"),
        Support(batch="all", jax="all", codingame="all", encoded=False),
    ] = False

    def __post_init__(self) -> None:
        check_ranges(self)
        if not self.cards:
            msgspec.structs.force_setattr(self, "cards", min(self.dealt, MOST_CARDS))
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


@lru_cache
def unsupported(parameters: Parameters, engine: Literal["batch", "jax", "codingame"]) -> str:
    """Return the first option whose value an engine does not play; "" if it plays them all."""
    for name, field in option_fields(type(parameters)).items():
        if name == "variant":  # a name for values of the other options
            continue
        value = getattr(parameters, name)
        values = next((getattr(note, engine) for note in field.notes if isinstance(note, Support)), "default")
        if not (values == "all" or value == field.default or (values == "up to default" and value < field.default)):
            return name
    return ""


def check_supported(parameters: Parameters, engine: Literal["batch", "jax"]) -> None:
    """Raise `Malformed` if an engine would play by other rules than these."""
    if name := unsupported(parameters, engine):
        value = getattr(parameters, name)
        raise Malformed(f"the {engine} engine does not play {name}={value}", what=value, where=name)

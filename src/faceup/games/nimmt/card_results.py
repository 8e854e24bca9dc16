"""What happens to each own card in the worlds of a search."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.core.values import Action
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import Card

CardKind: TypeAlias = Literal["joined", "sixth", "low"]

KINDS: Final[tuple[CardKind, ...]] = ("joined", "sixth", "low")
"""What a card does: it joins a row, takes a full row, or takes a row because it is below all rows."""


class CardResult(msgspec.Struct, frozen=True):
    """What a card did in some of the worlds in which an option was tried.

    Attributes:
        card: the card.
        now: whether it is played in this turn, rather than later.
        kind: what it did.
        row: the row that it joined or took, from 0.
        share: the share of the worlds, from 0 to 1.
        heads: the heads that it took, as a mean over all worlds.
    """

    card: Card
    now: bool
    kind: CardKind
    row: int
    share: float
    heads: float


def card_results(
    hand: Sequence[Card], option: Action, worlds: int, counts: Sequence[Sequence[Sequence[Sequence[int]]]]
) -> tuple[CardResult, ...]:
    """Return what happened to each card of the hand.

    Args:
        hand: the own cards.
        option: the option that was tried.
        worlds: the number of worlds.
        counts: the number of worlds and the heads taken in them, by card, kind and row.
    """
    return tuple(
        CardResult(card, option < TAKE and card == option + 1, kind, row, count / worlds, heads / worlds)
        for card, kinds in zip(hand, counts, strict=True)
        for kind, rows in zip(KINDS, kinds, strict=True)
        for row, (count, heads) in enumerate(rows)
        if count
    )

"""The state of a game of 6 nimmt! as arrays."""

from typing import Final, NamedTuple

from jax import Array

ANYONE: Final = 254
NO_SEAT: Final = 255
"""Special values for `State.held`, as in `faceup.games.nimmt.batch.layout`."""

CARDS_PER_PART: Final = 4
"""Number of cards in each uint32 of `State.rows`."""


class State(NamedTuple):
    """The state of one game, with the hidden cards. Under `jax.vmap`, each array has an axis of lanes in front.

    Attributes:
        key: uint32 [2]: the key of the lane's random words.
        dealt: uint32: the number of deals in all matches of this lane so far.
        phase: uint8: 1 if a card from every seat is due, 2 a row from one seat, 3 nothing, as the match is over.
        acts: bool [seats]: whether a decision of the seat is due.
        held: uint8 [104 + rows]: for the action that plays a card, 1 + the seat that holds the card, or 0; for an
            action that takes a row, 254.
        cards: uint8 [104]: where each card is, as far as everyone knows: the piece `place` of the encoding `ids`, with
            seats counted from seat 0, and without a hand.
        rows: uint32 [rows, ceil(capacity / 4)]: the cards of each row, one in 8 bits, the first card in the lowest.
        lines: uint16 [rows]: the number of each row, which `faceup.jax.placing` explains.
        sizes: uint8 [seats]: the number of cards in each hand.
        plays: uint8 [seats]: each seat's card that is revealed and not placed yet, or 0.
        history: uint8 [seats, hand]: each seat's card in each turn of this deal, 0 in later turns.
        chosen: uint8 [hand]: for each turn, 1 + the row that a seat chose to take, 0 if no seat chose.
        opening: uint8 [rows]: the first card of each row in this deal.
        gone: uint8 [seats]: 0 for a seat in the match, 1 for the seats that went out first, 2 for the next ones.
        heads: int32 [seats]: each seat's heads in this match.
        finished: int32: the number of finished deals of this match.
        drawn: uint8: the number of random words that the shuffle of the next deal has used.
        deck: uint8 [cards in play]: for each card, its place in the deck of the next deal; empty if decks come from a
            pool.
    """

    key: Array
    dealt: Array
    phase: Array
    acts: Array
    held: Array
    cards: Array
    rows: Array
    lines: Array
    sizes: Array
    plays: Array
    history: Array
    chosen: Array
    opening: Array
    gone: Array
    heads: Array
    finished: Array
    drawn: Array
    deck: Array

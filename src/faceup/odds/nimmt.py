"""Exact odds of each card of a hand in a turn of 6 nimmt!, over all cards that the others may play.

The others play any set of the unseen cards, all equally likely. A player with a choice of rows takes the first row with
the fewest heads. The sets are counted by dynamic programming, card by card in ascending order, and not enumerated. The
cards below a card affect it in two ways: by how many of them the others play, and by the length and the heads of the
row that the card goes to.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, Final, TypeAlias

import msgspec

from faceup.core import Malformed, plural
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.validation import check_distinct, check_rows
from faceup.odds import Chance

_NO_ROW: Final = (0, 0)

_CountState: TypeAlias = tuple[int, bool, tuple[int, int]]
"""The state of the count after some cards: how many of them the others play, whether a card below all tails took a row,
and the length and the heads of the row that the next card goes to."""


class CardOdds(msgspec.Struct, frozen=True):
    """The odds of one card.

    Attributes:
        card: the card.
        heads: the probability of each number of heads that the card can take, ascending.
        full: the probability that its row is full.
        low: the probability that it is below all tails, so that its seat chooses a row.
    """

    card: Card
    heads: Mapping[int, Chance]
    full: Chance
    low: Chance

    @property
    def mean(self) -> Fraction:
        """The expected heads."""
        return sum((heads * Fraction(chance.count, chance.total) for heads, chance in self.heads.items()), Fraction(0))


def odds(
    parameters: Parameters, rows: Sequence[Sequence[Card]], hand: Sequence[Card], seen: Sequence[Card] = ()
) -> tuple[CardOdds, ...]:
    """Return the odds of each card of the hand this turn, in the order of the hand.

    Args:
        parameters: the parameters of the game, including the seats.
        rows: the rows on the table, each from its first card.
        hand: the cards to choose from.
        seen: other cards that no one can play, such as those taken in earlier turns.

    Raises:
        Malformed: the rows, cards or seats are invalid.

    >>> [low, fits] = odds(Parameters(seats=2), ((5,), (6,), (88,), (29,)), (3, 30))
    >>> low.mean, fits.low.fraction
    (Fraction(48, 49), '0/98')
    """
    table = tuple(map(tuple, rows))
    check_rows(table, parameters.rows, parameters.capacity, parameters.cards)
    check_distinct([*(card for row in table for card in row), *hand, *seen], parameters.cards)
    if not 1 <= len(hand) <= parameters.hand:
        raise Malformed(
            f"a hand must have 1 to {plural(parameters.hand, 'card')}; got {len(hand)}", what=hand, where="hand"
        )
    visible = {*(card for row in table for card in row), *hand, *seen}
    unseen = [card for card in range(1, parameters.cards + 1) if card not in visible]
    if len(unseen) < parameters.seats - 1:
        raise Malformed(
            f"at least {plural(parameters.seats - 1, 'unseen card')} must be left for the others; got {len(unseen)}",
            what=seen,
            where="seats",
        )
    return tuple(_expect(parameters, table, unseen, card) for card in hand)


def _expect(parameters: Parameters, rows: tuple[Row, ...], unseen: Sequence[Card], candidate: Card) -> CardOdds:
    others = parameters.seats - 1
    taken_row = cheapest_row(rows)
    above = sum(card > candidate for card in unseen)
    cases = comb(len(unseen), others)
    heads, full, low = Counter[int](), 0, 0
    for (count, _, (length, held)), sets in _states_before(parameters, rows, unseen, candidate).items():
        ways = sets * comb(above, others - count)
        if length == 0:
            low += ways
            heads[total(rows[taken_row])] += ways
        elif length == parameters.capacity:
            full += ways
            heads[held] += ways
        else:
            heads[0] += ways
    chances = {number: Chance(ways, cases) for number, ways in sorted(heads.items()) if ways}
    return CardOdds(candidate, chances, Chance(full, cases), Chance(low, cases))


def _states_before(
    parameters: Parameters, rows: tuple[Row, ...], unseen: Sequence[Card], candidate: Card
) -> Mapping[_CountState, int]:
    """Return the states in which card `candidate` can be placed, and for each the number of sets of lower cards."""
    taken_row = cheapest_row(rows)
    tails = {row[-1]: index for index, row in enumerate(rows)}
    states: Counter[_CountState] = Counter({(0, False, _NO_ROW): 1})
    for card in sorted(card for card in (*tails, *unseen) if card < candidate):
        after = Counter[_CountState]()
        for state, sets in states.items():
            count, low, (length, held) = state
            if card in tails:
                replaced = low and tails[card] == taken_row
                row = rows[tails[card]]
                after[state if replaced else (count, low, (len(row), total(row)))] += sets
                continue
            after[state] += sets
            if count < parameters.seats - 1:
                joins = 0 < length < parameters.capacity
                new = (length + 1, held + HEADS[card]) if joins else (1, HEADS[card])
                after[count + 1, low or length == 0, new] += sets
        states = after
    return states


def report(
    parameters: Parameters, rows: Sequence[Sequence[Card]], card_odds: Sequence[CardOdds], unseen: int
) -> dict[str, Any]:  # Any: JSON
    """Return the odds for JSON; each probability is an exact fraction as a string, and the nearest float."""
    return {
        "game": "nimmt",
        "variant": parameters.variant,
        "seats": parameters.seats,
        "rows": [list(row) for row in rows],
        "hand": [card.card for card in card_odds],
        "unseen": unseen,
        "exact": True,
        "cards": [
            {
                "card": card.card,
                "mean_heads": float(card.mean),
                "mean_heads_fraction": f"{card.mean.numerator}/{card.mean.denominator}",
                "full": card.full.json(),
                "low": card.low.json(),
                "heads": [{"heads": heads, **chance.json()} for heads, chance in card.heads.items()],
            }
            for card in card_odds
        ],
        "best": min(card_odds, key=lambda card: (card.mean, card.card)).card,
    }

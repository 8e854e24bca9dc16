"""What each card of a hand can expect in a turn of 6 nimmt!, counted over all cards that the others may play.

The others' cards are taken to be any of the unseen ones, every set of them equally likely: what a seat faces that
knows nothing of how the others choose. Whoever must take a row takes the one with the fewest heads, the first of
equals. Sets are not listed but counted, card by card in ascending order: what matters of those below a card is how many
they are, and the length and heads of the row that the next card would go to.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, Final, TypeAlias

import msgspec

from faceup.core import Malformed
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.position import check_different, check_rows
from faceup.odds.fractions import Chance

_NO_ROW: Final = (0, 0)

_Met: TypeAlias = tuple[int, bool, tuple[int, int]]
"""Of the cards so far: how many the others play, whether one of them took a row, being below all tails, and the length
and heads of the row that the next card would go to."""


class CardOdds(msgspec.Struct, frozen=True):
    """What one card can expect.

    Attributes:
        card: the card.
        heads: the chance of each number of heads that it can bring, ascending.
        full: the chance that it finds its row full.
        low: the chance that it is below all tails, so that its seat chooses a row.
    """

    card: Card
    heads: Mapping[int, Chance]
    full: Chance
    low: Chance

    @property
    def mean(self) -> Fraction:
        """The heads that it brings on average."""
        return sum((heads * Fraction(chance.count, chance.total) for heads, chance in self.heads.items()), Fraction(0))


def odds(
    parameters: Parameters, rows: Sequence[Sequence[Card]], hand: Sequence[Card], seen: Sequence[Card] = ()
) -> tuple[CardOdds, ...]:
    """What each card of the hand can expect this turn, in the hand's order.

    Args:
        parameters: the seats, and the numbers of the game.
        rows: the rows on the table, each from its first card.
        hand: the cards to choose from.
        seen: other cards that nobody can play, such as those taken in earlier turns.

    Raises:
        Malformed: rows, cards or seats that cannot be.

    >>> [low, fits] = odds(Parameters(seats=2), ((5,), (6,), (88,), (29,)), (3, 30))
    >>> low.mean, fits.low.fraction
    (Fraction(48, 49), '0/98')
    """
    table = tuple(map(tuple, rows))
    check_rows(table, parameters.rows, parameters.capacity, parameters.cards)
    check_different([*(card for row in table for card in row), *hand, *seen], parameters.cards)
    if not 1 <= len(hand) <= parameters.hand:
        raise Malformed(f"a hand is 1 to {parameters.hand} cards, not {len(hand)}", what=hand, where="hand")
    known = {*(card for row in table for card in row), *hand, *seen}
    unseen = [card for card in range(1, parameters.cards + 1) if card not in known]
    if len(unseen) < parameters.seats - 1:
        raise Malformed(
            f"{len(unseen)} unseen cards are too few for {parameters.seats - 1} other seats", what=seen, where="seats"
        )
    return tuple(_expect(parameters, table, unseen, card) for card in hand)


def _expect(parameters: Parameters, rows: tuple[Row, ...], unseen: Sequence[Card], mine: Card) -> CardOdds:
    others = parameters.seats - 1
    swept = cheapest_row(rows)
    above = sum(card > mine for card in unseen)
    cases = comb(len(unseen), others)
    heads, full, low = Counter[int](), 0, 0
    for (count, _, (length, held)), sets in _below(parameters, rows, unseen, mine).items():
        ways = sets * comb(above, others - count)
        if length == 0:
            low += ways
            heads[total(rows[swept])] += ways
        elif length == parameters.capacity:
            full += ways
            heads[held] += ways
        else:
            heads[0] += ways
    chances = {number: Chance(ways, cases) for number, ways in sorted(heads.items()) if ways}
    return CardOdds(mine, chances, Chance(full, cases), Chance(low, cases))


def _below(parameters: Parameters, rows: tuple[Row, ...], unseen: Sequence[Card], mine: Card) -> Mapping[_Met, int]:
    """What my card can meet, and in how many sets of the unseen cards below it."""
    swept = cheapest_row(rows)
    tails = {row[-1]: index for index, row in enumerate(rows)}
    met: Counter[_Met] = Counter({(0, False, _NO_ROW): 1})
    for card in sorted(card for card in (*tails, *unseen) if card < mine):
        after = Counter[_Met]()
        for state, sets in met.items():
            count, low, (length, held) = state
            if card in tails:
                gone = low and tails[card] == swept
                row = rows[tails[card]]
                after[state if gone else (count, low, (len(row), total(row)))] += sets
                continue
            after[state] += sets
            if count < parameters.seats - 1:
                joins = 0 < length < parameters.capacity
                new = (length + 1, held + HEADS[card]) if joins else (1, HEADS[card])
                after[count + 1, low or length == 0, new] += sets
        met = after
    return met


def report(
    parameters: Parameters, rows: Sequence[Sequence[Card]], found: Sequence[CardOdds], unseen: int
) -> dict[str, Any]:  # Any: JSON
    """The odds for JSON; every chance is an exact fraction as a string, and the nearest float."""
    return {
        "game": "nimmt",
        "variant": parameters.variant,
        "seats": parameters.seats,
        "rows": [list(row) for row in rows],
        "hand": [each.card for each in found],
        "unseen": unseen,
        "exact": True,
        "cards": [
            {
                "card": each.card,
                "mean_heads": float(each.mean),
                "mean_heads_fraction": f"{each.mean.numerator}/{each.mean.denominator}",
                "full": each.full.json(),
                "low": each.low.json(),
                "heads": [{"heads": heads, **chance.json()} for heads, chance in each.heads.items()],
            }
            for each in found
        ],
        "best": min(found, key=lambda each: (each.mean, each.card)).card,
    }

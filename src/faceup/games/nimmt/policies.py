"""Simple policies that look only at their own hand and the rows on the table.

If a policy must take a row, it takes the row with the fewest heads; of several such rows, it takes the first.
"""

from faceup.core.generator import Generator
from faceup.core.values import Action
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.cards import Card, total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.placing import cheapest_row, row_for
from faceup.games.nimmt.state import View


def lowest(rules: Parameters, view: View, rng: Generator) -> Action:
    """Play the lowest card of the hand."""
    del rules, rng
    return take(cheapest_row(view.rows)) if view.waiting else play(view.hand[0])


def highest(rules: Parameters, view: View, rng: Generator) -> Action:
    """Play the highest card of the hand."""
    del rules, rng
    return take(cheapest_row(view.rows)) if view.waiting else play(view.hand[-1])


def greedy(rules: Parameters, view: View, rng: Generator) -> Action:
    """Play the card that would cost least if no other seat played a card.

    A card costs nothing if its row has room, the heads of its row if that row is full, and the heads of the cheapest
    row if the card is below all tails. Of cards with equal costs, play the one with the smallest gap to the tail that
    it would follow; for a card below all tails, the gap is the number on the card. If the gaps are equal too, play the
    lower card.
    """
    del rng
    if view.waiting:
        return take(cheapest_row(view.rows))

    def key(card: Card) -> tuple[int, int, Card]:
        index = row_for(view.rows, card)
        if index < 0:
            return total(view.rows[cheapest_row(view.rows)]), card, card
        row = view.rows[index]
        return total(row) if len(row) >= rules.capacity else 0, card - row[-1], card

    return play(min(view.hand, key=key))

"""Players that look no further than the table: what they do, exactly.

A seat that must take a row takes, under each of them, the row with the fewest heads, the first of equals.
"""

from faceup.core.generator import Generator
from faceup.core.values import Action
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.cards import Card, total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.placing import cheapest_row, row_for
from faceup.games.nimmt.state import View


def lowest(rules: Parameters, view: View, rng: Generator) -> Action:
    """Plays the lowest card of the hand."""
    del rules, rng
    return take(cheapest_row(view.rows)) if view.waiting else play(view.hand[0])


def highest(rules: Parameters, view: View, rng: Generator) -> Action:
    """Plays the highest card of the hand."""
    del rules, rng
    return take(cheapest_row(view.rows)) if view.waiting else play(view.hand[-1])


def greedy(rules: Parameters, view: View, rng: Generator) -> Action:
    """Plays the card that costs least if nobody else played.

    The cost of a card is 0 if its row has room; the heads of the row if that is full; the heads of the cheapest row if
    the card is below all tails. Among equal costs it plays the card with the smallest gap to the tail that it would
    follow (for a card below all tails, the gap is the card itself); among equal gaps, the lower card.
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

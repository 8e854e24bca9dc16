"""Goofspiel with dealt hands, registered as a game of faceup."""

from faceup.core import Action, Game, Generator, Variant
from goofspiel.drawings import draw_svg, draw_text
from goofspiel.observation import OBSERVATION
from goofspiel.rules import Goofspiel
from goofspiel.state import Deal, Round, Seen, Table

__all__ = ["GAME", "Deal", "Goofspiel", "Round", "Seen", "Table", "matching"]

GUIDE = """\
# Goofspiel with dealt hands

Each player has a hand of cards, which no one else sees. Prizes are shuffled and turned up one at a time.

1. Everyone chooses a card in secret.
2. All cards are revealed together. The highest card wins the prize, and the cards are out of the game.
3. The next prize is turned up.

When the hands are empty, the most points win.
"""


def matching(rules: Goofspiel, view: Seen, rng: Generator) -> Action:
    """Bid high for high prizes: the card with the same rank in the hand as the prize has among those still to win."""
    won = {past.prize for past in view.log}
    prizes = [prize for prize in range(1, rules.hand + 1) if prize not in won]
    return view.legal[prizes.index(view.prize)]


GAME = Game(
    name="goofspiel",
    title="Goofspiel",
    summary="Bid your cards in secret for prizes; the highest card wins.",
    rules=Goofspiel,
    variants=(
        Variant("dealt", "Dealt hands", "Five cards each, for two to six players.", {"seats": 3}, (2, 6)),
        Variant("duel", "Duel", "Two players with eight cards each.", {"seats": 2, "hand": 8, "cards": 20}, (2, 2)),
    ),
    options={"hand": "cards in each hand, and prizes", "cards": "the highest card of the deck"},
    guide=GUIDE,
    policies={"matching": matching},
    autoplay="matching",
    drawings={"text": draw_text, "svg": draw_svg},
    formats={"observation": OBSERVATION},
)

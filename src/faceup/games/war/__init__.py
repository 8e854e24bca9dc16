"""War: both turn up their top card, and the higher one takes both."""

from faceup.core import Game, Variant
from faceup.games.war.drawing import draw
from faceup.games.war.guide import GUIDE
from faceup.games.war.measures import MEASURES
from faceup.games.war.numbers import NUMBERS
from faceup.games.war.rules import War
from faceup.games.war.state import Collect, Deal, Reshuffle, WarState, WarView
from faceup.games.war.text import draw_text

GAME = Game(
    name="war",
    title="War",
    summary="The higher card takes both, and equal cards go to war.",
    rules=War,
    variants=(
        Variant(
            name="standard",
            title="Standard",
            summary="52 cards, reshuffled every 100 rounds, at most 5,000 rounds and sudden death.",
            preset={"seats": 2},
            seats=(2, 2),
        ),
    ),
    options={
        "collect": "whose cards go under the winner's pile first: winner_first or loser_first; or shuffled, by chance",
        "reshuffle": "the draw piles are reshuffled after every so many rounds; 0 is never",
        "cap": "the round after which the larger draw pile wins",
        "sudden_death": "whether equal piles at the cap play one more round that decides; a draw if not",
        "redeal": "whether a round that leaves both without cards is dealt anew; a draw if not",
        "per_suit": "cards of each suit, from the two up, 1 to 13",
        "suits": "suits in the deck, 1 to 4",
        "down": "cards that each adds face down in a war, 0 to 25",
    },
    guide=GUIDE,
    policies={},
    drawings={"text": draw_text, "svg": draw},
    formats={"measures": MEASURES, "numbers": NUMBERS},
)

__all__ = ["GAME", "Collect", "Deal", "Reshuffle", "War", "WarState", "WarView"]

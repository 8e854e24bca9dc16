"""War: both turn up their top card, and the higher one takes both."""

from faceup.core import Game, Variant
from faceup.games.war.guide import GUIDE
from faceup.games.war.rules import War
from faceup.games.war.state import Collect, Deal, Reshuffle, WarState, WarView
from faceup.games.war.text import text_drawing

GAME = Game(
    name="war",
    title="War",
    summary="Two turn up a card at once: the higher takes both, and equal cards go to war.",
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
        "collect": "Whose cards go under the winner's pile first: winner_first, loser_first, or shuffled by chance.",
        "reshuffle": "After how many rounds the draw piles are reshuffled, again and again; 0 is never.",
        "cap": "After how many rounds the larger draw pile wins.",
        "sudden_death": "Whether equal piles at the cap play one more round that decides; otherwise they draw.",
        "redeal": "Whether a round that leaves both without cards is dealt anew; otherwise the game is a draw.",
        "per_suit": "Cards of each suit, from the two up.",
        "suits": "Suits in the deck.",
        "down": "Cards that each adds face down in a war.",
    },
    guide=GUIDE,
    policies={},
    drawings={"text": text_drawing},
)

__all__ = ["GAME", "Collect", "Deal", "Reshuffle", "War", "WarState", "WarView"]

"""War: both seats turn up their top card, and the higher card takes both.

This module registers the game and its measures: the length of a game, its wars, and how it ends.
"""

from collections.abc import Sequence
from typing import Final

from faceup.core import Event, Game, Variant
from faceup.games.measures import Measure, Measures
from faceup.games.war.guide import GUIDE
from faceup.games.war.observation import OBSERVATION
from faceup.games.war.rules import War
from faceup.games.war.state import Collect, Deal, Reshuffle, WarState, WarView
from faceup.games.war.view_svg import draw
from faceup.games.war.view_text import draw_text

__all__ = ["GAME", "Collect", "Deal", "Reshuffle", "War", "WarState", "WarView"]

ENDS: Final = ("all cards", "cap", "sudden death", "draw, equal piles", "draw, undecided round")
"""The ways in which a game can end, with draws split by their cause. The measure `by` is an index of this tuple."""


def _count(state: WarState, _events: Sequence[Event]) -> tuple[tuple[int, ...], ...]:
    return (state.rounds,), (state.wars,), (state.redeals,), (ENDS.index(_end(state)),)


def _end(state: WarState) -> str:
    """Return how a finished game ended. A draw with cards on the table is due to an undecided round."""
    if state.by != "draw":
        return state.by
    return "draw, undecided round" if state.played[0] else "draw, equal piles"


MEASURES: Final = Measures(
    score="cards at the end",
    extra=(
        Measure("rounds", "rounds", by_seat=False),
        Measure("wars", "wars", by_seat=False),
        Measure("redeals", "redeals", by_seat=False),
        Measure("by", "how it ends", by_seat=False, kinds=ENDS),
    ),
    count=_count,
)

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
        "collect": "order of the cards that go under the winner's pile: winner_first, loser_first or shuffled (random)",
        "reshuffle": "number of rounds between reshuffles of the draw piles; 0 is never",
        "cap": "the round after which the larger draw pile wins",
        "sudden_death": "whether equal piles at the cap play one more, deciding round; otherwise a draw",
        "redeal": "whether the deck is dealt again when both run out of cards; otherwise a draw",
        "per_suit": "cards of each suit, from the two up, 1 to 13",
        "suits": "suits in the deck, 1 to 4",
        "down": "cards that each adds face down in a war, 0 to 25",
    },
    guide=GUIDE,
    policies={},
    drawings={"text": draw_text, "svg": draw},
    formats={"measures": MEASURES, "observation": OBSERVATION},
)

"""Every game in every variant for every number of seats: which of them a run looks at."""

from collections.abc import Collection, Iterator
from typing import Final

import pytest

from faceup.core import list_games

APART: Final = 3
"""Between the fewest and the most seats of a variant, every so-manieth number is tried before a change lands."""


def variants(games: Collection[str]) -> Iterator[tuple[str, bool]]:
    """These games' variants with every number of seats, and whether it is one of those tried before a change lands.

    That are the fewest and the most of each variant, and some between, so that every number that a game can be played
    by comes up in one of its variants.
    """
    for game in list_games():
        if game.name in games:
            for place, variant in enumerate(game.variants):
                fewest, most = variant.seats
                for seats in range(fewest, most + 1):
                    tried = seats in variant.seats or (seats + place) % APART == 0
                    yield f"{game.name}:{variant.name} seats={seats}", tried


def marked(games: Collection[str], quick: Collection[str] = ()) -> list[object]:
    """The same as parameters of a test: `quick` ones are in every run, some are slow, and the others are long."""
    return [
        spec if spec in quick else pytest.param(spec, marks=pytest.mark.slow if tried else pytest.mark.long)
        for spec, tried in variants(games)
    ]

"""Select the variants and numbers of seats that quick, normal and long test runs use."""

from collections.abc import Collection, Iterator
from typing import Final

import pytest

from faceup.core import list_games

APART: Final = 4
"""A normal run tests every fourth number of seats of a variant."""


def variants(games: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield each variant with each number of seats as a game specification, and whether a normal run tests it.

    A normal run tests every fourth number of seats and starts at another one in each variant, so that it plays 6 nimmt!
    with every number of seats.
    """
    for game in list_games():
        if game.name in games:
            place = 0
            for variant in game.variants:
                fewest, most = variant.seats
                place += fewest < most
                for seats in range(fewest, most + 1):
                    tried = fewest == most or (seats + place) % APART == 0
                    yield f"{game.name}:{variant.name} seats={seats}", tried


def marked(games: Collection[str], quick: Collection[str] = ()) -> list[object]:
    """Return the variants as parameters of a test: unmarked if in `quick`, else marked as slow or long."""
    return [
        spec if spec in quick else pytest.param(spec, marks=pytest.mark.slow if tried else pytest.mark.long)
        for spec, tried in variants(games)
    ]

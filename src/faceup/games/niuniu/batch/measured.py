"""Matches of Niu Niu as simulations count them."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from faceup.games.niuniu.batch.playouts import playouts
from faceup.games.niuniu.rules import NiuNiu


def measured(
    rules: NiuNiu, policies: Sequence[str], *, lanes: int, seed: int, first: int
) -> dict[str, npt.NDArray[Any]]:
    """Play the lanes to the end of their matches; see `faceup.games.measures`."""
    games = playouts(rules, policies, lanes=lanes, seed=seed, first=first, matches=True)
    return {
        "score": games.won,
        "place": games.places(),
        "points": games.ranks,
        "statistics": games.statistics,
        "draws": games.draws[:, None],
    }

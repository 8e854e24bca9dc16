"""Whole games of 6 nimmt! as simulations count them."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from faceup.games.nimmt.batch.playouts import playouts
from faceup.games.nimmt.rules import Rules


def measured(
    rules: Rules,
    policies: Sequence[str],
    *,
    lanes: int,
    seed: int,
    first: int,
) -> dict[str, npt.NDArray[Any]]:
    """Play the lanes to the end of their matches; see `faceup.games.measures`."""
    games = playouts(rules, policies, lanes=lanes, seed=seed, first=first, matches=True)
    return {
        "score": games.heads,
        "place": games.places(),
        "full": games.full,
        "chosen": games.chosen,
        "deals": games.deals[:, None],
    }

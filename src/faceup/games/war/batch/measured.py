"""Whole games of War as simulations count them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from faceup.games.war.batch.engine import ENDINGS
from faceup.games.war.batch.playouts import playouts
from faceup.games.war.measures import ENDS
from faceup.games.war.rules import War

_ENDS = np.array([ENDS.index(by) if by else -1 for by in ENDINGS])
"""From the engine's number of an end to the measure's."""


def measured(rules: War, policies: Sequence[str], *, lanes: int, seed: int, first: int) -> dict[str, npt.NDArray[Any]]:
    """Play the lanes to their ends; see `faceup.games.measures`."""
    games = playouts(rules, policies, lanes=lanes, seed=seed, first=first)
    return {
        "score": games.cards,
        "place": games.places(),
        "rounds": games.rounds[:, None],
        "wars": games.wars[:, None],
        "redeals": games.redeals[:, None],
        "by": _ENDS[games.by][:, None],
    }

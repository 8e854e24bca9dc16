"""What a learner's environment asks of an engine: what the other seats choose, and the numbers of all positions."""

from typing import Any

import numpy as np
import numpy.typing as npt

from faceup.games.pure_chance import ChanceLearning
from faceup.games.war.batch.engine import Engine
from faceup.games.war.cards import deck


class Learning(ChanceLearning[Engine]):
    """An engine as environments for learning see it."""

    def numbers(self) -> dict[str, npt.NDArray[Any]]:  # Any: of several types
        """The pieces of `faceup.games.war.numbers`, [B, ...] each."""
        seen, rules = self.engine.observe(), self.engine.rules
        count = rules.per_suit * rules.suits
        unknown = 2 + deck(rules.per_suit, rules.suits)[-1]
        place = np.arange(52)
        sizes, played = seen["sizes"][:, :, np.newaxis], seen["played"][:, :, np.newaxis]
        side = np.where(place < sizes, np.where(seen["places"] == 0, unknown, seen["places"]), 0)
        drawn = np.take_along_axis(side, np.minimum(place + played, 51), axis=2)
        return {
            "choosing": seen["acts"],
            "draw": np.where(place < sizes - played, drawn, 0)[:, :, :count],
            "table": np.where(place < played, side, 0)[:, :, :count],
            "members": seen["members"][:, :, : 4 * rules.per_suit],
            "rounds": seen["rounds"],
            "wars": seen["wars"],
            "redeals": seen["redeals"],
        }

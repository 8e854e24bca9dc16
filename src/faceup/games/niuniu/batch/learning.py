"""What a learner's environment asks of an engine: what the other seats choose, and the numbers of all positions."""

from typing import Any

import numpy.typing as npt

from faceup.games.niuniu.batch.engine import Engine
from faceup.games.pure_chance import ChanceLearning


class Learning(ChanceLearning[Engine]):
    """An engine as environments for learning see it."""

    def numbers(self) -> dict[str, npt.NDArray[Any]]:  # Any: of several types
        """The pieces of `faceup.games.niuniu.numbers`, [B, ...] each."""
        seen = self.engine.observe()
        return {
            "choosing": seen["acts"],
            "dice": seen["dice"],
            "won": seen["scores"],
            "statistics": seen["statistics"],
            "played": seen["played"],
        }

"""Compiling ahead what the batch engine needs for all rules of Niu Niu."""

from collections.abc import Iterator

import numpy as np

from faceup.games.niuniu.batch.engine import reset
from faceup.games.niuniu.batch.playouts import playouts
from faceup.games.niuniu.rules import NiuNiu


def warm() -> Iterator[str]:
    """Compile part by part, unless it is done already; the name of each part comes before it is compiled."""
    rules = NiuNiu()
    yield "whole matches"
    playouts(rules, lanes=1, seed=0)
    yield "matches throw by throw"
    engine = reset(rules, lanes=1, seed=0, auto_reset=True)
    engine.step(np.zeros((1, 2), np.int32))
    yield "matches whose dice are the caller's"
    engine.land(np.ones((1, 2, 5), np.uint8))

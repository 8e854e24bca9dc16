"""Compiling ahead what the batch engine needs for all rules of War."""

from collections.abc import Iterator

import numpy as np

from faceup.games.war.batch.engine import reset
from faceup.games.war.batch.playouts import playouts
from faceup.games.war.rules import War


def warm() -> Iterator[str]:
    """Compile part by part, unless it is done already; the name of each part comes before it is compiled."""
    rules = War()
    yield "whole games"
    playouts(rules, lanes=1, seed=0)
    yield "games flip by flip"
    engine = reset(rules, lanes=1, seed=0, auto_reset=True)
    engine.observe()
    engine.step(np.zeros((1, 2), np.int32))
    yield "games whose chance is the caller's"
    engine.arrange(np.zeros((1, 52), np.uint8))

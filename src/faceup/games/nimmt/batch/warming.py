"""Compiling ahead what the batch engine needs for all variants."""

from collections.abc import Iterator

import numpy as np

from faceup.games.nimmt.batch.engine import reset
from faceup.games.nimmt.batch.learning import Learning
from faceup.games.nimmt.batch.playouts import playouts
from faceup.games.nimmt.rules import Rules


def warm() -> Iterator[str]:
    """Compile part by part, unless it is done already; the name of each part comes before it is compiled."""
    rules = Rules()
    yield "whole games"
    playouts(rules, lanes=1, seed=0).places()
    yield "whole games with more than four rows"
    playouts(Rules(rows=5), lanes=1, seed=0)
    yield "games step by step"
    engine = reset(rules, lanes=1, seed=0, auto_reset=True)
    engine.observe()
    engine.step(np.where(engine.to_act(), engine.mask().argmax(axis=2), -1).astype(np.int32))
    yield "policies step by step"
    Learning(engine, ["random"]).choices(np.zeros((1, rules.seats), np.uint64))

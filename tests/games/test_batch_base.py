from typing import Any

import numpy as np
import pytest

from faceup.core import Malformed, find_game, make
from faceup.games.batch_engines import load_batch_engine

SPECS = ["nimmt:cowheadking seats=3", "nimmt:arena deals=2", "niuniu:battle throws=2", "war per_suit=3 cap=12"]


def _lowest(engine: Any) -> Any:
    return np.where(engine.to_act(), engine.mask().argmax(axis=2), -1).astype(np.int32)


@pytest.mark.parametrize("spec", SPECS)
def test_restart_and_auto_reset_start_the_same_games(spec: str) -> None:
    rules = make(spec)
    batch = load_batch_engine(find_game(rules.game))
    itself = batch.reset(rules, lanes=9, seed=3, auto_reset=True)
    called = batch.reset(rules, lanes=9, seed=3)
    endings = 0
    for _ in range(80):
        ended = itself.step(_lowest(itself)).ended
        assert np.array_equal(called.step(_lowest(called)).ended, ended)
        endings += int(ended.sum())
        called.restart()
        assert np.array_equal(called.scores(), itself.scores())
        assert [called.to_state(lane) for lane in range(9)] == [itself.to_state(lane) for lane in range(9)]
    assert endings


@pytest.mark.parametrize("spec", SPECS)
def test_an_engine_without_a_seed_starts_no_game(spec: str) -> None:
    rules = make(spec)
    engine = load_batch_engine(find_game(rules.game)).reset(rules, lanes=1, seed=None)
    with pytest.raises(Malformed, match="this engine has no seed and cannot start games"):
        engine.restart()

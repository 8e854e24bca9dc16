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
def test_given_lanes_start_new_games_and_the_others_continue(spec: str) -> None:
    rules = make(spec)
    engine = load_batch_engine(find_game(rules.game)).reset(rules, lanes=4, seed=3)
    started = [engine.to_state(lane) for lane in range(4)]
    engine.step(_lowest(engine))
    before = [engine.to_state(lane) for lane in range(4)]
    engine.restart(np.array([False, True, False, True]))
    after = [engine.to_state(lane) for lane in range(4)]
    assert [after[0], after[2]] == [before[0], before[2]]
    for lane in (1, 3):
        assert after[lane] != before[lane]
        assert rules.scores(after[lane]) == rules.scores(started[lane])
        assert (engine.to_act()[lane] == [seat in rules.to_act(after[lane]) for seat in range(rules.seats)]).all()
    with pytest.raises(Malformed, match=r"lanes must be bool \[4\]; got int64 \[4\]"):
        engine.restart(np.array([0, 1, 0, 1]))


@pytest.mark.parametrize("spec", SPECS)
def test_an_engine_without_a_seed_starts_no_game(spec: str) -> None:
    rules = make(spec)
    engine = load_batch_engine(find_game(rules.game)).reset(rules, lanes=1, seed=None)
    with pytest.raises(Malformed, match="this engine has no seed and cannot start games"):
        engine.restart()

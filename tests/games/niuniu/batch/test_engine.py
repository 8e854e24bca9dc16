from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from tests.games.niuniu.batch.test_playouts import EVERY, SEVENTHS

from faceup.core import IllegalActionError, Malformed, SeededGenerator, WrongSeatError, draw
from faceup.games import batch_law
from faceup.games.niuniu import DiceShow, NiuNiu, NiuNiuState, batch
from faceup.games.niuniu.batch import NiuNiuEngine, from_states, memory, playouts, reset

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "batch.md"


def throws(engine: NiuNiuEngine) -> npt.NDArray[np.int32]:
    return engine.to_act().astype(np.int32) - 1


@pytest.mark.parametrize("rules", EVERY[::59], ids=str)
def test_a_lane_is_the_scalar_match_throw_by_throw(rules: NiuNiu) -> None:
    assert batch_law.check(rules, batch, lanes=3, seed=1)


@pytest.mark.parametrize("part", SEVENTHS)
def test_lanes_are_scalar_matches_throw_by_throw_under_all_options(part: int) -> None:
    for rules in EVERY[part::7]:
        batch_law.check(rules, batch, lanes=8, seed=part)


def test_the_caller_may_supply_the_dice() -> None:
    rules = NiuNiu(seats=3, throws=4, faces=12)
    engine = reset(rules, lanes=2, seed=None)
    rngs, states = [SeededGenerator(5, lane) for lane in (0, 1)], [rules.start(), rules.start()]
    while rules.to_act(states[0]):
        assert not engine.step(throws(engine)).ended.any()
        assert engine.outcomes(0) == ()
        assert not engine.to_act().any()
        states = [rules.apply(state, {0: 0, 1: 0, 2: 0}).state for state in states]
        assert [engine.to_state(lane) for lane in (0, 1)] == [rules.position(state) for state in states]
        shown = [draw(rules, state, rng) for state, rng in zip(states, rngs, strict=True)]
        assert all(isinstance(show, DiceShow) for show in shown)
        stepped = engine.land(np.array([show.dice for show in shown if isinstance(show, DiceShow)], np.uint8))
        assert [engine.outcomes(lane) for lane in (0, 1)] == [(show,) for show in shown]
        states = [rules.apply(state, show).state for state, show in zip(states, shown, strict=True)]
        assert [engine.to_state(lane) for lane in (0, 1)] == [rules.position(state) for state in states]
    assert stepped.ended.all()
    assert [tuple(scores) for scores in stepped.final] == [rules.scores(state) for state in states]


def test_impossible_dice_are_refused_with_the_lane() -> None:
    engine = reset(NiuNiu(), lanes=2, seed=None)
    engine.step(throws(engine))
    with pytest.raises(Malformed, match="this engine has no seed: pass the dice"):
        engine.land()
    with pytest.raises(Malformed, match=r"dice must be uint8 \[2, 2, 5\]; got int64 \[2, 2, 5\]"):
        engine.land(np.ones((2, 2, 5), np.int64))
    dice = np.ones((2, 2, 5), np.uint8)
    for wrong in (0, 7):
        dice[1, 0, 3] = wrong
        with pytest.raises(Malformed, match="lane 1: each die must be 1 to 6; got "):
            engine.land(dice)
    assert engine.to_state(0).in_air


def test_observations_match_the_view() -> None:
    rules = NiuNiu(seats=2, throws=6)
    engine = reset(rules, lanes=3, seed=4)
    while engine.to_act().any():
        engine.step(throws(engine))
        seen = engine.observe()
        assert {piece.name for piece in batch.observations(rules)} == set(seen)
        for lane in range(3):
            state = engine.to_state(lane)
            assert (seen["played"][lane], seen["in_air"][lane]) == (state.played, state.in_air)
            assert tuple(seen["scores"][lane]) == state.won
            assert tuple(seen["drawn"][lane]) == state.drawn
            assert tuple(seen["statistics"][lane]) == state.statistics
            [show] = engine.outcomes(lane)
            assert show == DiceShow(tuple(tuple(dice) for dice in seen["dice"][lane].tolist()))


def test_auto_reset_starts_another_match() -> None:
    rules = NiuNiu(throws=3)
    engine, whole = reset(rules, lanes=4, seed=6, auto_reset=True), playouts(rules, lanes=4, seed=6, matches=True)
    for throw in range(9):
        stepped = engine.step(throws(engine))
        assert stepped.ended.tolist() == [throw % 3 == 2] * 4
        assert engine.to_act().all()
        if throw == 2:
            np.testing.assert_array_equal(stepped.final, whole.won)
    assert engine.to_state(0) == rules.start()
    # The random words continue: the third match differs from the first.
    assert (stepped.final != whole.won).any()


def test_illegal_actions_are_refused_with_the_lane_and_change_nothing() -> None:
    engine = reset(NiuNiu(), lanes=3, seed=1)
    with pytest.raises(
        IllegalActionError, match="lane 1: 5, which is not an action, is not legal for seat 1 now; legal: throw"
    ):
        engine.step(np.array([[0, 0], [0, 5], [0, 0]], np.int32))
    with pytest.raises(WrongSeatError, match="lane 2: the decision of seat 0 is missing"):
        engine.step(np.array([[0, 0], [0, 0], [-1, 0]], np.int16))
    with pytest.raises(Malformed, match=r"actions must be int16 or int32 \[3, 2\]; got list"):
        engine.step([[0, 0]] * 3)  # type: ignore[arg-type]  # on purpose
    assert [engine.to_state(lane) for lane in range(3)] == [NiuNiu().start()] * 3
    engine.step(throws(engine))
    with pytest.raises(WrongSeatError, match="lane 0: the game is over"):
        engine.step(np.zeros((3, 2), np.int32))
    assert not engine.step(throws(engine)).ended.any()


def test_impossible_states_are_refused_with_the_lane() -> None:
    good = NiuNiu(throws=2).start()
    for wrong in (
        NiuNiuState(3, (0, 0), (3, 3), (0, 0)),
        NiuNiuState(0, (0, 0, 0), (0, 0, 0), (0, 0, 0)),
        msgspec.structs.replace(good, won=(1, 0)),
    ):
        with pytest.raises(Malformed, match="lane 1: "):
            from_states(NiuNiu(throws=2), [good, wrong], seed=1)
    with pytest.raises(Malformed, match="lanes must be 1 to"):
        from_states(NiuNiu(), [], seed=1)


def test_dice_in_the_air_land_immediately_with_a_seed() -> None:
    in_air = msgspec.structs.replace(NiuNiu().start(), in_air=True)
    assert from_states(NiuNiu(), [in_air], seed=1).to_state(0).played == 1
    waiting = from_states(NiuNiu(), [in_air], seed=None)
    assert waiting.to_state(0) == in_air
    assert not waiting.to_act().any()


def test_memory_predicts_the_size_of_an_engine() -> None:
    rules = NiuNiu(seats=4)
    engine = reset(rules, lanes=50, seed=1)
    assert sum(array.nbytes for array in engine._arrays.values()) == memory(rules, 50)


def test_the_documentation_lists_the_observations() -> None:
    page = PAGE.read_text("utf-8")
    for piece in batch.observations(NiuNiu(seats=3)):
        shape = ", ".join(["B", *map(str, piece.shape)]).replace("3", "seats")
        line = f"| `{piece.name}` | [{shape}] | {np.dtype(piece.dtype)} | {piece.meaning} |"
        assert line in page, f"put this into {PAGE.name}: {line}"

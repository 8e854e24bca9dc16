import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.games.nimmt.batch.scalar_worlds import rules_of

from faceup.core import IllegalActionError, Malformed, WrongSeatError, draw, generator, make, read
from faceup.games.nimmt.batch import NimmtEngine, from_states, memory, observations, playouts, reset, trace
from faceup.games.nimmt.state import Deal, State

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "batch.md"


def first_legal(engine: NimmtEngine) -> npt.NDArray[np.int32]:
    return np.where(engine.to_act(), engine.mask().argmax(axis=2), -1).astype(np.int32)


def state_of(text: str) -> State:
    _, state = read(text)
    assert isinstance(state, State)
    return state


LOW = "nimmt:arena | hands=3,50/45,51/46,52/47,53 rows=5/6,7/88,104/29,37,44"


def test_steps_and_playouts_deal_the_same_cards_for_a_seed() -> None:
    rules = rules_of("nimmt seats=3 hand=2 deals=3")
    dealt = trace(rules, lanes=5, seed=3, first=7, matches=True).dealt
    engine = reset(rules, lanes=5, seed=3, first=7)
    deals = [list(engine.outcomes(lane)) for lane in range(5)]
    while engine.to_act().any():
        engine.step(first_legal(engine))
        for lane in range(5):
            deals[lane] += engine.outcomes(lane)
    assert deals == [[Deal(tuple(cards)) for cards in lane] for lane in dealt.tolist()]


@pytest.mark.slow
def test_replaying_playouts_step_by_step_gives_the_same_results() -> None:
    rules = rules_of("nimmt:cowheadking seats=6")
    traced = trace(rules, ["greedy", "random"] * 3, lanes=100, seed=8)
    engine = reset(rules, lanes=100, seed=8)
    for turn in range(rules.hand):
        engine.step(traced.played[:, 0, turn].astype(np.int32) - 1)
        rows = traced.rows[:, 0, turn]
        assert ((rows >= 0) == (engine.observe()["phase"] == 2)).all()
        if (rows >= 0).any():
            # Lanes in which everyone chooses have to wait: a separate engine continues from their states.
            ask = np.flatnonzero(rows >= 0)
            part = from_states(rules, [engine.to_state(int(lane)) for lane in ask], seed=0)
            part.step(np.where(part.to_act(), 104 + rows[ask, None].astype(np.int32), -1).astype(np.int32))
            states = [engine.to_state(lane) for lane in range(100)]
            for index, lane in enumerate(ask):
                states[lane] = part.to_state(index)
            engine = from_states(rules, states, seed=None)
    np.testing.assert_array_equal(engine.scores(), traced.playouts.heads)


def test_observations_hide_other_hands() -> None:
    rules = rules_of("nimmt")
    rng = generator(5)
    state = rules.apply(rules.start(), draw(rules, rules.start(), rng)).state
    view = rules.view(state, 2)
    engine = from_states(rules, [state], seed=None)
    other = from_states(rules, [rules.guess(view, rng)], seed=None)
    assert engine.to_state(0) != other.to_state(0)
    for name, piece in engine.observe().items():
        lane, again = piece[0], other.observe()[name][0]
        np.testing.assert_array_equal(lane[2] if name == "hands" else lane, again[2] if name == "hands" else again)


@pytest.mark.parametrize("spec", ["nimmt:arena", "nimmt:classic seats=3"])
def test_observations_match_the_scalar_rules(spec: str) -> None:
    rules, lanes, rng = rules_of(spec), 6, np.random.default_rng(2)
    engine = reset(rules, lanes=lanes, seed=1)
    while engine.to_act().any():
        shown = engine.observe()
        for lane in range(lanes):
            state = engine.to_state(lane)
            for seat in range(rules.seats):
                hand = rules.view(state, seat).hand
                assert tuple(np.flatnonzero(shown["hands"][lane, seat]) + 1) == hand
            where = {card: 16 + row for row, cards in enumerate(state.rows) for card in cards}
            where |= {card: 32 + seat for card, seat in state.waiting}
            where |= {card: 48 + seat for seat, cards in enumerate(state.taken) for card in cards}
            where |= dict.fromkeys(state.aside, 64)
            assert {card + 1: shown["cards"][lane, card] for card in np.flatnonzero(shown["cards"][lane])} == where
        actions = first_legal(engine)
        if rules.forfeits:
            actions[rng.random(actions.shape) < 0.02] = -1
        engine.step(actions)


def test_observations_have_the_documented_shapes_and_types() -> None:
    rules = rules_of("nimmt seats=3 rows=5")
    shown = reset(rules, lanes=6, seed=1).observe()
    assert [*shown] == [piece.name for piece in observations(rules)]
    for piece in observations(rules):
        assert shown[piece.name].shape == (6, *piece.shape)
        assert shown[piece.name].dtype == piece.dtype


def table() -> str:
    """Return the table of `docs/reference/batch.md`, made from the code."""
    sizes = {3: "seats", 104: "104", 4: "rows", 5: "capacity"}
    lines = ["| piece | shape | type | meaning |", "| --- | --- | --- | --- |"]
    for piece in observations(rules_of("nimmt seats=3")):
        shape = ", ".join(["B", *(sizes[size] for size in piece.shape)])
        lines.append(f"| `{piece.name}` | [{shape}] | {np.dtype(piece.dtype).name} | {piece.meaning} |")
    return "\n".join(lines)


def test_the_documented_observation_table_matches_the_code() -> None:
    assert table() in PAGE.read_text("utf-8"), f"put this into {PAGE.name}:\n{table()}"


def test_observation_arrays_are_read_only() -> None:
    engine = reset(rules_of("nimmt"), lanes=2, seed=1)
    for array in (engine.mask(), engine.to_act(), engine.scores(), *engine.observe().values()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_auto_reset_restarts_a_finished_lane_and_reports_its_final_score() -> None:
    rules = rules_of("nimmt hand=2")
    plain, restarting = (reset(rules, lanes=50, seed=1, auto_reset=auto) for auto in (False, True))
    finals = np.full((50, 4), -1)
    for _ in range(20):
        if plain.to_act().any():
            plain.step(first_legal(plain))
        stepped = restarting.step(first_legal(restarting))
        first = stepped.ended & (finals[:, 0] < 0)
        finals[first] = stepped.final[first]
        assert restarting.to_act().any(axis=1).all()
    np.testing.assert_array_equal(finals, plain.scores())
    assert not plain.to_act().any()


def test_without_a_seed_the_caller_deals() -> None:
    rules = rules_of("nimmt seats=2 hand=1 deals=2")
    engine = reset(rules, lanes=2, seed=None)
    assert not engine.to_act().any()
    with pytest.raises(Malformed, match="this engine has no seed: pass the cards"):
        engine.deal()
    cards = np.array([[1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]], np.uint8)
    cases: tuple[tuple[Any, str], ...] = (
        (cards.astype(np.int64), re.escape("cards must be uint8 [2, 6]; got int64 [2, 6]")),
        (cards[:1], re.escape("cards must be uint8 [2, 6]; got uint8 [1, 6]")),
        (np.array([[1, 2, 3, 4, 5, 6], [1, 1, 3, 4, 5, 6]], np.uint8), "lane 1: card 1 occurs twice"),
        (np.array([[0, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]], np.uint8), "lane 0: a card must be 1 to 104; got 0"),
    )
    for wrong, words in cases:
        with pytest.raises(Malformed, match=words):
            engine.deal(wrong)
        assert not engine.to_act().any()
    engine.deal(cards)
    assert engine.to_act().all()
    assert engine.to_state(1).rows == ((30,), (40,), (50,), (60,))
    assert engine.outcomes(0) == (Deal((1, 2, 3, 4, 5, 6)),)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (np.full((3, 4), -1, np.int64), "actions must be int16 or int32 [3, 4]; got int64 [3, 4]"),
        (np.full((3, 3), -1, np.int32), "actions must be int16 or int32 [3, 4]; got int32 [3, 3]"),
        ([[1, 2, 3, 4]] * 3, "actions must be int16 or int32 [3, 4]; got list"),
    ],
)
def test_actions_of_the_wrong_shape_or_type_are_refused(actions: npt.NDArray[np.int32], words: str) -> None:
    with pytest.raises(Malformed, match=re.escape(words)):
        reset(rules_of("nimmt"), lanes=3, seed=1).step(actions)


def test_an_illegal_action_error_names_lane_seat_and_legal_actions() -> None:
    engine = from_states(make("nimmt:arena"), [state_of(LOW)] * 3, seed=1)  # type: ignore[arg-type]  # nimmt's rules
    right = np.array([[2, 44, 45, 46]] * 3, np.int16)
    for lane, seat, action, words in (
        (1, 2, 99, "lane 1: 'play 100' is not legal for seat 2 now; legal: play 46, play 52"),
        (0, 0, 104, "lane 0: 'take row 0' is not legal for seat 0 now"),
        (2, 3, 3000, "lane 2: 3000, which is not an action, is not legal for seat 3 now"),
        (2, 3, -2, "lane 2: -2, which is not an action, is not legal for seat 3 now"),
    ):
        wrong = right.copy()
        wrong[lane, seat] = action
        with pytest.raises(IllegalActionError, match=re.escape(words)) as error:
            engine.step(wrong)
        assert error.value.seat == seat
        assert engine.to_state(0) == state_of(LOW)
    engine.step(right)
    with pytest.raises(WrongSeatError, match="lane 0: seat 1 cannot decide now: it is the turn of seat 0"):
        engine.step(np.array([[104, 44, -1, -1]] * 3, np.int32))
    with pytest.raises(IllegalActionError, match="lane 0: 'play 51' is not legal for seat 0 now; legal: take row 0"):
        engine.step(np.array([[50, -1, -1, -1]] * 3, np.int32))


def test_a_missing_decision_is_refused_without_forfeits() -> None:
    engine = reset(rules_of("nimmt"), lanes=2, seed=1)
    with pytest.raises(IllegalActionError, match="lane 0: -1, which is not an action, is not legal for seat 0 now"):
        engine.step(np.full((2, 4), -1, np.int32))


def test_a_forfeit_puts_a_seat_out_and_placing_resumes_with_the_next_card() -> None:
    rules = rules_of("nimmt:arena")
    state = state_of("nimmt:arena | hands=3,50/4,51/46,52/47,53 rows=5/6,7/88,104/29,37,44")
    engine = from_states(rules, [state], seed=None)
    engine.step(np.array([[2, 3, 45, 46]], np.int32))
    engine.step(np.array([[-1, -1, -1, -1]], np.int32))
    after = engine.to_state(0)
    assert after.out == ((0,),)
    assert after.aside == (3,)
    assert after.waiting == ((4, 1), (46, 2), (47, 3))
    assert not engine.mask()[0, 0].any()


def test_from_states_and_to_state_are_inverse() -> None:
    states = [state_of(LOW), make("nimmt:arena").start()]
    rules = rules_of("nimmt:arena")
    engine = from_states(rules, states, seed=None)
    assert [engine.to_state(lane) for lane in (0, 1)] == states
    assert [engine.to_act()[lane].any() for lane in (0, 1)] == [True, False]
    with pytest.raises(Malformed, match="lane must be 0 to 1; got 2"):
        engine.to_state(2)


def test_an_impossible_position_is_refused_with_its_lane() -> None:
    rules = rules_of("nimmt seats=2")
    fits = make("nimmt seats=2").start()
    with pytest.raises(Malformed, match="lane 1: hands must have 2 entries, one for each seat; got 4"):
        from_states(rules, [fits, make("nimmt").start()], seed=1)
    with pytest.raises(Malformed, match="lanes must be 1 to"):
        from_states(rules, [], seed=1)


def test_memory_predicts_the_size_of_an_engine() -> None:
    rules = rules_of("nimmt")
    engine = reset(rules, lanes=100, seed=1)
    assert memory(rules, 100) == sum(array.nbytes for array in engine._arrays.values())
    assert memory(rules, 4096) < 10_000_000
    assert memory(rules, 10_000_000) > 10_000_000_000


@pytest.mark.long
def test_ten_million_deals_agree_between_steps_and_playouts() -> None:
    """Playouts and steps share only the random words; the law of batch equality compares both with the scalar rules."""
    rules, lanes = rules_of("nimmt"), 50_000
    for first in range(0, 10_000_000, lanes):
        traced = trace(rules, lanes=lanes, seed=11, first=first)
        engine = reset(rules, lanes=lanes, seed=11, first=first)
        turns, index = np.zeros(lanes, np.int64), np.arange(lanes)
        while engine.to_act().any():
            rows_due = engine.observe()["phase"] == 2
            turn = np.minimum(turns, rules.hand - 1)
            rows = traced.rows[index, 0, np.clip(turns - 1, 0, rules.hand - 1)].astype(np.int32) + 104
            cards = traced.played[index, 0, turn].astype(np.int32) - 1
            actions = np.where(rows_due[:, None], rows[:, None], cards)
            engine.step(np.where(engine.to_act(), actions, -1).astype(np.int32))
            turns += ~rows_due
        np.testing.assert_array_equal(engine.scores(), traced.playouts.heads)
        assert (playouts(rules, lanes=lanes, seed=11, first=first).heads == traced.playouts.heads).all()

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.games.war.batch.test_playouts import EVERY, ORDERS, SEVENTHS, Order

from faceup.core import CHANCE, IllegalActionError, Malformed, Outcome, SeededGenerator, WrongSeatError, draw
from faceup.games import batch_law
from faceup.games.war import Collect, Reshuffle, War, WarDeal, WarState, batch
from faceup.games.war.batch import WarEngine, from_states, memory, playouts, reset

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "batch.md"
FLIP = {0: 0, 1: 0}
SHORT = [rules for rules in EVERY if rules.cap < 600]


def flips(engine: WarEngine) -> npt.NDArray[np.int32]:
    return engine.to_act().astype(np.int32) - 1


@pytest.mark.parametrize("rules", SHORT[::211], ids=str)
def test_a_lane_is_the_scalar_game_flip_by_flip(rules: War) -> None:
    assert batch_law.check(rules, batch, lanes=2, seed=1)


@pytest.mark.parametrize("part", SEVENTHS)
def test_lanes_are_scalar_games_flip_by_flip_under_all_options(part: int) -> None:
    for rules in SHORT[part::49]:
        batch_law.check(rules, batch, lanes=6, seed=part)


def cards_of(outcome: Outcome) -> tuple[int, ...]:
    """Return the cards of an outcome as the argument of `arrange`."""
    if isinstance(outcome, Collect):
        return outcome.cards
    assert isinstance(outcome, WarDeal | Reshuffle)
    return outcome.piles[0] + outcome.piles[1]


@pytest.mark.parametrize(
    "rules", [War(), War(collect="shuffled", reshuffle=3, cap=40), War(per_suit=2, suits=2, cap=3)]
)
def test_the_caller_may_supply_chance_outcomes(rules: War) -> None:
    engine = reset(rules, lanes=2, seed=None)
    rngs, states = [SeededGenerator(5, lane) for lane in (0, 1)], [rules.start(), rules.start()]
    while any(rules.to_act(state) for state in states):
        for lane, state in enumerate(states):
            assert rules.position(engine.to_state(lane)) == rules.position(state)
        before = list(states)
        orders = np.zeros((2, 52), np.uint8)
        for lane, state in enumerate(before):
            if rules.to_act(state) == (CHANCE,):
                outcome = draw(rules, state, rngs[lane])
                orders[lane, : len(cards_of(outcome))] = cards_of(outcome)
                states[lane] = rules.apply(state, outcome).state
        if orders.any():
            stepped = engine.arrange(orders)
            assert engine.outcomes(0) or engine.outcomes(1)
        else:
            stepped = engine.step(flips(engine))
            states = [rules.apply(state, FLIP).state if rules.to_act(state) else state for state in states]
        for lane, (was, state) in enumerate(zip(before, states, strict=True)):
            ended = bool(rules.to_act(was)) and not rules.to_act(state)
            assert stepped.ended[lane] == ended
            assert not ended or tuple(stepped.final[lane]) == rules.scores(state)
    assert [rules.scores(state) for state in states] == [tuple(scores) for scores in engine.scores()]


def test_cards_that_are_not_due_are_refused_with_the_lane() -> None:
    engine = reset(War(per_suit=2, suits=2), lanes=2, seed=None)
    with pytest.raises(Malformed, match="this engine has no seed: pass the cards"):
        engine.arrange()
    with pytest.raises(Malformed, match=r"cards must be uint8 \[2, 52\]; got uint8 \[2, 4\]"):
        engine.arrange(np.zeros((2, 4), np.uint8))
    orders = np.zeros((2, 52), np.uint8)
    orders[:, :4] = (0, 1, 4, 5), (0, 1, 4, 6)
    with pytest.raises(Malformed, match="lane 1: the deck must be 4 different cards; missing: 3D; unexpected: 3H"):
        engine.arrange(orders)
    assert not engine.to_act().any()


@pytest.mark.parametrize("collect", ORDERS)
def test_observations_match_the_view(collect: Order) -> None:
    rules = War(collect=collect, reshuffle=20, cap=90)
    engine = reset(rules, lanes=3, seed=4)
    while engine.to_act().any():
        seen = engine.observe()
        assert {piece.name for piece in batch.observations(rules)} == set(seen)
        for lane in range(3):
            view = rules.view(engine.to_state(lane), None)
            for seat in (0, 1):
                side = view.table[seat] + view.draw[seat]
                assert seen["sizes"][lane, seat] == len(side)
                assert seen["played"][lane, seat] == len(view.table[seat])
                assert seen["scores"][lane, seat] == len(view.draw[seat])
                places = [0 if card is None else card + 1 for card in side]
                assert seen["places"][lane, seat].tolist() == places + [0] * (52 - len(side))
                assert tuple(np.flatnonzero(seen["members"][lane, seat])) == view.members[seat]
            numbers = [int(seen[name][lane]) for name in ("rounds", "wars", "redeals", "by")]
            assert numbers == [view.rounds, view.wars, view.redeals, batch.ENDINGS.index(view.by)]
        engine.step(flips(engine))


@pytest.mark.parametrize("collect", ["winner_first", "shuffled"])
def test_auto_reset_starts_another_game(collect: Order) -> None:
    rules = War(collect=collect, cap=30)
    engine, ends, first = reset(rules, lanes=4, seed=6, auto_reset=True), 0, playouts(rules, lanes=4, seed=6)
    seen = [False] * 4
    for _ in range(120):
        stepped = engine.step(flips(engine))
        ends += stepped.ended.sum()
        assert engine.to_act().all()
        for lane in np.flatnonzero(stepped.ended).tolist():
            if not seen[lane]:
                assert tuple(stepped.final[lane]) == tuple(first.cards[lane])
            seen[lane] = True
            state = engine.to_state(lane)
            assert (state.rounds, state.wars, state.log, rules.scores(state)) == (0, 0, (), (26, 26))
            assert engine.outcomes(lane)[-1] == WarDeal(state.cards)
    assert ends >= 4


def test_a_finished_lane_does_not_change() -> None:
    engine = reset(War(per_suit=2, suits=1), lanes=1, seed=1)
    assert engine.step(flips(engine)).ended.tolist() == [True]
    assert engine.step(flips(engine)).ended.tolist() == [False]
    with pytest.raises(WrongSeatError, match="lane 0: the game is over"):
        engine.step(np.zeros((1, 2), np.int32))


def test_illegal_actions_are_refused_with_the_lane_and_change_nothing() -> None:
    engine = reset(War(), lanes=3, seed=1)
    before = [engine.to_state(lane) for lane in range(3)]
    with pytest.raises(IllegalActionError, match="lane 1: 1, which is not an action, is not legal"):
        engine.step(np.array([[0, 0], [0, 1], [0, 0]], np.int32))
    with pytest.raises(WrongSeatError, match="lane 2: the decision of seat 0 is missing"):
        engine.step(np.array([[0, 0], [0, 0], [-1, 0]], np.int16))
    with pytest.raises(Malformed, match=r"actions must be int16 or int32 \[3, 2\]; got float64 \[3, 2\]"):
        engine.step(np.zeros((3, 2)))  # type: ignore[arg-type]  # on purpose
    with pytest.raises(Malformed, match="lane must be 0 to 2; got 3"):
        engine.to_state(3)
    assert before == [engine.to_state(lane) for lane in range(3)]


def test_observation_arrays_are_read_only() -> None:
    engine = reset(War(), lanes=1, seed=1)
    for array in (engine.to_act(), engine.mask(), engine.scores(), *engine.observe().values()):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_impossible_states_are_refused_with_the_lane() -> None:
    good = reset(War(), lanes=1, seed=1).to_state(0)
    with pytest.raises(
        Malformed, match="lane 1: the position must have the 52 cards of the deck, or none before the deal; got 0"
    ):
        from_states(War(), [good, WarState("flip")], seed=1)
    with pytest.raises(Malformed, match="lanes must be 1 to"):
        from_states(War(), [], seed=1)


def test_without_a_seed_chance_waits_for_the_caller() -> None:
    engine = from_states(War(), [War().start()], seed=None)
    assert engine.to_state(0) == War().start()
    assert not engine.to_act().any()
    assert from_states(War(), [War().start()], seed=2).to_act().all()


def test_memory_predicts_the_size_of_an_engine() -> None:
    engine = reset(War(), lanes=50, seed=1)
    assert sum(array.nbytes for array in engine._arrays.values()) == memory(War(), 50)


def test_the_documentation_lists_the_observations() -> None:
    page = PAGE.read_text("utf-8")
    for piece in batch.observations(War()):
        shape = ", ".join(["B", *map(str, piece.shape)])
        line = f"| `{piece.name}` | [{shape}] | {np.dtype(piece.dtype)} | {piece.meaning} |"
        assert line in page, f"put this into {PAGE.name}: {line}"

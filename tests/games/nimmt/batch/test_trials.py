"""What search is told of its options is what the scalar rules say of the same worlds."""

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.nimmt.batch.worlds import SEED, SPECS, choosing, played_out, position, rules_of

from faceup.core import Malformed, Seeded
from faceup.games.nimmt import GAME
from faceup.games.nimmt.batch import Trials
from faceup.games.nimmt.batch.trials import LATE
from faceup.games.nimmt.state import View


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("model", ["random", "greedy"])
@settings(deadline=None, max_examples=25)  # the first call compiles
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_each_world_is_played_as_the_scalar_rules_play_it(spec: str, model: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    seats = rules.to_act(state)
    seat = seats[seed % len(seats)]
    view = rules.view(state, seat)
    trials = Trials(rules, view, model=model, objective="win", seed=SEED)

    def greedily(view: View, order: list[int], turn: int) -> int:
        del order, turn
        return GAME.policies["greedy"](rules, view, Seeded(0)) + 1

    options = range(len(view.legal))
    before = np.zeros(len(view.legal))
    for world in range(2):
        trials.run(options, 1)
        for option in options:
            heads, risk = played_out(rules, view, world, option, greedily if model == "greedy" else None)
            gone = {other for group in view.out for other in group}
            active = [other for other in range(rules.seats) if other not in gone]
            total = trials.means("heads")[0][option] * (world + 1)
            assert total - before[option] == pytest.approx(heads[seat])
            before[option] = total
            if world == 0:
                rest = [heads[other] for other in active if other != seat]
                assert trials.means("relative")[0][option] == pytest.approx(heads[seat] - sum(rest) / len(rest))
                ends = {other: view.heads[other] + heads[other] for other in active}
                winners = [other for other in active if ends[other] == min(ends.values())]
                assert trials.means("win")[0][option] == pytest.approx((seat in winners) / len(winners))
                assert trials.risk()[option] == risk
                assert trials.spread()[option][heads[seat]] == 1
    assert trials.worlds.tolist() == [2] * len(view.legal)


def test_worlds_do_not_depend_on_how_they_are_divided() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    whole, parts = (Trials(rules, view, model="random", objective="heads", seed=SEED) for _ in range(2))
    whole.run(range(8), 700)
    for worlds in (1, 255, 300, 144):
        parts.run(range(8), worlds)
    for measure in ("heads", "relative", "win"):
        assert np.array_equal(whole.means(measure), parts.means(measure))
    assert np.array_equal(whole.behind(3), parts.behind(3))
    assert np.array_equal(whole.spread(), parts.spread())


def test_differences_are_those_of_the_worlds_in_which_both_were_tried() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    few, more = (Trials(rules, view, model="random", objective="heads", seed=SEED) for _ in range(2))
    few.run(range(8), 100)
    more.run(range(8), 100)
    more.run([2, 5], 50)
    means, errors = more.behind(5)
    assert [means[5], errors[5]] == [0, 0]
    assert np.array_equal(np.delete(means, 2), np.delete(few.behind(5)[0], 2))
    assert means[2] == pytest.approx(more.means("heads")[0][2] - more.means("heads")[0][5])
    assert more.worlds.tolist() == [100, 100, 150, 100, 100, 150, 100, 100]


def test_nobody_decides_in_a_view_of_a_spectator_or_before_the_deal() -> None:
    rules = rules_of("nimmt")
    for view in (rules.view(position(rules, 1, 2), None), rules.view(rules.start(), 0)):
        with pytest.raises(Malformed, match="not of a seat that decides"):
            Trials(rules, view, model="random", objective="heads", seed=0)


def test_an_unknown_model_or_objective_is_named_with_the_nearest() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    with pytest.raises(Malformed, match=r"model 'gredy'.*greedy"):
        Trials(rules, view, model="gredy", objective="heads", seed=0)
    with pytest.raises(Malformed, match=r"objective 'wins'.*win"):
        Trials(rules, view, model="random", objective="wins", seed=0)


@pytest.mark.parametrize(
    ("spec", "change", "last"),
    [
        ("nimmt", {}, True),
        ("nimmt:arena", {}, False),
        ("nimmt:arena", {"earlier": ((9, 9, 9, 9),) * 4}, True),
        ("nimmt target=66 deals=9", {"heads": (65, 20, 30, 40)}, False),
        ("nimmt target=66 deals=9", {"heads": (20, 66, 30, 40)}, True),
    ],
)
def test_win_late_is_about_the_win_with_the_last_cards_of_what_is_known_to_be_the_last_deal(
    spec: str, change: dict[str, Any], last: bool
) -> None:
    for cards in (10, LATE + 1, LATE, 2):
        rules = rules_of(f"{spec} hand={cards}")
        view = msgspec.structs.replace(choosing(rules, cards), **change)
        trials = Trials(rules, view, model="random", objective="win late", seed=SEED)
        assert trials.objective == ("win" if last and cards <= LATE else "relative")


def test_win_late_differs_from_what_it_comes_to_in_nothing() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, LATE)
    late, win = (Trials(rules, view, model="random", objective=name, seed=SEED) for name in ("win late", "win"))
    for trials in (late, win):
        trials.run(range(LATE), 300)
    assert np.array_equal(late.behind(1), win.behind(1))

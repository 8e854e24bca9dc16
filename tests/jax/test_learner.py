import csv
import re
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.jax.law import COMPILER

from faceup.bots import policy
from faceup.core import Malformed, SeededGenerator, make
from faceup.core.values import CHANCE
from faceup.envs import vector_env
from faceup.games.lane_chance import LaneChance
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import network, network_inputs
from faceup.games.nimmt.observation import write_ids
from faceup.games.nimmt.policies import greedy
from faceup.games.nimmt.state import View
from faceup.jax import learner
from faceup.jax import make as make_env
from faceup.jax.learner import __main__ as command
from faceup.jax.learner import features, ppo
from faceup.jax.learner.run import CHECKPOINT, LOG, NETWORK, Options, TrainingRun

OTHERS = (
    "nimmt:cowheadking seats=2",
    "nimmt seats=10 rows=4 capacity=3 cards=0",
    "nimmt seats=4 hand=3 rows=1 capacity=10",
)
SMALL = "nimmt seats=2 hand=2 rows=2 deals=2"
JIT: Any = partial(jax.jit, compiler_options=COMPILER)
OPTIONS = Options((SMALL,), 24, 1, learner.PpoSettings(minibatch=8))


def _before(rules: Rules, view: View) -> Any:
    """Return the second argument of `encode`, from the arrays of the compiled network."""
    positions = network_inputs.positions(rules, [view])
    before = np.zeros((rules.seats, rules.hand, 2), np.int32)
    for turn in range(int(positions.turns[0])):
        for seat, card in enumerate(positions.history[0, turn].tolist()):
            row = max((row for row in positions.rows[0, turn].tolist() if row >> 9 < card), default=0)
            before[seat, turn] = row >> 9, rules.capacity - (row & 511) // 51 - 1
    return before


def _compare(rules: Rules, view: View, inputs: features.Inputs) -> None:
    expected = network_inputs.inputs(rules, network_inputs.positions(rules, [view]))
    for array, name in zip(expected, ("context", "card", "seat"), strict=True):
        np.testing.assert_allclose(getattr(inputs, name), array[0], atol=2e-6, err_msg=name)
    assert tuple(card for card in np.asarray(inputs.hand).tolist() if card) == view.hand


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "spec", ["nimmt:tactical seats=3 target=9", *(pytest.param(spec, marks=pytest.mark.slow) for spec in OTHERS)]
)
def test_inputs_outputs_and_greedy_are_those_of_the_compiled_network(spec: str) -> None:
    rules, rng = make(spec), SeededGenerator(5)
    assert isinstance(rules, Rules)
    weights = network.load()

    def all_of(seen: jax.Array, before: jax.Array) -> Any:
        inputs = learner.encode(rules, seen, before)
        actions = features.greedy(rules, seen), features.cheapest_row(features.pieces(rules, seen)["rows"])
        return inputs, learner.evaluate(weights, inputs), actions

    compute = JIT(all_of)
    state, chance = rules.start(), LaneChance(rules, 7, 0)
    for _ in range(25):
        seats = rules.to_act(state)
        if not seats:
            break
        if seats == (CHANCE,):
            state = rules.apply(state, chance.draw(state)).state
            continue
        view = rules.view(state, seats[-1])
        seen = jnp.frombuffer(write_ids(rules, view), jnp.uint8)
        if view.waiting:
            assert int(compute(seen, jnp.zeros((rules.seats, rules.hand, 2), jnp.int32))[2][1]) == greedy(
                rules, view, rng
            )
        else:
            inputs, (policies, values), (least, _) = compute(seen, _before(rules, view))
            _compare(rules, view, inputs)
            expected = network.evaluate(rules, [view], weights)
            np.testing.assert_allclose(policies[: len(view.hand)], expected.policy[0, : len(view.hand)], atol=2e-3)
            np.testing.assert_allclose(values * jnp.array([network.HEADS_SCALE, 1]), expected.value[0], atol=2e-3)
            assert int(least) == greedy(rules, view, rng)
        state = rules.apply(
            state, {seat: rules.legal(state, seat)[rng.below(len(rules.legal(state, seat)))] for seat in seats}
        ).state


@pytest.mark.slow
def test_a_rollout_is_a_deal_of_the_readable_rules_with_nothing_hidden_in_its_inputs() -> None:
    env = make_env("nimmt seats=3 hand=3 rows=2 deals=2 target=9", reward="relative")
    rules, lanes = env.rules, 6
    weights = ppo.start(network.load()).weights
    states: Any = JIT(jax.vmap(env.init, (None, 0)))(7, jnp.arange(lanes))
    play = JIT(partial(ppo.rollout, env))
    scalars, chances = [rules.start()] * lanes, [LaneChance(rules, 7, lane) for lane in range(lanes)]
    for number in range(3):
        states, decisions, rewards, wins, ended = play(weights, states, jax.random.key(number))
        for lane in range(lanes):
            state = scalars[lane]
            if not rules.to_act(state):
                state = rules.start()
            state = rules.apply(state, chances[lane].draw(state)).state
            first = state
            for turn in range(rules.hand):
                move = {}
                for seat in range(rules.seats):
                    view = rules.view(state, seat)
                    inputs = jax.tree.map(lambda array, t=turn, s=seat, n=lane: array[t, n, s], decisions.inputs)
                    _compare(rules, view, inputs)
                    late = len(view.hand) <= 5 and rules.is_last_deal(view)
                    assert bool(decisions.winning[turn, lane, seat]) == late
                    move[seat] = view.hand[int(decisions.choice[turn, lane, seat])] - 1
                state = rules.apply(state, move).state
                while (due := rules.to_act(state)) and due != (CHANCE,) and rules.view(state, due[0]).waiting:
                    view = rules.view(state, due[0])
                    state = rules.apply(state, {due[0]: greedy(rules, view, SeededGenerator(0))}).state
            taken = np.array(state.heads) - np.array(first.heads)
            relative = (taken.sum() - rules.seats * taken) / (rules.seats - 1)
            np.testing.assert_allclose(rewards[:, lane].sum(axis=0), relative, atol=1e-5)
            assert bool(ended[lane]) == (not rules.to_act(state))
            best = np.array(state.heads) == min(state.heads)
            np.testing.assert_allclose(wins[lane], best / best.sum())
            scalars[lane] = state


def test_advantages_are_sums_of_later_gains_less_the_value() -> None:
    values = np.random.default_rng(1).random((3, 2, 2, 2)).astype(np.float32)
    rewards = np.random.default_rng(2).integers(-9, 9, (3, 2, 2)).astype(np.float32)
    unused = jnp.zeros((3, 2, 2))
    inputs = features.Inputs(unused, unused, unused, unused)
    decisions = ppo.Decisions(inputs, unused, unused, unused, jnp.asarray(values))
    wins = np.array([[1, 0], [0.5, 0.5]], np.float32)
    goal = ppo.targets(decisions, jnp.asarray(rewards), jnp.asarray(wins), jnp.array([True, False]), trace=1)
    to_come = -rewards[::-1].cumsum(axis=0)[::-1] / network.HEADS_SCALE
    np.testing.assert_allclose(goal.returns[..., 0], to_come, atol=1e-5)
    np.testing.assert_allclose(goal.advantages[..., 0], values[..., 0] - to_come, atol=1e-5)
    np.testing.assert_allclose(goal.returns[:, 0, :, 1], [wins[0]] * 3, atol=1e-6)
    np.testing.assert_allclose(goal.advantages[:, 0, :, 1], wins[0] - values[:, 0, :, 1], atol=1e-6)
    assert goal.decided[:, 0].all()
    assert not goal.decided[:, 1].any()


@pytest.mark.long
def test_a_run_that_was_killed_resumes_and_equals_one_that_was_not(tmp_path: Path) -> None:
    whole, killed = TrainingRun(tmp_path / "whole", OPTIONS), TrainingRun(tmp_path / "killed", OPTIONS)
    for run in (whole, killed):
        run.log(run.advance())
        run.log(run.advance())
        run.save()
    killed.log(killed.advance())  # in the log, and not in the checkpoint
    resumed = TrainingRun(tmp_path / "killed", OPTIONS)
    assert resumed.updates == 2
    for run in (whole, resumed):
        run.log(run.advance(0.5))
        run.save()
    whole_arrays, resumed_arrays = (np.load(tmp_path / name / CHECKPOINT) for name in ("whole", "killed"))
    for name in whole_arrays.files:
        if name != "done":
            np.testing.assert_array_equal(whole_arrays[name], resumed_arrays[name], err_msg=name)
    for name in ("whole", "killed"):
        lines = [*csv.DictReader((tmp_path / name / LOG).read_text("utf-8").splitlines())]
        assert [line["update"] for line in lines] == ["1", "2", "3"]
        assert any((tmp_path / name).glob("events.out.tfevents.*"))
    with pytest.raises(ValueError, match="is of a run with other options"):
        TrainingRun(tmp_path / "whole", OPTIONS._replace(seed=2))

    file = str(tmp_path / "whole" / NETWORK)
    assert network.load(Path(file)).policy.any()
    bot = policy("nimmt", f"network@{file}", files=True)
    rules = make(SMALL)
    state = rules.apply(rules.start(), LaneChance(rules, 7, 0).draw(rules.start())).state
    view = rules.view(state, 0)
    assert bot(rules, view, SeededGenerator(1)) in view.legal
    envs = vector_env(SMALL, num_envs=2, opponents=f"network@{file}")
    envs.reset(seed=1)
    envs.step(envs.sample_legal())


@pytest.mark.long
def test_the_command_trains_evaluates_and_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    rest = ["--table", SMALL, "--decisions", "24", "--minibatch", "8", "--log", "1", "--evaluate", "8"]
    command.main([folder, *rest, "--updates", "1"])
    command.main([folder, *rest, "--updates", "2"])
    output = capsys.readouterr().out
    assert f"{SMALL}: wins" in output
    assert output.count("'update': ") == 2
    with pytest.raises(SystemExit):
        command.main([folder, *rest, "--updates", "3", "--seed", "2"])
    assert "is of a run with other options" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "does not hold the weights of a network"),
        (b"weights", "does not hold the weights of a network"),
    ],
)
def test_a_file_without_weights_is_an_error(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "network.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Malformed, match=re.escape(f"{path} {message}")):
        policy("nimmt", f"network@{path}", files=True)


def test_names_from_other_people_name_no_files() -> None:
    with pytest.raises(Malformed, match="has no policy"):
        policy("nimmt", f"network@{network.WEIGHTS_FILE}")

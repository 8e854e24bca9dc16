"""The recipe for a population: priorities, payoffs that grow, and runs that resume."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))

from examples.population import BOTS, Agent, Population, mixture, priorities, win_share  # noqa: E402 -- on the path only now

GAME = "nimmt:cowheadking seats=2 hand=3"


def run(folder: Path, *words: str, game: str = GAME) -> str:
    """Run the recipe, by default in a small game."""
    program = [sys.executable, str(ROOT / "examples" / "population.py"), str(folder), "--game", game, "--deals", "256"]
    done = subprocess.run([*program, *words], capture_output=True, encoding="utf-8", check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_opponents_that_are_beaten_least_are_met_most_often() -> None:
    chances = priorities(np.array([0.9, 0.5, 0.1, 1.0]))
    assert chances.sum() == pytest.approx(1)
    assert chances[2] > chances[1] > chances[0] > chances[3] > 0


def test_the_mixture_of_rock_paper_scissors_is_even() -> None:
    payoffs = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
    assert mixture(payoffs) == pytest.approx(1 / 3, abs=0.02)


def test_the_mixture_plays_a_member_that_beats_all_others() -> None:
    assert mixture(np.array([[0.5, 0.4, 0.3], [0.6, 0.5, 0.4], [0.7, 0.6, 0.5]]))[2] > 0.99


def test_an_agent_wins_half_against_itself() -> None:
    agent = Agent.new(GAME, np.random.default_rng(1))
    assert win_share(agent, agent, GAME, 1000) == pytest.approx(0.5, abs=0.06)


@pytest.mark.long
def test_a_run_in_parts_equals_one_long_run(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    output = run(whole, "--generations", "2", "--updates", "2")
    assert "agent 1: wins" in output
    run(parts, "--generations", "1", "--updates", "2")
    first = json.loads((parts / "payoffs.json").read_text("utf-8"))["payoffs"]
    (parts / "agent-1.npz").write_bytes(b"an interrupted generation")
    run(parts, "--generations", "2", "--updates", "2")
    saved = json.loads((whole / "payoffs.json").read_text("utf-8"))
    assert json.loads((parts / "payoffs.json").read_text("utf-8")) == saved
    payoffs = np.array(saved["payoffs"], float)
    assert np.array_equal(payoffs[:3, :3], np.array(first, float), equal_nan=True)
    played = payoffs + payoffs.T
    assert np.nanmin(played) == np.nanmax(played) == 1
    for number in range(2):
        with np.load(whole / f"agent-{number}.npz") as expected, np.load(parts / f"agent-{number}.npz") as other:
            assert all(np.array_equal(expected[name], other[name]) for name in expected)


def test_a_folder_of_another_population_is_rejected(tmp_path: Path) -> None:
    population = Population(tmp_path, GAME, seed=1, deals=8)
    population.add(Agent.new(GAME, np.random.default_rng(1)))
    assert len(Population(tmp_path, GAME, seed=1, deals=8).members) == len(BOTS) + 1
    with pytest.raises(SystemExit, match="has another population"):
        Population(tmp_path, GAME, seed=2, deals=8)


@pytest.mark.long
def test_a_population_beats_random_play(tmp_path: Path) -> None:
    run(tmp_path / "run", "--generations", "1", "--updates", "100", game="nimmt:cowheadking seats=2")
    payoffs = np.array(json.loads((tmp_path / "run" / "payoffs.json").read_text("utf-8"))["payoffs"], float)
    assert payoffs[-1, 0] > 0.6

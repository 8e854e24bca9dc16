"""The leaderboard of docs/reference/nimmt-v1.md shows the committed submissions."""

import runpy
from pathlib import Path

import pytest
from regenerate import markers

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "script" / "leaderboard.py"))
START, END = markers("leaderboard")


def test_the_page_shows_the_submissions() -> None:
    made = SCRIPT["PAGE"].read_text("utf-8").partition(START)[2].partition(END)[0].strip()
    assert made == SCRIPT["section"](), "run ./script/leaderboard --draw"


def test_every_policy_without_search_has_a_submission() -> None:
    names = {path.stem for path in SCRIPT["SUBMISSIONS"].glob("*.json")}
    assert names >= {name for name, budget, _ in SCRIPT["BOTS"] if budget == "policy"}


def test_learners_train_at_five_seeds_for_a_cell_of_the_benchmark() -> None:
    assert [*SCRIPT["TRAINING_SEEDS"]] == [1, 2, 3, 4, 5]
    for learner in SCRIPT["LEARNERS"]:
        assert (ROOT / "examples" / "training" / learner.training[0]).exists()


def test_a_training_that_was_interrupted_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = SCRIPT["commands"]
    folders = {"SUBMISSIONS": tmp_path, "ROOT": tmp_path, "BUILD": tmp_path / "build"}
    for name, value in {**folders, "find_spec": lambda name: name, "TRAINING_SEEDS": [1]}.items():
        monkeypatch.setitem(commands.__globals__, name, value)
    weights = tmp_path / "build" / "ppo-1" / "agent.npz"
    weights.parent.mkdir(parents=True)
    weights.touch()
    interrupted = commands(["ppo"], "1")
    assert next(interrupted)[0] == "examples/training/cleanrl_ppo.py"
    interrupted.close()
    train, play = commands(["ppo"], "1")
    assert train[-1] == "build/ppo-1"
    assert "build/ppo-1/agent.npz" in play[4]
    assert [*commands(["ppo"], "1")] == [play]

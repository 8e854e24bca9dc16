"""The leaderboard of docs/reference/nimmt-v1.md shows the committed submissions."""

import runpy
from pathlib import Path

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

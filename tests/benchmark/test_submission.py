"""A submission is complete and unchanged, and its signature is that of its key."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from faceup.benchmark.definition import NIMMT_V1, task_name
from faceup.benchmark.leaderboard import leaderboard, markdown, read_folder
from faceup.benchmark.scores import edges, forfeits, payoffs
from faceup.benchmark.submission import (
    Agent,
    AnswerTimes,
    Scores,
    Submission,
    load_key,
    read_submission,
    seal,
    write_submission,
)
from faceup.core import Malformed

CELL = NIMMT_V1.cell("classic/4")


def submission(*, won: int = 40, seed: int | None = None, cells: tuple[str, ...] = ("classic/4",)) -> Submission:
    """Return a submission whose agent wins this many matches of each task; if it wins none, it forfeits the last."""
    results: dict[str, tuple[Scores, ...]] = {}
    for cell, opponent in NIMMT_V1.tasks:
        if cell.name in cells:
            count, others = cell.blocks * cell.seats, (20,) * (cell.seats - 1)
            matches = [((10 if number < won else 30), *others) for number in range(count)]
            results[task_name(cell, opponent)] = (*matches[:-1], matches[-1] if won else (None, *others))
    times = {cell.name: AnswerTimes(1.0, 2.0, 3.0) for cell in NIMMT_V1.cells if cell.name in cells}
    agent = Agent("mine", training_seed=seed)
    return seal(Submission(1, "nimmt-v1", NIMMT_V1.digest, "0.1.0", agent, "policy", results, times))


def written(folder: Path, made: Submission, name: str = "mine.json") -> Path:
    path = folder / name
    path.write_text(write_submission(made), "utf-8")
    return path


def test_a_submission_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_submission(written(tmp_path, submission()), NIMMT_V1) == submission()


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        (("agent", "name"), "other", "changed or damaged"),
        (("results", "classic/4/greedy", 3, 0), 9, "changed or damaged"),
        (("digest",), "0" * 64, "changed or damaged"),
        (("definition",), "0" * 64, "another benchmark"),
        (("agent", "name"), "a|b", "a name must be"),
        (("agent", "name"), "\x1b[2J", "a name must be"),
        (("agent", "training_seed"), 2**63, "held out"),
        (("format",), 2, "format must be 1"),
        (("results",), 5, "not a submission"),
        (("extra",), 5, "not a submission"),
    ],
)
def test_a_changed_submission_is_rejected(
    where: tuple[str | int, ...], value: object, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, submission())
    content: Any = json.loads(path.read_text())
    part = content
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    path.write_text(json.dumps(content))
    with pytest.raises(Malformed, match=message):
        read_submission(path, NIMMT_V1)


@pytest.mark.parametrize("change", ["match", "task", "seat", "budget", "times"])
def test_an_incomplete_submission_is_rejected_although_its_digest_is_right(change: str, tmp_path: Path) -> None:
    made = submission()
    task, matches = next(iter(made.results.items()))
    changes: dict[str, dict[str, Any]] = {
        "match": {"results": {**made.results, task: matches[1:]}},
        "task": {"results": {name: made.results[name] for name in made.results if name != "classic/4/greedy"}},
        "seat": {"results": {**made.results, task: (matches[0][1:], *matches[1:])}},
        "budget": {"budget": "large"},
        "times": {"times": {}},
    }
    with pytest.raises(Malformed, match=r"must have|no budget"):
        read_submission(written(tmp_path, seal(msgspec.structs.replace(made, **changes[change]))), NIMMT_V1)


@pytest.mark.parametrize(
    "command",
    [("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f"), ("openssl", "genpkey", "-algorithm", "ed25519", "-out")],
    ids=["OpenSSH", "PEM"],
)
def test_a_signature_is_that_of_the_key_and_of_this_submission(command: tuple[str, ...], tmp_path: Path) -> None:
    key = tmp_path / "key"
    try:
        subprocess.run([*command, key], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip(f"there is no {command[0]}")
    signed = seal(submission(), load_key(key))
    assert read_submission(written(tmp_path, signed), NIMMT_V1) == signed
    moved = msgspec.structs.replace(submission(won=3), signature=signed.signature)
    with pytest.raises(Malformed, match="signature is not that of this key"):
        read_submission(written(tmp_path, moved), NIMMT_V1)


def test_a_file_without_an_ed25519_key_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("no key")
    with pytest.raises(Malformed, match="is not a private key"):
        load_key(tmp_path / "key")
    with pytest.raises(Malformed, match="cannot be read"):
        load_key(tmp_path / "missing")


def test_edges_and_payoffs_are_exact() -> None:
    assert [mean.mean for mean in edges(submission(), NIMMT_V1).values()] == [1.0] * 3
    assert [mean.mean for mean in edges(submission(won=10), NIMMT_V1).values()] == [0.0] * 3
    assert [mean.mean for mean in payoffs(submission(won=10), NIMMT_V1).values()] == [-5.0] * 3
    lost = submission(won=0)
    assert forfeits(lost) == 3
    assert [mean.mean for mean in payoffs(lost, NIMMT_V1).values()] == [-10.0] * 3


@pytest.mark.long
def test_runs_of_an_agent_have_an_interval_over_training_seeds(tmp_path: Path) -> None:
    cells = tuple(cell.name for cell in NIMMT_V1.cells)
    for seed, won in enumerate((10, 20, 30), 1):
        written(tmp_path, submission(won=won, seed=seed, cells=cells), f"{seed}.json")
    board = leaderboard(read_folder(tmp_path, NIMMT_V1), NIMMT_V1)
    (entry,) = board.entries
    assert (entry.runs, entry.forfeits, entry.signed) == (3, 0, False)
    assert entry.edge is not None
    assert entry.edge.interval is not None
    assert entry.edge.interval[0] < entry.edge.value < entry.edge.interval[1]
    assert entry.iqm is not None
    assert "| `mine` | 3 | " in markdown(board, NIMMT_V1)


def test_agents_with_one_cell_follow_the_best_first() -> None:
    signed = [
        msgspec.structs.replace(submission(won=won), agent=Agent(name))
        for name, won in (("a-worse", 10), ("b-better", 30), ("c-middle", 20))
    ]
    entries = leaderboard(signed, NIMMT_V1).entries
    assert [(entry.name, entry.edge) for entry in entries] == [
        ("b-better", None),
        ("c-middle", None),
        ("a-worse", None),
    ]


def test_two_runs_with_one_training_seed_or_other_cells_are_rejected() -> None:
    with pytest.raises(Malformed, match="two submissions with the training seed 1"):
        leaderboard([submission(seed=1), submission(seed=1, won=3)], NIMMT_V1)
    with pytest.raises(Malformed, match="must have the same cells"):
        leaderboard([submission(seed=1), submission(seed=2, cells=("classic/2",))], NIMMT_V1)


def test_an_empty_folder_has_no_leaderboard(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="there are no submissions"):
        read_folder(tmp_path, NIMMT_V1)

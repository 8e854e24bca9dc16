import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from faceup.core import Malformed, find_game, make
from faceup.core.generator import SeededGenerator, mix
from faceup.games import lanes
from faceup.games.batch_engines import load_batch_engine
from faceup.games.nimmt.batch import kernels
from faceup.games.nimmt.parameters import CARDS_PER_WORD, WORDS_PER_DEAL

WEYL = int(lanes.WEYL)


@pytest.mark.parametrize(("seed", "lane"), [(0, 0), (7, 3), (2**64 - 1, 2**63)])
def test_words_match_the_generator_of_seed_and_lane(seed: int, lane: int) -> None:
    key = np.uint64(lanes.lane_key(np.uint64(seed), np.uint64(lane)))
    counter = SeededGenerator(seed, lane)._counter
    for number in (1, 2, 64, 1000):
        word = mix((counter + number * WEYL) % 2**64)
        assert int(lanes.fraction(key, np.uint64(number))) == word >> 7


def test_no_engine_exceeds_the_draw_bound_per_word() -> None:
    assert prod(range(104, 104 - CARDS_PER_WORD, -1)) <= 2**25
    assert 8**kernels.ROWS_PER_WORD <= 2**25
    assert -(-104 // CARDS_PER_WORD) + -(-10 // kernels.ROWS_PER_WORD) <= WORDS_PER_DEAL


def test_work_is_split_at_whole_blocks_and_every_lane_is_in_one_part() -> None:
    for count, jobs, block in ((1, 1, 1), (1000, 3, 256), (10, 4, 1), (5, 8, 256)):
        parts: list[tuple[int, ...]] = []
        lanes.in_threads(lambda *part: parts.append(part), count, jobs, block)  # noqa: B023 -- called before it changes
        assert sorted(lane for part in parts for lane in range(*part)) == list(range(count))
        assert all(start % block == 0 for start, _ in parts)


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        lanes.in_threads(lambda start, end: start // (end - end), 4, 2)


@pytest.mark.parametrize(
    ("seed", "count", "first", "what"),
    [
        (-1, 1, 0, "seed"), (2**64, 1, 0, "seed"), (0, 0, 0, "lanes"), (0, 1, -1, "first"), (True, 1, 0, "seed"),
        (7.0, 1, 0, "seed"), (0, 2.5, 0, "lanes"), (0, 1, np.float64(0), "first"), (np.bool_(True), 1, 0, "seed"),
    ],
)  # fmt: skip
def test_seeds_and_lanes_out_of_range_are_refused(seed: int, count: int, first: int, what: str) -> None:
    with pytest.raises(Malformed, match=f"^{what} must be ") as error:
        lanes.checked_batch(seed, count, first)
    assert error.value.where == what


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int64, np.uint64])
@pytest.mark.parametrize("spec", ["nimmt seats=2", "niuniu seats=2", "war"])
def test_integers_of_numpy_are_the_seeds_that_they_equal(spec: str, kind: Any) -> None:
    rules = make(spec)
    batch = load_batch_engine(find_game(rules.game))
    engine, other = batch.reset(rules, lanes=2, seed=7), batch.reset(rules, lanes=kind(2), seed=kind(7), first=kind(0))
    assert [engine.to_state(lane) for lane in range(2)] == [other.to_state(lane) for lane in range(2)]
    assert type(other.seed) is int
    games = [
        batch.playouts(rules, lanes=2, seed=7, first=3),
        batch.playouts(rules, lanes=kind(2), seed=kind(7), first=kind(3), jobs=kind(1)),
    ]
    for part, expected in zip(*games, strict=True):
        assert np.array_equal(part, expected)


def test_too_many_threads_are_refused() -> None:
    with pytest.raises(Malformed, match="jobs must be 1 to 1024; got 0"):
        lanes.in_threads(lambda start, end: None, 1, 0)  # noqa: ARG005 -- never called


def test_old_versions_are_refused_by_name() -> None:
    with pytest.raises(ImportError, match=r"numpy 2\.0 or newer, but 1\.26\.4 is installed"):
        lanes.check_versions({"numba": "1.0.0", "numpy": "1.26.4"})


def test_a_game_without_an_engine_is_malformed() -> None:
    class NoGame:
        title, name, rules = "No game", "none", Malformed

    with pytest.raises(Malformed, match="No game has no batch engine"):
        load_batch_engine(NoGame())  # type: ignore[arg-type]  # as much of a game as is looked at
    assert load_batch_engine(find_game("nimmt")).__name__ == "faceup.games.nimmt.batch"


def test_draws_are_spread_evenly() -> None:
    counts: Counter[int] = Counter()
    for lane in range(2000):
        part = int(lanes.fraction(np.uint64(lanes.lane_key(np.uint64(1), np.uint64(lane))), np.uint64(1)))
        counts[part * 10 >> 57] += 1
    assert sum((counts[index] - 200) ** 2 / 200 for index in range(10)) < 35


CALLER = """
from faceup.games.lanes import kernel
from made.inner import inner

@kernel
def outer():
    return inner()

print(outer(), sum(outer.stats.cache_misses.values()))
"""
INNER = """
from faceup.games.lanes import kernel

@kernel
def inner():
    return {number}
"""


@pytest.mark.long
@pytest.mark.slow
def test_a_kernel_is_recompiled_when_a_called_file_changes(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "outer.py").write_text(CALLER, "utf-8")
    printed = []
    for number in (1, 1, 22):
        (tmp_path / "made" / "inner.py").write_text(INNER.format(number=number), "utf-8")
        done = subprocess.run(
            [sys.executable, "-c", "import made.outer"], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        printed.append(done.stdout)
    assert printed == ["1 1\n", "1 0\n", "22 1\n"]


PROGRAM = """
import sys
from faceup.games import lanes
print(lanes.cache_folder())
print(int(lanes.mix(lanes.WEYL)))
"""


@pytest.mark.long
@pytest.mark.slow
def test_unwritable_cache_folders_are_reported_in_one_line_and_work(tmp_path: Path) -> None:
    package = Path(lanes.__file__).parents[1]
    shutil.copytree(package, tmp_path / "faceup", ignore=shutil.ignore_patterns("__pycache__", "*.nb?"))
    (tmp_path / "nothing").touch()
    # A file where a folder would have to be cannot be written by anyone, the superuser included.
    for folder in [tmp_path / "faceup" / "games", tmp_path / "faceup" / "games" / "nimmt" / "batch"]:
        (folder / "__pycache__").touch()
    home = {
        "HOME": str(tmp_path / "nothing"),
        "XDG_CACHE_HOME": str(tmp_path / "nothing"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environ = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | home
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, env=environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["None", str(mix(WEYL))]
    assert done.stderr.count("\n") == 1
    assert "NUMBA_CACHE_DIR" in done.stderr
    (tmp_path / "kept").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=True,
        env=environ | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "kept")},
    )  # fmt: skip
    assert done.stdout.startswith(str(tmp_path / "kept"))
    assert not done.stderr


@pytest.mark.long
def test_kernels_are_compiled_also_if_numba_is_told_not_to() -> None:
    words = [sys.executable, "-m", "faceup", "sim", "niuniu", "--deals", "200", "--seed", "7", "--json"]
    answers = []
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300, env=environment)
        answers.append(json.loads(done.stdout)["scores"])
        assert done.stderr == ""
    assert answers[0] == answers[1]

"""The programs of `examples/training`: each one trains with its library, in an environment with locked versions.

Run the long tests by `./script/test long -k training`. They need the package registry, and 2 GB of disk for each
library. Set `UV_TORCH_BACKEND=cpu`, as the workflow `weekly` does, to install the small build of torch without CUDA.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "training"
PAGE = ROOT / "docs" / "how-to" / "train-with-your-library.md"
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*_*.py"))
TIMEOUT = 1800
"""Seconds, for a slow machine: each program takes about a minute of one core."""

SB3 = """
import sys
from pathlib import Path

from gymnasium.wrappers import RecordVideo
from moviepy import VideoFileClip
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from faceup.envs import single_env


def make(opponents):
    return lambda: single_env("nimmt seats=10", render_mode="rgb_array", opponents=opponents)


if __name__ == "__main__":
    check_env(single_env("nimmt"))
    envs = SubprocVecEnv([make("greedy"), make(lambda rules, view, rng: view.legal[0])], start_method="spawn")
    envs.reset()
    assert get_action_masks(envs).sum() == 20
    envs.step([0, 0])
    envs.close()
    with RecordVideo(make("greedy")(), "films", episode_trigger=lambda number: True) as env:
        env.reset(seed=1)
        steps, over = 0, False
        while not over:
            steps, over = steps + 1, env.step(0)[2]
    [film] = Path("films").glob("*.mp4")
    with VideoFileClip(str(film)) as video:
        assert video.size == [1280, 720]
        assert video.n_frames >= steps
    print("played")
"""


MINARI = """
import minari
import numpy as np

[name] = minari.list_local_datasets()
data = minari.load_dataset(name)
assert data.storage.metadata["licence"] == "CC0-1.0"
card = data.storage.data_path.with_name("README.md").read_text()
assert f"# {name}" in card and "license: cc0-1.0" in card
env = data.recover_environment()
for number in range(20):
    episode = data[number]
    [about] = data.storage.get_episode_metadata([number])
    seen, info = env.reset(seed=int(about["seed"]))
    for step, action in enumerate(episode.actions):
        assert (seen == episode.observations[step]).all()
        assert (info["action_mask"] == episode.infos["action_mask"][step]).all()
        assert info["action_mask"][action]
        seen, reward, over, _, info = env.step(action)
        assert reward == episode.rewards[step]
        assert over == episode.terminations[step]
    assert over
assert np.concatenate([data[number].rewards for number in range(20)]).sum() < 0
print("replayed")
"""

NOTEBOOK = """
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

path = Path(sys.argv[1])
notebook = nbformat.read(path, 4)
NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(path.parent)}}).execute()
kinds = [kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", {})]
print(*(kind for kind in kinds if kind.startswith("image/")))
"""

CHECKS = {"sb3": (SB3, "played"), "minari": (MINARI, "replayed")}
"""For some libraries, a program that does more with the environment, and what it prints."""


class Library:
    """A virtual environment with faceup and the locked versions of one library.

    Attributes:
        program: the name of the program that trains with the library.
    """

    def __init__(self, folder: Path, program: str) -> None:
        self.folder, self.program = folder, program
        self.python = folder / "venv" / "bin" / "python"
        self.run(sys.executable, "-m", "venv", folder / "venv")
        locked = EXAMPLES / f"{'notebook' if program.endswith('.ipynb') else program.partition('_')[0]}.txt"
        install = (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", self.python)
        self.run(*install, "--requirement", locked, f"{ROOT}[envs]")

    def run(self, *command: str | Path, data_sets: str = "minari") -> str:
        """Run a command, with Minari's data sets in a folder of this name, and return what it prints."""
        left = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        left["MINARI_DATASETS_PATH"] = str(self.folder / data_sets)
        done = subprocess.run(
            command, cwd=self.folder, env=left, capture_output=True, encoding="utf-8", check=False, timeout=TIMEOUT
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module", params=PROGRAMS)
def library(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    yield Library(folder, request.param)
    shutil.rmtree(folder)  # torch alone takes a gigabyte


@pytest.mark.long
def test_trained_policy_is_better_than_random_play(library: Library) -> None:
    output = library.run(library.python, EXAMPLES / library.program)
    [deals] = re.findall(r"^(\d+) deals: ", output, re.MULTILINE)
    [errors] = re.findall(r"better than random play by (\S+) standard errors", output)
    assert int(deals) >= 2000
    assert float(errors) >= 3
    check, printed = CHECKS.get(library.program.partition("_")[0], ("", ""))
    if check:
        program = library.folder / "checks.py"
        program.write_text(check, "utf-8")
        assert library.run(library.python, program).endswith(f"{printed}\n")


@pytest.mark.long
def test_a_trial_learns_from_few_decisions(library: Library) -> None:
    output = library.run(library.python, EXAMPLES / library.program, "--steps", "2000", data_sets="trial")
    assert re.search(r"^4000 deals: ", output, re.MULTILINE)
    games = re.findall(r"([\d,]+) games, [\d,]+ decisions", output)
    assert games == (["223"] if library.program == "minari_cloning.py" else [])


@pytest.mark.long
def test_the_notebook_runs(tmp_path: Path) -> None:
    library = Library(tmp_path, "first_look.ipynb")
    program = tmp_path / "execute.py"
    program.write_text(NOTEBOOK, "utf-8")
    output = library.run(library.python, program, EXAMPLES / library.program)
    assert output.splitlines()[-1] == "image/svg+xml image/png image/png"
    shutil.rmtree(tmp_path / "venv")


def test_every_program_is_on_the_page_and_has_locked_versions() -> None:
    assert len(PROGRAMS) == 6
    page = PAGE.read_text("utf-8")
    for name in PROGRAMS:
        assert f"(../../examples/training/{name})" in page
        locked = EXAMPLES / f"{name.partition('_')[0]}.txt"
        assert all(re.fullmatch(r"#.*|[\w-]+==[\w.]+", line) for line in locked.read_text("utf-8").splitlines())


@pytest.mark.parametrize("name", [*PROGRAMS, "../train.py"])
def test_every_program_takes_a_number_of_steps(name: str) -> None:
    text = (EXAMPLES / name).read_text("utf-8")
    assert re.search(r'parser.add_argument\(\s*"--steps",\s*type=int', text)
    assert re.search(r'help="(decisions|train for this many decisions)', text), "not steps of several seats"
    assert re.search(r"(options|asked)\.steps", text)


def test_code_on_the_page_is_in_the_programs() -> None:
    sections = PAGE.read_text("utf-8").split("\n## ")
    libraries = set()
    for section in sections:
        for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
            name = re.findall(r"\(\.\./\.\./examples/training/(\w+\.py)\)", section)[0]
            assert block in (EXAMPLES / name).read_text("utf-8")
            libraries.add(name)
    assert libraries == {*PROGRAMS}

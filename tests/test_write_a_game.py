"""The tutorial "Write a game": its code is the example's code, and the game works where games work."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.in_process import run_faceup
from tests.test_examples import failures

from faceup.core import make, registry
from faceup.core.record import loads, replay

ROOT = Path(__file__).parents[1]
# Importing PettingZoo's own tests imports its games, which warn about their interface.
PETTINGZOO = pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning")
EXAMPLE = ROOT / "examples" / "goofspiel"
TUTORIAL = ROOT / "docs" / "tutorials" / "write-a-game.md"
FILE = re.compile(r"^\*\*`([^`]+)`\*\*(?:, continued)?\n\n```(?:python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def printed_files() -> dict[str, str]:
    """Return the files that the tutorial prints, by path, with their blocks joined."""
    files: dict[str, str] = {}
    for path, block in FILE.findall(TUTORIAL.read_text("utf-8")):
        files[path] = files.get(path, "") + "\n" + block
    return files


def without_blank_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_the_tutorial_prints_every_file_of_the_example() -> None:
    files = (path.relative_to(EXAMPLE).as_posix() for path in EXAMPLE.rglob("*") if path.suffix in {".py", ".toml"})
    assert {path for path in files if not path.startswith("build/")} == printed_files().keys() - {"bot.py"}


@pytest.mark.parametrize("path", sorted(printed_files().keys() - {"bot.py"}))
def test_a_file_in_the_tutorial_is_that_of_the_example(path: str) -> None:
    text = (EXAMPLE / path).read_text("utf-8")
    assert without_blank_lines(printed_files()[path]) == without_blank_lines(text)


def install_example(folder: Path) -> Path:
    """Install the example into a folder of its own, as pip does, with its entry point. Return the folder."""
    subprocess.run(["uv", "pip", "install", "--quiet", "--no-deps", "--target", folder, EXAMPLE], check=True)  # noqa: S607 -- found on the path
    return folder


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_example(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the package on the path of this process and of those that it starts, and take it off afterwards."""
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]))
    importlib.invalidate_caches()
    registry._find_game.cache_clear()
    yield
    registry._find_game.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "goofspiel"]:
        del sys.modules[name]


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_the_example_passes_its_own_tests() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", EXAMPLE, EXAMPLE / "tests"],
        capture_output=True,
        text=True,
        check=False,
        cwd=EXAMPLE,
    )
    assert done.returncode == 0, done.stdout


@PETTINGZOO
@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_the_commands_and_sessions_of_the_tutorial_print_what_it_shows(tmp_path: Path) -> None:
    failed = failures(TUTORIAL.read_text("utf-8"), "write-a-game.md", tmp_path)
    assert not failed, "\n".join(failed)


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_it_plays_in_the_terminal_to_the_end_and_replays(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    every_card = "".join(f"bid {card}\n" for _ in range(5) for card in range(1, 31))
    words = ("--plain", "--seed", "7", "-p", "Ann", "--bots", "matching,random", "--record", str(record))
    played = run_faceup(tmp_path, "play", "goofspiel", *words, stdin=every_card)
    assert played.count(" wins the prize of ") == 5
    frames = list(replay(loads(record.read_text("utf-8"))))
    assert make("goofspiel").to_act(frames[-1].state) == ()
    assert run_faceup(tmp_path, "replay", str(record), "--plain").count(" wins the prize of ") == 5


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_programs_play_it_in_the_arena(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(printed_files()["bot.py"], "utf-8")
    bot = f"{sys.executable} {tmp_path / 'bot.py'}"
    assert "bot follows the protocol" in run_faceup(
        tmp_path, "arena", "check", "--game", "goofspiel", "--protocol", "json", bot
    )
    words = ("--game", "goofspiel", "--protocol", "json", "--seed", "7", "--", bot, "matching", bot)
    seats = re.findall(r"^ +(\d)  \S+ +\d +(\d+) +5 ", run_faceup(tmp_path, "arena", "match", *words), re.MULTILINE)
    assert [int(seat) for seat, _ in seats] == [0, 1, 2]
    assert sum(int(points) for _, points in seats) == 15


TRAINING = """
import gymnasium, pyspiel, faceup.envs.openspiel
from faceup.envs import parallel_env

env = parallel_env("goofspiel:duel")
observations, _ = env.reset(seed=7)
total = 0
while env.agents:
    actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    observations, rewards, *_ = env.step(actions)
    total += sum(rewards.values())
single = gymnasium.make("faceup/goofspiel-dealt-win-v0")
solved = pyspiel.load_game("faceup_goofspiel_small_v0")
print(total, single.reset(seed=7)[1]["action_mask"].sum(), solved.max_game_length())
"""


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_environments_of_all_kinds_play_it() -> None:
    """The API test of PettingZoo is in the tutorial."""
    done = subprocess.run([sys.executable, "-c", TRAINING], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["36.0", "5", "2"]

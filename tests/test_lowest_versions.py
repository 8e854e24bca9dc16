"""The lowest versions that pyproject.toml allows work, on the lowest Python: the project's promise to other packages.

Run this by `./script/test long -k lowest`. It needs Python 3.11 and the package registry.
"""

import json
import os
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from tests.server.postgresql import PostgreSQL
from tests.server.server_process import Server, serving

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = {
    name: lines for name, lines in PROJECT["optional-dependencies"].items() if name not in {"all", "train"}
}  # torch takes gigabytes, and its only user is an example
GAMES: dict[str, dict[str, int]] = {
    "nimmt": {"seats": 2, "hand": 3},
    "niuniu": {"seats": 2},
    "war": {"per_suit": 3, "down": 1},
}
"""A short game of each kind."""

TIMEOUT = 600
"""Seconds, generous because the batch engines are compiled."""

FULL_SCREEN = """
import asyncio, sys
from tests.terminal.pilot import running, session_of, until
from faceup.terminal.screens.dialogs import GameOverDialog

async def main():
    session, app = session_of(sys.argv[1])
    async with running(app) as pilot:
        while not isinstance(app.screen, GameOverDialog):
            await pilot.press("enter")
            await pilot.pause(0.01)
    print(session.table.rules.game, "is over")

asyncio.run(main())
"""

ENVIRONMENTS = """
import gymnasium, pyspiel
import faceup.envs.openspiel
from faceup.envs import parallel_env, vector_env
env = parallel_env("nimmt:cowheadking", seats=3)
observations, infos = env.reset(seed=7)
while env.agents:
    observations, *_ = env.step({each: int(observations[each]["action_mask"].argmax()) for each in env.agents})
env = gymnasium.make("faceup.envs:faceup/nimmt-cowheadking-heads-v0", seats=3)
_, info = env.reset(seed=7)
done = False
while not done:
    _, _, done, _, info = env.step(int(info["action_mask"].argmax()))
envs = vector_env("nimmt:cowheadking", num_envs=4, seats=3)
_, infos = envs.reset(seed=7)
envs.step(infos["action_mask"].argmax(-1))
state = pyspiel.load_game("faceup_nimmt_cowheadking_v0(players=2)").new_initial_state()
while not state.is_terminal():
    if state.is_simultaneous_node():
        state.apply_actions([state.legal_actions(seat)[0] for seat in range(2)])
    else:
        state.apply_action(state.legal_actions()[0])
print("played")
"""


class Installed:
    """An environment of its own with the wheel and all extras, in the lowest versions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = str(folder / "venv" / "bin" / "python")

    def run(self, *command: str | Path, stdin: str = "", **variables: str) -> str:
        """Run a command with its Python or one of its programs; return what it prints."""
        path = f"{self.folder / 'venv' / 'bin'}:{os.environ['PATH']}"
        left = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        environ = left | {"PATH": path, "FACEUP_DATA": str(self.folder / "data")} | variables
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=environ,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=TIMEOUT,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    environment = Installed(tmp_path_factory.mktemp("lowest"))
    environment.run("uv", "build", "--quiet", "--wheel", "--out-dir", environment.folder, ROOT)
    [wheel] = environment.folder.glob("*.whl")
    lowest = PROJECT["requires-python"].removeprefix(">=")
    environment.run("uv", "venv", "--quiet", "--python", lowest, environment.folder / "venv")
    extras = [word for name in EXTRAS for word in ("--extra", name)]
    versions = environment.folder / "lowest.txt"
    resolution = ("--resolution", "lowest-direct", "--python-version", lowest)
    environment.run(
        "uv", "pip", "compile", "--quiet", *resolution, *extras, ROOT / "pyproject.toml", "--output-file", versions
    )
    install = ("uv", "pip", "install", "--quiet", "--python", environment.python)
    environment.run(*install, "--constraint", versions, f"{wheel}[{','.join(EXTRAS)}]")
    return environment


def test_every_lowest_version_exists_and_is_the_one_installed(installed: Installed) -> None:
    listed = json.loads(installed.run("uv", "pip", "list", "--python", installed.python, "--format", "json"))
    versions = {package["name"]: Version(package["version"]) for package in listed}
    lines = {line for lines in [PROJECT["dependencies"], *EXTRAS.values()] for line in lines}
    bounds = {requirement.name: requirement for requirement in map(Requirement, lines) if requirement.name != "faceup"}
    applying = {
        name: requirement
        for name, requirement in bounds.items()
        if requirement.marker is None or requirement.marker.evaluate()
    }
    lowest = {
        name: min(
            Version(part.version.removesuffix(".*")) for part in requirement.specifier if part.operator in {">=", "=="}
        )
        for name, requirement in applying.items()
    }
    assert {name: versions[name] for name in lowest} == lowest


@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_played_line_by_line(installed: Installed, game: str) -> None:
    options = [word for name, value in GAMES[game].items() for word in ("-o", f"{name}={value}") if name != "seats"]
    lines = {"nimmt": [str(card) for card in range(105)], "niuniu": ["throw"], "war": ["flip"] * 100}[game]
    typed = "".join(f"{line}\n" for line in lines * 3)  # cards that are not in the hand are refused
    output = installed.run("faceup", "play", game, "--plain", "--seats", "2", *options, stdin=typed)
    assert "Replay: faceup replay " in output


@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_played_full_screen(installed: Installed, game: str) -> None:
    text = " ".join([game, *(f"{name}={value}" for name, value in GAMES[game].items())])
    assert installed.run(installed.python, "-c", FULL_SCREEN, text, PYTHONPATH=str(ROOT)) == f"{game} is over\n"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(
    installed: Installed, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("server")
    if request.param == "sqlite":
        with serving(data, python=installed.python) as running:
            yield running
        return
    postgresql = PostgreSQL().start()
    try:
        with (
            postgresql.database(migrated=False) as url,
            serving(data, python=installed.python, database=url) as running,
        ):
            yield running
    finally:
        postgresql.remove()


@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_played_over_a_websocket(installed: Installed, server: Server, game: str) -> None:
    table = server.ask("/api/tables", {"config": {"game": game, "options": GAMES[game]}, "sit": False}).json
    bots = [
        subprocess.Popen(
            [installed.python, "-m", "faceup", "bot", "random", "--table", table["link"]],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        for _ in range(2)
    ]
    outputs = [bot.communicate(timeout=TIMEOUT)[0] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0], outputs
    assert all("is in place" in output for output in outputs)
    assert json.loads(server.ask(f"/api/tables/{table['id']}/record").body)["format"]
    assert "ERROR" not in server.log


def test_the_extras_work(installed: Installed, tmp_path: Path) -> None:
    assert installed.run(installed.python, "-c", ENVIRONMENTS).endswith("played\n")
    installed.run("faceup", "sim", "nimmt", "--deals", "200", "--plot", tmp_path / "heads.png")
    assert (tmp_path / "heads.png").read_bytes().startswith(b"\x89PNG")
    log = tmp_path / "run.sqlite"
    installed.run("faceup", "arena", "compare", "greedy", "lowest", "--blocks", "2", "--log", log)
    installed.run("faceup", "arena", "report", log, "-o", tmp_path / "run.html")
    assert "</html>" in (tmp_path / "run.html").read_text("utf-8")
    assert "deals" in installed.run("faceup", "sim", "nimmt", "--deals", "200", "--engine", "dask", "--jobs", "1")

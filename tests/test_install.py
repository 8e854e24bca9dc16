"""The wheel, installed with and without extras: what it takes, what works, and what the rest says.

`lean` is a plain install. The long tests install each extra alone, and all of them.
"""

import os
import re
import subprocess
import sys
import zipfile
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from faceup.cli.main import parser
from faceup.extras import MissingExtraError

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

MOST_PACKAGES: Final = 15
MOST_BYTES: Final = 40_000_000

IMPORT_EVERYTHING: Final = """
import importlib, pathlib, faceup
from faceup.extras import MissingExtraError

folder = pathlib.Path(faceup.__file__).parent
for path in sorted(folder.rglob("*.py")):
    name = ".".join(["faceup", *path.relative_to(folder).with_suffix("").parts]).removesuffix(".__init__")
    if path.stem == "__main__":
        continue
    try:
        importlib.import_module(name)
        print(name)
    except MissingExtraError as missing:
        assert str(missing).endswith(f'needs the {missing.extra} extra: pip install "faceup[{missing.extra}]"'), missing
        print(name, missing.extra)
"""

LACKING: Final = {
    "faceup.arena.stats": "arena",
    "faceup.envs": "envs",
    "faceup.games.batch_base": "fast",
    "faceup.games.batch_law": "fast",
    "faceup.games.lanes": "fast",
    "faceup.games.nimmt.batch": "fast",
    "faceup.games.nimmt.numpy_search": "fast",
    "faceup.games.niuniu.batch": "fast",
    "faceup.games.war.batch": "fast",
    "faceup.server.access_log": "server",
    "faceup.server.accounts": "server",
    "faceup.server.admin": "server",
    "faceup.server.api": "server",
    "faceup.server.bind": "server",
    "faceup.server.client": "server",
    "faceup.server.http_limits": "server",
    "faceup.server.lan": "server",
    "faceup.server.live": "server",
    "faceup.server.metrics": "server",
    "faceup.server.periodic": "server",
    "faceup.server.process": "server",
    "faceup.server.store": "server",
    "faceup.server.uvicorn_server": "server",
    "faceup.server.workers": "server",
    "faceup.sim.histograms": "fast",
    "faceup.statistics.bootstrap": "fast",
    "faceup.statistics.calibration": "fast",
    "faceup.statistics.effect_size": "fast",
    "faceup.statistics.plackett_luce": "fast",
}
"""The modules and packages that a plain install cannot import, with the extra that they need."""


class Install(NamedTuple):
    """An environment with the wheel, without any development package."""

    folder: Path

    @property
    def programs(self) -> Path:
        """The folder of the programs."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def run(self, program: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in an empty folder, which is also the user's home."""
        home = self.folder.parent / "home"
        home.mkdir(exist_ok=True)
        environ = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        environ |= {"HOME": str(home), "FACEUP_DATA": str(home / "data"), "COLUMNS": "200"}
        return subprocess.run(
            [self.programs / program, *arguments],
            cwd=home, env=environ, input=text, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip

    def output(self, program: str, *arguments: str, text: str = "") -> str:
        """Run a program, check that it succeeds, and return what it prints."""
        done = self.run(program, *arguments, text=text)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def packages(self) -> list[str]:
        """Return the names of the packages."""
        return sorted(path.name.partition("-")[0] for path in self.folder.rglob("*.dist-info"))

    def size(self) -> int:
        """Return the size of all files of the packages in bytes, without bytecode."""
        [libraries] = {path.parent for path in self.folder.rglob("faceup-*.dist-info")}
        files = (path for path in libraries.rglob("*") if "__pycache__" not in path.parts)
        return sum(path.stat().st_size for path in files if path.is_file())


def uv(*arguments: str | Path) -> str:
    """Run uv outside the project, so that it finds nothing there by accident, and return what it prints."""
    environ = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(
        ["uv", *arguments], cwd=Path.home(), env=environ, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    uv("build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def install(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Install]:
    """Return a function that installs the wheel with extras into a new environment, in the locked versions."""

    def make(*extras: str) -> Install:
        folder = tmp_path_factory.mktemp("installed")
        locked = folder / "locked.txt"
        chosen = [f"--extra={extra}" for extra in extras]
        exporting = ("export", "--frozen", "--no-dev", "--no-emit-project", "--no-hashes", "--no-annotate")
        locked.write_text(uv(*exporting, "--project", ROOT, *chosen), "utf-8")
        made = folder / "venv"
        uv("venv", "--quiet", "--python", sys.executable, made)
        what = f"{wheel}[{','.join(extras)}]" if extras else wheel
        uv("pip", "install", "--quiet", "--python", made, "--constraint", locked, what)
        return Install(made)

    return make


@pytest.fixture(scope="module")
def lean(install: Callable[..., Install]) -> Install:
    return install()


def test_the_wheel_holds_all_of_the_package_and_nothing_else(wheel: Path) -> None:
    files = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = (path for path in (ROOT / "src" / "faceup").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert files == {path.relative_to(ROOT / "src").as_posix() for path in ours if path.suffix not in {".nbi", ".nbc"}}
    assert "faceup/py.typed" in files


# A plain install.


def test_a_plain_install_is_small(lean: Install) -> None:
    packages = lean.packages()
    assert len(packages) <= MOST_PACKAGES, packages
    assert lean.size() <= MOST_BYTES
    assert not {"litestar", "numba", "numpy", "sqlalchemy"} & {*packages}


def test_a_plain_install_imports_all_that_needs_no_extra(lean: Install) -> None:
    imported = dict(line.partition(" ")[::2] for line in lean.output("python", "-c", IMPORT_EVERYTHING).splitlines())
    assert {*LACKING} <= {*imported}
    for name, extra in imported.items():
        package = next((each for each in LACKING if f"{name}.".startswith(f"{each}.")), None)
        assert extra == (LACKING[package] if package else ""), name


def leaves(top: ArgumentParser) -> Iterator[str]:
    """Return the names of all commands without subcommands, such as "faceup arena match"."""
    groups = [action for action in top._actions if isinstance(action, _SubParsersAction)]
    if top.get_default("command"):
        yield top.prog
    for inner in {id(each): each for group in groups for each in group.choices.values()}.values():
        yield from leaves(inner)


NIMMT: Final = "nimmt hand=2"
WORKING: Final = (
    (f"faceup watch nimmt --seats 4 -o hand=4 --bots gentle,steady,mc@5,greedy --seed 7 --record nimmt.json", "Heads"),
)

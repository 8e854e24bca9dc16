"""The published wheel works, installed in an empty environment."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EVERY_MODULE = """
import faceup, importlib, pkgutil
for module in pkgutil.walk_packages(faceup.__path__, "faceup."):
    if not module.name.endswith("__main__") and module.name not in {"faceup.envs"}:  # an extra
        importlib.import_module(module.name)
        print(module.name)
"""


def run(*command: str | Path) -> str:
    """What the command prints; run outside the project, so that nothing is found there by accident."""
    environ = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(command, cwd=Path.home(), env=environ, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run("uv", "build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the wheel and what it depends on, in the locked versions."""
    folder = tmp_path_factory.mktemp("installed")
    locked = folder / "locked.txt"
    exported = run("uv", "export", "--project", ROOT, "--frozen", "--no-dev", "--no-emit-project", "--no-hashes")
    locked.write_text(exported, "utf-8")
    run("uv", "venv", "--quiet", "--python", sys.executable, folder / "venv")
    run("uv", "pip", "install", "--quiet", "--python", folder / "venv", "--constraint", locked, wheel)
    return folder / "venv" / ("Scripts" if os.name == "nt" else "bin")


def test_the_wheel_holds_all_of_the_package_and_nothing_else(wheel: Path) -> None:
    files = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = (path for path in (ROOT / "src" / "faceup").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert files == {path.relative_to(ROOT / "src").as_posix() for path in ours}
    assert "faceup/py.typed" in files


def test_every_module_is_imported_with_what_a_plain_install_has(programs: Path) -> None:
    assert "faceup.core.rules" in run(programs / "python", "-c", EVERY_MODULE).split()


def test_a_part_that_needs_an_extra_says_how_to_install_it(programs: Path) -> None:
    program = "try: import faceup.envs\nexcept ModuleNotFoundError as missing: print(missing)"
    output = run(programs / "python", "-c", program)
    assert output == "No module named 'gymnasium': the environments need pip install 'faceup[envs]'\n"


def test_the_installed_command_says_what_it_can_do(programs: Path) -> None:
    output = run(programs / "faceup", "--help")
    assert "usage: faceup" in output
    assert "play" in output


def test_the_installed_package_reads_and_writes_its_own_notation(programs: Path) -> None:
    program = "import faceup as f; r = f.make('nimmt seats=3'); t = f.write(r, r.start()); print(f.read(t)[0] == r)"
    assert run(programs / "python", "-c", program) == "True\n"

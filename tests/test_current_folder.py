"""No command runs the Python files of the folder in which it starts, and neither do its child processes."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.server.server_process import free_port

from faceup.cli.page import _server_subprocess
from faceup.server.admin.automatic_backups import AutomaticBackups
from faceup.server.process.settings import Settings
from faceup.server.store import Store
from faceup.server.workers.child_process import ChildProcess

SOURCE = Path(__file__).parents[1] / "src" / "faceup"
FACEUP = str(Path(sys.executable).with_name("faceup"))
PACKAGES = {"distributed", "faceup", "litestar", "msgspec", "numba", "numpy", "platformdirs", "sqlalchemy", "uvicorn"}
BOT = f"{FACEUP} bot greedy --codingame"

# What Python's own `-m` imports before the first line of a program, in all versions.
IMPORTED_BY_PYTHON = {
    *("abc", "ast", "collections", "contextlib", "copyreg", "dis", "enum", "functools", "importlib", "inspect"),
    *("keyword", "linecache", "opcode", "operator", "re", "reprlib", "runpy", "stat", "threading", "token"),
    *("tokenize", "types", "typing", "warnings", "weakref"),
}


@pytest.fixture
def set_traps(tmp_path: Path) -> Callable[[set[str]], Path]:
    """Return a function that fills a folder with modules that leave a note in `trapped`."""

    def set_traps(names: set[str]) -> Path:
        folder = tmp_path / "traps"
        folder.mkdir()
        for name in names:
            note = f"open({str(tmp_path / 'trapped')!r}, 'a').write({name!r})\nraise SystemExit({name!r})\n"
            (folder / f"{name}.py").write_text(note)
        return folder

    return set_traps


@pytest.fixture
def traps(set_traps: Callable[[set[str]], Path]) -> Path:
    """A folder with a module for each name of the standard library and of some packages."""
    return set_traps({*sys.stdlib_module_names, *PACKAGES})


def run(folder: Path, *command: str) -> None:
    """Run a command in a folder, which must succeed."""
    environment = os.environ | {"FACEUP_DATA": str(folder.parent / "data")}
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=True, timeout=120, env=environment)
    assert not (folder.parent / "trapped").exists()


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("sim", "nimmt", "--policies", "mc@1", "--seats", "2", "-o", "hand=2", "--deals", "300", "--jobs", "2"),
        ("sim", "nimmt", "--deals", "600", "--jobs", "2", "--engine", "dask"),
        ("arena", "compare", f"new={BOT}", "greedy", "--blocks", "1", "--jobs", "2"),
        ("arena", "match", BOT, "greedy", "greedy", "greedy"),
        ("arena", "check", BOT),
        ("arena", "doctor"),
    ],
    ids=" ".join,
)
def test_commands_with_child_processes_ignore_the_current_folder(traps: Path, words: tuple[str, ...]) -> None:
    run(traps, FACEUP, *words)


@pytest.mark.slow
def test_the_server_of_the_page_ignores_the_current_folder(traps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(traps)
    monkeypatch.setenv("FACEUP_DATA", str(traps.parent / "data"))
    with _server_subprocess(free_port()) as (_, addresses):
        assert addresses[0].startswith("http://")
    assert not (traps.parent / "trapped").exists()


@pytest.mark.slow
def test_python_m_faceup_ignores_the_current_folder(set_traps: Callable[[set[str]], Path]) -> None:
    names = {name for name in sys.stdlib_module_names | PACKAGES if not name.startswith("_")}
    folder = set_traps(names - IMPORTED_BY_PYTHON - {"faceup"})
    run(
        folder,
        sys.executable,
        "-m",
        "faceup",
        "sim",
        "nimmt",
        "--policies",
        "mc@1",
        "--seats",
        "2",
        "-o",
        "hand=2",
        "--deals",
        "300",
        "--jobs",
        "2",
    )


@pytest.mark.slow
@pytest.mark.parametrize("module", ["bot_worker", "coach_worker"])
async def test_worker_processes_of_a_server_ignore_the_current_folder(
    traps: Path, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(traps)
    process = ChildProcess(f"faceup.server.workers.{module}")
    (await process.pipes())[0].close()
    await process.wait()
    assert not (traps.parent / "trapped").exists()


@pytest.mark.slow
async def test_backups_ignore_the_current_folder(traps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(traps)
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path / "data"))
    store = await Store.open(f"sqlite:///{tmp_path / 'online.sqlite'}")
    settings = Settings(database=str(tmp_path / "online.sqlite"), backup_every="1h", backup_to=str(tmp_path / "kept"))
    assert await AutomaticBackups(store, settings).back_up_if_due()
    await store.close()
    assert not (tmp_path / "trapped").exists()


def test_the_interpreter_is_started_in_one_place() -> None:
    """Every command of ours starts with `faceup.interpreter.PYTHON`; the probes of the doctor are isolated with -I."""
    users = {
        path.relative_to(SOURCE)
        for path in SOURCE.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if "sys.executable" in line and ">>>" not in line
    }
    assert users == {Path("interpreter.py"), Path("arena/doctor/probes.py")}
    spawners = {path.name for path in SOURCE.rglob("*.py") if "get_context(" in path.read_text("utf-8")}
    assert not spawners

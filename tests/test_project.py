"""What the project promises about itself: what an import costs, where things are, what every module says of itself."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
MODULES = sorted(SOURCE.rglob("*.py"))
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS: list[dict[str, Any]] = SETTINGS["tool"]["importlinter"]["contracts"]


def loaded(program: str) -> set[str]:
    """The names of the modules that a fresh interpreter has loaded when the program has run."""
    program += "\nimport sys; print('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def foreign(modules: set[str]) -> set[str]:
    """The packages among them that are neither ours nor Python's, nor loaded by this environment in any program."""
    return {name.partition(".")[0] for name in modules - loaded("pass")} - sys.stdlib_module_names - {"faceup"}


def test_importing_faceup_needs_msgspec_and_the_standard_library_alone() -> None:
    assert foreign(loaded("import faceup.core")) == foreign(loaded("import msgspec"))


def test_importing_faceup_loads_no_slow_part_of_the_standard_library() -> None:
    slow = {"asyncio", "difflib", "email", "importlib.metadata", "json", "logging", "pathlib", "random", "secrets"}
    slow |= {"socket", "subprocess", "tempfile", "threading", "unittest", "urllib"}
    ours = loaded("import faceup.core") - loaded("import msgspec")
    assert not ours & slow


def test_help_starts_without_the_frameworks_that_games_are_shown_with() -> None:
    program = "import sys; sys.argv = ['faceup', '--help']\nfrom faceup.cli import main\n"
    program += "try: main()\nexcept SystemExit as end: assert not end.code"
    assert not foreign(loaded(program)) & {"hypothesis", "numba", "numpy", "rich", "textual"}


def test_every_package_has_its_place_in_the_layers() -> None:
    layers = {name.strip(" ()") for line in CONTRACTS[0]["layers"] for name in line.split(":")}
    packages = {f"faceup.{path.parent.name}" for path in SOURCE.glob("faceup/*/__init__.py")}
    assert packages <= layers
    assert {path.name for path in SOURCE.glob("faceup/*.py")} <= {"__init__.py", "__main__.py"}


def test_rules_and_tables_are_held_to_doing_no_input_or_output() -> None:
    pure = {"faceup.core", "faceup.games", "faceup.table"}
    assert set(CONTRACTS[1]["source_modules"]) == {name for name in pure if (SOURCE / name.replace(".", "/")).is_dir()}
    assert {"os", "pathlib", "random", "socket", "time", "numpy"} <= set(CONTRACTS[1]["forbidden_modules"])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_file_is_too_long_to_be_one_idea(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 500


def test_no_name_leaves_the_reader_guessing() -> None:
    vague = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}
    assert not [path for path in MODULES if vague & {path.stem, path.parent.name}]


def test_the_changelog_tells_of_this_version() -> None:
    version = SETTINGS["project"]["version"]
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_no_file_of_the_page_holds_what_a_merge_left() -> None:
    files = [path for path in (SOURCE / "faceup" / "web").rglob("*") if path.suffix in {".js", ".css", ".html", ".md"}]
    assert files
    assert [path for path in files if any(mark * 7 + " " in path.read_text("utf-8") for mark in "<>")] == []

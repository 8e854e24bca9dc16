"""`script/env` and `script/play`: which tools are installed, when they are updated, and the errors.

Python, pip, uv and faceup are shell scripts here, so that nothing is downloaded.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "script"
PLAYER = "uv sync --frozen --active --inexact --no-dev --extra server --extra arena"
DEVELOPER = "uv sync --frozen --active"

PROGRAMS = {
    "python3": """#!/bin/sh
case "$*" in
  --version) echo "Python ${OLD:-3.11.7}" ;;
  *version_info*print* | *print*version_info*) echo 3.11 ;;
  *version_info*) [ -z "$OLD" ] ;;
  *ensurepip*) [ -z "$WITHOUT_VENV" ] ;;
  "-m venv .venv") echo venv >>calls && mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/pip ;;
  "-m pip install"*) [ -z "$OFFLINE" ] && echo pip >>calls && cp "$INSTALLED"/* .venv/bin ;;
esac
""",
    "installed/uv": """#!/bin/sh
echo "uv $*" >>calls
[ -z "$OFFLINE" ] || exit 2
printf 'Downloading numpy\\n + numpy==2.0\\n - rich==1.0\\n ~ faceup==0.1\\n' >&2
""",
    "installed/faceup": """#!/bin/sh
[ "$1" = warm ] || echo "faceup $*"
""",
}
COMMANDS = ("bash", "cat", "cp", "dirname", "find", "mkdir", "rm", "sed", "sh", "touch", "uname")


class Clone:
    """A folder with the scripts, and a `PATH` that has one Python."""

    def __init__(self, folder: Path, path: Path) -> None:
        self.folder, self.path = folder, path
        (folder / "src" / "faceup" / "games").mkdir(parents=True)
        shutil.copytree(SCRIPTS, folder / "script", ignore=lambda _, names: {*names} - {"env", "play"})
        for name in ("uv.lock", "pyproject.toml"):
            (folder / name).touch()
        (path / "installed").mkdir(parents=True)
        for name, text in PROGRAMS.items():
            (path / name).write_text(text, "utf-8")
            (path / name).chmod(0o755)
        for name in COMMANDS:
            (path / name).symlink_to(str(shutil.which(name)))
        self.status, self.output, self.errors = 0, "", ""

    def run(self, command: str, **variables: str) -> list[str]:
        """Run a command in the folder; return which programs were called to set up, with their arguments."""
        calls = self.folder / "calls"
        calls.write_text("")
        environ = {"PATH": str(self.path), "INSTALLED": str(self.path / "installed"), "SHELL": "/bin/bash"}
        done = subprocess.run(
            [self.path / "bash", "-c", command],
            cwd=self.folder,
            env=environ | variables,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        self.status, self.output, self.errors = done.returncode, done.stdout, done.stderr
        return calls.read_text("utf-8").splitlines()

    def make_newer(self, name: str) -> None:
        """Date a file after the environment."""
        later = (self.folder / ".venv" / "ready").stat().st_mtime + 10
        os.utime(self.folder / name, (later, later))


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "faceup", tmp_path / "path")


def test_a_player_gets_what_playing_needs_and_then_nothing_is_installed_again(clone: Clone) -> None:
    assert clone.run("script/play") == ["venv", "pip", PLAYER]
    assert clone.output == "faceup page\n"
    assert clone.run("script/play nimmt -p Ann") == []
    assert clone.output == "faceup play nimmt -p Ann\n"


def test_a_developer_gets_everything_and_keeps_it_when_playing(clone: Clone) -> None:
    assert clone.run(". script/env") == ["venv", "pip", DEVELOPER]
    assert clone.run("script/play") == []
    clone.make_newer("uv.lock")
    assert clone.run("script/play") == [DEVELOPER]


def test_a_player_who_becomes_a_developer_gets_what_is_missing(clone: Clone) -> None:
    clone.run("script/play")
    assert clone.run(". script/env") == [DEVELOPER]
    assert clone.run("script/play; . script/env") == []


@pytest.mark.parametrize("name", ["uv.lock", "pyproject.toml"])
def test_a_newer_file_updates_the_environment(clone: Clone, name: str) -> None:
    clone.run("script/play")
    clone.make_newer(name)
    assert clone.run("script/play") == [PLAYER]


def test_an_environment_in_a_folder_that_was_moved_is_made_again(clone: Clone) -> None:
    clone.run("script/play")
    clone.folder = clone.folder.rename(clone.folder.with_name("cards"))
    assert clone.run("script/play") == ["venv", "pip", PLAYER]


def test_an_environment_whose_python_was_removed_is_made_again(clone: Clone) -> None:
    clone.run("script/play")
    (clone.folder / ".venv" / "bin" / "python").unlink()
    assert clone.run("script/play") == ["venv", "pip", PLAYER]


def test_an_environment_that_someone_else_made_is_kept(clone: Clone) -> None:
    clone.run("python3 -m venv .venv")
    (clone.folder / ".venv" / "mine").touch()
    assert clone.run("script/play") == ["pip", PLAYER]
    assert (clone.folder / ".venv" / "mine").exists()


def test_downloads_are_shown_and_the_list_of_packages_is_not(clone: Clone) -> None:
    clone.run("script/play")
    assert "Setting up faceup in .venv with Python 3.11, once ..." in clone.errors
    assert "Downloading numpy" in clone.errors
    assert "==" not in clone.errors


def test_play_says_how_to_have_the_command_until_the_shell_has_it(clone: Clone) -> None:
    clone.run("script/play")
    assert clone.errors.splitlines()[-1] == "For the command faceup in this shell, type: source .venv/bin/activate"
    clone.run("cd src; ../script/play", SHELL="/usr/bin/fish")
    assert clone.errors.splitlines()[-1].endswith(f" source {clone.folder}/.venv/bin/activate.fish")
    clone.run('PATH="$PWD/.venv/bin:$PATH"; script/play')
    assert clone.errors == ""


@pytest.mark.parametrize(
    ("variables", "error"),
    [
        ({"OLD": "3.9.2"}, "faceup needs Python 3.11 or newer, but found only Python 3.9.2. Install it, or name it"),
        (
            {"WITHOUT_VENV": "1"},
            "Python 3.11 lacks the module venv. On Debian and Ubuntu: sudo apt install python3.11-venv",
        ),
        ({"OFFLINE": "1"}, "pip could not install uv: see above. Is this computer online?"),
    ],
)
def test_a_set_up_that_fails_says_what_is_missing_and_can_be_repeated(
    clone: Clone, variables: dict[str, str], error: str
) -> None:
    clone.run("script/play", **variables)
    assert clone.status == 1
    assert error in clone.errors
    assert clone.output == ""
    assert clone.run("script/play")[-1] == PLAYER


def test_an_update_without_a_network_is_repeated_the_next_time(clone: Clone) -> None:
    clone.run("script/play")
    clone.make_newer("uv.lock")
    clone.run("script/play", OFFLINE="1")
    assert clone.status == 1
    assert "uv could not install the packages: see above. Is this computer online?" in clone.errors
    assert clone.run("script/play") == [PLAYER]

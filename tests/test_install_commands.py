"""Every page has the command that installs faceup today, and errors have the one for the environment."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from faceup import installation
from faceup.installation import install_command, requirement

ROOT = Path(__file__).parents[1]
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "script" / "install_commands.py"))
TODAY: Final = requirement(["server"])


# Pages.


def test_every_command_on_every_page_is_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "script" / "install_commands.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_files_that_a_page_downloads_exist() -> None:
    for part in SCRIPT["PARTS"]:
        for names in re.findall(r"/main/(\w+/)\{(.*?)\}", part.before + part.after):
            assert [name for name in names[1].split(",") if not (ROOT / names[0] / name).is_file()] == []


@pytest.mark.parametrize("released", [False, True])
@pytest.mark.parametrize(
    "wrong",
    [
        "pip install faceup",
        'pip install --upgrade "faceup[server]"',
        'sudo /opt/faceup/bin/pip install "faceup[server,postgres] @ git+https://github.com/faceup-games/faceup"',
        "python -m pip install faceup[fast]",
        "uv pip install faceup==0.1.0",
        "uv add faceup",
        "uv tool install faceup",
        "pipx install faceup[arena]",
        'pipx run --spec "faceup[arena]" faceup',
        "uvx --from faceup[server] faceup page",
        r'"pip install \"faceup[envs]\" matplotlib\n"',
    ],
)
def test_a_command_of_any_installer_is_rewritten(wrong: str, released: bool) -> None:
    right = SCRIPT["current"](wrong, released=released)
    assert ("archive/main.zip" in right) == (not released)
    assert "git+" not in right
    assert "==" not in right
    assert right.count('"faceup') + right.count('\\"faceup') >= 1
    assert SCRIPT["current"](right, released=released) == right


@pytest.mark.parametrize(
    "right",
    [
        "pip install faceup-goofspiel",
        "uv run faceup page",
        "uv tool upgrade faceup",
        "pip uninstall faceup",
        'pip install ".[server]"',
        "sudo /opt/faceup/bin/faceup serve",
    ],
)
def test_a_command_that_installs_no_package_of_ours_is_left_alone(right: str) -> None:
    assert SCRIPT["current"](right, released=False) == SCRIPT["current"](right, released=True) == right


def test_no_page_starts_a_package_by_a_name_that_may_not_be_published() -> None:
    """`uvx faceup` and `pipx run faceup` have no place for the requirement."""
    for path in SCRIPT["texts"]():
        assert not re.search(r"\b(uvx|pipx run) faceup\b", path.read_text("utf-8", errors="replace")), path


def test_the_release_leaves_no_command_for_the_source() -> None:
    for path, text in SCRIPT["pages"](released=True).items():
        assert "faceup/archive/main" not in text.replace(
            "[download the source](https://github.com/faceup-games/faceup/archive/main.zip)", ""
        ), path


# Errors.


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment without pip, into which faceup was installed as a package."""
    monkeypatch.setattr(installation, "_clone", lambda: None)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    return tmp_path


def add_program(folder: Path, name: str) -> None:
    """Make a program in the environment."""
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / name
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)


def test_in_a_virtual_environment_its_pip_is_named(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_program(environment, "pip")
    monkeypatch.setenv("PATH", "/usr/bin")
    assert install_command("server", [], environment) == f'{environment}/bin/pip install "{TODAY}"'
    monkeypatch.setenv("PATH", f"{environment}/bin:/usr/bin")
    assert install_command("server", ["arena"], environment) == f'pip install "{TODAY}"'


def test_a_tool_of_uv_keeps_its_extras(environment: Path) -> None:
    (environment / "uv-receipt.toml").touch()
    assert install_command("server", ["arena"], environment) == (
        f'uv tool install "{requirement(["arena", "server"])}"'
    )


def test_an_application_of_pipx_keeps_its_extras(environment: Path) -> None:
    for folder, command in (("venvs", "pipx install --force {}"), ("cache", "pipx run --spec {} faceup")):
        prefix = environment / folder / "faceup"
        prefix.mkdir(parents=True)
        (prefix / "pipx_metadata.json").touch()
        add_program(prefix, "pip")
        expected = command.format(f'"{requirement(["plot", "server"])}"')
        assert install_command("server", ["plot"], prefix) == expected


@pytest.mark.parametrize("folder", ["archive-v0", "environments-v2"])
def test_uvx_names_what_to_run(environment: Path, folder: str) -> None:
    assert install_command("server", [], environment / folder / "aB3") == f'uvx --from "{TODAY}" faceup'


def test_an_environment_of_uv_has_no_pip(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert install_command("server", [], environment) == f'uv pip install --python {environment} "{TODAY}"'
    monkeypatch.setenv("VIRTUAL_ENV", str(environment))
    assert install_command("server", [], environment) == f'uv pip install "{TODAY}"'


def test_a_clone_keeps_its_locked_versions_and_stays_editable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_clone", lambda: tmp_path)
    (tmp_path / ".venv").mkdir()
    add_program(tmp_path / ".venv", "uv")
    assert install_command("jax", ["server"], tmp_path / ".venv") == (
        f"{tmp_path}/.venv/bin/uv sync --project {tmp_path} --frozen --inexact --no-dev --extra jax"
    )
    add_program(tmp_path, "pip")
    assert install_command("jax", ["server"], tmp_path) == f'{tmp_path}/bin/pip install -e "{tmp_path}[jax]"'


def test_this_clone_is_recognised() -> None:
    assert installation._clone() == ROOT

"""How faceup is installed: the requirement for pip, uv and pipx, and the command that adds an extra."""

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

RELEASED: Final = False
"""Whether the package index has faceup. `./script/install_commands --released` sets it, and rewrites all pages."""

ARCHIVE: Final = "https://github.com/faceup-games/faceup/archive/main.zip"
"""The newest source, which pip, uv and pipx install without git."""


def requirement(extras: Iterable[str] = (), *, released: bool = RELEASED) -> str:
    """Return the requirement that installs faceup with these extras.

    >>> requirement(["arena", "plot"], released=True)
    'faceup[arena,plot]'
    >>> requirement(released=False)
    'faceup @ https://github.com/faceup-games/faceup/archive/main.zip'
    """
    names = ",".join(extras)
    package = f"faceup[{names}]" if names else "faceup"
    return package if released else f"{package} @ {ARCHIVE}"


def install_command(extra: str, installed: Iterable[str] = (), prefix: Path = Path(sys.prefix)) -> str:
    """Return the command that adds an extra to the environment in a folder.

    Args:
        extra: the name of the extra.
        installed: the extras that the environment has. Programs that rebuild the environment would remove them.
        prefix: the folder of the environment, which was made by uv, pipx, pip or a clone's `script/env`.
    """
    clone = _clone()
    if clone and prefix == clone / ".venv" and (uv := _program("uv", prefix)):
        return f"{uv} sync --project {_quoted(clone)} --frozen --inexact --no-dev --extra {extra}"
    added, every = (_target(clone, names) for names in ([extra], [*installed, extra]))
    if (prefix / "uv-receipt.toml").exists():
        return f"uv tool install {every}"
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx install --force {every}" if prefix.parent.name == "venvs" else f"pipx run --spec {every} faceup"
    if any(folder.startswith(("archive-v", "environments-v")) for folder in prefix.parts):
        return f"uvx --from {every} faceup"
    if pip := _program("pip", prefix) or _program("pip3", prefix):
        return f"{pip} install {added}"
    active = os.environ.get("VIRTUAL_ENV") == str(prefix)
    return f"uv pip install {'' if active else f'--python {_quoted(prefix)} '}{added}"


def _clone() -> Path | None:
    """Return the folder of the repository if this module runs from it."""
    source = Path(__file__).resolve().parents[1]
    return source.parent if source.name == "src" and (source.parent / "pyproject.toml").exists() else None


def _target(clone: Path | None, extras: Iterable[str]) -> str:
    """Return what to install, as an argument of pip, uv and pipx."""
    return f'-e "{clone}[{",".join(extras)}]"' if clone else f'"{requirement(extras)}"'


def _program(name: str, prefix: Path) -> str:
    """Return how to call a program of the environment: by its name if the `PATH` leads to it; "" if there is none."""
    own = shutil.which(name, path=prefix / ("Scripts" if os.name == "nt" else "bin"))
    return name if own and shutil.which(name) == own else _quoted(own or "")


def _quoted(path: Path | str) -> str:
    """Return a path as a shell reads it."""
    return f'"{path}"' if " " in str(path) else str(path)

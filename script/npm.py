"""Packages of the npm registry, as `package-lock.json` pins them: fetched, checked and unpacked without npm or node.

The page needs few of them: one that browsers are served (script/vendor), the compiler that checks its types
(script/types), and axe, which looks at it as a reader of its screens would (tests/web). `npm install
--package-lock-only` makes the lock file anew after a change to `package.json`.
"""

import base64
import hashlib
import io
import json
import os
import shutil
import tarfile
import urllib.request
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
UNPACKED: Final = ROOT / ".venv" / "npm"


def lock(name: str) -> dict[str, Any]:  # Any: JSON
    """What the lock file says of a package: its version, its integrity, its licence.

    Raises:
        KeyError: it is not among what is pinned.
    """
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    return packages[f"node_modules/{name}"]


def package(name: str) -> Path:
    """The folder of a package, fetched if it is not there yet.

    Raises:
        ValueError: what the registry sent is not what the lock file names.
        OSError: the registry cannot be reached.
    """
    pinned = lock(name)
    folder = UNPACKED / f"{name}-{pinned['version']}"
    if folder.is_dir():
        return folder
    archive = fetched(f"{registry()}/{name}/-/{name.rpartition('/')[2]}-{pinned['version']}.tgz")
    kind, _, expected = pinned["integrity"].partition("-")
    if base64.b64encode(hashlib.new(kind, archive).digest()).decode() != expected:
        raise ValueError(
            f"{name} {pinned['version']}: its {kind} is not the one in package-lock.json; nothing was kept"
        )
    part = folder.with_name(f"{folder.name}.{os.getpid()}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(part, filter="data")
    (only,) = part.iterdir()  # everything in such an archive stands in one folder, mostly called "package"
    try:
        only.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was first
            raise
    shutil.rmtree(part)
    return folder


def registry() -> str:
    """Where packages come from: as npm itself is told, else the public registry."""
    told = next((value for name, value in os.environ.items() if name.lower() == "npm_config_registry"), "")
    if not told:
        settings = Path.home() / ".npmrc"
        lines = settings.read_text("utf-8").splitlines() if settings.is_file() else []
        pairs = (line.partition("=") for line in lines)
        told = next((value.strip() for name, _, value in pairs if name.strip() == "registry"), "")
    return (told or "https://registry.npmjs.org").rstrip("/")


def fetched(address: str) -> bytes:
    """The bytes at an address."""
    with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 -- an https address of our own making
        content: bytes = answer.read()
    return content

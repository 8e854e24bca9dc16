"""Fetch and verify npm packages pinned in `package-lock.json`, without npm or Node.js.

The page uses few of them: a library served to browsers (script/vendor), the compiler that checks its types
(script/types), and axe for accessibility tests (tests/web). The documentation has diagrams and the API viewer. After a
change to `package.json`, update the lock file with `npm install --package-lock-only`. Packages of which only one
finished file is used are pinned under `bundles` in `package.json`, because the lock file would list all their
dependencies; `npm view NAME dist.integrity` prints the hash.
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
    """Return a package's entry in the lock file: version, integrity and license.

    Raises:
        KeyError: the package is not pinned.
    """
    bundles: dict[str, dict[str, Any]] = json.loads((ROOT / "package.json").read_text("utf-8"))["bundles"]
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    return bundles[name] if name in bundles else packages[f"node_modules/{name}"]


def package(name: str) -> Path:
    """Return the folder of a package; fetch it if it is missing.

    Raises:
        ValueError: the package does not match the lock file.
        OSError: the registry cannot be reached.
    """
    pinned = lock(name)
    folder = UNPACKED / f"{name}-{pinned['version']}"
    if folder.is_dir():
        return folder
    archive = fetched(f"{registry()}/{name}/-/{name.rpartition('/')[2]}-{pinned['version']}.tgz")
    kind, _, expected = pinned["integrity"].partition("-")
    if base64.b64encode(hashlib.new(kind, archive).digest()).decode() != expected:
        raise ValueError(f"{name} {pinned['version']}: {kind} does not match package-lock.json; nothing was installed")
    part = folder.with_name(f"{folder.name}.{os.getpid()}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2, as in Debian 12, has no filters
        tar.extractall(part)  # noqa: S202 -- its checksum is pinned
    (only,) = part.iterdir()  # an npm archive has one folder, usually called "package"
    try:
        only.rename(folder)
    except OSError:
        if not folder.is_dir():  # another process may have unpacked it first
            raise
    shutil.rmtree(part)
    return folder


def registry() -> str:
    """Return the registry URL from npm's configuration, or the public registry."""
    url = next((value for name, value in os.environ.items() if name.lower() == "npm_config_registry"), "")
    if not url:
        settings = Path.home() / ".npmrc"
        lines = settings.read_text("utf-8").splitlines() if settings.is_file() else []
        pairs = (line.partition("=") for line in lines)
        url = next((value.strip() for name, _, value in pairs if name.strip() == "registry"), "")
    return (url or "https://registry.npmjs.org").rstrip("/")


def fetched(address: str) -> bytes:
    """Return the content at a URL."""
    with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 -- an https URL built above
        content: bytes = answer.read()
    return content

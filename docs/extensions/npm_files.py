"""Copy files of npm packages into the site, each with its licence. `package-lock.json` pins them."""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def copy(name: str, file: str, folder: Path) -> Path:
    """Copy a file of a package and the package's licence into a folder. Return the copy."""
    sys.path.insert(0, str(ROOT / "script"))
    from npm import package  # noqa: PLC0415 -- a module of the scripts

    source = package(name)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / Path(file).name
    shutil.copy(source / file, target)
    shutil.copy(source / "LICENSE", target.with_name(f"{target.name}.LICENSE.txt"))
    return target

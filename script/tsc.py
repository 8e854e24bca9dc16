"""The TypeScript compiler over the page's modules: `./script/types`.

Since version 7 it is a program of its own for each system, so that a machine with Python alone can run it.
"""

import os
import platform
import sys
from typing import Final

from npm import ROOT, package

SYSTEMS: Final = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
MACHINES: Final = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def main() -> None:
    """Become the compiler."""
    system, machine = SYSTEMS[platform.system()], MACHINES[platform.machine()]
    folder = package(f"@typescript/typescript-{system}-{machine}")
    compiler = folder / "lib" / ("tsc.exe" if system == "win32" else "tsc")
    os.execv(compiler, [str(compiler), "--project", str(ROOT), *sys.argv[1:]])  # noqa: S606 -- the pinned compiler


if __name__ == "__main__":
    main()

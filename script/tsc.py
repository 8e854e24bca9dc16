"""Run the TypeScript compiler on the page's modules. See `script/types`.

TypeScript 7 is a native program for each system, so that no Node.js is needed.
"""

import os
import platform
import sys
from typing import Final

from npm import ROOT, package

SYSTEMS: Final = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
MACHINES: Final = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def main() -> None:
    """Replace this process with the compiler."""
    system, machine = SYSTEMS[platform.system()], MACHINES[platform.machine()]
    folder = package(f"@typescript/typescript-{system}-{machine}")
    compiler = folder / "lib" / ("tsc.exe" if system == "win32" else "tsc")
    os.execv(compiler, [str(compiler), "--project", str(ROOT), *sys.argv[1:]])  # noqa: S606 -- the pinned compiler


if __name__ == "__main__":
    main()

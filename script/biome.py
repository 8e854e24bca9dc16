"""Run the Biome linter on the page's modules: `./script/lint-web`.

Biome is a native program for each system, so Node.js is not needed.
"""

import os
import platform
import sys

from npm import ROOT, package
from tsc import MACHINES, SYSTEMS


def main() -> None:
    """Replace this process with the linter."""
    system, machine = SYSTEMS[platform.system()], MACHINES[platform.machine()]
    linter = package(f"@biomejs/cli-{system}-{machine}") / ("biome.exe" if system == "win32" else "biome")
    linter.chmod(0o755)
    os.chdir(ROOT)
    os.execv(linter, [str(linter), "lint", "--error-on-warnings", *sys.argv[1:]])  # noqa: S606 -- the pinned linter


if __name__ == "__main__":
    main()

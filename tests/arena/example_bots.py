"""The bots of `examples/bots` for the arena."""

import sys
from pathlib import Path

from benchmarks.native_build import built

from faceup.arena import Bot

BOTS = Path(__file__).parents[2] / "examples" / "bots"


def python(name: str, *, phase_last: bool = False) -> Bot:
    """One in Python."""
    return Bot(name, (sys.executable, "-I", str(BOTS / f"{name}.py")), phase_last=phase_last)


def cpp(name: str) -> Bot:
    """One in C++, compiled."""
    return Bot(f"{name}_cpp", (built(BOTS / f"{name}.cpp", "-std=c++17", "-Wall", "-Wextra", "-Werror"),))

"""Run the benchmarks, all or those named, and print their table: `python -m benchmarks [--times 15] [startup ...]`."""

import argparse
import importlib
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks.interleaved import Row, table

NAMES = ("startup", "deals", "lines", "batch", "chances", "environments")
PACKAGES = ("faceup", "msgspec", "numba", "numpy", "chess", "pettingzoo", "open-spiel")


def machine() -> str:
    """What the figures were taken on, in two lines."""
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}; {packages}\n{_processor()}, {os.cpu_count()} cores, {platform.platform(terse=True)}"


def _processor() -> str:
    """The processor's name; Linux keeps it where `platform` does not look."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text("utf-8").splitlines() if known.exists() else []
    named = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def main() -> None:
    """Run, then print, then fail if a promise does not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="benchmark", help=f"of {', '.join(NAMES)}; all unless named")
    parser.add_argument("--times", type=int, default=15, help="runs of each (15)")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(NAMES)}")
    rows: list[Row] = []
    for name in asked.names or NAMES:
        print(f"running {name} ...", file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.{name}").rows(asked.times)
    print(f"{machine()}\n\n{table(rows)}")
    if any(row.bar and not row.bar[1] for row in rows):
        sys.exit("A promise does not hold.")


if __name__ == "__main__":
    main()

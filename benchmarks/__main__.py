"""Run the benchmarks, all or those named, and print their table: `python -m benchmarks [--times 15] [startup ...]`.

With `--write`, each table takes its place in `docs/speed.md`. `python -m benchmarks late` is another thing: it plays
for many minutes, and finds out whether a bot is ever late.
"""

import argparse
import importlib
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks import late
from benchmarks.interleaved import Row, table

NAMES = ("startup", "deals", "lines", "batch", "search", "chances", "environments", "arena", "online", "page")
PACKAGES = ("faceup", "msgspec", "numba", "numpy", "chess", "pettingzoo", "open-spiel")


PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
INTRODUCTION = """\
# How fast it is

Written by `python -m benchmarks --write`, on a machine that did nothing else; each part says on which, and how often.
Each figure is the median of its runs, with the quartiles beside it; what is compared ran in turns with its peer: the
ratios mean more than the figures.
The C++ peers are in `benchmarks/peers/`: `scalar.cpp` plays one game at a time, `simd.cpp` 64 in a vector register.

Where a promise does not hold, the reason is said of [batches](batch.md), [environments](envs.md), [servers](scale.md)
and [the page](page.md).

"""


def machine() -> str:
    """What the figures were taken on, in two lines."""
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}; {packages}\n{_processor()}, {os.cpu_count()} cores, {platform.platform(terse=True)}"


def written(page: str, name: str, figures: str, times: int) -> str:
    """The page with the table of one benchmark in its place, and the others as they were."""
    parts = dict(part.partition("\n")[::2] for part in page.split("\n## ")[1:])
    asked = f"python -m benchmarks --times {times} {name}"
    parts[name] = f"\n```text\n{asked}\n{machine()}\n\n{figures}\n```\n"
    return INTRODUCTION + "\n".join(f"## {each}\n{parts[each]}" for each in NAMES if each in parts)


def _processor() -> str:
    """The processor's name; Linux keeps it where `platform` does not look."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text("utf-8").splitlines() if known.exists() else []
    named = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def main() -> None:
    """Run, then print, then fail if a promise does not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="benchmark", help=f"of {', '.join(NAMES)}; all unless named; or late"
    )
    parser.add_argument("--times", type=int, default=15, help="runs of each (15)")
    parser.add_argument("--decisions", type=int, default=10_000, help="for late, which runs only alone (10,000)")
    parser.add_argument("--write", action="store_true", help="write docs/speed.md; on a machine that does nothing else")
    asked = parser.parse_args()
    if asked.names == ["late"]:
        sys.exit(None if late.run(asked.decisions) else "Somebody was late.")
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(NAMES)}")
    rows: list[Row] = []
    for name in asked.names or NAMES:
        print(f"running {name} ...", file=sys.stderr)
        found: list[Row] = importlib.import_module(f"benchmarks.{name}").rows(asked.times)
        if asked.write:
            PAGE.write_text(written(PAGE.read_text("utf-8"), name, table(found), asked.times), "utf-8")
        rows += found
    print(f"{machine()}\n\n{table(rows)}")
    if any(row.bar and not row.bar[1] for row in rows):
        sys.exit("A promise does not hold.")


if __name__ == "__main__":
    main()

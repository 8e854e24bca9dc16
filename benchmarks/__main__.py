"""Run the benchmarks, all or those named, and print their table: `python -m benchmarks [--times 15] [startup ...]`.

With `--write`, each table is written to `docs/explanation/benchmarks.md`. `python -m benchmarks late` plays for many
minutes to check that no bot is ever late.
"""

import argparse
import importlib
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks import late
from benchmarks.interleave import Row, table

NAMES = (
    *("startup", "deals", "lines", "batch", "search", "chances", "environments", "jax", "arena", "online", "abuse"),
    *("visits", "restart", "page", "web_servers"),
)
PACKAGES = ("faceup", "msgspec", "numba", "numpy", "chess", "pettingzoo", "open-spiel")


PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "benchmarks.md"


def machine() -> str:
    """Describe the machine in two lines."""
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}; {packages}\n{_processor()}, {os.cpu_count()} cores, {platform.platform(terse=True)}"


def written(page: str, name: str, figures: str, times: int) -> str:
    """Return the page with the table of one benchmark replaced, and its notes and the other tables unchanged."""
    command = f"python -m benchmarks --times {times} {name}"
    block = f"```text\n{command}\n{machine()}\n\n{figures}\n```"
    section = page.index(f"\n## {name}\n")
    start = page.index("```text\n", section)
    end = page.index("\n```", start) + len("\n```")
    return page[:start] + block + page[end:]


def _processor() -> str:
    """Return the processor's name; on Linux from a file that `platform` does not read."""
    cpu_file = Path("/proc/cpuinfo")
    lines = cpu_file.read_text("utf-8").splitlines() if cpu_file.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def main() -> None:
    """Run the benchmarks, print the tables, and fail if a promise is not met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="benchmark", help=f"of {', '.join(NAMES)}; all unless named; or late"
    )
    parser.add_argument("--times", type=int, default=15, help="runs of each (15)")
    parser.add_argument("--decisions", type=int, default=10_000, help="for late, which runs only alone (10,000)")
    parser.add_argument(
        "--write", action="store_true", help="write docs/explanation/benchmarks.md; on a machine that does nothing else"
    )
    asked = parser.parse_args()
    if asked.names == ["late"]:
        sys.exit(None if late.run(asked.decisions) else "Some answers were late.")
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(NAMES)}")
    rows: list[Row] = []
    for name in asked.names or NAMES:
        print(f"running {name} ...", file=sys.stderr)
        new_rows: list[Row] = importlib.import_module(f"benchmarks.{name}").rows(asked.times)
        if asked.write:
            PAGE.write_text(written(PAGE.read_text("utf-8"), name, table(new_rows), asked.times), "utf-8")
        rows += new_rows
    print(f"{machine()}\n\n{table(rows)}")
    if any(row.bar and not row.bar[1] for row in rows):
        sys.exit("A promise does not hold.")


if __name__ == "__main__":
    main()

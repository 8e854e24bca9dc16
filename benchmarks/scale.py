"""Compute the capacity of servers by simulation and arithmetic.

`./script/scale` writes the tables of docs/explanation/capacity.md.

The costs are fitted to measured ones; see `MEASURED`. Everything else is computed from them, the seed and
`benchmarks/queue_simulation.py`.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.queue_simulation import Costs, Crowd, simulate

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "explanation" / "capacity.md"
START, END = "<!-- made by script/scale: {}: start -->", "<!-- made by script/scale: {}: end -->"

MEASURED: Final = Costs(decide=66.0, group=480.0, append=21.0, broadcast=330.0, line=42.0, reveal=140.0, sync=800.0)
"""Microseconds on a core, fitted to two figures of `python -m benchmarks online`; in what parts, by a profile.

They add up to the measured values: about 175 for a choice when ten tables choose together, about 910 for one that
comes alone, most of which is handing it to the thread that writes, and ten frames.
"""
POSTGRESQL: Final = MEASURED._replace(group=555.0, append=28.0, sync=1200.0, row=20.0, trip=250.0)
"""The same with PostgreSQL on the same machine: `row` and `trip` are its own processor's, measured in one short run."""

PEOPLE: Final = 1_000_000
ROOM: Final = 0.6
"""The planned load of a core; the rest is for bursts, and for failed machines."""
SOCKET: Final = 35 * 1024
"""The most bytes of an idle socket."""
ENTRY: Final = 320
"""Bytes of a choice in PostgreSQL: row and both indexes, without the write-ahead log."""
CORES: Final = 16
"""Cores of a rented machine."""
SEATS: Final = 10


class Case(NamedTuple):
    """A row of the table of simulations."""

    name: str
    costs: Costs
    people: int
    processes: int = 1
    cores: int = 0
    together: bool = False


CASES: Final = (
    Case("one process, SQLite", MEASURED, 1_000),
    Case("one process, SQLite", MEASURED, 10_000),
    Case("one process, SQLite", MEASURED, 30_000),
    Case("one process, SQLite", MEASURED, 60_000),
    Case("one process, SQLite, all tables together after an outage", MEASURED, 10_000, together=True),
    Case("one process, SQLite, all tables together after an outage", MEASURED, 30_000, together=True),
    Case("one process, PostgreSQL with 4 cores", POSTGRESQL, 30_000, 1, 4),
    Case("4 processes, PostgreSQL with 4 cores", POSTGRESQL, 120_000, 4, 4),
    Case("16 processes, PostgreSQL with 16 cores", POSTGRESQL, 480_000, 16, 16),
)


def simulations(seconds: float, part: float = 1.0) -> Iterator[list[str]]:
    """Simulate each case and return its row.

    Args:
        seconds: the simulated time of each case.
        part: the fraction of the players to simulate, for a quick run.
    """
    for case in CASES:
        crowd = Crowd(max(1, round(part * case.people / SEATS)), together=case.together)
        result = simulate(case.costs, crowd, seconds, processes=case.processes, cores=case.cores)
        yield [
            case.name,
            f"{case.people:,}",
            f"{result.rate:,.0f}",
            f"{result.half:.1f}",
            f"{result.late:.1f}",
            f"{result.busy:.0%}",
            f"{result.store:.0%}" if case.cores else "",
            f"{result.group:.1f}",
        ]


def arithmetic(seconds: float, part: float = 1.0) -> list[list[str]]:
    """Compute the machines for up to a million players, from a simulation of processes at the planned load.

    Args:
        seconds: the simulated time.
        part: the fraction of the players to simulate, for a quick run.
    """
    tables, processes = max(1, round(part * 3_000)), 4
    result = simulate(POSTGRESQL, Crowd(tables * processes), seconds, processes=processes, cores=4)
    rate = result.rate * PEOPLE / (SEATS * tables * processes)
    cost = result.busy * processes / result.rate
    needed = ceil(rate * cost / ROOM)
    machines = ceil(needed / (CORES - 2))
    rows = rate * result.store * 4 / result.rate
    databases = ceil(rows / (ROOM * CORES))
    return [
        ["choices a second", f"{rate:,.0f}"],
        ["messages a second, one choice to ten views", f"{10 * rate:,.0f}"],
        [f"core for a choice, in groups of {result.group:.1f}", f"{1e6 * cost:.0f} us"],
        [f"server processes at {ROOM:.0%} of a core", f"{needed:,}"],
        [f"machines of {CORES} cores, two of them left to the system", f"{machines:,}"],
        ["memory of a million sockets", f"{PEOPLE * SOCKET / 2**30:.0f} GiB"],
        ["cores of PostgreSQL that work", f"{rows:.1f}"],
        [f"databases of {CORES} cores", f"{databases:,}"],
        ["rows of the log in an hour", f"{3600 * rate / 1e6:,.0f} million"],
        ["log in an hour, before finished games are packed", f"{3600 * rate * ENTRY / 2**30:,.0f} GiB"],
    ]


def _table(heading: list[str], rows: list[list[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def made(seconds: float, part: float = 1.0) -> dict[str, str]:
    """Return the tables of the page, by name."""
    heading = ["servers", "people", "choices/s", "half in ms", "99 of 100 in ms", "core busy", "database busy", "group"]
    return {
        "simulations": _table(heading, list(simulations(seconds, part))),
        "arithmetic": _table(["for a million people at tables of ten", ""], arithmetic(seconds, part)),
    }


def written(page: str, tables: dict[str, str]) -> str:
    """Return the page with these tables replaced."""
    for name, table in tables.items():
        start, end = START.format(name), END.format(name)
        before, _, rest = page.partition(start)
        _, _, after = rest.partition(end)
        page = f"{before}{start}\n{table}\n{end}{after}"
    return page


def main() -> None:
    """Write the page."""
    parser = ArgumentParser(prog="script/scale", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="simulated time of each case (default 20)")
    asked = parser.parse_args()
    PAGE.write_text(written(PAGE.read_text("utf-8"), made(asked.seconds)), "utf-8")


if __name__ == "__main__":
    main()

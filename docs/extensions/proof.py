"""The table of measured facts on the home page, read from the pages that show how each was measured."""

import re
from pathlib import Path
from typing import Final

EXPLANATION: Final = Path(__file__).resolve().parents[1] / "explanation"


def proof() -> str:
    """Return the table. Each row links to its measurement.

    Raises:
        LookupError: a page no longer has a row of this name.
    """
    wins = strength("champion", column=5)
    psyleague = measured("arena", "psyleague 0.4.1, with a referee that plays nothing")
    rows = [
        (
            "Moves a second by one server process at 1,000 connections, each on disk before anyone sees it",
            measured("online", "choices at 1,000 sockets, durable"),
            f"{measured('online', 'choices at 1,000 sockets, durable', peer=True)} by boardgame.io, in memory",
            "explanation/capacity.md",
        ),
        (
            "From killing a server with 1,000 games in play to playing on, without a lost move",
            measured("online", "from a kill to serving, 1,000 games in play"),
            "",
            "explanation/benchmarks.md#online",
        ),
        (
            "Deals of 6 nimmt! a second on one core, four seats",
            measured("batch", "6 nimmt! deals by the batch, 4 seats"),
            f"{measured('batch', 'simd.cpp, 4 seats')} by our AVX-512 C++ program",
            "explanation/benchmarks.md#batch",
        ),
        (
            "Matches a second between programs in C, each started for its match",
            measured("arena", "matches of bots in C, started for each"),
            f"{psyleague} by psyleague with an empty referee",
            "explanation/benchmarks.md#arena",
        ),
        (
            "Time for one agent's action in PettingZoo, 6 nimmt! with four seats",
            measured("environments", "PettingZoo 6 nimmt!, 4 seats"),
            f"{measured('environments', 'PettingZoo rock-paper-scissors')} in its rock-paper-scissors",
            "explanation/benchmarks.md#environments",
        ),
        ("Wins of `champion` against three `greedy` bots", wins, "25% would be even", "explanation/bots.md#strength"),
    ]
    lines = [f"| {what} | **{ours}** | {theirs} | [how]({page}) |" for what, ours, theirs, page in rows]
    return "\n".join(["| what | faceup | for comparison | measured |", "| --- | --- | --- | --- |", *lines])


def measured(section: str, row: str, *, peer: bool = False) -> str:
    """Return the median of a row of a benchmark; with `peer`, of the row below it."""
    page = (EXPLANATION / "benchmarks.md").read_text("utf-8")
    found = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    lines = found[1].splitlines() if found else []
    at = next((index for index, line in enumerate(lines) if line.strip().startswith(f"{row}  ")), None)
    if at is None:
        raise LookupError(f"docs/explanation/benchmarks.md has no row {row!r} in the section {section!r}")
    fields = re.split(r"\s{2,}", lines[at + peer].strip())
    number, unit = fields[1], fields[2].split()[0]
    return f"{number} {_UNITS.get(unit, unit)}"


_UNITS: Final = {"us": "µs", "matches/s": "/s"}


def strength(bot: str, column: int) -> str:
    """Return a cell of the table of strengths: column 5 has the wins against three `greedy`."""
    page = (EXPLANATION / "bots.md").read_text("utf-8")
    line = next((line for line in page.splitlines() if line.startswith(f"| `{bot}` |")), None)
    if line is None:
        raise LookupError(f"docs/explanation/bots.md has no row {bot!r}")
    return line.split("|")[column].strip()

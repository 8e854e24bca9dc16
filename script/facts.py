"""The table of measured facts in the README and on the home page of the site. See `script/facts`.

Every figure is read from `docs/explanation/benchmarks.md` or `docs/explanation/bots.md`, so that no other page states a
figure that those do not have.
"""

import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

from regenerate import regenerate, replace_section

ROOT: Final = Path(__file__).resolve().parent.parent
EXPLANATION: Final = ROOT / "docs" / "explanation"
PAGES: Final = (ROOT / "README.md", ROOT / "docs" / "index.md")


class Fact(NamedTuple):
    """A row of the table.

    Texts in braces are names of rows of the benchmarks' tables, and stand for their medians. Texts in brackets are
    columns of the table of ratios on all machines, and stand for their least and greatest.
    """

    what: str
    ours: str
    peer: str
    command: str
    link: str


FACTS: Final = (
    Fact(
        "Deals of 6 nimmt! a second, four seats, one core",
        "{6 nimmt! deals counted, 4 seats}; [deals, 4 seats] times the peer on the machines measured",
        "{simd.cpp, 4 seats}: our C++ with 64 games in an AVX-512 register",
        "python -m benchmarks batch",
        "benchmarks.md#batch",
    ),
    Fact(
        "Choices a second at 1,000 connections, one core",
        "{choices at 1,000 sockets, durable}, each on disk before it counts; "
        "[choices, 1,000 sockets] times the peer on the machines measured",
        "{boardgame.io 0.50.2, in memory}: boardgame.io 0.50.2, in memory",
        "python -m benchmarks online",
        "benchmarks.md#online",
    ),
    Fact(
        "Matches of four programs a second, one core",
        "{matches of bots in C, kept}; {matches of bots in C, started for each} if each match starts its programs",
        "{psyleague 0.4.1, with a referee that plays nothing}: psyleague 0.4.1 with a referee that plays nothing",
        "python -m benchmarks arena",
        "benchmarks.md#arena",
    ),
    Fact(
        "PettingZoo, time for an agent's action",
        "{PettingZoo 6 nimmt!, 4 seats} µs: 6 nimmt! with four seats",
        "{PettingZoo rock-paper-scissors} µs: PettingZoo's rock-paper-scissors",
        "python -m benchmarks environments",
        "benchmarks.md#environments",
    ),
)


def three_digits(number: float) -> str:
    """Write a number with three significant digits.

    >>> three_digits(7_784_002.0), three_digits(5_651.0), three_digits(19.52), three_digits(0.8)
    ('7.78 million', '5,650', '19.5', '0.8')
    """
    if number >= 1e6:
        return f"{three_digits(number / 1e6)} million"
    return f"{float(f'{number:.3g}'):,.10g}"


def figure(page: str, name: str) -> str:
    """Return the median in the row with this name; of several such rows, the last.

    Raises:
        ValueError: no row has this name.
    """
    figures = re.findall(rf"^ *{re.escape(name)} {{2,}}([\d,.]+) ", page, re.MULTILINE)
    if not figures:
        raise ValueError(f"no table of docs/explanation/benchmarks.md has a row {name!r}")
    return three_digits(float(figures[-1].replace(",", "")))


def ratios(page: str, column: str) -> str:
    r"""Return the least and the greatest ratio in a column of the table of all machines.

    >>> ratios("| machine | deals |\n| --- | ---: |\n| A | 1.52 |\n| B | 0.99 |\n| C |  |\n\n", "deals")
    '0.99 to 1.52'
    """
    heads, _, *rows = page.partition("| machine |")[2].partition("\n\n")[0].splitlines()
    place = [head.strip() for head in heads.split("|")].index(column)
    figures = [float(cell) for row in rows if (cell := row.split("|")[place + 2].strip())]
    return f"{min(figures):.2f} to {max(figures):.2f}"


def strength(page: str) -> tuple[str, str]:
    """Return how often `champion` wins against three `mc@5000`, and the heads of both."""
    cells = next(line for line in page.splitlines() if line.startswith("| `champion` |")).split("|")
    return cells[7].strip(), cells[6].strip()


def kills(page: str) -> tuple[int, int]:
    """Return the number of kills in the section "kills", and of violations."""
    section = page.partition("\n## kills\n")[2].partition("\n## ")[0]
    done = re.findall(r"^\w+: (\d+) kills in ", section, re.MULTILINE)
    violations = re.findall(r"^\w+: (\d+) violations", section, re.MULTILINE)
    if not done or len(done) != len(violations):
        raise ValueError('section "kills" of docs/explanation/benchmarks.md has no output of ./script/kills')
    return sum(map(int, done)), sum(map(int, violations))


IN_README: Final = ("Deals of 6 nimmt!", "Choices a second")
"""The beginnings of the rows that the README has; the home page of the site has all."""


def table(folder: str, beginnings: tuple[str, ...] = ("",)) -> str:
    """Return the table as Markdown, with the rows that begin like this; `folder` leads to the linked pages."""
    benchmarks = (EXPLANATION / "benchmarks.md").read_text("utf-8")
    wins, heads = strength((EXPLANATION / "bots.md").read_text("utf-8"))
    killed, violations = kills(benchmarks)

    def filled(text: str) -> str:
        text = re.sub(r"\{(.*?)\}", lambda name: figure(benchmarks, name[1]), text)
        return re.sub(r"\[(.*?)\]", lambda column: ratios(benchmarks, column[1]), text)

    rows = [
        (
            "Wins at four seats, where 25% is even",
            f"{wins}: `champion`, with {heads} heads a deal",
            "three `mc@5000`, a flat Monte Carlo search",
            "./script/strength",
            "bots.md#strength",
        ),
        *((fact.what, filled(fact.ours), filled(fact.peer), fact.command, fact.link) for fact in FACTS),
        (
            "Servers killed during play",
            f"{killed} kills, {violations or 'no'} acknowledged moves lost",
            "",
            "./script/kills",
            "benchmarks.md#kills",
        ),
    ]
    lines = ["| what | faceup | peer | measured by |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {what} | {ours} | {peer} | [`{command}`]({folder}{link}) |"
        for what, ours, peer, command, link in rows
        if what.startswith(beginnings)
    ]
    return "\n".join(lines) + "\n"


def current(path: Path) -> str:
    """Return the page with the current table between its markers."""
    home = path.parent == ROOT / "docs"
    text = table("explanation/") if home else table("docs/explanation/", IN_README)
    return replace_section(path.read_text("utf-8"), "facts", text)


def main() -> int:
    """Update the table, or with `--check` report whether it is up to date. Return the exit status."""
    return regenerate(
        "facts",
        "Write the table of measured facts in the README and on the home page of the site.",
        lambda: {path: current(path) for path in PAGES},
    )


if __name__ == "__main__":
    sys.exit(main())

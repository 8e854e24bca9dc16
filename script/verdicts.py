"""Simulate the comparison test for the table in docs/explanation/statistics.md. See `script/verdicts`."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Final

from regenerate import ROOT, write_section

from faceup.formatting import markdown_table
from faceup.statistics.calibration import KINDS, ErrorRates, estimate_error_rates
from faceup.statistics.sequential import SequentialTest

PAGE: Final = ROOT / "docs" / "explanation" / "statistics.md"

LEASTS: Final = (0.1, 0.2, 0.5)
PARTS: Final = (0.0, 0.5, 1.0, 2.0)
"""True differences as fractions of the smallest relevant one."""


def rows(comparisons: int) -> Iterator[list[str]]:
    """Yield a row for each kind of difference and each test: error rates without a difference, then power."""
    for kind, draw in KINDS.items():
        for least in LEASTS:
            test = SequentialTest(least=least)
            rates = {
                part: estimate_error_rates(test, draw, part * least, comparisons=comparisons)
                for part in PARTS
                if _can(kind, part * least)
            }
            yield [
                kind,
                f"{least:g}",
                *_equal(rates[0.0]),
                *(_other(rates.get(part)) for part in PARTS[1:]),
                f"{test.most:,}",
            ]


def _can(kind: str, mean: float) -> bool:
    """Return whether such differences exist: if few blocks differ, the mean cannot be large."""
    return kind != "rare" or mean <= 0.2


def _equal(rates: ErrorRates) -> list[str]:
    return [f"{rates.better:.1%}", f"{rates.worse:.1%}", f"{rates.blocks:,.0f}"]


def _other(rates: ErrorRates | None) -> str:
    return "" if rates is None else f"{rates.better:.1%} in {rates.blocks:,.0f}"


def made(comparisons: int) -> str:
    """Return the table and the command that generates it."""
    heads = [
        "differences",
        "least",
        "better",
        "worse",
        "blocks",
        *(f"better at {part:g} least" for part in PARTS[1:]),
        "most",
    ]
    return f"{markdown_table(heads, rows(comparisons))}\n\n```sh\n./script/verdicts --comparisons {comparisons}\n```"


def main() -> None:
    """Write the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=20_000, help="comparisons for each figure (default 20,000)")
    write_section(PAGE, "verdicts", made(parser.parse_args().comparisons))


if __name__ == "__main__":
    main()

"""The table of docs/explanation/statistics.md covers all tests and states their error rates."""

import re
import runpy
from pathlib import Path

import pytest

from faceup.statistics.calibration import KINDS, estimate_error_rates
from faceup.statistics.sequential import SequentialTest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "script" / "verdicts.py"))
PAGE = (ROOT / "docs" / "explanation" / "statistics.md").read_text("utf-8")
ROWS = re.findall(
    rf"^\| ({'|'.join(KINDS)}) \| ([0-9.]+) \| ([0-9.]+)% \| ([0-9.]+)% \|.* ([0-9,]+) \|$", PAGE, re.MULTILINE
)
SKEWED = {0.1: 0.06, 0.2: 0.065, 0.5: 0.095}
"""How often a test errs at most whose differences are very lopsided: more often, the fewer blocks it takes."""


def test_the_page_has_a_row_for_every_kind_of_differences() -> None:
    assert [(kind, float(least)) for kind, least, *_ in ROWS] == [
        (kind, least) for kind in KINDS for least in SCRIPT["LEASTS"]
    ], "run ./script/verdicts"


def test_the_page_states_the_maximum_length_of_a_test() -> None:
    for _, least, *_, most in ROWS:
        assert most == f"{SequentialTest(least=float(least)).most:,}", "run ./script/verdicts"


def test_a_small_run_makes_the_table() -> None:
    assert SCRIPT["made"](3).count("\n| ") == 1 + len(ROWS)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("least", "most"), [(0.1, 0.058), (0.2, 0.06), (0.5, 0.066)])
def test_the_errors_are_those_that_are_stated(kind: str, least: float, most: float) -> None:
    """Of 20,000 comparisons, whose own error is 0.0016; very lopsided differences may err more, in a few blocks."""
    rates = estimate_error_rates(SequentialTest(least=least), KINDS[kind], 0.0, comparisons=20_000, seed=1)
    assert max(rates.better, rates.worse) <= (SKEWED[least] if kind == "skewed" else most)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_the_misses_are_those_that_are_stated(kind: str) -> None:
    rates = estimate_error_rates(SequentialTest(least=0.1), KINDS[kind], 0.1, comparisons=20_000, seed=1)
    assert 1 - rates.better <= 0.055

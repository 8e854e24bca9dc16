"""The table of docs/explanation/coach.md has every bot and every grade, and blunders are rare."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "script" / "grades.py"))
PAGE = (ROOT / "docs" / "explanation" / "coach.md").read_text("utf-8")
ROWS = re.findall(rf"^\| `({'|'.join(SCRIPT['PLAYERS'])})` \|(.*)\|$", PAGE, re.MULTILINE)


def test_the_page_has_the_shares_of_every_bot() -> None:
    assert tuple(name for name, _ in ROWS) == SCRIPT["PLAYERS"], "run ./script/grades"
    for _, cells in ROWS:
        *shares, blunders = cells.split("|")
        assert sum(float(share.strip().rstrip("%")) for share in shares) == pytest.approx(100, abs=0.3)
        assert float(blunders) < 1


@pytest.mark.slow
def test_a_small_run_makes_the_table() -> None:
    assert SCRIPT["made"](1).count("\n| ") == 1 + len(ROWS)

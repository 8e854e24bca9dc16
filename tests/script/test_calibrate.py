"""The table of docs/explanation/coach.md compares the coach's costs with a referee's, as its text promises."""

import re
import runpy
from pathlib import Path

import pytest

from faceup.coach.text import GRADES

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "script" / "calibrate.py"))
PAGE = (ROOT / "docs" / "explanation" / "coach.md").read_text("utf-8")
ROWS = {
    grade: [cell.strip() for cell in cells.split("|")]
    for grade, cells in re.findall(
        rf"^\| ({'|'.join(GRADES)}) \| +(\d+ \|.*)\|$",
        PAGE.partition("made by script/calibrate: start")[2],
        re.MULTILINE,
    )
}


def test_the_page_has_every_grade_and_costs_near_those_of_the_referee() -> None:
    assert tuple(ROWS) == GRADES, "run ./script/calibrate"
    for grade in ("inaccurate", "mistake", "blunder"):
        _, cost, referee, _ = ROWS[grade]
        mean, interval = map(float, referee.split(" ±"))
        assert float(cost) == pytest.approx(mean, abs=0.2 * mean + interval)
    assert int(ROWS["blunder"][-1].rstrip("%")) <= 5


def test_a_table_has_a_row_for_each_grade() -> None:
    calibrated = SCRIPT["Calibrated"]
    results = [calibrated("mistake", 2.0, referee, 0.5) for referee in (-1.0, 1.0, 2.0, 3.0, 4.0)]
    text = SCRIPT["table"](results)
    assert text.count("\n| ") == 1 + len(GRADES)
    assert "| mistake | 5 | 2.00 | 1.80 ±1.72 | 20% |" in text

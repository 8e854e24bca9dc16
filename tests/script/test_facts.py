"""The README's table of measured facts states the figures of the pages with the measurements."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = runpy.run_path(str(ROOT / "script" / "facts.py"))


def test_the_table_of_facts_is_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "script" / "facts.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_figure_that_is_not_measured_is_an_error() -> None:
    page = "what  median   quartiles\n  one row   5,571  /s  5,509 .. 5,641\n"
    assert SCRIPT["figure"](page, "one row") == "5,570"
    with pytest.raises(ValueError, match="has a row 'row'"):
        SCRIPT["figure"](page, "row")

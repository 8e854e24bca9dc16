"""The tables of the reference pages follow from the code."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_tables_of_the_reference_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "script" / "reference.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

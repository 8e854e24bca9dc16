"""The tables of the reference pages follow from the code."""

import subprocess
import sys
from pathlib import Path

import pytest
from docs.extensions.scripts_reference import SCRIPTS, script_names, script_rows

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_tables_of_the_reference_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "script" / "reference.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", script_names())
def test_a_script_starts_with_what_it_does(name: str) -> None:
    rows = list(script_rows(name, (SCRIPTS / name).read_text("utf-8")))
    assert all(f"script/{name}" in call for call, _ in rows)
    assert all(meaning[0].isupper() and meaning.endswith((".", '"', "]")) for _, meaning in rows), rows

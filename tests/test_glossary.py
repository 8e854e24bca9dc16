"""The glossary is sorted, and every name of code in it exists."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "glossary.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| term"))
]


@pytest.mark.parametrize("name", re.findall(r"`(faceup[\w.]*)`", PAGE.read_text("utf-8")))
def test_every_name_of_code_exists(name: str) -> None:
    module, *rest = name.split(".")
    value = import_module(module)
    for part in rest:
        module = f"{module}.{part}"
        value = getattr(value, part) if hasattr(value, part) else import_module(module)


def test_every_term_has_one_line_with_a_meaning_and_a_place_for_code() -> None:
    terms = [row[0] for row in ROWS]
    assert len(terms) == len(set(terms)) > 50
    assert all(len(row) == 3 and row[1] for row in ROWS)


def test_terms_are_sorted_in_each_part() -> None:
    for part in PAGE.read_text("utf-8").split("\n## ")[1:]:
        terms = [row[0] for row in ROWS if f"\n| {row[0]} |" in part]
        assert terms == sorted(terms)

"""What some names need is taken out of its modules, in an order in which it runs, and nothing else is."""

import subprocess
import sys
from pathlib import Path

import pytest

from faceup.bots.programs.assembly import assemble


def test_a_function_brings_what_it_uses_and_nothing_else() -> None:
    source = assemble([("faceup.games.nimmt.placing", "cheapest_row")])
    assert "# From faceup.games.nimmt.cards\n" in source
    for part in ("def cheapest_row(", "def total(", "HEADS: Final", "def heads("):
        assert source.count(part) == 1
    assert "import" not in source
    assert "class Table" not in source


def test_it_runs_where_nothing_else_is() -> None:
    source = assemble([("faceup.games.nimmt.placing", "cheapest_row"), ("faceup.core.generator", "Seeded")])
    program = f"from __future__ import annotations\n{source}\nprint(cheapest_row([(55,), (7,)]), Seeded(7).below(104))"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "1 98\n"


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules `faceup_parts.*` that count as ours."""
    folder = tmp_path / "faceup_parts"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("faceup.bots.programs.assembly.PACKAGE", "faceup_parts")
    for name in [name for name in sys.modules if name.startswith("faceup_parts")]:
        monkeypatch.delitem(sys.modules, name)
    return folder


def test_what_runs_first_stands_first_even_if_it_is_needed_later(parts: Path) -> None:
    (parts / "above.py").write_text("from faceup_parts.below import BASE\n\nx = 1\n\ny = BASE + x\n")
    (parts / "below.py").write_text("import math\n\nBASE = math.floor(2.5)\n")
    source = assemble([("faceup_parts.above", "x"), ("faceup_parts.above", "y")])
    found: dict[str, object] = {}
    exec(source, found)  # noqa: S102 -- that it runs is what is tested
    assert found["y"] == 3


def test_comments_above_and_words_below_come_along_and_those_for_checkers_do_not(parts: Path) -> None:
    (parts / "one.py").write_text('A = 1\n\n# Why.\nB = A  # noqa: X1 -- because\n"""What."""\n\nC = 2\n')
    assert assemble([("faceup_parts.one", "B")]) == '\n\n# From faceup_parts.one\nA = 1\n\n# Why.\nB = A\n"""What."""\n'


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("from faceup_parts.two import x\ndef f():\n    return x + z\nz = 1", "z = 2\nx = z", "z is defined in"),
        ("from faceup_parts import two\ndef f():\n    return two.x", "x = 1", "faceup_parts defines no two"),
        ("from faceup_parts.two import x as y\ndef f():\n    return y", "x = 1", "cannot be carried over"),
        ("def f():\n    from faceup_parts.two import x\n    return x", "x = 1", "cannot be carried over"),
        ("g = 1", "", "faceup_parts.one defines no f"),
    ],
)
def test_what_cannot_be_carried_over_is_refused(parts: Path, one: str, other: str, message: str) -> None:
    (parts / "one.py").write_text(one)
    (parts / "two.py").write_text(other)
    with pytest.raises(LookupError, match=message):
        assemble([("faceup_parts.one", "f")])

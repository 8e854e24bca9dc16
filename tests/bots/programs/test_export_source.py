"""Bundling collects exactly the needed definitions, in import order."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from faceup.bots.programs.export import bundle_source


def test_bundle_contains_only_used_definitions() -> None:
    source = bundle_source([("faceup.games.nimmt.placing", "cheapest_row")])
    assert "# From faceup.games.nimmt.cards\n" in source
    for part in ("def cheapest_row(", "def total(", "HEADS: Final", "def heads("):
        assert source.count(part) == 1
    assert "import" not in source
    assert "class Table" not in source


def test_bundled_source_runs_without_the_package() -> None:
    source = bundle_source(
        [("faceup.games.nimmt.placing", "cheapest_row"), ("faceup.core.generator", "SeededGenerator")]
    )
    program = f"from __future__ import annotations\n{source}\n"
    program += "print(cheapest_row([(55,), (7,)]), SeededGenerator(7).below(104))"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "1 98\n"


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of modules `faceup_parts.*` that are treated as part of the package."""
    folder = tmp_path / "faceup_parts"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("faceup.bots.programs.export.PACKAGE", "faceup_parts")
    for name in [name for name in sys.modules if name.startswith("faceup_parts")]:
        monkeypatch.delitem(sys.modules, name)
    return folder


def test_definitions_are_in_import_order(parts: Path) -> None:
    (parts / "above.py").write_text("from faceup_parts.below import BASE\n\nx = 1\n\ny = BASE + x\n")
    (parts / "below.py").write_text("import math\n\nBASE = math.floor(2.5)\n")
    source = bundle_source([("faceup_parts.above", "x"), ("faceup_parts.above", "y")])
    namespace: dict[str, object] = {}
    exec(source, namespace)  # noqa: S102 -- the test is whether it runs
    assert namespace["y"] == 3


def test_comments_and_docstrings_are_kept_and_checker_comments_removed(parts: Path) -> None:
    (parts / "one.py").write_text('A = 1\n\n# Why.\nB = A  # noqa: X1 -- because\n"""What."""\n\nC = 2\n')
    assert (
        bundle_source([("faceup_parts.one", "B")])
        == '\n\n# From faceup_parts.one\nA = 1\n\n# Why.\nB = A\n"""What."""\n'
    )


def test_a_kernel_is_exported_as_plain_python(parts: Path) -> None:
    (parts / "lanes.py").write_text("import numba\nkernel = numba.njit\n")
    (parts / "one.py").write_text("from faceup_parts.lanes import kernel\n@kernel\ndef f(x):\n    return x + 1\n")
    namespace: dict[str, Callable[[int], int]] = {}
    source = bundle_source([("faceup_parts.one", "f")])
    assert "numba" not in source
    exec(source, namespace)  # noqa: S102 -- the test is whether it runs
    assert namespace["f"](1) == 2


def test_a_compact_bundle_has_no_comments_docstrings_or_annotations(parts: Path) -> None:
    (parts / "one.py").write_text(
        'from typing import Any\n# Why.\nclass C:\n    """What."""\n    x: int = 1\n    def g(self, y: Any) -> Any:\n'
        '        """How."""\n        def h(z: int) -> int:\n            """Which."""\n            return z\n'
        '        return h(y)  # so\nclass E(Exception):\n    """Only this."""\n'
    )
    source = bundle_source([("faceup_parts.one", "C"), ("faceup_parts.one", "E")], compact=True)
    assert "def g(self, y):\n" in source
    assert "x: int = 1" in source  # a field of a NamedTuple needs its annotation
    assert not any(word in source for word in ("#  ", "Why", "What", "How", "Which", "Only", "so\n", "Any"))
    assert source.endswith("class E(Exception):\n pass\n")


@pytest.mark.parametrize(
    ("first", "other", "message"),
    [
        ("from faceup_parts.two import x\ndef f():\n    return x + z\nz = 1", "z = 2\nx = z", "z is defined in"),
        ("from faceup_parts import two\ndef f():\n    return two.x", "x = 1", "faceup_parts does not define two"),
        ("from faceup_parts.two import x as y\ndef f():\n    return y", "x = 1", "cannot be bundled"),
        ("def f():\n    from faceup_parts.two import x\n    return x", "x = 1", "cannot be bundled"),
        ("g = 1", "", "faceup_parts.one does not define f"),
    ],
)
def test_unsupported_import_raises(parts: Path, first: str, other: str, message: str) -> None:
    (parts / "one.py").write_text(first)
    (parts / "two.py").write_text(other)
    with pytest.raises(LookupError, match=message):
        bundle_source([("faceup_parts.one", "f")])

"""Every public function and method of `core` and `envs` has an example, which runs with the tests of its module.

A method is shown by its own docstring or by the example of its class.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[2] / "src" / "faceup"
MODULES = [path for name in ("core", "envs") for path in sorted((PACKAGES / name).glob("*.py"))]
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def examples(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> str:
    """Return the lines of a docstring that a reader can type."""
    return "\n".join(re.findall(r"^ *(?:>>>|\.\.\.) .*", ast.get_docstring(node) or "", re.MULTILINE))


def public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the public functions among these statements."""
    for node in body:
        if isinstance(node, FUNCTION) and not node.name.startswith("_"):
            yield node


def without_example(source: str) -> list[str]:
    """Return the public functions and methods of a module that no example shows."""
    tree = ast.parse(source)
    missing = [node.name for node in public(tree.body) if not examples(node)]
    for owner in tree.body:
        if isinstance(owner, ast.ClassDef) and not owner.name.startswith("_"):
            missing += [
                f"{owner.name}.{node.name}"
                for node in public(owner.body)
                if not re.search(rf"\.{node.name}\b", examples(owner) + examples(node))
            ]
    return missing


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGES)))
def test_every_public_function_has_an_example(path: Path) -> None:
    assert without_example(path.read_text("utf-8")) == []


@pytest.mark.slow
def test_examples_run_although_a_module_is_collected_before_its_package() -> None:
    modules = [str(PACKAGES / "core" / name) for name in ("errors.py", "laws/runner.py")]
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PACKAGES.parents[1])
    assert done.returncode == 0, done.stdout


def test_a_function_without_an_example_is_found() -> None:
    source = '''
class Shown:
    """A class.

    >>> Shown().used()
    """

    def used(self): ...
    def unused(self): ...


def function():
    """Do it."""
'''
    assert without_example(source) == ["function", "Shown.unused"]

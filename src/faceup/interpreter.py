"""Child processes of this interpreter, which import no Python files of the current folder.

A file `select.py` in a folder of bots would otherwise replace Python's module in every child, outside any sandbox.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PYTHON: Final = (sys.executable, "-P")
"""The first words of every command that runs one of our modules."""

SAFE_PATH: Final = {"PYTHONSAFEPATH": "1"}
"""The environment variable that has the effect of `-P`."""


@contextmanager
def safe_path() -> Iterator[None]:
    """Set `SAFE_PATH` in the `with` block, for children that the standard library starts."""
    before = {name: os.environ.get(name) for name in SAFE_PATH}
    os.environ.update(SAFE_PATH)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

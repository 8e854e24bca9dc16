"""PettingZoo's conformance tests, imported without PettingZoo's own deprecation warning."""

import importlib
import warnings
from typing import Any

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "The old environment creation API", DeprecationWarning)
    pettingzoo_tests: Any = importlib.import_module("pettingzoo.test")  # Any: its functions have no types

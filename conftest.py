"""Settings of all tests, and of the examples in docstrings."""

import gc
import importlib
import os
import signal
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from faceup import extras

# How long an example takes depends on what else the machine does: by itself it is no failure.
settings.register_profile("faceup", deadline=None, max_examples=25)
settings.register_profile("long", deadline=None, max_examples=500)  # for `./script/test long`
settings.load_profile("faceup")

SOURCES = Path(__file__).parent / "src"

os.environ["FACEUP_LANGUAGE"] = "en"  # the tests expect English texts, also on a machine in another language

# A shell that starts a program in the background lets it ignore Ctrl-C, and so would all commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

gc.disable()  # until all tests are collected, because almost nothing is garbage before


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the cases of a test with the marker `sample(n)` to the long tests, except n of them.

    The cases that remain are spread evenly over the list. Where they start depends on the name of the test, so that the
    tests of two databases or five variants do not all run with the same one.
    """
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for name, of_test in cases.items():
        start = crc32(name.encode())
        count = next(of_test[0].iter_markers("sample")).args[0]
        kept = {(start + number * len(of_test) // count) % len(of_test) for number in range(count)}
        for number, item in enumerate(of_test):
            if number not in kept:
                item.add_marker("long")


def pytest_collection_finish() -> None:
    """Collect garbage from now on, except the modules and tests, which stay until the end."""
    gc.set_threshold(50_000)  # with the default of 700, a fifth of the tests' processor time goes into it
    gc.enable()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples only in files that have some, because pytest would import and inspect every module.

    A package is imported before its modules. If pytest imported a module that its package imports, there would be two.
    """
    collectors = yield
    kept = [
        collector
        for collector in collectors
        if type(collector) is pytest.Module or ">>> " in file_path.read_text("utf-8")
    ]
    if kept and file_path.is_relative_to(SOURCES):
        importlib.import_module(".".join(file_path.parent.relative_to(SOURCES).parts))
    return kept


@pytest.fixture
def without_fast(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the extra `fast` look like it is not installed."""
    monkeypatch.setattr(extras, "LIBRARIES", {**extras.LIBRARIES, "fast": ("faceup_has_no_such_module",)})
    extras.is_installed.cache_clear()
    yield
    extras.is_installed.cache_clear()

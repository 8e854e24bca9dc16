"""`faceup arena report`: a run as a page."""

import re
from pathlib import Path

import pytest
from tests.arena.logs import write_log
from tests.cli.inside import Inside

pytestmark = pytest.mark.slow  # real programs, again and again


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Inside:
    """The command."""
    return Inside(monkeypatch, capfd)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of four matches."""
    return write_log(tmp_path_factory.mktemp("logs") / "arena.sqlite", blocks=1)


def test_the_report_is_one_file(faceup: Inside, log: Path, tmp_path: Path) -> None:
    page = tmp_path / "monday.html"
    done = faceup("arena", "report", log, "-o", page)
    assert (done.status, done.err) == (0, "")
    assert re.fullmatch(rf"{page}: \d\.\d MB\n", done.out)
    assert page.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.sqlite"], "there is no log nowhere.sqlite"),
        (["LOG", "-o", "/nowhere/report.html"], "there is no folder /nowhere"),
        (["LOG", "-o", "/"], "/ cannot be written"),
    ],
)
def test_bad_input_is_one_clear_error(faceup: Inside, log: Path, words: list[str], message: str) -> None:
    done = faceup("arena", "report", *(str(log) if word == "LOG" else word for word in words))
    assert done.status == 2
    assert message in done.err

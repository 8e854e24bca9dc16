"""`faceup arena report`: the HTML report of a run."""

import re
from pathlib import Path

import pytest
from tests.arena.logs import write_log
from tests.cli.in_process import InProcessCli

pytestmark = pytest.mark.slow  # starts many programs


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> InProcessCli:
    """Return a function that runs the command in this process."""
    return InProcessCli(monkeypatch, capfd)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log of four matches."""
    return write_log(tmp_path_factory.mktemp("logs") / "arena.sqlite", blocks=1)


def test_the_report_is_one_file(faceup: InProcessCli, log: Path, tmp_path: Path) -> None:
    page = tmp_path / "monday.html"
    done = faceup("arena", "report", log, "-o", page)
    assert (done.status, done.err) == (0, "")
    assert re.fullmatch(rf"{page}: \d\.\d MB\n", done.out)
    assert page.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.sqlite"], "there is no log nowhere.sqlite"),
        (["LOG", "-o", "/nowhere/report.html"], "/nowhere is not a folder"),
        (["LOG", "-o", "/"], "/ cannot be written"),
    ],
)
def test_bad_input_is_one_clear_error(faceup: InProcessCli, log: Path, words: list[str], message: str) -> None:
    done = faceup("arena", "report", *(str(log) if word == "LOG" else word for word in words))
    assert done.status == 2
    assert message in done.err

"""Running a command within this process: a tenth of the time of a process of its own."""

import sys
from typing import NamedTuple

import pytest

from faceup.cli import main


class Done(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str


class Inside:
    """Runs `faceup` with some words."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, written: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._written = written

    def __call__(self, *words: object) -> Done:
        self._monkeypatch.setattr(sys, "argv", ["faceup", *map(str, words)])
        status: object = 0
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        assert isinstance(status, int)
        out, err = self._written.readouterr()
        return Done(status, out, err)

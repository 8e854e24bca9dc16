"""Run commands in this process, which is ten times faster than a subprocess."""

import importlib
import os
import subprocess
import sys
from argparse import ArgumentParser
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest

from faceup.cli import main
from faceup.translations.environment import VARIABLE

_MAIN = importlib.import_module("faceup.cli.main")  # as an attribute of `faceup.cli`, it is the function of this name


@cache
def _parser() -> ArgumentParser:
    """Return the parser of all commands, which takes as long to build as a short command takes to run."""
    parser: ArgumentParser = _MAIN.parser()
    return parser


def _replace_command_line(patch: pytest.MonkeyPatch, *words: str) -> None:
    """Let `main` read these words, with a parser that is built only once."""
    shared = _parser()
    patch.setattr(sys, "argv", ["faceup", *words])
    patch.setattr(_MAIN, "parser", lambda _words=None: shared)


class Done(NamedTuple):
    """The exit status and output of a command."""

    status: int
    out: str
    err: str


class InProcessCli:
    """Run `faceup` with the given arguments."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, written: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._written = written

    def __call__(self, *words: object) -> Done:
        _replace_command_line(self._monkeypatch, *map(str, words))
        self._monkeypatch.setenv(VARIABLE, os.environ[VARIABLE])  # `--language` and `--json` change it
        status: object = 0
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        assert isinstance(status, int)
        out, err = self._written.readouterr()
        return Done(status, out, err)


def inside(*words: str, stdin: str = "", data: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command like `tests.cli.subprocess_run.faceup`, but in this process."""
    source = TextIOWrapper(BytesIO(stdin.encode()), "utf-8")
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="\n") for _ in range(2))
    status: object = 0
    with pytest.MonkeyPatch.context() as patch:
        _replace_command_line(patch, *words)
        for name, value in (("stdin", source), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, value)
        patch.setenv(VARIABLE, os.environ[VARIABLE])
        if data is not None:
            patch.setenv("FACEUP_DATA", str(data))
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
    assert isinstance(status, int)
    out.flush()
    err.flush()
    written = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(words, status, *written)


def run_faceup(data: Path, *words: str, stdin: str = "") -> str:
    """Run a command with this data folder, and return what it prints. It must succeed."""
    done = inside(*words, stdin=stdin, data=data)
    assert done.returncode == 0, done.stderr
    return done.stdout

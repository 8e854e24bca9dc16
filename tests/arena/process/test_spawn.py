"""Spawning: environment, folder, files and signals of a program."""

import os
import signal
import sys
from pathlib import Path

import msgspec
import pytest
from tests.arena.tables import LEAN, ONE_DEAL, program

from faceup.arena import Bot
from faceup.arena.process import ProgramRunner
from faceup.arena.process.spawn import INHERITED_VARIABLES, resolve_command


def answer(bot: Bot, *sent: str) -> str:
    """Return the program's answer."""
    with ProgramRunner(ONE_DEAL) as programs:
        return programs.ask(
            programs.start(bot), "".join(f"{line}\n" for line in sent or ("go",)).encode(), 5.0
        ).decode()


def printing(expression: str) -> Bot:
    """Return a program that answers with the value of an expression."""
    return program("printing", *LEAN, "-c", f"import os, sys, signal; input(); print({expression})")


def test_program_runs_in_its_folder(tmp_path: Path) -> None:
    current = Path.cwd()
    assert answer(msgspec.structs.replace(printing("os.getcwd()"), folder=str(tmp_path))) == str(tmp_path.resolve())
    assert answer(printing("os.getcwd()")) == str(current)
    assert Path.cwd() == current


def test_a_command_with_a_slash_is_found_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\nread line; echo $line $0\n")
    (tmp_path / "bot").chmod(0o755)
    assert answer(program("bot", "./bot", folder=str(tmp_path))).startswith("go ")


def test_no_shell_reads_the_command() -> None:
    bot = program("echo", *LEAN, "-c", "import sys; input(); print(sys.argv[1:])", "$HOME", "a b", "*", ";", "")
    assert answer(bot) == "['$HOME', 'a b', '*', ';', '']"


def test_program_inherits_listed_variables_and_gets_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "1")
    bot = msgspec.structs.replace(printing("sorted(os.environ)"), environment={"MINE": "x", "LANG": "C"})
    names = set(eval(answer(bot)))  # noqa: S307 -- our own program's
    assert {"MINE", "LANG"} <= names
    assert names <= {*INHERITED_VARIABLES, "MINE", "LC_CTYPE"}


def test_program_inherits_no_files_and_no_ignored_signals() -> None:
    with Path(__file__).open("rb") as file:
        os.set_inheritable(file.fileno(), False)
        assert answer(printing("sorted(map(int, os.listdir('/proc/self/fd')))[:4]")).startswith("[0, 1, 2, ")
    assert answer(printing("os.getsid(0) == os.getpgid(0) == os.getpid()")) == "True"
    ignored = int(answer(program("sh", "sh", "-c", "read line; grep SigIgn /proc/self/status")).split()[1], 16)
    assert not any(ignored >> (number - 1) & 1 for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM))


def test_program_is_resolved_once_in_its_own_path(tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to(sys.executable)
    bot = Bot("mine", ("mine", "-V"), environment={"PATH": str(tmp_path)})
    assert resolve_command(bot).path == str(tmp_path / "mine")
    assert resolve_command(bot).arguments == ("mine", "-V")

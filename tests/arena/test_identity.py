"""A program is known by what is in it and by all that changes how it runs, and is run from a copy of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from faceup.arena.identity import Entrant, built_in, identify, settle
from faceup.core import Malformed

SCRIPT = "print('one')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a script, a program, what they need, and what they do not."""
    home = tmp_path / "home"
    (home / "data" / "deep").mkdir(parents=True)
    (home / "bot.py").write_text(SCRIPT)
    (home / "bot").write_text("#!/bin/sh\necho one\n")
    (home / "bot").chmod(0o755)
    (home / "weights.bin").write_bytes(b"\0\1")
    (home / "data" / "deep" / "book.txt").write_text("book")
    return home


def script(folder: Path, **settings: Any) -> Entrant:
    return identify("mine", ["python3", "bot.py"], folder, **settings)


def test_the_same_program_has_the_same_digest_wherever_it_stands(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    folder.rename(other)
    before = script(other).bot.digest
    other.rename(folder)
    assert script(folder).bot.digest == before
    assert len(before) == 64
    assert identify("another name", ["python3", "bot.py"], folder).bot.digest == before


def test_whatever_changes_how_it_runs_changes_the_digest(folder: Path) -> None:
    found = [
        script(folder),
        script(folder, files=["weights.bin"]),
        script(folder, files=["data"]),
        script(folder, environment={"THREADS": "1"}),
        script(folder, phase_last=True),
        script(folder, alive=True),
        identify("mine", ["python3", "bot.py", "--fast"], folder),
        identify("mine", ["./bot"], folder),
        identify("mine", ["./bot", "weights.bin"], folder),
    ]
    (folder / "data" / "deep" / "book.txt").write_text("another book")
    found.append(script(folder, files=["data"]))
    (folder / "bot.py").write_text("print('two')\n")
    found.append(script(folder))
    assert len({each.bot.digest for each in found}) == len(found)


def test_a_file_that_it_does_not_use_changes_nothing(folder: Path) -> None:
    before = script(folder).bot.digest
    (folder / "weights.bin").write_bytes(b"\2")
    assert script(folder).bot.digest == before


def test_it_runs_from_a_copy_so_that_compiling_meanwhile_changes_nothing(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "log.files"
    found = identify("mine", ["./bot", "weights.bin"], folder, files=["data"])
    bot = settle(found, store)
    (folder / "bot").write_text("#!/bin/sh\necho two\n")
    done = subprocess.run(bot.command, cwd=bot.folder, capture_output=True, text=True, check=True)
    assert done.stdout == "one\n"
    copied = {path.relative_to(bot.folder).as_posix() for path in Path(bot.folder).rglob("*") if path.is_file()}
    assert copied == {"bot", "weights.bin", "data/deep/book.txt"}
    assert Path(bot.folder).parent == store
    assert settle(found, store) == bot


def test_a_copy_that_somebody_spoilt_is_made_again(folder: Path, tmp_path: Path) -> None:
    found = script(folder)
    copy = Path(settle(found, tmp_path / "store").folder) / "bot.py"
    copy.chmod(0o644)
    copy.write_text("spoilt")
    settle(found, tmp_path / "store")
    assert copy.read_text() == SCRIPT


def test_a_script_from_elsewhere_is_copied_too(folder: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    bot = settle(identify("mine", [sys.executable, str(folder / "bot.py")], here), tmp_path / "store")
    (folder / "bot.py").unlink()
    assert subprocess.run(bot.command, cwd=bot.folder, capture_output=True, text=True, check=True).stdout == "one\n"
    up = settle(identify("mine", ["../home/bot"], here), tmp_path / "store")
    assert subprocess.run(up.command, cwd=up.folder, capture_output=True, text=True, check=True).stdout == "one\n"


def test_two_files_of_one_name_from_elsewhere_are_both_there(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.txt").write_text(name)
    found = identify("mine", ["./bot", str(tmp_path / "a" / "data.txt"), str(tmp_path / "b" / "data.txt")], folder)
    bot = settle(found, tmp_path / "store")
    assert [(Path(bot.folder) / word).read_text() for word in bot.command[1:]] == ["a", "b"]


def test_an_interpreter_stays_where_it_is(folder: Path, tmp_path: Path) -> None:
    assert settle(identify("mine", [sys.executable, "bot.py"], folder), tmp_path).command[0] == sys.executable
    bare = settle(identify("mine", ["sh", "bot"], folder), tmp_path)
    assert Path(bare.command[0]).is_absolute()


def test_a_player_of_ours_is_known_by_its_name_and_version() -> None:
    assert built_in("greedy").bot.digest != built_in("lowest").bot.digest
    assert settle(built_in("greedy"), Path("nowhere")).player == "greedy"


@pytest.mark.parametrize(
    ("words", "settings", "message"),
    [
        ([], {}, "the command is empty"),
        (["./none"], {}, "there is no program .*/none"),
        (["nosuchprogram-x"], {}, "there is no program 'nosuchprogram-x', neither installed nor in"),
        (["bot"], {}, r"no program 'bot' is installed; .* write \./bot"),
        (["./data"], {}, ".* is a folder, not a program"),
        (["./bot.py"], {}, r".* may not be run; make it a program \(chmod \+x .*\), or begin with what runs it"),
        (["./bot"], {"files": ["none.bin"]}, "there is no file .*none.bin"),
    ],
)
def test_what_is_no_program_is_refused(folder: Path, words: list[str], settings: Any, message: str) -> None:
    if words == ["bot"] and any((Path(each) / "bot").exists() for each in os.get_exec_path()):
        pytest.fail("this machine has a program of the name bot")
    with pytest.raises(Malformed, match=f"mine: {message}"):
        identify("mine", words, folder, **settings)

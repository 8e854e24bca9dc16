"""Identity of programs: digests and installed copies."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from faceup.arena.run.identity import BotFiles, built_in, identify, install_bot, stored_bot
from faceup.core import Malformed

SCRIPT = "print('one')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a folder with a script, a program, files that they need, and others."""
    home = tmp_path / "home"
    (home / "data" / "deep").mkdir(parents=True)
    (home / "bot.py").write_text(SCRIPT)
    (home / "bot").write_text("#!/bin/sh\necho one\n")
    (home / "bot").chmod(0o755)
    (home / "weights.bin").write_bytes(b"\0\1")
    (home / "data" / "deep" / "book.txt").write_text("book")
    return home


def script(folder: Path, **settings: Any) -> BotFiles:
    return identify("mine", ["python3", "bot.py"], folder, **settings)


def test_digest_is_independent_of_folder(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    folder.rename(other)
    before = script(other).bot.digest
    other.rename(folder)
    assert script(folder).bot.digest == before
    assert len(before) == 64
    assert identify("another name", ["python3", "bot.py"], folder).bot.digest == before


def test_digest_covers_all_settings(folder: Path) -> None:
    identified = [
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
    identified.append(script(folder, files=["data"]))
    (folder / "bot.py").write_text("print('two')\n")
    identified.append(script(folder))
    assert len({entrant.bot.digest for entrant in identified}) == len(identified)


def test_unused_file_does_not_change_digest(folder: Path) -> None:
    before = script(folder).bot.digest
    (folder / "weights.bin").write_bytes(b"\2")
    assert script(folder).bot.digest == before


def test_program_runs_from_copy(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "log.files"
    entrant = identify("mine", ["./bot", "weights.bin"], folder, files=["data"])
    bot = install_bot(entrant, store)
    (folder / "bot").write_text("#!/bin/sh\necho two\n")
    done = subprocess.run(bot.command, cwd=bot.folder, capture_output=True, text=True, check=True)
    assert done.stdout == "one\n"
    copied = {path.relative_to(bot.folder).as_posix() for path in Path(bot.folder).rglob("*") if path.is_file()}
    assert copied == {"bot", "weights.bin", "data/deep/book.txt"}
    assert Path(bot.folder).parent == store
    assert install_bot(entrant, store) == bot


def test_modified_copy_is_replaced(folder: Path, tmp_path: Path) -> None:
    files = script(folder)
    copy = Path(install_bot(files, tmp_path / "store").folder) / "bot.py"
    copy.chmod(0o644)
    copy.write_text("spoilt")
    install_bot(files, tmp_path / "store")
    assert copy.read_text() == SCRIPT


def test_script_from_another_folder_is_copied(folder: Path, tmp_path: Path) -> None:
    local = tmp_path / "here"
    local.mkdir()
    bot = install_bot(identify("mine", [sys.executable, str(folder / "bot.py")], local), tmp_path / "store")
    (folder / "bot.py").unlink()
    assert subprocess.run(bot.command, cwd=bot.folder, capture_output=True, text=True, check=True).stdout == "one\n"
    up = install_bot(identify("mine", ["../home/bot"], local), tmp_path / "store")
    assert subprocess.run(up.command, cwd=up.folder, capture_output=True, text=True, check=True).stdout == "one\n"


def test_files_of_equal_name_from_other_folders_are_both_copied(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.txt").write_text(name)
    entrant = identify("mine", ["./bot", str(tmp_path / "a" / "data.txt"), str(tmp_path / "b" / "data.txt")], folder)
    bot = install_bot(entrant, tmp_path / "store")
    assert [(Path(bot.folder) / word).read_text() for word in bot.command[1:]] == ["a", "b"]


def test_interpreter_is_not_copied(folder: Path, tmp_path: Path) -> None:
    assert install_bot(identify("mine", [sys.executable, "bot.py"], folder), tmp_path).command[0] == sys.executable
    bare = install_bot(identify("mine", ["sh", "bot"], folder), tmp_path)
    assert Path(bare.command[0]).is_absolute()


def test_builtin_bot_digest_depends_on_name_and_version() -> None:
    assert built_in("greedy").bot.digest != built_in("lowest").bot.digest
    assert install_bot(built_in("greedy"), Path("nowhere")).player == "greedy"


@pytest.mark.parametrize(
    ("words", "settings", "message"),
    [
        ([], {}, "the command is empty"),
        (["./none"], {}, "there is no program .*/none"),
        (["nosuchprogram-x"], {}, "there is no program 'nosuchprogram-x', either installed or in"),
        (["bot"], {}, r"no program 'bot' is installed; .* write \./bot"),
        (["./data"], {}, ".* is a folder, not a program"),
        (["./bot.py"], {}, r'.* is not executable; to run the script, write "python3 \./bot\.py", in quotes'),
        (["./bot"], {"files": ["none.bin"]}, "there is no file .*none.bin"),
    ],
)
def test_invalid_program_is_refused(folder: Path, words: list[str], settings: Any, message: str) -> None:
    if words == ["bot"] and any((Path(folder) / "bot").exists() for folder in os.get_exec_path()):
        pytest.fail("this machine has a program of the name bot")
    with pytest.raises(Malformed, match=f"mine: {message}"):
        identify("mine", words, folder, **settings)


def test_files_in_a_shell_script_are_the_bots_own(tmp_path: Path) -> None:
    for name in ("bot.py", "weights.txt", "old.log", "other.txt"):
        (tmp_path / name).write_text(name)
    for script in (
        "python3 bot.py --weights weights.txt 2>old.log",
        "python3 'bot.py' <weights.txt|cat >> old.log",
        "ulimit -s 100; exec python3 ./bot.py weights.txt 2> old.log",
    ):
        entrant = identify("mine", ["sh", "-c", script], tmp_path)
        assert sorted(entrant.files) == ["bot.py", "weights.txt"]
        assert entrant.bot.command == ("sh", "-c", script)
    assert not identify("mine", ["sh", "-c", "python3 'bot.py"], tmp_path).files
    (tmp_path / "bot.py").write_text("changed")
    assert identify("mine", ["sh", "-c", script], tmp_path).bot.digest != entrant.bot.digest


def test_file_names_that_are_not_utf8_are_copied_under_readable_names(tmp_path: Path) -> None:
    name = b"\xff bot.py".decode("utf-8", "surrogateescape")
    (tmp_path / name).write_text(SCRIPT)
    entrant = identify("mine", ["python3", name], tmp_path)
    assert entrant.bot.command == ("python3", "\\xff bot.py")
    assert (Path(install_bot(entrant, tmp_path / "store").folder) / "\\xff bot.py").read_text() == SCRIPT
    for command, environment in ((["python3", "\udcff"], {}), (["python3"], {"A": "\udcff"})):
        with pytest.raises(Malformed, match=r"mine: '\\\\xff' is neither a file nor text in UTF-8"):
            identify("mine", command, tmp_path, environment=environment)


def test_a_script_with_a_byte_order_mark_runs(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\necho played\n", "utf-8-sig")
    (tmp_path / "bot").chmod(0o755)
    bot = install_bot(identify("mine", ["./bot"], tmp_path), tmp_path / "store")
    assert subprocess.run(bot.command, capture_output=True, text=True, check=True).stdout == "played\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a folder with files that programs in several languages need."""
    for name in (
        *("classes/Bot.class", "classes/deep/Move.class", "lib/a.jar", "lib/b.jar", "brain/__init__.py", "brain/data"),
        *("include/rules.pm", "weights.bin", "bot.log", "result.txt", ".git/config", "run.sqlite", "notes.txt"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


CLASSES = ["classes/Bot.class", "classes/deep/Move.class"]
JARS = ["lib/a.jar", "lib/b.jar"]


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("java -cp classes Bot", CLASSES),
        ("java -cp classes:lib/* Bot", [*CLASSES, *JARS]),
        ("java --class-path=classes:lib/a.jar Bot", [*CLASSES, "lib/a.jar"]),
        ("java -jar lib/a.jar", ["lib/a.jar"]),
        ("python3 -m brain", ["brain/__init__.py", "brain/data"]),
        ("perl -Iinclude -w -e 1", ["include/rules.pm"]),
        ("node lib", JARS),
        ("python3 -u -c 1 --weights=weights.bin", ["weights.bin"]),
        ("python3 -c 1 --log bot.log", []),
        ("python3 -c 1 bot.log", []),
        ("python3 -c 1 --log-file result.txt -o notes.txt --output=result.txt", []),
        ("python3 -c 1 -cp /usr", []),
        (
            "java -cp . Bot",
            [
                *(*CLASSES, *JARS, "brain/__init__.py", "brain/data"),
                *("include/rules.pm", "weights.bin", "result.txt", "notes.txt"),
            ],
        ),
    ],
)
def test_what_a_command_names_belongs_to_the_bot(
    command: str,
    files: list[str],
    project: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs = tmp_path_factory.mktemp("programs")
    for name in ("java", "node", "perl", "python3"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    entrant = identify("mine", command.split(), project)
    assert sorted(entrant.files) == sorted(files)
    assert entrant.bot.command == tuple(command.split())


@pytest.mark.parametrize("place", ["jdk-21", "my envs/bot"])
@pytest.mark.parametrize("relative", [False, True])
def test_an_interpreter_by_its_path_runs_where_it_is(place: str, relative: bool, tmp_path: Path) -> None:
    home = tmp_path / place
    for name in ("bin", "lib"):
        (home / name).mkdir(parents=True)
    (home / "lib" / "words").write_text("from its library\n")
    (home / "bin" / "run").write_text('#!/bin/sh\ncat "$(dirname "$0")/../lib/words" "$1"\n')
    (home / "bin" / "run").chmod(0o755)
    (tmp_path / "bot.txt").write_text("and its file\n")
    program = f"./{place}/bin/run" if relative else str(home / "bin" / "run")
    entrant = identify("mine", [program, "bot.txt"], tmp_path)
    assert list(entrant.files) == ["bot.txt"]
    bot = install_bot(entrant, tmp_path / "store")
    done = subprocess.run(bot.command, cwd=bot.folder, capture_output=True, text=True, check=True)
    assert done.stdout == "from its library\nand its file\n"
    (home / "bin" / "run").write_text("#!/bin/sh\n")
    assert identify("mine", [program, "bot.txt"], tmp_path).bot.digest != entrant.bot.digest


@pytest.mark.parametrize(
    ("command", "outputs"),
    [
        (
            ["python3", "-c", "1", "--log", "a.txt", "--output=b.txt", "-o", "deep/c.txt", "d.log"],
            "a.txt b.txt c d.log",
        ),
        (["sh", "-c", "python3 -c 1 2>a.txt >> 'b c.txt' | cat > d.log 2>&1 <e.txt"], "a.txt b d.log"),
        (["sh", "-c", "python3 -c 1 2>/dev/null >../x.txt >/x.txt"], ""),
        (["python3", "-c", "1", "--log", "data", "--trace"], ""),
    ],
)
def test_files_that_a_program_writes_are_links_to_its_output_folder(
    command: list[str], outputs: str, folder: Path, tmp_path: Path
) -> None:
    before = identify("mine", command, folder)
    assert [name.split("/")[-1].split()[0].removesuffix(".txt") for name in before.outputs] == [
        word.removesuffix(".txt") for word in outputs.split()
    ]
    for name in before.outputs:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("from the first run")
    entrant = identify("mine", command, folder)
    assert entrant == before
    for _ in range(2):
        bot = install_bot(entrant, tmp_path / "store")
        for name in entrant.outputs:
            (Path(bot.folder) / name).write_text("written")
            assert (Path(bot.output) / name).read_text() == "written"
            assert (folder / name).read_text() == "from the first run"
    assert stored_bot(entrant.bot, tmp_path / "store").files.keys() == entrant.files.keys()


@pytest.mark.parametrize(
    ("script", "text", "files"),
    [
        (
            "bot.py",
            "import os, search\nfrom brain.deep import x",
            "search.py brain/__init__.py brain/deep.py brain/w.bin",
        ),
        ("bot.py", "open('data.txt'); open(f'book/{n}.txt')  # not other.py2", "data.txt book/1.txt"),
        ("bot.py", "import sys\nsys.path.append('/book/'); import numpy", ""),
        ("a b/bot.js", 'const y = require("./y"); import z from "./z.mjs";', "a b/y.js a b/z.mjs a b/q.js"),
        ("bot.pl", 'use strict; use Brain; require "./lib.pl";', "Brain.pm lib.pl"),
        ("bot.sh", ". ./common.sh\nexec ./engine.bin < data.txt", "common.sh engine.bin data.txt"),
        ("bot.lua", 'local m = require("search")', "search.lua"),
        ("bot.py", "print('old.log', '.hidden.py', 'bot.py', '../x.py', '..', '/', './', '')", ""),
    ],
)
def test_files_that_a_script_names_are_the_bots_own(script: str, text: str, files: str, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    for name in (
        *("search.py", "search.lua", "brain/__init__.py", "brain/deep.py", "brain/w.bin", "data.txt", "book/1.txt"),
        *("other.py", "a b/y.js", "a b/z.mjs", "a b/q.js", "Brain.pm", "lib.pl", "common.sh", "engine.bin", "old.log"),
        *(".hidden.py", "../x.py"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("module.exports = require('./q.js')" if name == "a b/y.js" else name)
    (folder / script).write_text(text)
    expected = {script, *(name for name in re.split(r" (?!b/)", files) if name)}
    assert set(identify("mine", ["sh", script], folder).files) == expected
    # From another folder, its files keep their places beside it.
    outside = identify("mine", ["sh", str(folder / script)], tmp_path / "elsewhere").files
    parent = Path(script).parent
    assert set(outside) == {f"outside/{Path(name).relative_to(parent).as_posix()}" for name in expected}


def test_full_paths_of_the_bots_folder_name_its_copy(project: Path) -> None:
    for command in (
        ["sh", "-cp", f"{project}/classes:{project}/lib/*", "Bot"],
        ["sh", f"-I{project}/classes", f"--path={project}/lib"],
        ["sh", f"{project}/classes", f"{project}/lib"],
        ["sh", "-c", f"exec java -cp {project}/classes:lib/* Bot"],
    ):
        entrant = identify("mine", command, project)
        assert sorted(entrant.files) == [*CLASSES, *JARS]
        assert not any(str(project) in word for word in entrant.bot.command)
    # A path of what is not copied is where the program expects it.
    new = f"{project}/new.txt"
    assert identify("mine", ["sh", new, f"--path={new}"], project).bot.command == ("sh", new, f"--path={new}")

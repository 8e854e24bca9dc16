"""Bubblewrap: a program sees only its own files, the system's and one writable folder, and no other processes."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.arena.process.test_sandbox import TRIES, assert_only_what_playing_needs
from tests.arena.process.test_sandbox_calls import CALLS, CLONES, DENIED
from tests.cli.subprocess_run import faceup

from faceup.arena import Bot
from faceup.arena.process.bubblewrap import Bubblewrap, bubblewrap_unavailable_reason
from faceup.arena.process.isolation import Limits, shell_limits
from faceup.arena.process.spawn import resolve_command

pytestmark = pytest.mark.long  # these tests need bubblewrap


def run(bot: Bot, sandbox: Bubblewrap, limits: Limits | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a bot's program to its end, as a referee starts it."""
    command = sandbox.wrap(resolve_command(bot, sandbox.environment), shell_limits(limits or Limits()))
    return subprocess.run(
        command.arguments,
        executable=command.path,
        cwd=command.folder or None,
        env=command.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The folder of the bot, next to a folder of another one."""
    (tmp_path / "own").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "own/bot.py").write_text(TRIES)
    (tmp_path / "own/data.txt").write_text("data")
    (tmp_path / "other/secret.txt").write_text("secret")
    return tmp_path / "own"


def test_bubblewrap_is_available() -> None:
    assert bubblewrap_unavailable_reason() == "", "apt-get install bubblewrap"


def test_bubblewrap_allows_only_what_playing_needs(own: Path) -> None:
    other = own.parent / "other"
    bot = Bot("mine", (sys.executable, "bot.py", str(own), str(other), str(os.getpid())), folder=str(own))
    with Bubblewrap(bot) as sandbox, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(other / "socket"))
        listening.listen()
        done = run(bot, sandbox)
    assert_only_what_playing_needs(done, own.parent)


def test_bubblewrap_hides_other_files_and_processes(own: Path) -> None:
    look = (
        "import os, sys; "
        "processes = sum(name.isdecimal() for name in os.listdir('/proc')); "
        "print([os.path.exists(path) for path in sys.argv[1].split('|')], processes)"
    )
    hidden = (str(own.parent / "other"), str(Path.home() / ".bashrc"), f"/proc/{os.getpid()}")
    bot = Bot(
        "mine", (sys.executable, "-I", "-S", "-c", look, "|".join((str(own / "data.txt"), *hidden))), folder=str(own)
    )
    with Bubblewrap(bot) as sandbox:
        done = run(bot, sandbox)
    assert done.stdout == "[True, False, False, False] 2\n", done.stderr


def test_bubblewrap_denies_the_same_calls_as_the_sandbox(tmp_path: Path) -> None:
    bot = Bot("mine", (sys.executable, "-I", "-S", "-c", CALLS, *DENIED, *CLONES), folder=str(tmp_path))
    with Bubblewrap(bot) as sandbox:
        done = run(bot, sandbox)
    assert not done.returncode, done.stderr
    results = msgspec.json.decode(done.stdout, type=dict[str, str])
    assert {results[call] for call in DENIED} == {"EPERM"}
    assert [results[call] for call in CLONES] == ["ENOSYS", "ENOSYS", "done"]


def test_limits_hold_from_the_start(tmp_path: Path) -> None:
    show = "import resource as r; print([r.getrlimit(n)[1] for n in (r.RLIMIT_DATA, r.RLIMIT_NOFILE, r.RLIMIT_CORE)])"
    bot = Bot("mine", (sys.executable, "-I", "-S", "-c", show), folder=str(tmp_path))
    with Bubblewrap(bot) as sandbox:
        done = run(bot, sandbox, Limits(memory=1 << 28, files=64))
    assert done.stdout == f"[{1 << 28}, 64, 0]\n", done.stderr


def test_the_writable_folder_is_removed(tmp_path: Path) -> None:
    write = "import os; open(os.environ['TMPDIR'] + '/kept', 'w').write('x')"
    bot = Bot("mine", (sys.executable, "-I", "-S", "-c", write), folder=str(tmp_path))
    with Bubblewrap(bot) as sandbox:
        assert not run(bot, sandbox).returncode
        folder = Path(sandbox.environment["TMPDIR"])
        assert (folder / "kept").read_text() == "x"
    assert not folder.parent.exists()


def test_a_match_is_played_in_bubblewrap(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(Path("examples/bots/nimmt_last.py").read_text())
    done = faceup(
        "arena",
        "match",
        "--bubblewrap",
        "--phase-last",
        f"{sys.executable} {bot}",
        "greedy",
        "greedy",
        "greedy",
        data=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(bubblewrap, seccomp)" in done.stderr
    assert done.stderr.count("held 10 cards") > 1, "the program played several deals"

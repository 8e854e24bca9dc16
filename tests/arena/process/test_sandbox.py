"""Sandbox: a program has its own files, the system's and one writable folder."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from faceup.arena import Bot
from faceup.arena.process.sandbox import Sandbox, _reason, describe_sandbox, readable_paths, sandbox_unavailable_reason

TRIES = """
import ctypes, json, os, pathlib, socket, subprocess, sys, threading

own, other, parent = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
scratch = pathlib.Path(os.environ["TMPDIR"])

def unix():
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(str(other / "socket"))

def thread():
    started = threading.Thread(target=print, args=("",), kwargs={"file": sys.stderr})
    started.start(); started.join()

def move():
    (scratch / "a").write_text("a")
    os.rename(scratch / "a", other / "a")

tries = {
    "reads its own files": lambda: (own / "data.txt").read_text(),
    "reads the system's files": lambda: pathlib.Path("/etc/passwd").read_bytes(),
    "reads about its processor": lambda: pathlib.Path("/proc/cpuinfo").read_bytes(),
    "writes to its folder": lambda: (scratch / "new").write_text("new"),
    "makes folders there": lambda: (scratch / "folder").mkdir(),
    "removes what it wrote": lambda: ((scratch / "old").write_text("old"), (scratch / "old").unlink()),
    "writes to nowhere": lambda: pathlib.Path("/dev/null").write_text("nothing"),
    "starts threads": thread,
    "starts programs": lambda: subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True),
    "talks to its own": lambda: [end.close() for end in socket.socketpair()],
    "writes among its own files": lambda: (own / "new.txt").write_text("new"),
    "changes its own files": lambda: (own / "data.txt").write_text("new"),
    "cuts files short": lambda: os.truncate(other / "secret.txt", 0),
    "reads others' files": lambda: (other / "secret.txt").read_text(),
    "lists others' folders": lambda: list(other.iterdir()),
    "writes to others' folders": lambda: (other / "new.txt").write_text("new"),
    "moves files there": move,
    "lets others read": lambda: (other / "secret.txt").chmod(0o777),
    "gives files away": lambda: os.chown(other / "secret.txt", os.getuid(), os.getgid()),
    "connects by TCP": lambda: socket.socket(socket.AF_INET).close(),
    "sends by UDP": lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).close(),
    "connects within the machine": unix,
    "signals the referee": lambda: os.kill(parent, 0),
    "reads the referee's secrets": lambda: pathlib.Path(f"/proc/{parent}/environ").read_bytes(),
    "lets a child do it": lambda: subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"open({str(other / 'secret.txt')!r})"],
        check=True, stderr=subprocess.DEVNULL,
    ),
    "removes others' files": lambda: (other / "secret.txt").unlink(),
}
done = []
for name, attempt in tries.items():
    try:
        attempt()
        done.append(name)
    except (OSError, subprocess.CalledProcessError):
        pass
print(json.dumps([done, sorted(tries), pathlib.Path("/proc/self/status").read_text()]))
"""

ALLOWED = [
    "reads its own files",
    "reads the system's files",
    "reads about its processor",
    "writes to its folder",
    "makes folders there",
    "removes what it wrote",
    "writes to nowhere",
    "starts threads",
    "starts programs",
    "talks to its own",
]


def run(bot: Bot, fence: Sandbox | None) -> "subprocess.CompletedProcess[str]":
    """Run a bot's program to its end, as a referee starts it."""

    def start() -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            bot.command,
            cwd=bot.folder or None,
            env={**os.environ, **(fence.environment if fence else {"TMPDIR": bot.folder})},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )

    return fence.start(start) if fence else start()


def assert_only_what_playing_needs(done: "subprocess.CompletedProcess[str]", tmp_path: Path) -> None:
    """Check the output of `TRIES`, and the files that it tried to change."""
    assert not done.returncode, done.stderr
    did, _, status = msgspec.json.decode(done.stdout)
    assert did == ALLOWED
    assert (tmp_path / "other/secret.txt").read_text() == "secret"
    assert (tmp_path / "own/data.txt").read_text() == "data"
    [rights] = [line.split()[1] for line in status.splitlines() if line.startswith("CapEff:")]
    assert int(rights, 16) == 0


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    (own / "bot.py").write_text(TRIES)
    (own / "data.txt").write_text("data")
    (other / "secret.txt").write_text("secret")
    words = (sys.executable, "bot.py", str(own), str(other), str(os.getpid()))
    return Bot("mine", words, folder=str(own))


@pytest.mark.slow
def test_sandbox_allows_only_what_playing_needs(bot: Bot, tmp_path: Path) -> None:
    with Sandbox(bot) as fence, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "other/socket"))
        listening.listen()
        done = run(bot, fence)
    assert_only_what_playing_needs(done, tmp_path)


@pytest.mark.slow
def test_sandbox_denies_accesses_that_are_possible_without_it(bot: Bot, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "other/socket"))
        listening.listen()
        done = run(bot, None)
    assert not done.returncode, done.stderr
    did, tried, _ = msgspec.json.decode(done.stdout)
    assert sorted(did) == tried


def test_referee_is_not_sandboxed(bot: Bot, tmp_path: Path) -> None:
    with Sandbox(bot) as fence:
        fence.start(os.getpid)
        (tmp_path / "written").write_text("by the referee")
        socket.socket(socket.AF_INET).close()
        (tmp_path / "written").chmod(0o600)


def test_writable_folder_is_removed_on_close(bot: Bot) -> None:
    words = (sys.executable, "-I", "-S", "-c", "import os; open(os.environ['TMPDIR'] + '/kept', 'w').write('x')")
    with Sandbox(Bot("mine", words, folder=bot.folder)) as fence:
        assert not run(Bot("mine", words, folder=bot.folder), fence).returncode
        folder = Path(fence.environment["TMPDIR"])
        assert (folder / "kept").read_text() == "x"
    assert not folder.exists()


def test_builtin_bots_run_in_the_sandbox(tmp_path: Path) -> None:
    bot = Bot("ours", (sys.executable, "-P", "-m", "faceup", "bot", "greedy", "--codingame"), folder=str(tmp_path))
    with Sandbox(bot) as fence:
        done = run(bot, fence)
    assert done.stderr.startswith("faceup bot: line 1: "), "it runs, and misses its input"


def test_start_error_is_raised_in_caller(bot: Bot) -> None:
    with Sandbox(bot) as fence, pytest.raises(FileNotFoundError):
        run(Bot("mine", ("./missing",), folder=bot.folder), fence)


def test_sandboxed_script_runs_with_its_interpreter(tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_text("#!/bin/sh\necho PLAY 1\n")
    script.chmod(0o755)
    bot = Bot("mine", (str(script),))
    with Sandbox(bot) as fence:
        assert run(bot, fence).stdout == "PLAY 1\n"


def test_sandbox_without_folder_allows_folders_of_files(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    assert tmp_path in readable_paths(Bot("mine", (sys.executable, str(tmp_path / "bot.py"))))


def test_home_folder_is_never_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bot.py").touch()
    paths = readable_paths(Bot("mine", (sys.executable, str(tmp_path / "bot.py"))))
    assert tmp_path / "bot.py" in paths
    assert not [path for path in paths if tmp_path.is_relative_to(path)]


def test_missing_sandbox_has_a_reason() -> None:
    assert "no Landlock" in _reason(0, filters=True)
    assert "must be version 3 or newer (Linux 6.2), but is version 2" in _reason(2, filters=True)
    assert "seccomp" in _reason(7, filters=False)
    assert _reason(3, filters=True) == ""


def test_sandbox_is_available_and_described() -> None:
    assert sandbox_unavailable_reason() == ""
    assert "no network (Landlock " in describe_sandbox(active=True)


def test_the_script_of_a_shell_makes_only_programs_readable(tmp_path: Path) -> None:
    secret, engine, folder = tmp_path / "secret", tmp_path / "engines" / "engine", tmp_path / "copy"
    for path in (secret, engine.parent, folder):
        path.mkdir()
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    bot = Bot("mine", ("sh", "-c", f"cd {secret} && exec {engine} {secret}"), folder=str(folder))
    readable = readable_paths(bot)
    assert engine in readable
    assert not [path for path in readable if secret.is_relative_to(path)]

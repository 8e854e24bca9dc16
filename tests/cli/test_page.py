"""`faceup page`, which `./script/play` starts: one server, found by a second start, on a free port."""

import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.subprocess_run import faceup
from tests.server.server_process import environment

from faceup.cli.page import running
from faceup.core import Malformed


@contextmanager
def page(data: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run `faceup page` without a terminal."""
    process = subprocess.Popen(
        [sys.executable, "-m", "faceup", "page", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(data) | {"CI": "1"},
    )
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_a_second_start_finds_the_running_server(tmp_path: Path) -> None:
    with page(tmp_path) as first:
        assert first.stdout is not None
        address = first.stdout.readline().split()[-1]
        with urllib.request.urlopen(address) as answer:  # noqa: S310 -- our own server
            assert b"<!doctype html>" in answer.read()
        second = faceup("page", data=tmp_path)
        assert (second.returncode, second.stdout) == (0, f"faceup is already running at {address}\n")
    assert first.returncode == 0
    assert not list(tmp_path.glob("online/page.json"))


def test_a_killed_server_is_not_reported_as_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    assert running() is None
    (tmp_path / "online").mkdir()
    for note in ('{"address": "http://127.0.0.1:9"}', "[]", "{"):
        (tmp_path / "online" / "page.json").write_text(note)
        assert running() is None


def test_a_taken_port_means_the_next_one_unless_it_was_given(tmp_path: Path) -> None:
    from faceup.cli.page import _settings

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        done = faceup("page", "--port", str(taken), data=tmp_path)
        assert done.returncode == 2
        assert f"another program listens on port {taken}" in done.stderr
    with socket.socket() as usual:
        usual.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            usual.bind(("127.0.0.1", 8000))
            usual.listen()
        except OSError:
            pass  # already taken: fine
        assert _settings(None).port != 8000
    with pytest.raises(Malformed):
        _settings(99_999)


class Terminal:
    """`faceup page` in a pseudo-terminal."""

    def __init__(self, data: Path) -> None:
        self._ours, terminal = pty.openpty()
        self.seen = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "faceup", "page"],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment(data) | {"CI": "1", "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
            start_new_session=True,
        )
        os.close(terminal)

    def press(self, key: bytes) -> None:
        os.write(self._ours, key)

    def until(self, text: bytes, seconds: float = 60) -> None:
        """Read until the text appears."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self._ours], [], [], max(0, end - time.monotonic()))
            assert ready, self.seen[-2000:]
            try:
                self.seen += os.read(self._ours, 65536)
            except OSError:  # the other end is closed
                assert text in self.seen, self.seen[-2000:]

    def close(self) -> None:
        if self.process.poll() is None:  # the test has failed: let it stop its server subprocess
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
        os.close(self._ours)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """Return a terminal in which `faceup page` serves."""
    shown = Terminal(tmp_path)
    try:
        shown.until(b"Press L to play with phones in your network")
        shown.until(b"Press T to play in this terminal. Q or Ctrl-C stops the server.")
        yield shown
    finally:
        shown.close()


@pytest.mark.long
def test_in_a_terminal_a_key_plays_there_and_another_stops_the_server(terminal: Terminal, tmp_path: Path) -> None:
    assert b"faceup is running at http://127.0.0.1:" in terminal.seen
    terminal.press(b"t")
    terminal.until(b"Choose in secret.")
    terminal.seen = b""
    terminal.press(b"q")
    terminal.until(b"faceup is still running at")
    terminal.press(b"q")
    terminal.until(b"Stopped. All tables are saved.")
    assert terminal.process.wait(30) == 0
    assert not (tmp_path / "online" / "page.json").exists()


@pytest.mark.slow
def test_a_key_restarts_the_server_for_phones(terminal: Terminal, tmp_path: Path) -> None:
    [port] = re.findall(rb"running at http://127.0.0.1:(\d+)", terminal.seen)
    terminal.seen = b""
    terminal.press(b"l")
    terminal.until(b"Press T to play in this terminal. Q or Ctrl-C stops the server.")
    assert b"faceup is running at http://" in terminal.seen
    assert b"On a phone in the same network, open this address" in terminal.seen or b"no network" in terminal.seen
    assert b"Press L" not in terminal.seen
    with urllib.request.urlopen(f"http://127.0.0.1:{port.decode()}", timeout=30) as answer:
        assert b"<!doctype html>" in answer.read()
    terminal.press(b"q")
    terminal.until(b"Stopped. All tables are saved.")
    assert terminal.process.wait(30) == 0
    assert not (tmp_path / "online" / "page.json").exists()


@pytest.mark.slow
def test_the_server_stops_if_its_parent_is_killed(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    assert running() is not None
    terminal.process.kill()
    terminal.process.wait(30)
    end = time.monotonic() + 30
    while running() is not None:
        assert time.monotonic() < end
        time.sleep(0.05)

"""`faceup page`, which `./script/play` starts: one server, found again, on a port that is free."""

import os
import pty
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
from tests.cli.running import faceup
from tests.server.serving import environment

from faceup.cli.page import running
from faceup.core import Malformed


@contextmanager
def page(data: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`faceup page` without a terminal."""
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


def test_without_a_terminal_it_serves_and_a_second_start_finds_the_first(tmp_path: Path) -> None:
    with page(tmp_path) as first:
        assert first.stdout is not None
        address = first.stdout.readline().split()[-1]
        with urllib.request.urlopen(address) as answer:  # noqa: S310 -- our own server
            assert b"<!doctype html>" in answer.read()
        second = faceup("page", data=tmp_path)
        assert (second.returncode, second.stdout) == (0, f"faceup is at {address} already.\n")
    assert first.returncode == 0
    assert not list(tmp_path.glob("online/page.json"))


def test_a_server_that_was_killed_is_not_taken_for_one_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    assert running() is None
    (tmp_path / "online").mkdir()
    for note in ('{"address": "http://127.0.0.1:9"}', "[]", "{"):
        (tmp_path / "online" / "page.json").write_text(note)
        assert running() is None


def test_a_port_that_is_taken_means_the_next_unless_it_was_named(tmp_path: Path) -> None:
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
            pass  # somebody else has it: as good
        assert _settings(None).port != 8000
    with pytest.raises(Malformed):
        _settings(99_999)


@pytest.mark.slow
def test_in_a_terminal_a_key_plays_there_and_another_stops_the_server(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "faceup", "page"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(tmp_path) | {"CI": "1", "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""

    def until(text: bytes, seconds: float = 60) -> None:
        nonlocal seen
        end = time.monotonic() + seconds
        while text not in seen:
            ready, _, _ = select.select([ours], [], [], max(0, end - time.monotonic()))
            assert ready, seen[-2000:]
            try:
                seen += os.read(ours, 65536)
            except OSError:  # the other end is closed
                assert text in seen, seen[-2000:]

    try:
        until(b"T plays here")
        assert b"faceup is at http://127.0.0.1:" in seen
        os.write(ours, b"t")
        until(b"Choose in secret.")
        seen = b""
        os.write(ours, b"q")
        until(b"faceup is still at")
        os.write(ours, b"q")
        until(b"Stopped. Every table is kept.")
        assert process.wait(30) == 0
    finally:
        if process.poll() is None:  # the test has failed: let it stop its server, which is a process beside it
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        os.close(ours)
    assert not (tmp_path / "online" / "page.json").exists()

"""`faceup serve` as a process: start, shutdown, and startup errors."""

import asyncio
import io
import json
import logging
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from docs.extensions.settings_reference import settings as settings_reference
from tests.cli.in_process import Done, InProcessCli
from tests.server.migrated import create_file
from tests.server.server_process import Server, environment, serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from faceup.cli.serve import add_settings, print_addresses
from faceup.core import Malformed
from faceup.server.process.lan import LanAddress, qr_code
from faceup.server.process.settings import DEFINITIONS, SECRET_SETTINGS, Settings, load_settings
from faceup.server.store import Store

TABLE = {"config": {"game": "nimmt", "options": {"seats": 2, "hand": 4}, "bots": ["random"]}}
LAST_COMMAND = '{"command":"start","id":"last"}'


def live(server: Server, table: str) -> ClientConnection:
    """Open a WebSocket to the table with the session of the last response."""
    address = server.address.replace("http", "ws", 1)
    headers = {"Cookie": server.cookie, "Origin": server.address}
    return connect(f"{address}/api/tables/{table}/live", additional_headers=headers)


@pytest.mark.slow
def test_a_shutdown_informs_clients_and_the_next_server_resumes(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, empty=True) as server:
        while server.ask("/api/ready").status != 200:  # until the first heartbeat is fresh
            time.sleep(0.1)
        port = server.address.rpartition(":")[2]
        asked = subprocess.run(
            [sys.executable, "-m", "faceup", "admin", "ready"], env=environment(tmp_path, port=port), check=False
        )
        assert asked.returncode == 0
        table = server.ask("/api/tables", TABLE).json["id"]
        cookie = server.cookie
        with live(server, table) as socket_:
            assert "room" in json.loads(next(line for line in _lines(socket_) if b"room" in line))
            socket_.send(LAST_COMMAND)
            server.process.send_signal(signal.SIGTERM)
            lines = _lines(socket_, end=True)
            # A slow server may have read the command only after the signal. The client then repeats it, as below.
            assert not any(b'"rejected":"last"' in line and b'"unavailable"' not in line for line in lines)
            assert lines[-1] == b'{"end":"restart"}'
            with pytest.raises(ConnectionClosed) as closed:
                socket_.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012  # service restart: the client reconnects
        assert server.process.wait(30) == 0
        assert "Traceback" not in server.log
    database = tmp_path / "online" / "tables.sqlite"
    assert database.stat().st_mode & 0o077 == 0
    assert database.parent.stat().st_mode & 0o077 == 0
    with serving(tmp_path, "--shutdown-timeout", "600") as server:
        server.cookie = cookie
        assert server.ask(f"/api/tables/{table}").json["room"]["seat"] == 0
        with live(server, table) as socket_:
            socket_.send(LAST_COMMAND)
            lines = _lines(socket_)
            while not any(b'"last"' in line for line in lines):
                lines = _lines(socket_)
            assert any(line.startswith(b'{"ack":"last"') for line in lines)
        _check_that_a_second_signal_exits_immediately(server)


def _lines(socket_: ClientConnection, *, end: bool = False) -> list[bytes]:
    lines: list[bytes] = []
    while not lines or (end and not lines[-1].startswith(b'{"end"')):
        expected = socket_.recv(timeout=20)
        lines += (expected if isinstance(expected, bytes) else expected.encode()).splitlines()
    return lines


def _check_that_a_second_signal_exits_immediately(server: Server) -> None:
    host, _, port = server.address.rpartition("//")[2].partition(":")
    with socket.create_connection((host, int(port))) as slow:
        slow.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
        )
        server.ask("/api/health")  # the slow request is being processed by now
        server.process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(1)
        assert server.stop(signal.SIGINT) == 128 + signal.SIGINT


@pytest.fixture
def faceup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Done]]:
    """Run `faceup` in this process, for commands that end before serving."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    root, server_logger = logging.getLogger(), logging.getLogger("faceup.server")
    handlers, levels = root.handlers, (root.level, server_logger.level)
    yield InProcessCli(monkeypatch, capsys)
    root.handlers = handlers
    root.setLevel(levels[0])
    server_logger.setLevel(levels[1])


def test_a_port_in_use_is_rejected_with_a_suggestion(faceup: Callable[..., Done], tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = faceup("serve", "--port", port)
    assert done.status == 2
    assert f"another program listens on port {port} of 127.0.0.1" in done.err
    assert "--port 0" in done.err
    assert not (tmp_path / "online").exists()


@pytest.mark.parametrize(
    ("host", "expected"), [("203.0.113.7", "not an address of this machine"), ("a b", "is not a valid address")]
)
def test_a_foreign_address_is_rejected(host: str, expected: str, faceup: Callable[..., Done]) -> None:
    assert expected in faceup("serve", "--port", "0", "--host", host).err


def test_a_folder_without_write_permission_is_rejected(
    faceup: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    folder = Path("/sys") if os.geteuid() == 0 else locked  # root may write anywhere but in the kernel's file system
    monkeypatch.setenv("FACEUP_DATA", str(folder))
    done = faceup("serve", "--port", "0")
    assert done.status == 2
    assert f"the database {folder / 'online' / 'tables.sqlite'} cannot be written" in done.err


def test_a_newer_database_is_rejected_with_instructions(faceup: Callable[..., Done], tmp_path: Path) -> None:
    path = tmp_path / "later.sqlite"

    async def make() -> None:
        store = await Store.open(create_file(f"sqlite:///{path}"))
        await store.close()

    asyncio.run(make())
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE faceup_version SET version_num = 'z999'")
        database.commit()
    done = faceup("serve", "--port", "0", "--database", path)
    assert done.status == 2
    assert "of another faceup" in done.err


def test_an_unavailable_database_is_reported_in_one_sentence(faceup: Callable[..., Done]) -> None:
    done = faceup("serve", "--port", "0", "--database", "postgresql://user:sesame@127.0.0.1:1/none")
    assert done.status == 1
    assert done.err.startswith("faceup: ")
    assert "sesame" not in done.err


class _Starting(BaseHTTPRequestHandler):
    """A server that is not ready at first."""

    answers: ClassVar = [503, 200]

    def do_GET(self) -> None:
        status = self.answers.pop(0) if self.path == "/cards/api/ready" else 404
        self.send_response(status)
        self.end_headers()
        self.wfile.write(b"the heartbeat is too old")

    def log_message(self, *_: object) -> None:
        pass


def test_the_health_check_follows_the_port_and_the_base_path(
    faceup: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEUP_HOST", "0.0.0.0")  # noqa: S104 -- the health check must connect to 127.0.0.1 then
    monkeypatch.setenv("FACEUP_BASE_PATH", "/cards")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    file = tmp_path / "faceup.toml"
    with ThreadingHTTPServer(("127.0.0.1", 0), _Starting) as server:
        file.write_text(f"port = {server.server_port}\n", "utf-8")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/cards/api/ready"
        done = faceup("admin", "ready", "--config", file)
        assert (done.status, done.err) == (1, f"faceup: {address} answered 503: the heartbeat is too old\n")
        assert faceup("admin", "ready", "--config", file) == (0, f"{address}: ready.\n", "")
        server.shutdown()
    done = faceup("admin", "ready", "--config", file)
    assert (done.status, done.err.startswith(f"faceup: {address} does not answer: ")) == (1, True)
    monkeypatch.setenv("FACEUP_PORT", "0")
    assert "set the port" in faceup("admin", "ready").err


def test_settings_are_listed_with_their_sources(
    faceup: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "faceup.toml"
    file.write_text("port = 9000\n", "utf-8")
    monkeypatch.setenv("FACEUP_METRICS_TOKEN", "sesame")
    monkeypatch.setenv("FACEUP_LOG", "json")
    done = faceup("serve", "--show-settings", "--json", "--lan", "--config", file)
    shown = json.loads(done.out)
    assert shown["port"] == {"value": "9000", "from": str(file)}
    assert (shown["lan"]["from"], shown["log"]["from"], shown["host"]["from"]) == ("flag", "FACEUP_LOG", "default")
    assert "sesame" not in done.out


def test_every_setting_has_a_flag_with_help_or_is_secret_and_has_an_entry_in_the_documentation() -> None:
    parser = ArgumentParser()
    add_settings(parser)
    help_of = {action.dest: action.help for action in parser._actions if action.dest not in {"config", "help"}}
    assert help_of.keys() == DEFINITIONS.keys() - SECRET_SETTINGS
    assert all(help_of.values())
    assert not any("{" in str(text) for text in help_of.values()), "a default was not filled in"
    reference = settings_reference()
    for name in DEFINITIONS:
        entry = reference.partition(f"### `{name}`\n\n")[2].partition("\n### ")[0]
        meaning = entry.split("\n\n")[0]
        assert len(meaning) > 10, name
        flag = "none" if name in SECRET_SETTINGS else f"`--{name.replace('_', '-')}`"
        assert f"Flag: {flag}. Variable: `FACEUP_{name.upper()}`" in entry
        assert (f"or `FACEUP_{name.upper()}_FILE`" in entry) == (name in SECRET_SETTINGS)
        assert ("The value is secret" in meaning) == (name in SECRET_SETTINGS)


def test_every_integer_setting_has_accepted_values_and_a_rule_for_all_others() -> None:
    for name, (kind, setting, default) in DEFINITIONS.items():
        if kind is int:
            assert setting.values is not None, name
            assert default in setting.values, name
            for value in (setting.values[0] - 1, setting.values[-1] + 1):
                with pytest.raises(Malformed) as error:
                    load_settings({name: value}, {}, None)
                assert error.value.message == f"{name} cannot be {value}: {setting.rule}"


class _Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_the_lan_address_and_qr_code_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = [LanAddress("192.168.1.20", "wlan0"), LanAddress("172.17.0.1", "docker0")]
    monkeypatch.setattr("faceup.server.process.lan.lan_addresses", lambda: addresses)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout", terminal := _Terminal())
    print_addresses(Settings(lan=True, base_path="/cards"), 8000, json=False)
    expected = terminal.getvalue()
    assert "faceup is running at http://192.168.1.20:8000/cards (wlan0)\n" in expected
    assert qr_code("http://192.168.1.20:8000/cards") in expected
    assert "http://172.17.0.1:8000/cards (docker0)" in expected
    assert "plain http" in expected
    monkeypatch.setattr("faceup.server.process.lan.lan_addresses", list)
    print_addresses(Settings(lan=True), 8000, json=False)
    assert "This machine has no network." in terminal.getvalue()

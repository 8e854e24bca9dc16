"""`faceup serve` as a process: its start, its end, and what it refuses to start with."""

import asyncio
import io
import json
import logging
import os
import signal
import socket
import sqlite3
import subprocess
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import fields
from tests.cli.inside import Done, Inside
from tests.server.serving import Server, serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from faceup.cli.serve import add_settings, say_where
from faceup.server.lan import Reach
from faceup.server.qr import drawn
from faceup.server.settings import SECRET, Settings
from faceup.server.store import Store

TABLE = {"opening": {"game": "nimmt", "options": {"seats": 2, "hand": 4}, "bots": ["random"]}}


def live(server: Server, table: str) -> ClientConnection:
    """A WebSocket at the table, with the session of the last answer."""
    address = server.address.replace("http", "ws", 1)
    headers = {"Cookie": server.cookie, "Origin": server.address}
    return connect(f"{address}/api/tables/{table}/live", additional_headers=headers)


@pytest.mark.slow
def test_a_stop_tells_everybody_to_come_back_and_the_next_server_goes_on(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        assert server.ask("/api/ready").status == 200
        table = server.ask("/api/tables", TABLE).json["id"]
        cookie = server.cookie
        with live(server, table) as socket_:
            assert "sight" in json.loads(next(line for line in _lines(socket_) if b"sight" in line))
            socket_.send('{"do":"start","id":"last"}')
            server.process.send_signal(signal.SIGTERM)
            told = _lines(socket_, end=True)
            assert any(line.startswith(b'{"ack":"last"') for line in told)
            assert told[-1] == b'{"end":"restart"}'
            with pytest.raises(ConnectionClosed) as closed:
                socket_.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012  # come back
        assert server.process.wait(30) == 0
        assert "Traceback" not in server.log
    database = tmp_path / "online" / "tables.sqlite"
    assert database.stat().st_mode & 0o077 == 0
    assert database.parent.stat().st_mode & 0o077 == 0
    with serving(tmp_path, "--stop-within", "600") as server:
        assert server.ask(f"/api/tables/{table}", Cookie=cookie).json["sight"]["seat"] == 0
        _check_that_a_second_signal_ends_it_at_once(server)


def _lines(socket_: ClientConnection, *, end: bool = False) -> list[bytes]:
    lines: list[bytes] = []
    while not lines or (end and not lines[-1].startswith(b'{"end"')):
        said = socket_.recv(timeout=20)
        lines += (said if isinstance(said, bytes) else said.encode()).splitlines()
    return lines


def _check_that_a_second_signal_ends_it_at_once(server: Server) -> None:
    host, _, port = server.address.rpartition("//")[2].partition(":")
    with socket.create_connection((host, int(port))) as slow:
        slow.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
        )
        server.ask("/api/health")  # the slow one is being answered by now
        server.process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(1)
        assert server.stop(signal.SIGINT) == 128 + signal.SIGINT


@pytest.fixture
def faceup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Done]]:
    """Runs `faceup` in this process, for what ends before it serves."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    root, ours = logging.getLogger(), logging.getLogger("faceup.server")
    handlers, levels = root.handlers, (root.level, ours.level)
    yield Inside(monkeypatch, capsys)
    root.handlers = handlers
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


def test_a_port_that_is_taken_is_refused_with_what_would_do(faceup: Callable[..., Done], tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = faceup("serve", "--port", port)
    assert done.status == 2
    assert f"another program listens on port {port} of 127.0.0.1" in done.err
    assert "--port 0" in done.err
    assert not (tmp_path / "online").exists()


@pytest.mark.parametrize(("host", "said"), [("203.0.113.7", "no address of this machine"), ("a b", "is no address")])
def test_an_address_that_is_not_ours_is_refused(host: str, said: str, faceup: Callable[..., Done]) -> None:
    assert said in faceup("serve", "--port", "0", "--host", host).err


def test_a_folder_that_cannot_be_written_is_refused(
    faceup: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    folder = Path("/sys") if os.geteuid() == 0 else locked  # nothing is forbidden to root but by the kernel
    monkeypatch.setenv("FACEUP_DATA", str(folder))
    done = faceup("serve", "--port", "0")
    assert done.status == 2
    assert f"tables are kept in {folder / 'online' / 'tables.sqlite'}, which cannot be written" in done.err


def test_a_database_of_a_later_version_is_refused_with_how_to_go_on(
    faceup: Callable[..., Done], tmp_path: Path
) -> None:
    path = tmp_path / "later.sqlite"

    async def make() -> None:
        store = await Store.open(f"sqlite:///{path}")
        await store.close()

    asyncio.run(make())
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE faceup_version SET version_num = 'z999'")
        database.commit()
    done = faceup("serve", "--port", "0", "--database", path)
    assert done.status == 2
    assert "by a later faceup" in done.err


def test_a_database_that_does_not_answer_is_a_failure_in_a_sentence(faceup: Callable[..., Done]) -> None:
    done = faceup("serve", "--port", "0", "--database", "postgresql://nobody:sesame@127.0.0.1:1/none")
    assert done.status == 1
    assert done.err.startswith("faceup: ")
    assert "sesame" not in done.err


def test_settings_are_shown_with_where_they_came_from(
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


def test_every_setting_that_is_no_secret_has_a_flag() -> None:
    parser = ArgumentParser()
    add_settings(parser)
    assert vars(parser.parse_args([])).keys() - {"config"} == {field.name for field in fields(Settings)} - SECRET


class _Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_phones_are_shown_the_address_and_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    home = [Reach("192.168.1.20", "wlan0"), Reach("172.17.0.1", "docker0")]
    monkeypatch.setattr("faceup.server.lan.reaches", lambda: home)
    monkeypatch.setattr("sys.stdout", terminal := _Terminal())
    say_where(Settings(lan=True, base_path="/cards"), 8000, json=False)
    said = terminal.getvalue()
    assert "faceup is at http://192.168.1.20:8000/cards (wlan0)\n" in said
    assert drawn("http://192.168.1.20:8000/cards") in said
    assert "http://172.17.0.1:8000/cards (docker0)" in said
    assert "plain http" in said
    monkeypatch.setattr("faceup.server.lan.reaches", list)
    say_where(Settings(lan=True), 8000, json=False)
    assert "no network: no phone can reach it" in terminal.getvalue()

"""A server during games: its log, its metrics, and the effect of `faceup admin`."""

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families as families
from tests.cli.in_process import InProcessCli
from tests.server.server_process import Server, serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from faceup.server.rooms.merge_patch import apply_line

TOKEN = "open-sesame"  # noqa: S105 -- searched for in a log
CONFIG = {"game": "nimmt", "options": {"seats": 2, "hand": 4}, "bots": ["random"]}


class Person:
    """A player at a table, over a WebSocket."""

    def __init__(self, server: Server, connection: ClientConnection) -> None:
        self._server = server
        self._connection = connection
        self.room_view: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []

    def read(self) -> dict[str, Any]:
        """Read the next line and apply it to the view."""
        while not self.lines:
            self.lines = [json.loads(line) for line in str(self._connection.recv(timeout=20)).splitlines()]
        line = self.lines.pop(0)
        if "room" in line or "patch" in line:
            self.room_view = apply_line(self.room_view, line)
        if "ping" in line:
            with suppress(ConnectionClosed):  # lines received earlier can still be read
                self._send({"command": "pong", "ping": line["ping"]})
        return line

    def until(self, *keys: str) -> dict[str, Any]:
        """Read until a line has one of these members, for at most half a minute."""
        last = monotonic() + 30
        while monotonic() < last:
            if set(keys) & (line := self.read()).keys():
                return line
        raise AssertionError(keys)

    def wait(self, true: Callable[[dict[str, Any]], bool]) -> None:
        """Read until a condition holds for the view."""
        while not true(self.room_view):
            self.until("patch", "room")

    def do(self, **command: object) -> None:
        """Send a command and wait until it is stored."""
        self._send({"id": secrets.token_hex(4), **command})
        answer = self.until("ack", "rejected")
        assert "ack" in answer, answer

    def play(self) -> set[str]:
        """Play the first legal action until the end; return all hands seen."""
        seen: set[str] = set()
        decision = -1
        while self.room_view["status"] != "finished":
            actions = self.room_view.get("actions", [])
            seen.update(actions)
            if actions and self.room_view["decision"] != decision and "choice" not in self.room_view:
                decision = self.room_view["decision"]
                self.do(command="choose", seat=self.room_view["seat"], action=actions[0], decision=decision)
            else:
                self.until("patch", "room", "ack")
        return seen

    def _send(self, frame: dict[str, object]) -> None:
        self._connection.send(json.dumps(frame))


def at_table(server: Server, table: str) -> ClientConnection:
    """Open a WebSocket."""
    headers = {"Cookie": server.cookie, "Origin": server.address}
    address = server.address.replace("http", "ws", 1)
    return connect(f"{address}/api/tables/{table}/live", additional_headers=headers)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's data folder."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def running(data: Path) -> Iterator[Server]:
    """One server for the whole file, because starting it is slow."""
    with serving(data, "--log", "json", "--log-level", "debug", metrics_token=TOKEN) as server:
        yield server
        assert server.stop() == 0


@pytest.fixture
def server(running: Server) -> Server:
    """A client of the server without cookies."""
    return running.visitor()


@pytest.fixture
def admin(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:  # Any: JSON
    """Run `faceup admin` on the server's database."""
    return _admin(data, monkeypatch, capsys)


def _admin(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    monkeypatch.setenv("FACEUP_DATA", str(data))
    run_cli = InProcessCli(monkeypatch, capsys)

    def run(*words: str) -> Any:
        done = run_cli("admin", *words, "--json")
        assert done.status == 0, done
        return json.loads(done.out)

    return run


@pytest.mark.slow
def test_the_log_of_a_game_contains_no_secrets(server: Server) -> None:
    table = server.ask("/api/tables", {"config": CONFIG}).json
    with at_table(server, table["id"]) as connection:
        person = Person(server, connection)
        person.until("room")
        person.do(command="start")
        hands = person.play()
    token = server.ask("/api/tokens", {"label": "bot", "scopes": ["play"]}).json["key"]
    server.ask(f"/api/codes/{table['code']}")
    server.ask("/api/tables/" + token)
    server.ask("/api/session?token=" + token, Authorization="Bearer " + token)
    log = server.log
    assert "answered" in log
    assert len(hands) >= 4
    for secret in (server.cookie.partition("=")[2], token, table["code"], TOKEN, "cookie", *hands):
        assert secret not in log
    assert "Traceback" not in log


@pytest.mark.slow
def test_metrics_are_available_with_the_token(server: Server) -> None:
    table = server.ask("/api/tables", {"config": CONFIG}).json
    with at_table(server, table["id"]) as connection:
        Person(server, connection).until("room")
        response = server.ask("/metrics", Authorization=f"Bearer {TOKEN}")
        assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
        samples = {
            (sample.name, *sample.labels.values()): sample.value
            for family in families(response.body.decode())
            for sample in family.samples
        }
    assert samples["faceup_tables", "pending"] >= 1
    assert samples["faceup_connections", "websocket"] == 1
    assert samples["faceup_requests_total", "POST", "/api/tables", "201"] >= 1
    assert samples["faceup_commit_appends_count",] >= 1
    assert server.ask("/metrics").status == 403
    assert server.ask("/metrics", Authorization="Bearer wrong").status == 403


@pytest.mark.slow
def test_admin_commands_take_effect_on_a_running_server(server: Server, admin: Callable[..., Any]) -> None:
    table = server.ask("/api/tables", {"config": CONFIG, "name": "Ann the first"}).json
    with at_table(server, table["id"]) as connection:
        person = Person(server, connection)
        person.until("room")
        admin("announce", "A short break.", "--in", "10m")
        expected = person.until("announcement")["announcement"]
        assert expected["text"] == "A short break."
        assert server.ask("/api/server-info").json["announcement"]["text"] == "A short break."
        person.do(command="start")
        admin("tables", "pause", table["code"])
        person.wait(lambda room_view: "paused" in room_view)
        admin("tables", "resume", table["code"])
        person.wait(lambda room_view: "paused" not in room_view)
        admin("tables", "close", table["code"])
        person.wait(lambda room_view: room_view["status"] == "closed")
    table = server.ask("/api/tables", {"config": CONFIG}).json["id"]
    with at_table(server, table) as connection:
        person = Person(server, connection)
        person.until("room")
        admin("bans", "add", "Ann the first", "--reason", "cheating")
        assert person.until("end")["end"] == "revoked"
    rejected = server.ask("/api/tables", {"config": CONFIG})
    assert rejected.status == 403
    assert "cheating" in rejected.json["error"]["message"]


@pytest.mark.long
def test_a_backup_made_during_games_can_be_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.sqlite"
    admin = _admin(tmp_path, monkeypatch, capsys)
    config = {**CONFIG, "terms": {"clock": 300_000}}
    with serving(tmp_path) as server:
        table = server.ask("/api/tables", {"config": config}).json["id"]
        cookie = server.cookie
        with at_table(server, table) as connection:
            person = Person(server, connection)
            person.until("room")
            person.do(command="start")
            hand = set(person.room_view["actions"])
            assert admin("backup", str(copy))["tables"] == 1
            person.play()
        server.stop()
    assert admin("restore", str(copy))["before"]
    with serving(tmp_path) as server:
        server.cookie = cookie
        with at_table(server, table) as connection:
            person = Person(server, connection)
            person.until("room")
            assert set(person.room_view["actions"]) == hand
            person.play()
        assert server.ask(f"/api/tables/{table}/record").status == 200
        server.stop()

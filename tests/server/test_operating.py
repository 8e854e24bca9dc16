"""A server that people play on: its log, its figures, and what `faceup admin` does to it meanwhile."""

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families as families
from tests.cli.inside import Inside
from tests.server.serving import Server, serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from faceup.server.rooms import after_line

TOKEN = "open-sesame"  # noqa: S105 -- looked for in a log
OPENING = {"game": "nimmt", "options": {"seats": 2, "hand": 4}, "bots": ["random"]}


class Person:
    """Somebody at a table, over a WebSocket."""

    def __init__(self, server: Server, connection: ClientConnection) -> None:
        self._server = server
        self._connection = connection
        self.sight: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []

    def read(self) -> dict[str, Any]:
        """The next line; the sight is kept up with it."""
        while not self.lines:
            self.lines = [json.loads(line) for line in str(self._connection.recv(timeout=20)).splitlines()]
        line = self.lines.pop(0)
        if "sight" in line or "patch" in line:
            self.sight = after_line(self.sight, line)
        if "ping" in line:
            with suppress(ConnectionClosed):  # what came before the end can still be read
                self._send({"do": "pong", "ping": line["ping"]})
        return line

    def until(self, *keys: str) -> dict[str, Any]:
        """The next line that has one of these in it, within half a minute."""
        last = monotonic() + 30
        while monotonic() < last:
            if set(keys) & (line := self.read()).keys():
                return line
        raise AssertionError(keys)

    def wait(self, true: Callable[[dict[str, Any]], bool]) -> None:
        """Read until this is true of the sight."""
        while not true(self.sight):
            self.until("patch", "sight")

    def do(self, **command: object) -> None:
        """Give a command, and wait until it is kept."""
        self._send({"id": secrets.token_hex(4), **command})
        answer = self.until("ack", "refused")
        assert "ack" in answer, answer

    def play(self) -> set[str]:
        """Play to the end, each time what is named first; all hands that were seen."""
        seen: set[str] = set()
        decision = -1
        while self.sight["status"] != "finished":
            words = self.sight.get("words", [])
            seen.update(words)
            if words and self.sight["decision"] != decision and "choice" not in self.sight:
                decision = self.sight["decision"]
                self.do(do="choose", seat=self.sight["seat"], action=words[0], decision=decision)
            else:
                self.until("patch", "sight", "ack")
        return seen

    def _send(self, frame: dict[str, object]) -> None:
        self._connection.send(json.dumps(frame))


def at_table(server: Server, table: str) -> ClientConnection:
    """A WebSocket there."""
    headers = {"Cookie": server.cookie, "Origin": server.address}
    address = server.address.replace("http", "ws", 1)
    return connect(f"{address}/api/tables/{table}/live", additional_headers=headers)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server of this file keeps its things."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def running(data: Path) -> Iterator[Server]:
    """One server for the whole file: its start costs more than all that is asked of it."""
    with serving(data, "--log", "json", "--log-level", "debug", metrics_token=TOKEN) as server:
        yield server
        assert server.stop() == 0


@pytest.fixture
def server(running: Server) -> Server:
    """It, as somebody sees it who has never been there."""
    return running.visitor()


@pytest.fixture
def admin(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:  # Any: JSON
    """`faceup admin` beside the server."""
    return _admin(data, monkeypatch, capsys)


def _admin(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    monkeypatch.setenv("FACEUP_DATA", str(data))
    inside = Inside(monkeypatch, capsys)

    def run(*words: str) -> Any:
        done = inside("admin", *words, "--json")
        assert done.status == 0, done
        return json.loads(done.out)

    return run


@pytest.mark.slow
def test_the_log_of_a_whole_game_holds_nothing_secret(server: Server) -> None:
    found = server.ask("/api/tables", {"opening": OPENING}).json
    with at_table(server, found["id"]) as connection:
        person = Person(server, connection)
        person.until("sight")
        person.do(do="start")
        hands = person.play()
    token = server.ask("/api/tokens", {"label": "bot", "scopes": ["play"]}).json["key"]
    server.ask(f"/api/codes/{found['code']}")
    server.ask("/api/tables/" + token)
    server.ask("/api/session?token=" + token, Authorization="Bearer " + token)
    log = server.log
    assert "answered" in log
    assert len(hands) >= 4
    for secret in (server.cookie.partition("=")[2], token, found["code"], TOKEN, "cookie", *hands):
        assert secret not in log
    assert "Traceback" not in log


@pytest.mark.slow
def test_a_monitor_with_the_token_reads_what_happens(server: Server) -> None:
    found = server.ask("/api/tables", {"opening": OPENING}).json
    with at_table(server, found["id"]) as connection:
        Person(server, connection).until("sight")
        figures = server.ask("/metrics", Authorization=f"Bearer {TOKEN}")
        assert figures.headers["content-type"].startswith("text/plain; version=0.0.4")
        samples = {
            (sample.name, *sample.labels.values()): sample.value
            for family in families(figures.body.decode())
            for sample in family.samples
        }
    assert samples["faceup_tables", "pending"] >= 1
    assert samples["faceup_connections", "websocket"] == 1
    assert samples["faceup_requests_total", "POST", "/api/tables", "201"] >= 1
    assert samples["faceup_commit_appends_count",] >= 1
    assert server.ask("/metrics").status == 403
    assert server.ask("/metrics", Authorization="Bearer wrong").status == 403


@pytest.mark.slow
def test_whoever_runs_the_server_is_heard_and_obeyed_by_it(server: Server, admin: Callable[..., Any]) -> None:
    found = server.ask("/api/tables", {"opening": OPENING, "name": "Ann the first"}).json
    with at_table(server, found["id"]) as connection:
        person = Person(server, connection)
        person.until("sight")
        admin("announce", "A short break.", "--in", "10m")
        said = person.until("announcement")["announcement"]
        assert said["text"] == "A short break."
        assert server.ask("/api/news").json["announcement"]["text"] == "A short break."
        person.do(do="start")
        admin("tables", "pause", found["code"])
        person.wait(lambda sight: "paused" in sight)
        admin("tables", "resume", found["code"])
        person.wait(lambda sight: "paused" not in sight)
        admin("tables", "close", found["code"])
        person.wait(lambda sight: sight["status"] == "closed")
    table = server.ask("/api/tables", {"opening": OPENING}).json["id"]
    with at_table(server, table) as connection:
        person = Person(server, connection)
        person.until("sight")
        admin("people", "ban", "Ann the first", "--reason", "cheating")
        assert person.until("end")["end"] == "revoked"
    refused = server.ask("/api/tables", {"opening": OPENING})
    assert refused.status == 403
    assert "cheating" in refused.json["error"]["message"]


@pytest.mark.long
def test_a_copy_made_while_people_play_goes_on_from_its_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.sqlite"
    admin = _admin(tmp_path, monkeypatch, capsys)
    opening = {**OPENING, "terms": {"clock": 300_000}}
    with serving(tmp_path) as server:
        table = server.ask("/api/tables", {"opening": opening}).json["id"]
        cookie = server.cookie
        with at_table(server, table) as connection:
            person = Person(server, connection)
            person.until("sight")
            person.do(do="start")
            hand = set(person.sight["words"])
            assert admin("backup", str(copy))["tables"] == 1
            person.play()
        server.stop()
    assert admin("restore", str(copy))["before"]
    with serving(tmp_path) as server:
        server.cookie = cookie
        with at_table(server, table) as connection:
            person = Person(server, connection)
            person.until("sight")
            assert set(person.sight["words"]) == hand
            person.play()
        assert server.ask(f"/api/tables/{table}/record").status == 200
        server.stop()

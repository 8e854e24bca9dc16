"""A person with everything at a real server: what its files have of them, before and after an erasure."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from tests.server.postgresql import BINARIES
from tests.server.server_process import Server, environment, serving

ADDRESS = "203.0.113.77"
NAME, RENAMED, GUEST = "Zebulon Quark", "Zebulina Quark", "Zebguest Quark"
LOGIN, LABEL = "zebulon login", "zebulon bot"
PARTY, HANDED_PARTY, CUP, HANDED_CUP = [f"{what} of Quark" for what in ("Party", "Other party", "Cup", "Other cup")]
PASSWORD = "correct horse of zebulon"  # noqa: S105 -- of a test
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
NEVER_STORED = (PASSWORD, ADDRESS, AGENT)


@contextmanager
def client(server: Server, address: str = ADDRESS) -> Iterator[httpx.Client]:
    headers = {"x-forwarded-for": address, "user-agent": AGENT, "origin": server.address}
    with httpx.Client(base_url=server.address, headers=headers, timeout=60) as made:
        yield made


def send(person: httpx.Client, method: str, path: str, body: object = None) -> Any:  # Any: JSON
    answer = person.request(method, path, json=body)
    assert answer.status_code < 400, (path, answer.status_code, answer.text)
    return answer.json() if answer.content else None


def live(server: Server) -> list[str]:
    """Let a person use everything. Return the handles of the person and of a guest who became part of the account."""
    with ExitStack() as stack:
        person, guest = (stack.enter_context(client(server)) for _ in range(2))
        other = stack.enter_context(client(server, "198.51.100.9"))
        handles = [send(person, "POST", "/api/session", {"name": NAME})["handle"]]
        otto = send(other, "POST", "/api/session", {"name": "Otto"})["handle"]
        send(person, "POST", "/api/account", {"login": LOGIN, "password": PASSWORD})
        handles.append(send(guest, "POST", "/api/session", {"name": GUEST})["handle"])
        send(guest, "POST", "/api/tables", {"config": {"game": "war"}})
        send(guest, "POST", "/api/login", {"login": LOGIN, "password": PASSWORD})
        send(person, "POST", "/api/login", {"login": LOGIN, "password": PASSWORD})
        send(person, "POST", "/api/tokens", {"label": LABEL})
        for name in (PARTY, HANDED_PARTY):
            party = send(person, "POST", "/api/parties", {"name": name})["id"]
            key = send(person, "GET", f"/api/parties/{party}")["link"].rpartition("/")[2].partition("?")[0]
            send(other, "POST", f"/api/party-links/{key}", {})
            send(other, "POST", f"/api/parties/{party}/reports", {"reason": "name"})
        send(person, "DELETE", f"/api/parties/{party}/members/{handles[0]}")  # the name remains
        for name, host in ((CUP, person), (HANDED_CUP, person), ("Cup", other)):
            cup = {"name": name, "table": {"game": "nimmt", "terms": {"clock": 30_000}}}
            tournament = send(host, "POST", "/api/tournaments", {"settings": cup})["tournament"]["id"]
            for player in (person, other):
                send(player, "POST", f"/api/tournaments/{tournament}/commands", {"command": "join"})
        table = send(person, "POST", "/api/tables", {"config": {"game": "war", "terms": {"clock": None}}})["id"]
        commands = f"/api/tables/{table}/commands"
        send(other, "POST", commands, {"id": "sit", "command": "sit"})
        send(person, "PUT", f"/api/friends/{otto}")
        send(other, "POST", f"/api/tables/{table}/reports", {"seat": 0, "reason": "name"})
        send(person, "PATCH", "/api/me", {"name": RENAMED, "face": "fox-3"})
        send(person, "GET", "/api/account/export")
        send(person, "POST", "/api/account/deletion")
        other.get(f"/api/players/{handles[0]}")
        other.get("/api/tables/" + NAME)
        other.post("/api/login", json={"login": LOGIN, "password": "wrong horse"})
    return handles


def admin(*words: str, **settings: str) -> str:
    command = (sys.executable, "-m", "faceup", "admin", *words)
    data = Path(settings.pop("data"))
    done = subprocess.run(command, env=environment(data, **settings), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def texts_in(folder: Path, url: str, texts: Sequence[str]) -> set[str]:
    """Return which texts are in the files of a server, and in its database if this is PostgreSQL."""
    contents = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
    if url:
        contents.append(subprocess.check_output((BINARIES / "pg_dump", url)))
    return {text for text in texts if any(text.encode() in content for content in contents)}


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_files_have_nothing_of_an_erased_person(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the database nor logs, metrics and the journal, also after the loss of the database and a restore."""
    monkeypatch.setenv("PATH", f"{BINARIES}:{os.environ['PATH']}")
    data, kept = tmp_path / "data", tmp_path / "kept"
    options: dict[str, Any] = {"log_level": "debug", "trusted_proxies": "127.0.0.1", "metrics_token": "token"}
    with ExitStack() as stack:
        url = ""
        if kind == "postgresql":
            url = stack.enter_context(request.getfixturevalue("postgresql").database())
            options["database"] = url
        run = partial(admin, **options, data=str(data))
        server = stack.enter_context(serving(data, **options))
        handles = live(server)
        metrics = server.ask("/metrics", Authorization="Bearer token").body.decode()
        assert server.stop() == 0
        [person] = [row["id"] for row in json.loads(run("people", "list", "--json")) if row["name"] == RENAMED]
        run("tournaments", "hand-over", HANDED_CUP, "Otto")
        stored = [person, *handles, NAME, RENAMED, GUEST, LOGIN, LABEL, PARTY, HANDED_PARTY, CUP, HANDED_CUP]
        assert texts_in(data, url, stored) == set(stored)
        assert texts_in(data, url, NEVER_STORED) == set()
        assert not [text for text in (*stored, *NEVER_STORED) if text in metrics + server.log]
        file = json.loads(run("backup", f"{kept}/", "--json"))["file"]
        run("people", "erase", person)
        run("compact", "--full")
        assert texts_in(data, url, stored) == set()
        if url:
            with psycopg.connect(url) as connection:
                connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        else:
            (data / "online" / "tables.sqlite").unlink()
        shown = json.loads(run("restore", file, "--json"))["moderation"]
        assert "erase" in {act["act"] for act in shown["acts"]}
        assert texts_in(data, url, stored) == set()
        with serving(data, **options) as again:
            assert again.ask("/api/ready").status == 200
            assert again.ask(f"/api/players/{handles[0]}").status == 404

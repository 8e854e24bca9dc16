"""Requests that are repeated with the same `Idempotency-Key` are executed once."""

import asyncio
import secrets
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests.server.app_server import AppServer, started_servers
from tests.server.conftest import Serve

from faceup.server.accounts.schema import idempotency_keys, players, sessions, tokens
from faceup.server.http import idempotency
from faceup.server.http.idempotency import IdempotencyMiddleware
from faceup.server.http.idempotency_keys import LIFETIME, claim_key, delete_expired_keys
from faceup.server.process.settings import Settings
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store.schema import metadata, rooms

WAR = {"config": {"game": "war"}}
PASSWORD = "correct horse battery"  # noqa: S105 -- of a test


_COUNTERS = {"idempotency_keys", "revocations", "shared_limits", "log", "processes", "outages", "online_players"}
"""Tables with rows of requests and servers."""


def new_key() -> str:
    return secrets.token_hex(16)


class LostAnswers:
    """A client whose connection loses each answer once, with its cookies, after the server has executed the request."""

    def __init__(self, app: AppServer) -> None:
        self._app = app
        self.client = app.client()
        self._guest_key = new_key()

    async def send(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Send a request whose answer is lost, repeat it, and return the answer to the repetition."""
        headers = {"idempotency-key": new_key()}
        if SESSION_COOKIE not in self.client.cookies:
            headers["guest-key"] = self._guest_key
        async with self._app.client() as lost:
            lost.cookies = httpx.Cookies(self.client.cookies)
            first = await lost.request(method, path, json=body, headers=headers)
        answer = await self.client.request(method, path, json=body, headers=headers)
        assert answer.status_code == first.status_code, (first.text, answer.text)
        assert answer.text == first.text or not first.is_success
        return answer


async def count(app: AppServer, table: sa.Table, *where: Any) -> int:  # Any: conditions
    query = sa.select(sa.func.count()).select_from(table).where(*where)
    count: int = await app.store.query(lambda connection: connection.execute(query).scalar_one())
    return count


@pytest.fixture
async def servers(url: str) -> Any:  # Any: an async generator
    async with AsyncExitStack() as stack:
        yield await started_servers(stack, url, Settings())


CREATED = {
    "table": ("/api/tables", WAR),
    "bots": ("/api/tables", {"config": {"game": "war", "bots": ["random"]}, "start": True}),
    "quick match": ("/api/quick-match", {"game": "war"}),
    "party": ("/api/parties", {"player": "Ann"}),
    "tournament": (
        "/api/tournaments",
        {"settings": {"name": "Club", "table": {"game": "war", "terms": {"clock": 30_000}}}, "name": "Ann"},
    ),
    "session": ("/api/session", {"name": "Ann"}),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("path", "body"), CREATED.values(), ids=CREATED)
async def test_a_lost_answer_makes_one_thing_and_one_guest(
    servers: tuple[AppServer, AppServer], path: str, body: object
) -> None:
    first, second = servers
    headers = {"idempotency-key": new_key(), "guest-key": new_key()}
    async with first.client() as lost, second.client() as ann:
        before = await lost.post(path, json=body, headers=headers)
        assert before.is_success, before.text
        after = await ann.post(path, json=body, headers=headers)
        assert (after.status_code, after.text) == (before.status_code, before.text)
        assert ann.cookies[SESSION_COOKIE] == lost.cookies[SESSION_COOKIE]
        assert (await ann.get("/api/me")).status_code == 200
    assert await count(first, players) == 1
    assert await count(first, rooms) <= 1


@pytest.mark.sample(1)
async def test_requests_at_the_same_time_are_executed_once(servers: tuple[AppServer, AppServer]) -> None:
    headers = {"idempotency-key": new_key(), "guest-key": new_key()}
    async with servers[0].client() as ann, servers[1].client() as same:
        asked = [client.post("/api/tables", json=WAR, headers=headers) for client in (ann, same, ann, same)]
        answers = await asyncio.gather(*asked)
    assert {(answer.status_code, answer.text) for answer in answers} == {(201, answers[0].text)}
    assert await count(servers[0], rooms) == await count(servers[0], players) == 1


@pytest.mark.sample(1)
async def test_the_choices_of_a_visitor_at_the_same_time_make_one_guest(servers: tuple[AppServer, AppServer]) -> None:
    guest = {"guest-key": new_key()}
    async with servers[0].client() as ann, servers[1].client() as same:
        asked = [client.post("/api/tables", json=WAR, headers=guest) for client in (ann, same, ann, same)]
        assert {answer.status_code for answer in await asyncio.gather(*asked)} == {201}
    assert await count(servers[0], players) == 1
    assert await count(servers[0], rooms) == 4


async def test_a_key_with_other_content_is_refused(app: AppServer) -> None:
    headers = {"idempotency-key": new_key()}
    async with app.guest("Ann") as ann:
        assert (await ann.post("/api/tables", json=WAR, headers=headers)).status_code == 201
        for path, body in (("/api/tables", {"config": {"game": "nimmt"}}), ("/api/parties", WAR)):
            answer = await ann.post(path, json=body, headers=headers)
            assert (answer.status_code, answer.json()["error"]["kind"]) == (409, "key_reused")
    assert await count(app, rooms) == 1


async def test_another_player_does_not_get_the_answer(app: AppServer) -> None:
    headers = {"idempotency-key": new_key()}
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as visitor:
        made = await ann.post("/api/tokens", json={"label": "bot"}, headers=headers)
        assert made.status_code == 201
        for client in (bo, visitor):
            answer = await client.post("/api/tokens", json={"label": "bot"}, headers=headers)
            assert answer.status_code == 409
            assert made.json()["key"] not in answer.text


@pytest.mark.sample(4)
@pytest.mark.parametrize("header", ["idempotency-key", "guest-key"])
@pytest.mark.parametrize("key", ["", "1", "a" * 21, "a" * 65, "ä" * 30, "a b" * 10])
async def test_keys_that_can_be_guessed_are_refused(app: AppServer, header: str, key: str) -> None:
    async with app.client() as visitor:
        answer = await visitor.post("/api/tables", json=WAR, headers={header.encode(): key.encode()})
    assert (answer.status_code, answer.json()["error"]["kind"]) == (400, "malformed")
    assert await count(app, players) == 0


async def test_a_quoted_key_is_the_same_key(app: AppServer) -> None:
    key = new_key()
    async with app.guest("Ann") as ann:
        answers = [
            await ann.post("/api/tables", json=WAR, headers={"idempotency-key": text}) for text in (key, f'"{key}"')
        ]
    assert answers[0].json() == answers[1].json()


REFUSED = {
    "table": ("/api/tables", {"config": {"game": "chess"}}),
    "options": ("/api/tables", {"config": {"game": "war", "options": {"seats": 99}}}),
    "listed name": ("/api/tables", {"config": {"game": "war"}, "name": "\u202e"}),
    "quick match": ("/api/quick-match", {"game": "chess"}),
    "daily": ("/api/daily", {"date": "1999-01-01"}),
    "seat": ("/api/tables/unknown-table-0/commands", {"id": "1", "command": "sit"}),
    "party": ("/api/party-links/unknown", {}),
    "tournament": ("/api/tournaments", {"settings": {"name": "Club", "table": {"game": "chess"}}}),
    "joining": ("/api/tournaments/unknown/commands", {"command": "join"}),
    "puzzle": ("/api/puzzles/unknown", {"action": "1"}),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize(("path", "body"), REFUSED.values(), ids=REFUSED)
async def test_a_refused_first_request_leaves_no_guest(app: AppServer, path: str, body: object, keyed: bool) -> None:
    headers = {"idempotency-key": new_key(), "guest-key": new_key()} if keyed else {}
    async with app.client() as visitor:
        for _ in range(2):
            answer = await visitor.post(path, json=body, headers=headers)
            assert 400 <= answer.status_code < 500, answer.text
        assert SESSION_COOKIE not in visitor.cookies
    assert await count(app, players) == await count(app, sessions) == await count(app, idempotency_keys) == 0


async def test_a_full_table_leaves_no_guest(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as visitor:
        table = await app.table(ann, bo)
        headers = {"guest-key": new_key()}
        for _ in range(2):
            answer = await visitor.post(
                f"/api/tables/{table}/commands", json={"id": "1", "command": "sit"}, headers=headers
            )
            assert answer.json()["error"]["kind"] == "full"
        assert await count(app, players) == 2
        assert (await visitor.post("/api/tables", json=WAR, headers=headers)).status_code == 201
        assert (await visitor.get("/api/me")).status_code == 200


async def test_a_refusal_does_not_delete_a_guest_who_did_something_else(app: AppServer) -> None:
    headers = {"guest-key": new_key()}
    async with app.client() as lost, app.client() as visitor:
        assert (await lost.post("/api/tables", json=WAR, headers=headers)).status_code == 201
        assert (await visitor.post("/api/quick-match", json={"game": "chess"}, headers=headers)).status_code == 400
        assert (await visitor.post("/api/session", json={}, headers=headers)).status_code == 200
        assert len((await visitor.get("/api/me/tables")).json()) == 1
    assert await count(app, players) == 1


async def test_a_refused_request_may_be_repeated(app: AppServer) -> None:
    headers = {"idempotency-key": new_key()}
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        handle = (await ann.get("/api/me")).json()["handle"]
        party = (await ann.post("/api/parties", json={})).json()["id"]
        invitation = {"to": handle, "party": "unknown"}
        assert (await bo.post("/api/invitations", json=invitation, headers=headers)).status_code in {403, 404}
        assert await count(app, idempotency_keys) == 0
        assert party


async def test_an_account_and_its_recovery_codes_survive_a_lost_answer(app: AppServer) -> None:
    ann = LostAnswers(app)
    await ann.send("POST", "/api/session", {"name": "Ann"})
    made = (await ann.send("POST", "/api/account", {"login": "ann", "password": PASSWORD})).json()
    assert len(made["recovery_codes"]) > 1
    assert (await ann.client.get("/api/me")).json()["login"] == "ann"
    changed = {"old": PASSWORD, "new": PASSWORD + "!"}
    assert (await ann.send("POST", "/api/account/password", changed)).status_code == 200
    token = (await ann.send("POST", "/api/tokens", {"label": "bot"})).json()
    assert await count(app, tokens) == 1
    bot = app.client(authorization=f"Bearer {token['key']}")
    assert (await bot.get("/api/me")).json()["login"] == "ann"
    code = (await ann.send("POST", "/api/device")).json()["code"]

    phone = LostAnswers(app)
    assert (await phone.send("POST", "/api/device/claim", {"code": code})).status_code == 200
    assert (await phone.client.get("/api/me")).json()["login"] == "ann"
    assert len((await phone.client.get("/api/sessions")).json()) == 2

    recovered = {"login": "ann", "code": made["recovery_codes"][0], "new": PASSWORD + "?"}
    laptop = LostAnswers(app)
    assert (await laptop.send("POST", "/api/account/recover", recovered)).status_code == 200
    assert len((await laptop.client.get("/api/sessions")).json()) == 1
    assert (await LostAnswers(app).send("POST", "/api/login", {"login": "ann", "password": PASSWORD + "?"})).is_success
    assert len((await laptop.client.get("/api/sessions")).json()) == 2


async def test_the_friends_and_parties_of_a_player_survive_lost_answers(app: AppServer) -> None:
    ann, bo = LostAnswers(app), LostAnswers(app)
    handles = [
        (await client.send("POST", "/api/session", {"name": name})).json()["handle"]
        for client, name in ((ann, "Ann"), (bo, "Bo"))
    ]
    together = (await ann.send("POST", "/api/parties", {})).json()["id"]
    key = (await ann.client.get(f"/api/parties/{together}")).json()["link"].rpartition("/")[2]
    await bo.send("POST", f"/api/party-links/{key}", {})
    await ann.send("PUT", f"/api/friends/{handles[1]}")
    await bo.send("PUT", f"/api/friends/{handles[0]}")
    party = (await ann.send("POST", "/api/parties", {})).json()["id"]
    assert (await ann.send("POST", "/api/invitations", {"to": handles[1], "party": party})).status_code == 200
    inbox = (await bo.client.get("/api/inbox")).json()
    invitation = inbox["invitations"][0]["id"]
    assert (await bo.send("POST", f"/api/invitations/{invitation}/accept")).json()["party"] == party
    table = {"config": {"game": "war"}, "instead": None}
    assert (await ann.send("POST", f"/api/parties/{party}/tables", table)).status_code == 201
    assert (await bo.send("DELETE", f"/api/parties/{party}/members/{handles[1]}")).status_code == 200
    assert (await ann.send("DELETE", f"/api/parties/{party}")).status_code == 200
    assert (await ann.send("DELETE", f"/api/friends/{handles[1]}")).status_code == 200
    assert (await ann.send("PATCH", "/api/me", {"name": "Anna"})).json()["name"] == "Anna"
    assert (await ann.send("DELETE", "/api/session")).status_code == 200
    assert await count(app, rooms) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("why", ["killed", "too long"])
async def test_a_request_whose_answer_was_not_stored_has_its_effect_once(
    app: AppServer, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    """Also if a process is killed before it stores the answer. The repetition may be refused, because it was done."""

    async def end(*_: object) -> None:
        """Store nothing, as a process that is killed."""

    if why == "killed":
        monkeypatch.setattr(IdempotencyMiddleware, "_store", end)
    else:
        monkeypatch.setattr(idempotency, "_LONGEST_ANSWER", -1)

    async def rows() -> dict[str, int]:
        tables = [table for table in metadata.sorted_tables if table.name not in _COUNTERS]
        counts = sa.select(*(sa.select(sa.func.count()).select_from(t).scalar_subquery().label(t.name) for t in tables))
        return dict(await app.store.query(lambda connection: connection.execute(counts).mappings().one()))

    async def repeat(client: httpx.AsyncClient, method: str, path: str, body: object = None) -> Any:  # Any: JSON
        headers = {"idempotency-key": new_key()}
        first = await client.request(method, path, json=body, headers=headers)
        assert first.is_success, first.text
        after = await rows()
        again = await client.request(method, path, json=body, headers=headers)
        assert again.status_code < 500, again.text
        assert await rows() == after, f"{method} {path} was done twice"
        return first.json()

    async with app.client() as ann, app.client() as bo:
        for client, name in ((ann, "Ann"), (bo, "Bo")):
            client.headers["guest-key"] = new_key()
            await repeat(client, "POST", "/api/session", {"name": name})
        handle = (await bo.get("/api/me")).json()["handle"]
        for path, body in CREATED.values():
            await repeat(ann, "POST", path, body)
        table = (await repeat(ann, "POST", "/api/tables", WAR))["id"]
        for member, seats in ((bo, "sit"), (ann, "close")):
            command = {"id": seats, "command": seats}
            assert (await member.post(f"/api/tables/{table}/commands", json=command)).is_success
        waiting = (await repeat(ann, "POST", "/api/tables", WAR))["id"]
        await repeat(ann, "PUT", f"/api/friends/{handle}")
        await repeat(ann, "POST", "/api/invitations", {"to": handle, "table": waiting})
        invitation = (await bo.get("/api/inbox")).json()["invitations"][0]["id"]
        await repeat(bo, "POST", f"/api/invitations/{invitation}/reports", {"reason": "unwanted"})
        await repeat(bo, "POST", f"/api/invitations/{invitation}/accept")
        party = (await repeat(ann, "POST", "/api/parties", {}))["id"]
        key = (await ann.get(f"/api/parties/{party}")).json()["link"].rpartition("/")[2]
        await repeat(bo, "POST", f"/api/party-links/{key}", {})
        await repeat(ann, "POST", f"/api/parties/{party}/tables", {"config": {"game": "war"}})
        await repeat(bo, "DELETE", f"/api/parties/{party}/members/{handle}")
        await repeat(ann, "POST", f"/api/parties/{party}/link")
        await repeat(ann, "DELETE", f"/api/friends/{handle}")
        await repeat(bo, "PUT", f"/api/blocks/{(await ann.get('/api/me')).json()['handle']}")
        await repeat(bo, "PATCH", "/api/friends", {"contact": "no_one"})
        await repeat(ann, "POST", "/api/device")
        await repeat(ann, "POST", "/api/tokens", {"label": "bot"})
        await repeat(ann, "POST", "/api/account", {"login": "ann", "password": PASSWORD})
        await repeat(ann, "POST", "/api/account/recovery-codes")
        await repeat(ann, "POST", "/api/account/totp")
        await repeat(ann, "DELETE", "/api/session")


async def test_the_database_does_not_reveal_keys_and_answers(app: AppServer) -> None:
    headers = {"idempotency-key": new_key(), "guest-key": new_key()}
    async with app.client() as ann:
        await ann.post("/api/tables", json={**WAR, "name": "Anneliese"}, headers=headers)
        secret = [*headers.values(), ann.cookies[SESSION_COOKIE], "Anneliese"]

    def read(connection: sa.Connection) -> str:
        return str(connection.execute(sa.select(idempotency_keys)).all())

    stored = await app.store.query(read)
    assert not [text for text in secret if text in stored]


async def test_a_process_that_ended_loses_its_keys(app: AppServer) -> None:
    def claim(process: str, after: int = 0) -> Any:  # Any: a coroutine
        now = app.store.now() + after
        return app.store.write(lambda connection: claim_key(connection, now, "key", "content", process))

    assert (await claim("ended")).claimed
    assert (await claim(app.store.process)).claimed
    assert not (await claim("another")).claimed
    assert (await claim("another", LIFETIME // 2)).claimed  # half a day after the last heartbeat
    await app.store.write(lambda connection: delete_expired_keys(connection, app.store.now() + LIFETIME))
    assert await count(app, idempotency_keys) == 0


async def test_answers_are_kept_for_a_day(serve: Serve) -> None:
    app = await serve()
    headers = {"idempotency-key": new_key()}
    async with app.guest("Ann") as ann:
        first = await ann.post("/api/tables", json=WAR, headers=headers)
        await app.store.write(
            lambda connection: connection.execute(idempotency_keys.update().values(at=idempotency_keys.c.at - LIFETIME))
        )
        later = await ann.post("/api/tables", json=WAR, headers=headers)
        assert (first.status_code, later.status_code) == (201, 201)

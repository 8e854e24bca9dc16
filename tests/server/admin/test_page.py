"""The page for administration: what it shows, what it does, and who gets in."""

import re
from collections.abc import AsyncIterator
from html import escape, unescape
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from litestar.handlers import HTTPRouteHandler
from tests.server.app_server import AppServer, listening_server, opened
from tests.server.server_process import free_port, serving
from websockets import InvalidStatus
from websockets.sync.client import connect

from faceup.core import Malformed
from faceup.server.accounts.players import create_guest
from faceup.server.admin.page import routes as page_routes
from faceup.server.admin.page.app import AdminPage, AdminPort
from faceup.server.admin.page.routes import ROUTES
from faceup.server.admin.page.sessions import COOKIE
from faceup.server.moderation.bans import list_bans
from faceup.server.moderation.reports import add_report
from faceup.server.process.settings import Settings, load_settings
from faceup.server.rooms.names import handle_of
from faceup.server.store.schema import rooms
from faceup.translations import LANGUAGES, Language, html_language, translate

TOKEN = "a token for these tests"  # noqa: S105 -- of these tests
HERE = "http://127.0.0.1:9001"
ORIGIN = {"origin": HERE}
SETTINGS = Settings(admin_port=9001, admin_token=TOKEN)
WITHOUT_LOGIN = {"/login", "/style.css", "/icon.svg"}


def visitor(page: AdminPage, address: str = "127.0.0.1", **headers: str) -> httpx.AsyncClient:
    """Return a browser that is not logged in."""
    transport = httpx.ASGITransport(page, client=(address, 4711))
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers={**ORIGIN, **headers})


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[AppServer]:
    """A server with a page for administration."""
    async with opened(tmp_path / "tables.sqlite", SETTINGS) as running:
        yield running


@pytest.fixture
def page(app: AppServer) -> AdminPage:
    return AdminPage(app.app.services)


@pytest.fixture
async def admin(page: AdminPage) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that is logged in."""
    async with visitor(page) as client:
        answer = await client.post("/login", data={"token": TOKEN})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        yield client


async def bans_of(app: AppServer) -> list[tuple[str | None, str]]:
    """Return the banned names and addresses with the reasons."""
    now = app.store.now()
    bans = await app.store.query(lambda connection: list_bans(connection, now))
    return sorted((ban.name or ban.address, ban.reason) for ban in bans)


def routes(method: str) -> list[str]:
    return sorted(path for route in ROUTES if method in route.http_methods for path in route.paths)


def test_there_are_routes_to_test() -> None:
    assert {"/", "/tables", "/people", "/bans"} <= set(routes("GET"))
    assert {"/bans/add", "/bans/remove", "/tables/close"} <= set(routes("POST"))
    assert all(isinstance(route, HTTPRouteHandler) for route in ROUTES)


async def test_without_a_session_every_address_leads_to_the_login(app: AppServer, page: AdminPage) -> None:
    async with visitor(page, cookie=f"{COOKIE}=guessed") as client:
        for path in ({*routes("GET")} - WITHOUT_LOGIN) | {"/nothing", "/metrics", "/api/health"}:
            answer = await client.get(path)
            assert (answer.status_code, answer.headers["location"], answer.content) == (303, "/login", b""), path
        form = {"who": "192.0.2.7", "term": "forever", "id": "x", "token": "x"}
        for path in {*routes("POST")} - WITHOUT_LOGIN:
            assert (await client.post(path, data=form)).headers["location"] == "/login", path
        assert await bans_of(app) == []


async def test_only_the_token_opens_a_session_and_logging_out_ends_it(page: AdminPage) -> None:
    async with visitor(page) as client:
        for token in ("", "x", TOKEN[:-1], TOKEN + "x", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")):
            answer = await client.post("/login", data={"token": token})
            assert (answer.status_code, "set-cookie" in answer.headers) == (403, False), token
            assert "Wrong token." in answer.text
        answer = await client.post("/login", data={"token": f" {TOKEN} "})
        cookie = answer.headers["set-cookie"]
        assert re.fullmatch(rf"{COOKIE}=[\w-]{{43}}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict", cookie)
        assert TOKEN not in answer.text + cookie
        kept = client.cookies[COOKIE]
        assert (await client.get("/")).status_code == 200
        await client.post("/logout")
        assert COOKIE not in client.cookies
        assert (await client.get("/", headers={"cookie": f"{COOKIE}={kept}"})).status_code == 303


async def test_tokens_cannot_be_guessed_quickly(page: AdminPage) -> None:
    async with visitor(page) as client:
        codes = [(await client.post("/login", data={"token": str(number)})).status_code for number in range(12)]
        assert codes[:10] == [403] * 10
        assert codes[-1] == 429
        assert (await client.post("/login", data={"token": TOKEN})).status_code == 429
    async with visitor(page, "192.0.2.7") as operator:  # no one locks the operator out from another address
        assert (await operator.post("/login", data={"token": TOKEN})).status_code == 303


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://127.0.0.1:8000"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": HERE, "sec-fetch-site": "same-site"},
        {"origin": HERE, "sec-fetch-site": "cross-site"},
        {"origin": ""},
    ],
    ids=["the players' port", "another site", "a sandbox", "same site", "cross site", "none"],
)
async def test_other_pages_cannot_send_forms(app: AppServer, admin: httpx.AsyncClient, headers: dict[str, str]) -> None:
    del admin.headers["origin"]
    sent = {name: value for name, value in headers.items() if value}
    answer = await admin.post("/bans/add", data={"who": "192.0.2.7", "term": "1d"}, headers=sent)
    assert answer.status_code == 403
    assert await bans_of(app) == []


async def test_a_foreign_host_name_is_refused(admin: httpx.AsyncClient) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example:9001"):
        assert (await admin.get("/", headers={"host": host})).status_code == 421
    assert (await admin.get("/", headers={"host": "localhost:9001"})).status_code == 200


async def test_every_answer_has_a_policy_without_scripts(page: AdminPage, admin: httpx.AsyncClient) -> None:
    async with visitor(page) as outside:
        answers = [await admin.get(path) for path in (*routes("GET"), "/nothing", "/bans?done=wrong")]
        answers += [await outside.get("/"), await admin.post("/bans/add", data={"who": "x"})]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self';"), answer.url
        assert "script-src" not in policy
        assert "unsafe" not in policy
        assert not re.search(r"<script|<style| style=| on\w+=", answer.text), answer.url
        is_style = answer.headers.get("content-type", "").startswith("text/css")
        assert is_style or answer.headers["x-frame-options"] == "DENY"
        assert answer.status_code < 500


@pytest.mark.sample(1)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_shown_in_each_language(app: AppServer, page: AdminPage, language: Language) -> None:
    async with visitor(page, **{"accept-language": language}) as client, app.guest("Ann") as ann:
        await app.table(ann)
        assert f'<label for="token">{translate(language, "admin.token")}</label>' in (await client.get("/login")).text
        await client.post("/login", data={"token": TOKEN})
        pages = ("tables", "tournaments", "parties", "people", "reports", "bans", "log")
        for path, key in (("/", "admin.overview"), *((f"/{name}", f"admin.{name}") for name in pages)):
            text = (await client.get(path)).text
            assert f"<h1>{translate(language, key)}</h1>" in text
            assert f'<html lang="{html_language(language)}">' in text
        answer = await client.post("/bans/add", data={"who": "Cy", "term": "1d"})
        assert translate(language, "admin.error.no_player") in answer.text


async def test_players_are_banned_by_name_or_handle_and_addresses_too(app: AppServer, admin: httpx.AsyncClient) -> None:
    async with app.guest("Ann") as ann, app.guest("Mallory") as mallory, app.guest("Mallory") as namesake:
        handle = (await mallory.get("/api/me")).json()["handle"]
        assert (await ann.get("/api/me")).status_code == (await namesake.get("/api/me")).status_code == 200
        for who, reason in (("Ann", "slow"), (handle, "cheating"), ("2001:db8:1:2::7", "spam")):
            answer = await admin.post("/bans/add", data={"who": who, "term": "7d", "reason": reason})
            assert (answer.status_code, answer.headers["location"]) == (303, "/bans?done=ban")
        assert await bans_of(app) == [("2001:db8:1:2::/64", "spam"), ("Ann", "slow"), ("Mallory", "cheating")]
        for who, expected in (("Mallory", "Several players have this name."), ("Cy", "no player with this name")):
            answer = await admin.post("/bans/add", data={"who": who, "term": "7d"})
            assert answer.status_code == 400
            assert expected in answer.text
        text = (await admin.get("/bans?done=ban")).text
        assert "Open connections end" in text
        for identifier in re.findall(r'name="id" value="([^"]+)"', text):
            assert (await admin.post("/bans/remove", data={"id": identifier})).status_code == 303
            again = await admin.post("/bans/remove", data={"id": identifier})
            assert again.status_code == 404
        assert await bans_of(app) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "form",
    [
        {},
        {"who": "Ann"},
        {"who": "Ann", "term": "2d"},
        {"term": "1d"},
        {"who": ["Ann", "Bo"], "term": "1d"},
        {"x": "y"},
    ],
)
async def test_an_incomplete_form_changes_nothing(
    app: AppServer, admin: httpx.AsyncClient, form: dict[str, str]
) -> None:
    async with app.guest("Ann"):
        answer = await admin.post("/bans/add", data=form)
        assert answer.status_code == 400
        assert "The form is incomplete or invalid." in answer.text
        assert await bans_of(app) == []


async def test_names_are_text(app: AppServer, admin: httpx.AsyncClient) -> None:
    async with app.guest("<script>alert(1)</script>") as ann:
        await app.table(ann)
        for path in ("/", "/tables", "/people"):
            text = (await admin.get(path)).text
            assert "&lt;script&gt;alert" in text, path
            assert "<script" not in text
        assert "<script" not in (await admin.get("/bans?who=<script>&name=<script>")).text


async def test_a_table_is_listed_and_can_be_closed(app: AppServer, admin: httpx.AsyncClient) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, bo)
        text = (await admin.get("/tables?status=active")).text
        assert "Ann, Bo" in text
        assert "6 nimmt!" in text
        assert table in text
        assert table not in (await admin.get("/tables?status=closed")).text
        assert (await admin.post("/tables/close", data={"id": table})).headers["location"] == "/tables?done=close"
        assert table not in (await admin.get("/tables?status=active")).text
        assert (await admin.post("/tables/close", data={"id": table})).status_code == 409
        assert (await admin.post("/tables/close", data={"id": "nothing"})).status_code == 400


async def test_reports_are_listed_and_closed(app: AppServer, admin: httpx.AsyncClient) -> None:
    async with app.guest("Ann") as ann, app.guest("<b>Mallory</b>") as mallory:
        table = await app.table(ann, mallory)
        sent = await ann.post(f"/api/tables/{table}/reports", json={"seat": 1, "reason": "name"})
        assert sent.status_code == 200, sent.text
        text = (await admin.get("/reports")).text
        assert "Open reports 1" in _text((await admin.get("/")).text)
        assert re.search(r"&lt;b&gt;Mallory&lt;/b&gt; Offensive name 1 Ann [A-Z]{5} ", _text(text))
        handle = (await mallory.get("/api/me")).json()["handle"]
        assert f"/bans?who={handle}&amp;name=%3Cb%3EMallory" in text
        (identifier,) = re.findall(r'name="id" value="([^"]+)"', text)
        answer = await admin.post("/reports/close", data={"id": identifier})
        assert answer.headers["location"] == "/reports?done=report"
        assert (await admin.post("/reports/close", data={"id": identifier})).status_code == 404
        assert "No reports." in (await admin.get("/reports")).text
        assert "Offensive name" in (await admin.get("/reports?closed=true")).text


async def test_tournaments_and_parties_are_listed_handed_over_and_ended(
    app: AppServer, admin: httpx.AsyncClient
) -> None:
    cup = {"name": "<i>Cup</i>", "table": {"game": "nimmt", "terms": {"clock": 30_000}}}
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        created = (await ann.post("/api/tournaments", json={"settings": cup})).json()["tournament"]["id"]
        party = (await ann.post("/api/parties", json={"name": "Friday"})).json()["id"]
        link = (await ann.get(f"/api/parties/{party}")).json()["link"]
        key = link.rpartition("/")[2].partition("?")[0]
        await bo.post(f"/api/party-links/{key}", json={})
        for path, identifier, name in (("/tournaments", created, "<i>Cup</i>"), ("/parties", party, "Friday")):
            text = _text((await admin.get(path)).text)
            assert escape(name) in text
            assert " Ann " in text
            assert key not in text
            handed = await admin.post(f"{path}/hand-over", data={"id": identifier, "who": "Bo"})
            assert handed.headers["location"] == f"{path}?done=hand_over"
            assert " Bo " in _text((await admin.get(path)).text)
            assert (await admin.post(f"{path}/hand-over", data={"id": identifier, "who": "Cy"})).status_code == 400
        assert (await bo.get(f"/api/tournaments/{created}")).json()["is_host"]
        assert not (await ann.get(f"/api/tournaments/{created}")).json()["is_host"]
        assert (await bo.patch(f"/api/parties/{party}", json={"name": "Mine"})).status_code == 200
        assert (await ann.patch(f"/api/parties/{party}", json={"name": "No"})).status_code == 403
        for path, identifier in (("/tournaments", created), ("/parties", party)):
            assert (await admin.post(f"{path}/end", data={"id": identifier})).headers["location"] == f"{path}?done=end"
            assert (await admin.post(f"{path}/end", data={"id": identifier})).status_code == 400
        assert (await bo.get(f"/api/tournaments/{created}")).json()["tournament"]["status"] == "cancelled"
        assert (await bo.get(f"/api/parties/{party}")).status_code == 404
        assert "Cup" in (await admin.get("/tournaments?status=cancelled&find=cup")).text
        assert "No tournaments." in (await admin.get("/tournaments?status=running")).text
        log = _text((await admin.get("/log?by=operator")).text)
        assert [log.count(act) for act in ("Made host", "Ended a tournament", "Ended a party")] == [2, 1, 1]
        assert "Nothing was done yet." in (await admin.get("/log?by=player")).text


async def test_long_lists_have_several_parts(
    app: AppServer, admin: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 5
    monkeypatch.setattr(page_routes, "ROWS", rows)
    count = 2 * rows + 1

    def fill(connection: sa.Connection) -> None:
        people = [create_guest(connection, number, f"Guest {number:03}") for number in range(count)]
        room = {
            "status": "closed",
            "listed": False,
            "seq": 0,
            "opened_at": 0,
            "ended_at": 1,
            "source": "",
            "creator": "",
        }
        room |= {"summary": "{}", "cost": 0, "bot_only": False}
        tables = [f"table-{number:03}" for number in range(count)]
        connection.execute(
            rooms.insert(), [{**room, "id": name, "code": name, "changed_at": at} for at, name in enumerate(tables)]
        )
        for number, table in enumerate(tables):
            by, about = people[0].id, people[number].id
            add_report(
                connection, number, place=table, reporter=by, reported=about, name=f"P{number:03}", reason="name"
            )

    await app.store.write(fill)
    for path, row in (
        ("/people?find=guest", "Guest 000"),
        ("/tables?status=closed", "table-000"),
        ("/reports", "P000"),
    ):
        texts, links = [], [path]
        while links:
            answer = await admin.get(links[0])
            assert answer.status_code == 200
            texts.append(answer.text)
            links = [
                str(answer.url.join(unescape(link))) for link in re.findall(r'rel="next" href="([^"]+)"', answer.text)
            ]
        assert [text.count('<th scope="row"') for text in texts] == [rows, rows, 1], path
        assert row in texts[2]
        assert "6 to 10" in _text(texts[1])
        assert texts[2].count('rel="prev"') == 1
    for part in ("0", "-1", "x", "9" * 30):
        assert (await admin.get(f"/people?part={part}")).status_code == 400
    assert (await admin.get("/people?part=99999")).status_code == 200


async def test_people_are_found_without_their_secret_ids(app: AppServer, admin: httpx.AsyncClient) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo"):
        handle = (await ann.get("/api/me")).json()["handle"]
        text = (await admin.get("/people?find=an")).text
        assert ">Ann" in text
        assert ">Bo" not in text
        assert f"/bans?who={handle}&amp;name=Ann" in text
        rows = await app.store.query(lambda connection: connection.exec_driver_sql("SELECT id FROM players").all())
        assert handle in {handle_of(row.id) for row in rows}
        for path in routes("GET"):
            text = (await admin.get(path)).text
            assert not any(row.id in text for row in rows), path


async def test_the_overview_shows_connections_and_tables_by_address_and_player(tmp_path: Path) -> None:
    async with (
        listening_server(tmp_path / "t.sqlite", settings=SETTINGS) as server,
        server.guest("Ann", "127.0.0.7") as ann,
        server.guest("Bo", "127.0.0.8") as bo,
        visitor(AdminPage(server.app.services)) as client,
    ):
        await client.post("/login", data={"token": TOKEN})
        table = await server.table(ann, bo, listed=True)
        async with server.live(table, bo) as wire:
            await wire.until("room")
            text = _text((await client.get("/")).text)
        assert "Connections to this server process 1" in text
        assert re.search(r"127\.0\.0\.1 1 0 0 Ban", text)  # the WebSocket of these tests comes from here
        assert re.search(r"not connected \(\w{8}\) 0 0 1 \(1 public, 0 with bots alone, 0 with days per move\)", text)
        assert re.search(r"Bo 127\.0\.0\.1 1 0 0 Ban", text)
        assert re.search(r"Ann . 0 0 1 \(1 public, 0 with bots alone, 0 with days per move\) Ban", text)


def _text(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_the_page_needs_a_token_and_a_port_of_its_own() -> None:
    for environ, expected in (
        ({"FACEUP_ADMIN_PORT": "9001"}, "set the variable FACEUP_ADMIN_TOKEN"),
        ({"FACEUP_ADMIN_TOKEN": "short"}, "a token needs at least 16 characters"),
        ({"FACEUP_ADMIN_PORT": "8000", "FACEUP_ADMIN_TOKEN": TOKEN}, "it must differ from the port of the server"),
        ({"FACEUP_ADMIN_PORT": "70000", "FACEUP_ADMIN_TOKEN": TOKEN}, "a port must be from 1 to 65535"),
    ):
        with pytest.raises(Malformed) as error:
            load_settings({}, environ, None)
        assert expected in error.value.message
        assert TOKEN not in error.value.message
        assert "short" not in error.value.message


async def test_the_port_alone_selects_the_page() -> None:
    """Not a header or a path of the request, which clients choose."""

    def answers(name: str) -> AdminPort:
        async def app(scope: object, receive: object, send: object) -> None:
            del scope, receive, send
            called.append(name)

        return app  # type: ignore[return-value]  # an ASGI application

    called: list[str] = []
    both = AdminPort(answers("server"), answers("page"), 9001)
    host = [(b"host", b"127.0.0.1:9001")]
    for server in (("127.0.0.1", 8000), None, ("127.0.0.1", 9001)):
        scope = {"type": "http", "path": "/login", "headers": host, "server": server}
        await both(scope, None, None)  # type: ignore[arg-type]
    await both({"type": "lifespan", "server": ("127.0.0.1", 9001)}, None, None)  # type: ignore[arg-type]
    assert called == ["server", "server", "page", "server"]


@pytest.mark.long
def test_a_server_process_has_the_page_only_on_its_own_port(tmp_path: Path) -> None:
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    with serving(tmp_path / "with", admin_port=str(port), admin_token=TOKEN) as server, httpx.Client() as client:
        assert server.ask("/login").status == server.ask("/people").status == 404
        assert server.ask("/api/health").status == 200
        for path in ("/api/health", "/metrics", "/"):
            assert client.get(origin + path).headers["location"] == "/login"
        answer = client.post(f"{origin}/login", data={"token": TOKEN}, headers={"origin": origin})
        assert answer.headers["location"] == "/"
        assert "Queues" in client.get(f"{origin}/").text
        with (
            pytest.raises(InvalidStatus, match="403"),
            connect(f"ws://127.0.0.1:{port}/api/tables/x/live", open_timeout=20),
        ):
            pass
        assert server.ask("/people", cookie=f"{COOKIE}={client.cookies[COOKIE]}").status == 404
        assert TOKEN not in server.log
        assert server.stop() == 0
    with serving(tmp_path / "without", admin_token=TOKEN), httpx.Client() as client, pytest.raises(httpx.ConnectError):
        client.get(origin)

"""Hosts: a server answers to its own names and addresses only, so that pages of other sites cannot reach it."""

import asyncio

import httpx
import pytest
from tests.server.app_server import HERE, AppServer, ListeningServer
from tests.server.conftest import Serve
from tests.server.requests import error

from faceup.server.http.hosts import AllowedHosts
from faceup.server.process.access_log import AccessLog
from faceup.server.process.metrics import DatabaseCounts
from faceup.server.process.settings import Settings

FOREIGN = (
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "a b",
    "a.org,b.org",
    "cards.test.evil.example",
)
OWN = (
    *("192.168.1.20:8000", "127.0.0.1", "[::1]:8000", "[fe80::1]", "10.0.0.7:80", "203.0.113.9"),
    *("localhost:8000", "laptop", "LAPTOP:8000", "laptop.local:8000", "Laptop.local.", "faceup", "db_1"),
    *("a.localhost", "laptop.lan", "laptop.home.arpa", "faceup.svc.cluster.internal"),
)


def asked(app: AppServer, host: str, address: str = "192.0.2.1") -> httpx.AsyncClient:
    """Return a client that opens the server under this name."""
    transport = httpx.ASGITransport(app.app, client=(address, 4711))
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers={"host": host})


async def test_a_foreign_name_is_misdirected(serve: Serve) -> None:
    app = await serve(Settings(lan=True))
    for host in FOREIGN:
        async with asked(app, host) as client:
            for method, path in (("GET", "/"), ("GET", "/api/server-info"), ("POST", "/api/session")):
                refused = await client.request(method, path, headers={"origin": f"http://{host}"})
                assert error(refused) == (421, "wrong_host"), host
            assert "does not answer to the name" in refused.json()["error"]["message"]
            assert not client.cookies


async def test_a_person_who_opens_a_foreign_name_reads_a_sentence(app: AppServer) -> None:
    async with asked(app, "faceup.evil.example") as client:
        page = await client.get("/", headers={"accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.headers["content-type"]) == (421, "text/plain; charset=utf-8")
    assert page.text.startswith("this server does not answer to the name 'faceup.evil.example': open it by its address")


async def test_friends_open_the_server_by_address_by_host_name_and_by_mdns(serve: Serve) -> None:
    app = await serve(Settings(lan=True))
    for host in OWN:
        async with asked(app, host) as client:
            assert (await client.get("/")).status_code == 200, host
            session = await client.post("/api/session", json={}, headers={"origin": f"http://{host}"})
            assert session.status_code == 200, host


async def test_further_names_are_a_setting(serve: Serve) -> None:
    app = await serve(Settings(hosts=("cards.example.org", ".example.net")))
    for host, status in (
        ("cards.example.org", 200),
        ("CARDS.EXAMPLE.ORG:8000", 200),
        ("example.net", 200),
        ("a.b.example.net", 200),
        ("evilexample.net", 421),
        ("a.cards.example.org", 421),
    ):
        async with asked(app, host) as client:
            assert (await client.get("/api/version")).status_code == status, host
    assert AllowedHosts(Settings(hosts=("*",))).allows("evil.example")


async def test_a_proxy_or_a_tunnel_forwards_the_public_name(serve: Serve) -> None:
    app = await serve(Settings(public_url="https://cards.example.org", trusted_proxies=("192.0.2.1",)))
    async with asked(app, "cards.example.org") as client:
        assert (await client.get("/api/version")).status_code == 200
    forwarded = {"x-forwarded-host": "cards.example.org", "x-forwarded-proto": "https", "x-forwarded-for": "8.8.8.8"}
    async with asked(app, "backend.example") as client:
        assert (await client.get("/api/version", headers=forwarded)).status_code == 200
        assert error(await client.get("/api/version")) == (421, "wrong_host")
        foreign = forwarded | {"x-forwarded-host": "evil.example"}
        assert error(await client.get("/api/version", headers=foreign)) == (421, "wrong_host")
    async with asked(app, "evil.example", "198.51.100.1") as client:
        assert error(await client.get("/api/version", headers=forwarded)) == (421, "wrong_host")


async def test_proxies_without_a_public_url_decide_which_names_they_forward(serve: Serve) -> None:
    app = await serve(Settings(trusted_proxies=("127.0.0.1",)))
    async with asked(app, "cards.example.org", "127.0.0.1") as client:
        assert (await client.get("/api/version")).status_code == 200
    async with asked(app, "cards.example.org", "192.0.2.1") as client:
        assert error(await client.get("/api/version")) == (421, "wrong_host")


async def test_a_websocket_under_a_foreign_name_is_misdirected(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann:
        table = await server.table(ann)
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.base.rpartition(":")[2]))
        key = "dGhlIHNhbXBsZSBub25jZQ=="  # of RFC 6455
        writer.write(
            f"GET /api/tables/{table}/live HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\n"
            f"upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n".encode()
        )
        assert b" 421 " in await reader.readline()
        writer.close()
        await writer.wait_closed()


@pytest.mark.parametrize(
    ("host", "address", "status"),
    [
        ("127.0.0.1:8000", "127.0.0.1", 200),
        ("localhost", "::1", 200),
        ("evil.example:8000", "127.0.0.1", 403),
        ("127.0.0.1:8000", "192.168.1.5", 403),
    ],
)
async def test_metrics_need_this_machine_and_one_of_its_names(
    app: AppServer, host: str, address: str, status: int
) -> None:
    async def no_counts() -> DatabaseCounts:
        return DatabaseCounts()

    logged = AccessLog(app.app, Settings(), app.store.metrics, no_counts)
    transport = httpx.ASGITransport(logged, client=(address, 4711))
    async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
        assert (await client.get("/metrics", headers={"host": host})).status_code == status


async def test_the_token_opens_metrics_under_any_name(app: AppServer) -> None:
    async def no_counts() -> DatabaseCounts:
        return DatabaseCounts()

    logged = AccessLog(app.app, Settings(metrics_token="sesame"), app.store.metrics, no_counts)  # noqa: S106 -- test
    transport = httpx.ASGITransport(logged, client=("8.8.8.8", 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://any.example") as client:
        assert (await client.get("/metrics", headers={"authorization": "Bearer sesame"})).status_code == 200

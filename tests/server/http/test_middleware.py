"""Middleware: origins, content types, limits, headers and errors."""

import httpx
import pytest
from tests.server.app_server import HERE, AppServer
from tests.server.conftest import Serve

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process.settings import Settings
from faceup.web.assets import web


def kind(answer: httpx.Response) -> str:
    assert set(answer.json()) == {"error"}
    assert answer.json()["error"]["message"]
    kind: str = answer.json()["error"]["kind"]
    return kind


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://cards.test.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_requests_from_other_sites_are_rejected(app: AppServer, headers: dict[str, str]) -> None:
    async with app.guest("Ann") as ann:
        rejected = await ann.patch("/api/me", json={"name": "Mallory"}, headers=headers)
        assert (rejected.status_code, kind(rejected)) == (403, "cross_origin")
        assert (await ann.get("/api/me")).json()["name"] == "Ann"


async def test_requests_from_own_pages_and_programs_are_allowed(serve: Serve) -> None:
    app = await serve(Settings(public_url="https://cards.example"))
    async with app.guest("Ann") as ann:
        for headers in ({"origin": HERE, "sec-fetch-site": "same-origin"}, {"origin": "https://cards.example"}, {}):
            assert (await ann.patch("/api/me", json={"name": "Anna"}, headers=headers)).status_code == 200


async def test_bodies_other_than_json_are_rejected(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        for form in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"):
            rejected = await ann.patch("/api/me", content=b'{"name":"Mallory"}', headers={"content-type": form})
            assert (rejected.status_code, kind(rejected)) == (415, "unsupported_media_type")


async def test_a_post_without_a_body_needs_no_type_and_is_malformed_only_where_there_are_fields(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        for headers in ({}, {"content-type": "application/json"}):
            assert (await ann.post("/api/device", headers=headers)).status_code == 201
            rejected = await ann.post("/api/session", headers=headers)
            assert (rejected.status_code, kind(rejected)) == (400, "malformed")
        assert (await ann.post("/api/device", json={})).status_code == 201
        rejected = await ann.post("/api/device", headers={"content-type": "text/plain"})
        assert (rejected.status_code, kind(rejected)) == (415, "unsupported_media_type")


async def test_every_response_has_the_security_headers(app: AppServer) -> None:
    async with app.client() as client:
        for path in ("/", "/api/games", "/api/nothing", "/nowhere", "/api/openapi.json"):
            headers = (await client.get(path)).headers
            assert "script-src 'self'" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "same-origin"
            assert "strict-transport-security" not in headers
        script = (await client.get(f"/static/{web().stamp}/main.js")).headers
        assert script["content-type"] == "text/javascript; charset=utf-8"
        assert script["x-content-type-options"] == "nosniff"


async def test_head_is_answered_as_get_without_the_body(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        table = await app.table(ann)
        pages = ("/", f"/t/{table}", "/nowhere", "/api/me", "/api/nothing", f"/api/tables/{table}", "/api/games")
        for path in (*pages, "/api/openapi.json", f"/api/tables/{table}/drawing.svg"):
            full, head = await ann.get(path), await ann.head(path)
            assert (head.status_code, head.content) == (full.status_code, b"")
            received = [dict(answer.headers) for answer in (head, full)]
            lengths = [int(headers.pop("content-length")) for headers in received]
            assert abs(lengths[0] - lengths[1]) <= (1 if table in path else 0), "the time may have another digit"
            assert received[0] == received[1]


async def test_errors_have_one_format(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        missing = await ann.get("/api/nothing")
        assert (missing.status_code, kind(missing)) == (404, "not_found")
        method = await ann.put("/api/me", json={})
        assert (method.status_code, kind(method)) == (405, "method_not_allowed")
        assert {"GET", "PATCH"} <= {name.strip() for name in method.headers["allow"].split(",")}
        for content in (b"{", b"[]", b'{"name":3}', b'{"name":"A","more":1}', b"\xff", b""):
            malformed = await ann.patch("/api/me", content=content, headers={"content-type": "application/json"})
            assert (malformed.status_code, kind(malformed)) == (400, "malformed"), content


async def test_a_too_large_body_is_rejected(serve: Serve) -> None:
    app = await serve(limits=ServerLimits(body=1000))
    async with app.guest("Ann") as ann:
        rejected = await ann.patch("/api/me", json={"name": "x" * 2000})
        assert (rejected.status_code, kind(rejected)) == (413, "too_large")
        assert "at most 1000 bytes" in rejected.json()["error"]["message"]


async def test_rate_limited_requests_have_retry_after(serve: Serve) -> None:
    app = await serve(limits=ServerLimits(requests=RateLimit(3, 0.5)))
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        answers = [await ann.get("/api/me") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert kind(answers[3]) == "rate_limited"
        assert int(answers[3].headers["retry-after"]) in {1, 2}
        assert answers[3].json()["error"]["retry_after"] == int(answers[3].headers["retry-after"])
        assert (await bo.get("/api/me")).status_code == 200


@pytest.mark.long
@pytest.mark.slow
async def test_three_hundred_guests_of_one_address_are_not_rate_limited(app: AppServer) -> None:
    async with app.client() as client:
        for _ in range(300):
            client.cookies.clear()
            assert (await client.post("/api/session", json={})).status_code == 200
            assert (await client.get("/api/codes/ABCDE")).status_code == 404


async def test_a_base_path_works_with_and_without_a_stripping_proxy(serve: Serve) -> None:
    app = await serve(Settings(base_path="/cards"))
    async with app.client() as client:
        for path in ("/cards/api/version", "/api/version"):
            assert (await client.get(path)).status_code == 200
        assert (await client.get("/cards")).status_code == 200
        assert (await client.get("/cardsharp")).status_code == 404


async def test_internal_errors_do_not_leak_details(
    app: AppServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the hand is 57 64 88")

    monkeypatch.setattr(app.store, "open_list", fail)
    async with app.client() as client:
        answer = await client.get("/api/tables")
    assert (answer.status_code, kind(answer)) == (500, "internal")
    assert "57" not in answer.json()["error"]["message"]
    assert "57 64" not in caplog.text
    assert "RuntimeError" in str([record.__dict__.get("fields") for record in caplog.records])

"""What holds for every request: origins, forms, limits, headers, errors."""

import httpx
import pytest
from tests.server.api.conftest import Serve
from tests.server.inside import HERE, House

from faceup.server.api import Limits, Rate
from faceup.server.api.web import web
from faceup.server.settings import Settings


def kind(answer: httpx.Response) -> str:
    assert set(answer.json()) == {"error"}
    assert answer.json()["error"]["message"]
    found: str = answer.json()["error"]["kind"]
    return found


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
async def test_a_page_of_another_site_changes_nothing(house: House, headers: dict[str, str]) -> None:
    async with house.guest("Ann") as ann:
        refused = await ann.patch("/api/me", json={"name": "Mallory"}, headers=headers)
        assert (refused.status_code, kind(refused)) == (403, "foreign")
        assert (await ann.get("/api/me")).json()["name"] == "Ann"


async def test_a_page_of_ours_and_a_program_may(serve: Serve) -> None:
    house = await serve(Settings(public_url="https://cards.example"))
    async with house.guest("Ann") as ann:
        for headers in ({"origin": HERE, "sec-fetch-site": "same-origin"}, {"origin": "https://cards.example"}, {}):
            assert (await ann.patch("/api/me", json={"name": "Anna"}, headers=headers)).status_code == 200


async def test_what_a_form_can_send_is_not_taken(house: House) -> None:
    async with house.guest("Ann") as ann:
        for form in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"):
            refused = await ann.patch("/api/me", content=b'{"name":"Mallory"}', headers={"content-type": form})
            assert (refused.status_code, kind(refused)) == (415, "media_type")


async def test_every_answer_carries_the_headers_that_keep_a_page_safe(house: House) -> None:
    async with house.client() as client:
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


async def test_head_is_answered_as_get_without_the_body(house: House) -> None:
    async with house.guest("Ann") as ann:
        table = await house.table(ann)
        pages = ("/", f"/t/{table}", "/nowhere", "/api/me", "/api/nothing", f"/api/tables/{table}", "/api/games")
        for path in (*pages, "/api/openapi.json", f"/api/tables/{table}/drawing.svg"):
            whole, head = await ann.get(path), await ann.head(path)
            assert (head.status_code, head.content) == (whole.status_code, b"")
            told = [dict(answer.headers) for answer in (head, whole)]
            lengths = [int(headers.pop("content-length")) for headers in told]
            assert abs(lengths[0] - lengths[1]) <= (1 if table in path else 0), "the time there may have a digit more"
            assert told[0] == told[1]


async def test_errors_have_one_form(house: House) -> None:
    async with house.guest("Ann") as ann:
        missing = await ann.get("/api/nothing")
        assert (missing.status_code, kind(missing)) == (404, "missing")
        method = await ann.put("/api/me", json={})
        assert (method.status_code, kind(method)) == (405, "method")
        assert {"GET", "PATCH"} <= {each.strip() for each in method.headers["allow"].split(",")}
        for content in (b"{", b"[]", b'{"name":3}', b'{"name":"A","more":1}', b"\xff", b""):
            malformed = await ann.patch("/api/me", content=content, headers={"content-type": "application/json"})
            assert (malformed.status_code, kind(malformed)) == (400, "malformed"), content


async def test_a_body_that_is_too_large_is_not_read(serve: Serve) -> None:
    house = await serve(limits=Limits(body=1000))
    async with house.guest("Ann") as ann:
        refused = await ann.patch("/api/me", json={"name": "x" * 2000})
        assert (refused.status_code, kind(refused)) == (413, "too_large")


async def test_too_many_requests_of_one_player_are_told_when_to_come_back(serve: Serve) -> None:
    house = await serve(limits=Limits(requests=Rate(3, 0.5)))
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        answers = [await ann.get("/api/me") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert kind(answers[3]) == "too_many"
        assert int(answers[3].headers["retry-after"]) in {1, 2}
        assert answers[3].json()["error"]["retry_after"] == int(answers[3].headers["retry-after"])
        assert (await bo.get("/api/me")).status_code == 200


@pytest.mark.slow
async def test_three_hundred_guests_behind_one_address_in_a_minute_meet_no_429(house: House) -> None:
    async with house.client() as client:
        for _ in range(300):
            client.cookies.clear()
            assert (await client.post("/api/session", json={})).status_code == 200
            assert (await client.get("/api/codes/ABCDE")).status_code == 404


async def test_guessing_a_password_is_slowed_down_for_the_name_alone(serve: Serve) -> None:
    house = await serve(limits=Limits(attempts_by_login=Rate(3, 0.1)))
    async with house.guest("Ann") as ann, house.client() as other:
        await ann.post("/api/account", json={"login": "Ann", "password": "correct horse"})
        guesses = [await other.post("/api/login", json={"login": "ann", "password": f"guess {n}"}) for n in range(4)]
        assert [guess.status_code for guess in guesses] == [401, 401, 401, 429]
        assert (await other.post("/api/login", json={"login": "bo", "password": "x"})).status_code == 401


async def test_below_a_base_path_everything_is_found_whether_or_not_the_proxy_takes_it_away(serve: Serve) -> None:
    house = await serve(Settings(base_path="/cards"))
    async with house.client() as client:
        for path in ("/cards/api/version", "/api/version"):
            assert (await client.get(path)).status_code == 200
        assert (await client.get("/cards")).status_code == 200
        assert (await client.get("/cardsharp")).status_code == 404


async def test_nothing_of_a_failure_but_where_to_look_leaves_the_server(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise RuntimeError("the hand is 57 64 88")

    monkeypatch.setattr(house.store, "open_list", fail)
    async with house.client() as client:
        answer = await client.get("/api/tables")
    assert (answer.status_code, kind(answer)) == (500, "internal")
    assert "57" not in answer.json()["error"]["message"]
    assert "57 64" not in caplog.text
    assert "RuntimeError" in str([record.__dict__.get("fields") for record in caplog.records])

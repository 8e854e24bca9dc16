"""Hostile input: whatever a client sends, the answer is an error with a sentence, and never an internal error."""

import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from tests.server.app_server import AppServer, ListeningServer, built

from faceup.server.accounts.shared_limits import SharedLimit
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process.settings import Settings

_ANY = RateLimit(1e9, 1e9)
UNLIMITED = ServerLimits(
    commands=_ANY,
    requests=_ANY,
    per_address=_ANY,
    attempts=_ANY,
    attempts_by_player=_ANY,
    logins=SharedLimit(0, 0),
    logins_from_anywhere=SharedLimit(0, 0),
    codes=_ANY,
    tables=_ANY,
    hints=_ANY,
    studies=_ANY,
    pictures=_ANY,
)

NOT_JSON = {
    "empty": b"",
    "NUL": b"\0",
    "not UTF-8": b'{"name":"\xc0\xaf"}',
    "a name of a member that is not UTF-8": b'{"\xff":1}',
    "UTF-16": '{"name":"Ann"}'.encode("utf-16"),
    "nested arrays": b"[" * 30_000,
    "nested objects": b'{"a":' * 6_000,
    "nested in a member": b'{"config":' + b"[" * 15_000 + b"]" * 15_000 + b"}",
    "a lone surrogate": b'{"name":"\\ud800"}',
    "half a surrogate pair": b'{"name":"\\ud800\\u0041"}',
    "not a number": b'{"name":NaN}',
    "infinity": b'{"name":1e999}',
    "5,000 digits": b'{"name":' + b"9" * 5_000 + b"}",
    "a truncated string": b'{"name":"A',
    "more after the end": b'{"name":"Ann"} {}',
    "NUL in a string": b'{"name":"A\\u0000"}',
    "a control character in a string": b'{"name":"A\0"}',
}
"""Bodies that are not JSON, or contain values that cannot be read or stored."""

ODD = {
    "null": b"null",
    "a number": b"-1",
    "a string": b'"x"',
    "an array": b"[]",
    "an empty object": b"{}",
    "the same member twice": b'{"name":"Ann","name":[]}',
    "an integer of 300 digits": b'{"id":"a","command":"sit","seat":' + b"9" * 300 + b"}",
    "a large integer": b'{"id":"b","command":"sit","seat":18446744073709551615}',
    "a negative integer": b'{"id":"c","command":"choose","seat":-9223372036854775808,"action":"x","decision":0}',
    "a long word": b'{"id":"d","command":"choose","seat":0,"action":"' + b"x" * 20_000 + b'","decision":0}',
    "an unknown bot": b'{"id":"e","command":"add_bot","seat":0,"kind":"\xf0\x9f\x98\x80"}',
    "large options": b'{"config":{"game":"nimmt","options":{"seats":9223372036854775807,"hand":-5}}}',
    "a float as an option": b'{"config":{"game":"nimmt","options":{"seats":1e300}}}',
    "odd terms": b'{"config":{"game":"nimmt","options":{},"terms":{"clock":99999999999999999999}}}',
    "invisible text": b'{"name":"\\u202e\\u200b\\ufeff","login":"\\u202e","label":"\\u202e","code":"\\u202e"}',
}
"""Bodies that are JSON, but not what a route accepts."""

PATHS = (
    "%00",
    "a%00b",
    "%ff",
    "%ed%a0%80",
    "9" * 5_000,
    "..%2f..%2fetc",
    "%0d%0aset-cookie:%20a",
    "%F0%9F%98%80",
    "a+b",
)
QUERIES = ("%00", "9" * 5_000, "-1", "1e999", "%ff", "\u0661", "nan", "", "a&a=b", "%ud800")


HEADERS: tuple[dict[str, str], ...] = (
    {"cookie": "faceup_session=\xff\xfe; faceup_session="},
    {"cookie": "=;;;=" * 500},
    {"authorization": "Bearer \xff"},
    {"authorization": "Bearer faceup_" + "x" * 5_000},
    {"user-agent": "\xff" * 5_000},
    {"accept-encoding": "\xff;q=9"},
    {"accept-language": "\xff, *;q=nan"},
    {"if-none-match": '"\xff'},
    {"origin": "\xff"},
    {"content-length": "0", "content-type": "\xff"},
)

RECORDS = (
    b'{"format":1,"more":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b'{"format":1,"game":"nimmt","variant":"arena","options":{"seats":' + b"[" * 100_000,
    b'{"format":1,"game":"\xff"}',
    b'{"format":' + b"9" * 5_000 + b"}",
    b"[" * 100_000,
    b'{"format":1,"game":"\\ud800","variant":"","options":{},"terms":{},"entries":[]}',
    b'{"format":1,"game":"nimmt","variant":"arena","options":{"seats":9007199254740991},"terms":{},"entries":[]}',
    b"",
)


# PostgreSQL, because it accepts less, such as no NUL in texts.
DATABASES = pytest.mark.parametrize(
    "url", ["postgresql", pytest.param("sqlite", marks=pytest.mark.long)], indirect=True
)


@pytest.fixture
async def app_server(url: str) -> AsyncIterator[AppServer]:
    """A server on each kind of database, without rate limits."""
    async with built(url, Settings().without_limits(), UNLIMITED) as app_server:
        await app_server.app.start()
        try:
            yield app_server
        finally:
            await app_server.app.stop()


async def operations(client: httpx.AsyncClient) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the method, the path and the description of all operations but the endless stream and the log-out."""
    paths = (await client.get("/api/openapi.json")).json()["paths"]
    skipped = {("get", "/api/tables/{table}/stream"), ("delete", "/api/session"), ("delete", "/api/me")}
    return [
        (method, path, operation)
        for path, item in paths.items()
        for method, operation in item.items()
        if (method, path) not in skipped
    ]


def sentence(answer: httpx.Response) -> str:
    """Return the sentence of an error response, which must not be an internal error."""
    assert 400 <= answer.status_code < 500, (answer.request.method, answer.request.url, answer.text)
    message: str = answer.json()["error"]["message"]
    assert len(message.split()) > 3, message
    return message


async def send_body(client: httpx.AsyncClient, method: str, path: str, body: bytes) -> httpx.Response:
    """Send a body that claims to be JSON."""
    return await client.request(method, path, content=body, headers={"content-type": "application/json"})


@DATABASES
@pytest.mark.slow
async def test_bodies_that_are_not_json_are_answered_with_a_sentence(app_server: AppServer) -> None:
    async with app_server.guest("Ann") as ann:
        table = await app_server.table(ann)
        for method, path, operation in await operations(ann):
            if "requestBody" not in operation:
                continue
            for name, body in NOT_JSON.items():
                answer = await send_body(ann, method, re.sub(r"\{.*?\}", table, path), body)
                assert answer.status_code == 400, (path, name, answer.text)
                assert sentence(answer)


@DATABASES
@pytest.mark.slow
async def test_odd_bodies_are_never_an_internal_error(app_server: AppServer) -> None:
    async with app_server.guest("Ann") as ann:
        table = await app_server.table(ann)
        for method, path, operation in await operations(ann):
            if "requestBody" not in operation and not path.endswith(("/replay", "/review", "/moment", "/picture")):
                continue
            for name, body in ODD.items():
                answer = await send_body(ann, method, re.sub(r"\{.*?\}", table, path), body)
                if not answer.is_success:
                    assert sentence(answer), (path, name)


@DATABASES
@pytest.mark.slow
async def test_odd_paths_and_queries_are_never_an_internal_error(app_server: AppServer) -> None:
    async with app_server.guest("Ann") as ann:
        table = await app_server.table(ann)
        for method, path, operation in await operations(ann):
            if method != "get":
                continue
            for value in PATHS if "{" in path else ():
                answer = await ann.get(re.sub(r"\{.*?\}", value, path))
                if "svg" not in answer.headers["content-type"] and not answer.is_success:
                    assert sentence(answer), (path, value)
            for parameter in operation.get("parameters", ()):
                for value in QUERIES if parameter["in"] == "query" else ():
                    answer = await ann.get(f"{re.sub(r'{.*?}', table, path)}?{parameter['name']}={value}")
                    if not answer.is_success:
                        assert sentence(answer), (path, value)


@DATABASES
async def test_odd_headers_are_never_an_internal_error(app_server: AppServer) -> None:
    async with app_server.client() as client:
        for headers in HEADERS:
            raw = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
            for path in ("/", "/api/server-info", "/api/games", "/api/daily", "/learn"):
                answer = await client.get(path, headers=raw)
                assert answer.status_code < 500, (headers, answer.text)
            answer = await client.post("/api/session", headers=raw)
            assert answer.status_code < 500, (headers, answer.text)


@DATABASES
@pytest.mark.slow
async def test_uploaded_records_that_are_hostile_are_malformed(app_server: AppServer) -> None:
    async with app_server.client() as client:
        for document in RECORDS:
            for path in ("/api/replay", "/api/review", "/api/moment", "/api/picture"):
                answer = await client.post(path, content=document, headers={"content-type": "application/json"})
                assert answer.status_code == 400, (document[:80], answer.text)
                assert sentence(answer)


async def test_hostile_messages_leave_the_connection_usable(server: ListeningServer) -> None:
    hostile: tuple[str | bytes, ...] = (
        "[" * 4_000,
        '{"a":' * 800,
        "",
        "\0",
        b"\xff\xfe",
        b"",
        "null",
        "9" * 4_000,
        '{"command":"sit","id":"1","seat":' + "9" * 3_000 + "}",
        '{"command":"sit","command":"stand","id":"1"}',
        '{"command":"choose","id":"1","seat":0,"action":"\\ud800","decision":0}',
        '{"command":"choose","id":"1","seat":0,"action":"\\u0000","decision":0}',
        '{"command":"sit","id":"1","name":"\\u0000"}',
        '{"command":"pong","ping":[' + "[" * 3_000,
        '{"command":"\u202e","id":"\u202e"}',
    )
    async with server.guest("Ann") as ann:
        table = await server.table(ann)
        async with server.live(table, ann) as connection:
            await connection.connection.send('{"command":"pong","ping":' + "9" * 300 + "}")  # pongs are not answered
            for message in hostile:
                await connection.connection.send(message)
                rejected = await connection.until("rejected")
                assert rejected["error"]["kind"] != "internal", (message[:40], rejected)
            assert (await connection.ask("bot", "add_bot", seat=1, kind="random"))["ack"] == "bot"


async def test_odd_queries_of_a_handshake_are_ignored(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann:
        table = await server.table(ann)
        for name in ("after", "seat"):
            for value in QUERIES:
                query = f"?{name}={value}".encode("ascii", "ignore").decode()
                async with server.live(table, ann, query) as connection:
                    assert (await connection.line())["room"]["status"] == "pending", query


INSERTED = (
    *(b"\\ud800", b"\\u0000", b"[" * 2_000, b'{"a":' * 500, b"9" * 5_000, b"-", b"e999", b"null", b"true"),
    *(b'"', b"\\", b",", b"}", b"]", b'"name":"A",', b'"config":{},', b"\x00", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
)
"""What mutations insert into bodies: broken escapes, nesting, long numbers, members twice, and bytes outside UTF-8."""


def mutated(body: bytes, rng: random.Random) -> bytes:
    """Return a body with one to three insertions or replacements."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(body))
        part = rng.choice((*INSERTED, rng.randbytes(rng.randint(1, 4))))
        body = body[:at] + part + body[at + rng.choice((0, 0, len(part), 10)) :]
    return body[:32_000]


VALID = (
    b'{"name":"Ann","face":"fox-3"}',
    b'{"login":"Ann","password":"correct horse"}',
    b'{"old":"correct horse","new":"battery staple"}',
    b'{"key":"a","new":"battery staple"}',
    b'{"code":"ABCD2345"}',
    b'{"label":"bot","id":"1","scopes":["play","read"]}',
    b'{"credential":{"id":"a","response":{"clientDataJSON":"e30"}},"label":"phone"}',
    b'{"config":{"game":"nimmt","options":{"seats":3},"terms":{"clock":30000},"bots":["greedy"]},"id":"1"}',
    b'{"id":"1","command":"choose","seat":0,"action":"play 57","decision":0}',
    b'{"id":"2","command":"sit","seat":1,"name":"Bo"}',
    b'{"id":"3","command":"rematch"}',
)


@DATABASES
@pytest.mark.long
async def test_mutated_bodies_are_never_an_internal_error(app_server: AppServer) -> None:
    rng = random.Random(1)  # noqa: S311 -- the same cases in each run
    async with app_server.guest("Ann") as ann:
        table = await app_server.table(ann)
        targets = [(method, path) for method, path, operation in await operations(ann) if method != "get"]
        statuses: Counter[int] = Counter()
        for number in range(6_000):
            method, path = targets[number % len(targets)]
            answer = await ann.request(
                method,
                re.sub(r"\{.*?\}", table, path),
                content=mutated(rng.choice(VALID), rng),
                headers={"content-type": "application/json"},
            )
            statuses[answer.status_code] += 1
            if not answer.is_success:
                assert sentence(answer)
            if answer.status_code == 401:  # the request ended the session
                (await ann.post("/api/session", json={"name": "Ann"})).raise_for_status()
        assert statuses[400] > 3_000

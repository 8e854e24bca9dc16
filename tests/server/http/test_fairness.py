"""One player, or one address, does not slow another: the attacks of an audit, without clocks.

`python -m benchmarks abuse` measures the same attacks.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest
from tests.coach.helpers import recorded
from tests.server.app_server import AppServer, started_servers
from tests.server.conftest import Serve
from tests.server.live.players import until
from tests.server.postgresql import PostgreSQL

from faceup.core import make
from faceup.core.record import dumps
from faceup.server.accounts.shared_limits import SharedLimit
from faceup.server.http import address_limits
from faceup.server.http.login_limits import DEVICE_COOKIE
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.process.metrics import Metrics
from faceup.server.process.settings import Settings
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.workers.bots import Bots
from faceup.server.workers.fair_queue import FairQueue, Owner, QueueBounds

Start: TypeAlias = Callable[..., Awaitable[tuple[AppServer, AppServer]]]

DEN, HOME = "198.51.100.1", "192.0.2.1"
TWO = {"game": "nimmt", "options": {"seats": 2, "hand": 2}, "terms": {"clock": None}}


RECORD = Path("tests/web/streams/nimmt.record.json").read_bytes()
TOO_MANY = (429, "too_many_tables")
AS_JSON = {"content-type": "application/json"}


@pytest.fixture(autouse=True)
def no_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no request wait because its address is near a limit."""
    monkeypatch.setattr(address_limits, "LONGEST_DELAY", 0.0)


@pytest.fixture
async def servers(postgresql: PostgreSQL) -> AsyncIterator[Start]:
    """Return a function that starts two servers on one new database."""
    async with AsyncExitStack() as stack:

        async def start(settings: Settings, limits: ServerLimits | None = None) -> tuple[AppServer, AppServer]:
            return await started_servers(stack, stack.enter_context(postgresql.shared_database()), settings, limits)

        yield start


async def until_waiting(app: AppServer, queue: str, count: int) -> None:
    """Wait until this many requests wait in a queue."""
    await until(lambda: app.store.metrics.value("faceup_queue_length", queue=queue) == count, 60)


def error(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the kind of an error, which has a sentence and a time to retry."""
    problem = answer.json()["error"]
    assert problem["message"]
    assert int(answer.headers["retry-after"]) == problem["retry_after"] > 0
    return answer.status_code, problem["kind"]


async def new_table(host: httpx.AsyncClient, **config: Any) -> httpx.Response:
    sit = config.pop("sit", True)
    return await host.post("/api/tables", json={"config": {**TWO, **config}, "sit": sit})


# Bots.


@pytest.mark.slow
async def test_bots_of_one_address_do_not_delay_those_of_another() -> None:
    bots, rules = Bots(Metrics()), make("nimmt:cowheadking", seats=2, hand=2)
    view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    served: list[str] = []

    async def choose(source: str, player: str, table: str) -> None:
        await bots.choose(rules, view, "greedy", 1, owner=Owner(source, player), table=table)
        served.append(source)

    try:
        await bots.choose(rules, view, "greedy", 1)
        attack = [choose("den", f"mallory {number % 2}", f"table {number}") for number in range(40)]
        waiting = [asyncio.create_task(coroutine) for coroutine in attack]
        await asyncio.sleep(0)
        await asyncio.gather(*(choose("home", "ann", "hers") for _ in range(3)))
        assert served.count("den") <= 12
        await asyncio.gather(*waiting)
    finally:
        await bots.stop()


async def test_bots_that_find_no_place_in_the_queue_let_a_simple_policy_choose(app: AppServer) -> None:
    bots = app.hub.bots
    bots.pool.queue = FairQueue("bots", 1, app.store.metrics, bounds=QueueBounds(0, 0, 0, 0))
    async with app.guest("Ann") as ann:
        table = (await new_table(ann, bots=["sharp"])).json()["id"]
        await ann.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "start"})
        await until(lambda: app.hub.rooms[table].room.table.waiting == (0,))


# Replays, reviews and pictures.


@pytest.mark.slow
async def test_records_of_one_address_do_not_delay_a_replay_of_another(app: AppServer) -> None:
    record = dumps(recorded("nimmt:onehundredandfour seats=10 deals=60")).encode()
    async with app.client_at(DEN) as mallory, app.client_at(HOME) as ann:
        sent = [
            asyncio.create_task(mallory.post(f"/api/replay?seat={seat}", content=record, headers=AS_JSON))
            for seat in range(7)
        ]
        await until(lambda: app.store.metrics.value("faceup_queue_length", queue="replays") >= 4, 60)
        assert (await ann.post("/api/replay", content=RECORD, headers=AS_JSON)).status_code == 200
        assert sum(task.done() for task in sent) <= 3
        for task in sent:
            task.cancel()
        await asyncio.gather(*sent, return_exceptions=True)


async def test_more_work_than_fits_is_answered_with_a_time_to_retry(app: AppServer) -> None:
    services = app.app.services
    metrics = app.store.metrics
    async with app.client() as ann:
        for bounds, expected in (
            (QueueBounds(0, 0, 9, 9), (429, "rate_limited")),
            (QueueBounds(9, 9, 0, 9), (429, "rate_limited")),
            (QueueBounds(9, 9, 9, 0), (503, "overloaded")),
        ):
            services.replays.pool.queue = FairQueue("replays", 1, metrics, bounds=bounds)
            services.coach.pool.queue = FairQueue("coach", 1, metrics, bounds=bounds)
            services.lists = FairQueue("lists", 1, metrics, bounds=bounds)
            services.hashing = FairQueue("passwords", 1, metrics, bounds=bounds)
            for path in ("/api/replay", "/api/moment", "/api/picture", "/api/review", "/api/review.ndjson"):
                assert error(await ann.post(path, content=RECORD, headers=AS_JSON)) == expected
            for path in ("/api/tables", "/api/ladder", "/preview/home.png"):
                assert error(await ann.get(path)) == expected
            login = {"login": "ann", "password": "correct horse"}
            assert error(await ann.post("/api/login", json=login)) == expected


async def test_a_worker_that_cannot_start_is_answered_with_a_time_to_retry(app: AppServer) -> None:
    pool = app.app.services.replays.pool
    pool._processes[0]._module = "faceup.no_such_module"
    async with app.client() as ann:
        assert error(await ann.get("/preview/home.png")) == (503, "overloaded")


async def test_the_picture_of_a_client_that_has_gone_is_not_drawn(app: AppServer) -> None:
    services = app.app.services
    services.replays.pool.queue = queue = FairQueue("replays", 1, app.store.metrics)
    with queue.enter(Owner("another")) as ticket:
        await ticket.wait()
        started = asyncio.Event()
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/preview/home.png",
            "query_string": b"",
            "headers": [],
            "client": (HOME, 1),
            "server": ("cards.test", 80),
            "scheme": "http",
            "root_path": "",
            "raw_path": b"/preview/home.png",
            "http_version": "1.1",
            "state": {},
            "extensions": {},
        }
        first = True

        async def receive() -> dict[str, Any]:
            nonlocal first
            if first:
                first = False
                return {"type": "http.request", "body": b"", "more_body": False}
            await started.wait()
            return {"type": "http.disconnect"}

        async def send(_: Any) -> None:
            pass

        asked = asyncio.create_task(app.app(scope, receive, send))
        await until_waiting(app, "replays", 1)
        started.set()
        await asked
        await until_waiting(app, "replays", 0)


# Lists and static answers.


async def test_the_games_and_the_picture_of_a_link_are_sent_once(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        table = (await new_table(ann)).json()["id"]
        for path in ("/api/games", f"/api/tables/{table}/link.svg"):
            first = await ann.get(path)
            assert first.status_code == 200
            again = await ann.get(path, headers={"if-none-match": first.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]
        games = await ann.get("/api/games", headers={"accept-encoding": "identity"})
        assert [game["name"] for game in games.json()][:3] == ["nimmt", "niuniu", "war"]
        assert "content-encoding" not in games.headers


async def test_public_tables_are_limited_and_come_in_pages(serve: Serve) -> None:
    app = await serve(Settings(listed_tables_per_player=3, listed_tables_per_address=7))
    made: list[str] = []
    async with AsyncExitStack() as stack:
        for guest in range(3):
            mallory = await stack.enter_async_context(app.guest(f"Mallory {guest}", DEN))
            answers = [await new_table(mallory, listed=True) for _ in range(5)]
            made += [answer.json()["id"] for answer in answers if answer.status_code == 201]
            assert {error(answer) for answer in answers if answer.status_code != 201} == {TOO_MANY}
            assert (await new_table(mallory)).status_code == 201, "private tables have another limit"
        assert len(made) == 7
        ann = await stack.enter_async_context(app.guest("Ann", HOME))
        made.append((await new_table(ann, listed=True)).json()["id"])
        tables: list[dict[str, Any]] = []
        while page := (await ann.get("/api/tables", params={"limit": 3, **after(tables)})).json():
            assert len(page) <= 3
            tables += page
        assert sorted(table["id"] for table in tables) == sorted(made)
        assert [table["id"] for table in tables[:2]] == [made[7], made[6]], "the addresses take turns"
        assert [table["id"] for table in tables[2:]] == made[5::-1]
        assert (await ann.get("/api/tables", params={"after": "yesterday"})).status_code == 400


def after(tables: list[dict[str, Any]]) -> dict[str, str]:
    return {"after": tables[-1]["cursor"]} if tables else {}


# Tables.


async def test_open_tables_are_limited_by_their_cost(serve: Serve) -> None:
    app = await serve(Settings(tables_per_player=8, tables_per_address=14))
    async with app.guest("Mallory", DEN) as mallory, app.guest("Trudy", DEN) as trudy, app.guest("Ann") as ann:
        four = {"options": {"seats": 4, "hand": 2}}
        first = await new_table(mallory, **four, bots=["sharp"])  # 1, and 3 bots that search
        assert first.status_code == 201
        assert (await new_table(mallory, **four, bots=["random"])).status_code == 201  # 1
        assert error(await new_table(mallory, **four, bots=["sharp"])) == TOO_MANY
        assert (await new_table(mallory)).status_code == 201
        assert (await new_table(trudy, **four, bots=["sharp"])).status_code == 201
        assert (await new_table(trudy, **four, bots=["sharp"])).status_code == 201
        assert error(await new_table(trudy)) == TOO_MANY
        assert (await new_table(ann, **four, bots=["sharp"])).status_code == 201
        table = first.json()["id"]
        await mallory.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "close"})
        assert (await new_table(trudy)).status_code == 429, "she has herself as many as she may"
        assert (await new_table(mallory, **four, bots=["sharp"])).status_code == 201


async def test_bots_that_join_later_count(serve: Serve) -> None:
    app = await serve(Settings(tables_per_player=3))
    async with app.guest("Mallory") as mallory:
        table = (await new_table(mallory, options={"seats": 3, "hand": 2})).json()["id"]
        for number in range(2):
            added = {"id": f"{number}", "command": "add_bot", "kind": "sharp"}
            assert (await mallory.post(f"/api/tables/{table}/commands", json=added)).status_code == 200
        async with asyncio.timeout(60):
            while (row := await app.store.room(table)) is None or row.origin.cost != 3:  # noqa: ASYNC110 -- a database
                await asyncio.sleep(0.01)
        assert not row.origin.bot_only
        assert error(await new_table(mallory)) == TOO_MANY


async def test_tables_with_only_bots_have_a_limit_of_their_own(serve: Serve) -> None:
    app = await serve(Settings(bot_tables_per_player=1, bot_tables_per_address=2))
    async with AsyncExitStack() as stack:
        mallory, trudy, eve = [await stack.enter_async_context(app.guest(name, DEN)) for name in ("M", "T", "E")]
        assert (await new_table(mallory, sit=False, bots=["random"])).status_code == 201
        assert error(await new_table(mallory, sit=False, bots=["random"])) == TOO_MANY
        assert (await new_table(mallory, bots=["random"])).status_code == 201
        assert (await new_table(trudy, sit=False, bots=["random"])).status_code == 201
        assert error(await new_table(eve, sit=False, bots=["random"])) == TOO_MANY


async def test_servers_of_one_database_share_the_limits_and_so_do_addresses_of_one_ipv6_network(
    servers: Start,
) -> None:
    local, there = await servers(Settings(tables_per_address=2, guests_per_address=4))
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(app.guest("Mallory", f"2001:db8:1:2::{number}"))
            for number, app in enumerate((local, there, local, there), 1)
        ]
        async with local.client_at("2001:db8:1:2:a:b:c:d") as client:
            assert error(await client.post("/api/session", json={})) == (429, "rate_limited")
        answers = [await new_table(guest) for guest in guests]
        assert [answer.status_code for answer in answers] == [201, 201, 429, 429]
        async with there.guest("Ann", "2001:db8:1:3::1") as ann:
            assert (await new_table(ann)).status_code == 201


async def test_without_limits_there_are_none(serve: Serve) -> None:
    app = await serve(Settings().without_limits())
    async with app.guest("Ann") as ann:
        for _ in range(12):
            assert (await new_table(ann, sit=False, bots=["random"], listed=True)).status_code == 201


@pytest.mark.long
@pytest.mark.slow
async def test_a_club_of_two_hundred_behind_one_address_is_delayed_but_seated(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = await serve(Settings(guests_per_address=240, tables_per_address=50, listed_tables_per_address=48))
    delays: list[float] = []
    delay_for = address_limits.delay_for
    monkeypatch.setattr(address_limits, "LONGEST_DELAY", 5.0)

    def noted(load: float) -> float:
        delays.append(delay_for(load))
        return 0.0

    monkeypatch.setattr(address_limits, "delay_for", noted)
    seats = {"options": {"seats": 5, "hand": 2}, "listed": True, "bots": ["random"]}
    async with AsyncExitStack() as stack:
        guests = [await stack.enter_async_context(app.guest(f"Player {number}", DEN)) for number in range(200)]
        assert delays[0] == 0
        assert 0 < max(delays) < address_limits.LONGEST_DELAY
        delays.clear()
        for number in range(40):
            host, *others = guests[5 * number : 5 * number + 5]
            table = (await new_table(host, **seats)).json()["id"]
            for other in others:
                sat = await other.post(f"/api/tables/{table}/commands", json={"id": "sit", "command": "sit"})
                assert sat.status_code == 200
            row = await app.store.room(table)
            assert row is not None
            assert all(json.loads(row.summary)["seats"])
        assert delays[0] == 0
        assert 0 < max(delays) < address_limits.LONGEST_DELAY


# Passwords.

ANN = {"login": "Ann", "password": "correct horse"}


async def guess(client: httpx.AsyncClient, count: int) -> list[int]:
    wrong = [{**ANN, "password": f"guess {number}"} for number in range(count)]
    return [(await client.post("/api/login", json=body)).status_code for body in wrong]


async def test_wrong_passwords_lock_out_their_address_but_not_the_player(servers: Start) -> None:
    local, there = await servers(Settings(), ServerLimits(logins=SharedLimit(10, 36_000_000)))
    async with local.guest("Ann", HOME) as phone, local.client_at(DEN) as mallory:
        await phone.post("/api/account", json=ANN)
        assert await guess(mallory, 12) == [401] * 10 + [429] * 2
        assert error(await mallory.post("/api/login", json=ANN)) == (429, "rate_limited")
        async with there.client_at(DEN) as neighbour:
            assert error(await neighbour.post("/api/login", json=ANN)) == (429, "rate_limited")
            other = await neighbour.post("/api/login", json={"login": "bo", "password": "x"})
            assert other.status_code == 401, "another login has its own count"
        async with there.client_at(HOME) as laptop:
            assert (await laptop.post("/api/login", json=ANN)).status_code == 200
        async with there.client_at(DEN) as client:
            client.cookies.set(DEVICE_COOKIE, phone.cookies[DEVICE_COOKIE])
            assert (await client.post("/api/login", json=ANN)).status_code == 200
            assert await guess(client, 11) == [401] * 10 + [429]
        async with there.client_at(DEN) as forged:
            nonce, _, signature = phone.cookies[DEVICE_COOKIE].partition(".")
            forged.cookies.set(DEVICE_COOKIE, f"{nonce}x.{signature}")
            assert (await forged.post("/api/login", json=ANN)).status_code == 429


async def test_right_passwords_do_not_count(app: AppServer) -> None:
    async with app.guest("Ann", HOME) as phone, app.client_at(DEN) as laptop:
        await phone.post("/api/account", json=ANN)
        for _ in range(15):
            laptop.cookies.clear()
            assert (await laptop.post("/api/login", json=ANN)).status_code == 200


async def test_a_device_cookie_gives_no_access(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as thief:
        answer = await phone.post("/api/account", json=ANN)
        cookie = next(header for header in answer.headers.get_list("set-cookie") if header.startswith(DEVICE_COOKIE))
        assert "httponly" in cookie.lower()
        assert "samesite=lax" in cookie.lower()
        thief.cookies.set(DEVICE_COOKIE, phone.cookies[DEVICE_COOKIE])
        assert (await thief.get("/api/me")).status_code == 401
        thief.cookies.set(SESSION_COOKIE, phone.cookies[DEVICE_COOKIE])
        assert (await thief.get("/api/me")).status_code == 401


async def test_registrations_of_one_address_do_not_delay_a_login_of_another(
    app: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = app.app.services
    hashed: list[str] = []
    hash_password, check = services.passwords.hash, services.passwords.check

    async def noted_hash(password: str) -> str:
        hashed.append(password)
        return await hash_password(password)

    async def noted_check(stored: str | None, password: str) -> bool:
        hashed.append(password)
        return await check(stored, password)

    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(app.guest("Ann", HOME))
        await ann.post("/api/account", json=ANN)
        guests = [await stack.enter_async_context(app.guest("M", DEN)) for _ in range(30)]
        monkeypatch.setattr(services.passwords, "hash", noted_hash)
        monkeypatch.setattr(services.passwords, "check", noted_check)
        services.hashing = FairQueue("passwords", 1, app.store.metrics)
        with services.hashing.enter(Owner("another")) as ticket:
            await ticket.wait()
            sent = [
                asyncio.create_task(guest.post("/api/account", json={"login": f"m{number}", "password": "quiet maple"}))
                for number, guest in enumerate(guests)
            ]
            await until_waiting(app, "passwords", 30)
            login = asyncio.create_task(ann.post("/api/login", json=ANN))
            await until_waiting(app, "passwords", 31)
        assert (await login).status_code == 200
        assert {answer.status_code for answer in await asyncio.gather(*sent)} == {200}
        assert hashed.index("correct horse") <= 1


async def test_passwords_are_hashed_after_every_cheap_check(app: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        await ann.post("/api/account", json=ANN)

        async def hashed(*_: object) -> str:
            raise AssertionError("a password was hashed")

        services = app.app.services
        monkeypatch.setattr(services.passwords, "hash", hashed)
        monkeypatch.setattr(services.passwords, "check", hashed)
        long = "x" * 201
        for client, path, body, status in (
            (bo, "/api/account", ANN, 409),
            (bo, "/api/account", {"login": "bo", "password": "short"}, 400),
            (bo, "/api/account", {"login": "bo", "password": "password1"}, 400),
            (bo, "/api/account", {"login": "", "password": "correct horse"}, 400),
            (ann, "/api/account", {"login": "annie", "password": "correct horse"}, 409),
            (bo, "/api/account/password", {"old": "x", "new": "correct horse"}, 404),
            (ann, "/api/account/password", {"old": "x", "new": "short"}, 400),
            (ann, "/api/account/password", {"old": "x", "new": "password1"}, 400),
            (anonymous, "/api/account/reset", {"key": "no such key", "new": "correct horse"}, 401),
            (anonymous, "/api/account/reset", {"key": "no such key", "new": "short"}, 400),
            (anonymous, "/api/login", {"login": "", "password": "x"}, 400),
            (anonymous, "/api/login", {"login": "ann", "password": long}, 400),
        ):
            assert (await client.post(path, json=body)).status_code == status, (path, body)


async def test_guessing_which_logins_exist_by_registering_is_limited(app: AppServer) -> None:
    async with app.guest("Ann", HOME) as ann, app.guest("Mallory", DEN) as mallory:
        await ann.post("/api/account", json=ANN)
        answers = [await mallory.post("/api/account", json=ANN) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [409] * 10 + [429]


async def test_tables_with_days_per_move_have_a_limit_of_their_own(serve: Serve) -> None:
    app = await serve(
        Settings(correspondence_tables_per_player=1, correspondence_tables_per_address=2, tables_per_player=1)
    )
    days = {"terms": {"clock": 3 * 86_400_000}}
    async with AsyncExitStack() as stack:
        mallory, trudy, eve = [await stack.enter_async_context(app.guest(name, DEN)) for name in ("M", "T", "E")]
        assert (await new_table(mallory, **days)).status_code == 201
        assert error(await new_table(mallory, **days)) == TOO_MANY
        assert (await new_table(mallory)).status_code == 201
        assert error(await new_table(mallory)) == TOO_MANY
        assert (await new_table(trudy, **days)).status_code == 201
        assert error(await new_table(eve, **days)) == TOO_MANY

"""Web Push: players are notified of their turns, once, on the devices that have subscribed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from secrets import token_hex

import httpx
import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.app_server import AppServer, built, started_servers
from tests.server.postgresql import PostgreSQL
from tests.server.requests import error
from tests.server.tables.test_my_tables_routes import choose, start
from tests.server.turns.push_service import Browser, PushService, push_service, verify

from faceup.core import Malformed
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.process.settings import Settings
from faceup.server.store.schema import turns
from faceup.server.turns.push_client import PushClient, check_subscription
from faceup.server.turns.push_keys import create_push_keys, delete_push_keys
from faceup.server.turns.push_subscriptions import PushSubscription
from faceup.server.turns.schema import push_subscriptions
from faceup.server.turns.tasks import TurnDelivery

pytestmark = pytest.mark.asyncio(loop_scope="module")

TESTING = ServerLimits(private_push=True)
CONTACT = "mailto:ann@example.org"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppServer]:
    """A server with keys for all tests of this module, which use separate players."""
    database = f"sqlite:///{tmp_path_factory.mktemp('push')}/tables.sqlite"
    async with built(database, Settings(), TESTING) as running:
        await running.app.start()
        await running.store.write(lambda connection: create_push_keys(connection, CONTACT))
        yield running
        await running.app.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def service() -> AsyncIterator[PushService]:
    async with push_service() as running:
        yield running


async def subscribe(player: httpx.AsyncClient, browser: Browser, language: str = "en") -> None:
    answer = await player.post("/api/push", json=browser.subscription | {"language": language})
    assert answer.json()["subscribed"], answer.text


async def is_subscribed(player: httpx.AsyncClient) -> bool:
    return bool((await player.get("/api/push")).json()["subscribed"])


async def stored(app: AppServer, browser: Browser) -> int:
    query = sa.select(sa.func.count()).where(push_subscriptions.c.endpoint == browser.endpoint)
    count: int = await app.store.query(lambda connection: connection.execute(query).scalar_one())
    return count


async def messages(app: AppServer, service: PushService) -> int:
    """Return the number of messages of the test, when those of two later turns have arrived.

    A process sends all messages of one look at the turns before it looks again.
    """
    path, home = f"/later-{token_hex(4)}", f"2001:db8:{token_hex(2)}::1"  # the limits are those of an address
    async with app.guest("Cy", home) as cy, app.guest("Di", home) as di:
        await subscribe(cy, service.browser(path[1:]))
        for count in (1, 2):
            await start(cy, di)
            await service.until(count, path)
    return sum(not message.path.startswith("/later-") for message in service.received)


async def test_only_the_browser_can_read_that_it_is_its_players_turn(app: AppServer, service: PushService) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        phone, tablet = service.browser("phone"), service.browser("tablet")
        await subscribe(ann, phone)
        await subscribe(bo, tablet, "de")
        table = await start(ann, bo)
        messages = {message.path: message for message in await service.until(2)}
        key = (await ann.get("/api/push")).json()["key"]
        for browser, text in (
            (phone, "It is your turn at 6 nimmt! (Ann and Bo)."),
            (tablet, "Du bist dran: 6 nimmt! (Ann und Bo)."),
        ):
            message = messages[f"/{browser.endpoint.rpartition('/')[2]}"]
            assert browser.decrypt(message.body) == {"text": text, "table": table, "site": "faceup"}
            claims = verify(message.headers["authorization"])
            assert (claims["sub"], claims["aud"], claims["key"]) == (CONTACT, service.address, key)
            assert (message.headers["content-encoding"], message.headers["topic"]) == ("aes128gcm", table)
            assert 2 * 86_400 - 60 < int(message.headers["ttl"]) <= 2 * 86_400


async def test_a_turn_is_notified_of_once(app: AppServer, service: PushService) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        await subscribe(ann, service.browser("once"))
        table = await start(ann, bo)
        await service.until(1)
        await choose(ann, table)
        await choose(ann, table, "unchoose")  # the same turn
        app.app.services.turn_delivery.check_all()
        await start(ann, bo)
        await service.until(2)
        assert await messages(app, service) == 2


async def test_turns_that_wait_already_are_not_notified_of(app: AppServer, service: PushService) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        await start(ann, bo)
        await subscribe(ann, service.browser("late"))
        second = await start(ann, bo)
        (message,) = await service.until(1)
        assert message.headers["topic"] == second


async def test_a_subscription_ends_with_its_session_or_when_the_push_service_forgets_it(
    app: AppServer, service: PushService
) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        phone = service.browser("gone")
        await subscribe(ann, phone)
        await ann.post("/api/account", json={"login": "ann-of-push", "password": "a long password"})
        assert await is_subscribed(ann)  # the account's new session replaces the guest's in this browser
        service.status = 410
        await start(ann, bo)
        await service.until(1)
        async with asyncio.timeout(20):
            while await is_subscribed(ann):  # noqa: ASYNC110 -- a database
                await asyncio.sleep(0.02)
        await subscribe(ann, phone)
        await ann.delete("/api/session")
        assert await stored(app, phone) == 0
        await subscribe(bo, phone)
        assert not (await bo.delete("/api/push")).json()["subscribed"]
        assert await stored(app, phone) == 0


async def test_a_failure_is_retried_by_any_process_after_its_lease(app: AppServer, service: PushService) -> None:
    """A killed process leaves a lease like this one."""
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        await subscribe(ann, service.browser("retry"))
        service.status = 503
        table = await start(ann, bo)
        await service.until(1)
        query = sa.select(turns.c.push_lease).where(turns.c.room == table, turns.c.push_lease > 0)
        async with asyncio.timeout(20):
            while not await app.store.query(lambda c: c.execute(query).scalar()):  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.02)
        service.status = 201
        app.app.services.turn_delivery.check_all()
        assert await messages(app, service) == 1
        over = turns.update().where(turns.c.room == table).values(push_lease=1)
        await app.store.write(lambda connection: connection.execute(over).rowcount)
        app.app.services.turn_delivery.check_all()
        await service.until(2, "/retry")
        assert await messages(app, service) == 2


async def test_bad_subscriptions_are_refused(app: AppServer, service: PushService) -> None:
    async with app.guest("Ann") as ann:
        good = service.browser("bad").subscription
        for wrong in (
            {"keys": good["keys"] | {"p256dh": "AAAA"}},
            {"keys": good["keys"] | {"auth": "AAAA"}},
            {"keys": good["keys"] | {"auth": "é!"}},
            {"endpoint": "x" * 2_000},
            {"endpoint": good["endpoint"] + "\t"},
            {"endpoint": good["endpoint"] + " x"},
            {"endpoint": good["endpoint"] + "\u00e9"},
            {"language": "xx"},
        ):
            assert error(await ann.post("/api/push", json=good | wrong)) == (400, "malformed")
        token = (await ann.post("/api/tokens", json={"label": "bot", "scopes": ["read", "play"]})).json()["key"]
        async with app.client(authorization=f"Bearer {token}") as program:
            assert error(await program.post("/api/push", json=good)) == (403, "forbidden")


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/1",
        "https://push.example.org:8080/1",
        "https://a:b@push.example.org/",
        "ftp://x/",
        "https://",
        "https://[::1]/",
        "https://10.1.2.3/",
    ],
)
async def test_only_https_push_services_are_accepted(endpoint: str) -> None:
    keys = Browser(endpoint).subscription["keys"]
    with pytest.raises(Malformed, match="must start with https://"):
        check_subscription(PushSubscription(endpoint=endpoint, **keys))


async def test_nothing_is_sent_to_a_name_of_a_private_address(app: AppServer) -> None:
    subscription = PushSubscription(endpoint="https://localhost/", **Browser("").subscription["keys"])
    keys = await app.store.write(lambda connection: create_push_keys(connection, CONTACT))
    client = PushClient()
    client.check(subscription)
    assert await client.send(subscription, keys, b"{}", now=0, ttl=60, topic="x") == "failed"
    await client.close()


async def test_a_server_without_keys_has_no_web_push(tmp_path: Path, service: PushService) -> None:
    async with built(f"sqlite:///{tmp_path}/tables.sqlite", Settings(), TESTING) as app:
        await app.app.start()
        async with app.guest("Ann") as ann, app.guest("Bo") as bo:
            assert (await ann.get("/api/push")).json() == {"key": None, "subscribed": False}
            assert error(await ann.post("/api/push", json=service.browser("off").subscription)) == (403, "forbidden")
            await app.store.write(lambda connection: create_push_keys(connection, CONTACT))
            await subscribe(ann, service.browser("off"))
            await app.store.write(delete_push_keys)
            await start(ann, bo)
            await app.app.services.turn_delivery._deliver()
            assert service.received == []
        await app.app.stop()


@pytest.mark.slow
async def test_two_processes_send_one_message(postgresql: PostgreSQL, service: PushService) -> None:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(postgresql.shared_database())
        apps = await started_servers(stack, url, Settings(), TESTING)
        await apps[0].store.write(lambda connection: create_push_keys(connection, CONTACT))
        ann, bo = [await stack.enter_async_context(apps[0].guest(name)) for name in ("Ann", "Bo")]
        await subscribe(ann, service.browser("shared"))
        deliveries: list[TurnDelivery] = [app.app.services.turn_delivery for app in apps]
        for number in range(1, 6):
            await start(ann, bo)
            for delivery in deliveries:
                delivery.check_all()
            await service.until(number)
        assert [await messages(app, service) for app in apps] == [5, 5]

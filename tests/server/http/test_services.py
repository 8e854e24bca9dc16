"""Work stops when the client that asked for it has disconnected."""

import asyncio
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest
from argon2.profiles import CHEAPEST
from tests.server.app_server import AppServer, built

from faceup.core import Malformed
from faceup.server.accounts.passwords import Passwords
from faceup.server.feature import Feature
from faceup.server.features import FEATURES
from faceup.server.http.errors import RequestError
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.http.services import AnyRequest, Services, while_connected
from faceup.server.player_data import export, merge
from faceup.server.process.settings import Settings


class Client:
    """A request whose client can disconnect."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.messages.put_nowait({"type": "http.request", "body": b""})

    async def receive(self) -> dict[str, Any]:
        return await self.messages.get()


async def test_work_is_dropped_when_the_client_disconnects() -> None:
    client, cancelled = Client(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    asked = asyncio.create_task(while_connected(cast("AnyRequest", client), work()))
    await asyncio.sleep(0)
    client.messages.put_nowait({"type": "http.disconnect"})
    with pytest.raises(RequestError, match="the client has disconnected"):
        await asked
    await cancelled.wait()


async def test_a_connected_client_gets_the_result_or_the_error() -> None:
    async def work(divisor: int) -> int:
        return 6 // divisor

    client = cast("AnyRequest", Client())
    assert await while_connected(client, work(2)) == 3
    with pytest.raises(ZeroDivisionError):
        await while_connected(client, work(0))


MAIL = Settings(mail_host="mail.example.org", mail_from="faceup@example.org", public_url="https://example.org")


def services_of(server: AppServer, features: Sequence[Feature]) -> Services:
    return Services(
        MAIL,
        server.store,
        server.hub,
        limits=ServerLimits(),
        passwords=Passwords(CHEAPEST),
        features=features,
        merge=merge,
        export=export,
    )


def repeating() -> int:
    """Return how many periodic tasks run."""
    return sum(getattr(task.get_coro(), "__name__", "") == "repeat" for task in asyncio.all_tasks())


class _FailingTask:
    async def start(self) -> None:
        raise Malformed("this task cannot start")

    async def stop(self) -> None:
        pytest.fail("it has not started")


async def test_a_task_that_cannot_start_stops_those_of_all_features_before_it(tmp_path: Path) -> None:
    async with built(f"sqlite:///{tmp_path / 't.db'}", MAIL) as server:
        before = repeating()
        failing = Feature("failing", tasks=lambda _: (_FailingTask(),))
        with pytest.raises(Malformed, match="this task cannot start"):
            await services_of(server, (*FEATURES, failing)).start()
        assert repeating() == before
        services = services_of(server, FEATURES)
        await services.start()
        assert repeating() > before
        await services.stop()
        assert repeating() == before


async def test_every_service_that_must_be_stopped_is_a_task_of_a_feature(tmp_path: Path) -> None:
    async with built(f"sqlite:///{tmp_path / 't.db'}", MAIL) as server:
        services = services_of(server, FEATURES)
        stops = [task.stop for task in chain.from_iterable(feature.tasks(services) for feature in FEATURES)]
        stopped = {}
        for name, service in vars(services).items():
            task = getattr(service, "task", service)
            if name not in {"store", "hub", "changes"}:  # the process stops the first two, and `Services` the third
                stopped[name] = getattr(task, "stop", getattr(task, "close", None))
        assert {name for name, stop in stopped.items() if stop in stops} == {
            *("auth_cache", "results_ingest", "daily", "seat_reviews", "online", "tournaments"),
            *("turn_delivery", "mail_delivery", "push", "coach", "replays", "openid"),
        }
        assert not [name for name, stop in stopped.items() if stop is not None and stop not in stops]

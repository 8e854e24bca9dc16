"""The load benchmark counts a choice as answered only when all ten players have received it."""

import asyncio
from collections.abc import Callable

import pytest
from benchmarks import online_faceup
from benchmarks.online_load import SEATS, Table, as_fast_as_it_goes, at_a_rate, seated
from tests.server.app_server import ListeningServer

from faceup.server.client import Client


@pytest.mark.slow
async def test_every_choice_of_a_load_test_is_logged_and_broadcast(server: ListeningServer) -> None:
    port = int(server.base.rpartition(":")[2])
    clients = await asyncio.to_thread(online_faceup.tables, port, 1, 2)
    callback: list[Callable[[Table], None]] = [lambda _: None]
    table_id = clients[0][0].path.split("/")[3]
    async with Client(server.base) as client, client.live(table_id) as spectator:
        version = spectator.version or 0
        [table] = await seated(clients, lambda message: callback[0](message))  # noqa: PLW0108 -- the callback is replaced later
        fast = await as_fast_as_it_goes([table], 0.2, callback)
        paced = await at_a_rate([table], 200, 0.2, callback)
        answered = len(fast.waits) + len(paced.waits)
        assert answered >= 2 * SEATS
        # Each choice is one message for all viewers, and nothing else happens.
        await spectator.until(lambda: spectator.version == version + answered)
        table.close()

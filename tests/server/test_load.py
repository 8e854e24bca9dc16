"""What the benchmark of tables online counts as answered was answered to all ten."""

import asyncio
from collections.abc import Callable

import pytest
from benchmarks import online_ours
from benchmarks.online_load import SEATS, Table, as_fast_as_it_goes, at_a_rate, seated
from tests.server.inside import Wired

from faceup.server.client import Client


@pytest.mark.slow
async def test_every_choice_of_a_load_is_in_the_log_and_was_told_to_all_ten(server: Wired) -> None:
    port = int(server.base.rpartition(":")[2])
    clients = await asyncio.to_thread(online_ours.tables, port, 1, 2)
    turn: list[Callable[[Table], None]] = [lambda _: None]
    table_id = clients[0][0].path.split("/")[3]
    async with Client(server.base) as somebody, somebody.live(table_id) as spectator:
        begun = spectator.version or 0
        [table] = await seated(clients, lambda each: turn[0](each))  # noqa: PLW0108 -- it is another one later
        fast = await as_fast_as_it_goes([table], 0.2, turn)
        paced = await at_a_rate([table], 200, 0.2, turn)
        answered = len(fast.waits) + len(paced.waits)
        assert answered >= 2 * SEATS
        # Everybody is sent one message for each choice, and nothing else has happened.
        await spectator.until(lambda: spectator.version == begun + answered)
        table.close()

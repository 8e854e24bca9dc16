"""The queue for workers is fair to addresses, players and tables, bounded, and forgets requests that have gone."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.server.accounts.errors import BusyError, OverloadedError
from faceup.server.process.metrics import Metrics
from faceup.server.workers.fair_queue import FairQueue, Owner, QueueBounds, Ticket

WIDE = QueueBounds(100, 100, 1000, 1000)


class Requests:
    """Requests that hold their slots until they are told to finish."""

    def __init__(self, slots: int = 1, bounds: QueueBounds = WIDE) -> None:
        self.metrics = Metrics()
        self.shortages = 0
        self.queue = FairQueue("test", slots, self.metrics, bounds=bounds, on_shortage=self._count_shortage)
        self.served: list[str] = []
        self.finish = asyncio.Semaphore(0)
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.positions: dict[str, list[int]] = {}

    async def add(self, *names: str, slices: int = 1) -> None:
        """Add requests with names such as `home:ann/t1/2`: address, player if any, table, number."""
        for name in names:
            owner, table, _ = name.split("/")
            ticket = self.queue.enter(Owner(*owner.split(":")), table)
            self.tasks[name] = asyncio.create_task(self._run(name, ticket, slices))
            await asyncio.sleep(0)

    def _count_shortage(self) -> None:
        self.shortages += 1

    async def _run(self, name: str, ticket: Ticket, slices: int) -> None:
        with ticket:
            for _ in range(slices):
                async for position in ticket.positions():
                    self.positions.setdefault(name, []).append(position)
                self.served.append(name)
                await self.finish.acquire()

    async def serve(self, count: int) -> None:
        """Finish this many slices."""
        for _ in range(count):
            self.finish.release()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)

    @property
    def waiting(self) -> float:
        return self.metrics.value("faceup_queue_length", queue="test")


async def test_owners_take_turns_and_so_do_their_tables() -> None:
    requests = Requests()
    await requests.add("ann/t1/1", "ann/t1/2", "ann/t1/3", "ann/t2/1", "bo/t1/1", "bo/t1/2", "cy/t3/1")
    assert requests.waiting == 6
    await requests.serve(7)
    assert requests.served == [
        "ann/t1/1",  # it was alone
        *("bo/t1/1", "cy/t3/1", "ann/t2/1"),
        *("bo/t1/2", "ann/t1/2", "ann/t1/3"),
    ]
    assert requests.waiting == 0
    assert requests.metrics.value("faceup_queue_seconds_count", queue="test") == 7


async def test_players_of_an_address_share_its_turns_and_their_tables_share_theirs() -> None:
    requests = Requests()
    await requests.add(*(f"den:mallory{player}/t{table}/1" for player in range(3) for table in range(3)))
    await requests.add("home:ann/t1/1", "home:bo/t1/1", "home:bo/t2/1", "home:ann/t1/2")
    await requests.serve(13)
    assert requests.served == [
        "den:mallory0/t0/1",  # it was alone
        *("home:ann/t1/1", "den:mallory1/t0/1", "home:bo/t1/1", "den:mallory2/t0/1"),
        *("home:ann/t1/2", "den:mallory0/t1/1", "home:bo/t2/1", "den:mallory1/t1/1"),
        *("den:mallory2/t1/1", "den:mallory0/t2/1", "den:mallory1/t2/1", "den:mallory2/t2/1"),
    ]


async def test_no_address_gets_the_last_of_several_slots() -> None:
    requests = Requests(slots=3)
    await requests.add("ann/t1/1", "ann/t2/1", "ann/t3/1", "ann:ann/t1/1")
    assert requests.served == ["ann/t1/1", "ann/t2/1"]
    assert requests.shortages
    await requests.add("bo/t1/1")
    assert requests.served[2:] == ["bo/t1/1"]
    await requests.serve(2)
    assert len(requests.served) == 5


async def test_slots_can_be_added_and_removed() -> None:
    requests = Requests()
    await requests.add("ann/t1/1", "bo/t1/1", "cy/t1/1")
    assert requests.served == ["ann/t1/1"]
    requests.queue.add_slot()
    await requests.serve(0)
    assert requests.served == ["ann/t1/1", "bo/t1/1"]
    await requests.serve(3)
    requests.queue.remove_free_slots(1)
    await requests.add("ann/t1/1", "bo/t1/1")
    assert requests.served[3:] == ["ann/t1/1"]


async def test_a_request_that_waits_too_long_is_refused() -> None:
    requests = Requests()
    await requests.add("ann/t1/1")
    with requests.queue.enter(Owner("bo")) as ticket, pytest.raises(OverloadedError, match="try again"):
        await ticket.wait(0)
    await requests.add("cy/t1/1")
    await requests.serve(1)
    assert requests.served == ["ann/t1/1", "cy/t1/1"], "it has left the queue"


async def test_an_owner_without_a_slot_comes_before_one_with_slots() -> None:
    requests = Requests(slots=3)
    await requests.add("ann/t1/1", "ann/t1/2", "ann/t1/3", "bo/t1/1", "bo/t1/2", "cy/t1/1")
    await requests.serve(1)
    assert requests.served == ["ann/t1/1", "ann/t1/2", "bo/t1/1", "cy/t1/1"]


async def test_long_work_lets_others_in_between_its_slices() -> None:
    requests = Requests()
    await requests.add("ann/t1/1", slices=3)
    await requests.serve(1)
    assert requests.served == ["ann/t1/1"] * 2, "no one else waits, so it continues"
    await requests.add("bo/t2/1", "cy/t3/1")
    await requests.serve(4)
    assert requests.served[2:] == ["bo/t2/1", "cy/t3/1", "ann/t1/1"]


async def test_positions_count_the_requests_ahead() -> None:
    requests = Requests()
    await requests.add("ann/t1/1", "ann/t1/2", "ann/t1/3", "bo/t1/1")
    for _ in range(3):
        await asyncio.sleep(0)
    assert requests.positions == {"ann/t1/2": [0, 1], "ann/t1/3": [1, 2], "bo/t1/1": [0]}
    await requests.serve(4)
    assert requests.positions["ann/t1/3"] == [1, 2, 1, 0]
    assert requests.served == ["ann/t1/1", "bo/t1/1", "ann/t1/2", "ann/t1/3"]


async def test_the_length_is_bounded_per_owner_and_in_all() -> None:
    requests = Requests(bounds=QueueBounds(per_player=2, anonymous=1, per_source=4, total=5))
    await requests.add("home:ann/t1/1", "home:ann/t2/1", "home/t/1")
    for more in ("home:ann/t3/1", "home/t/2"):
        with pytest.raises(BusyError, match="you have too many requests"):
            await requests.add(more)
    await requests.add("home:al/t1/1")
    with pytest.raises(BusyError, match="your network has too many requests"):
        await requests.add("home:abe/t1/1")
    await requests.add("bo/t1/1")
    with pytest.raises(OverloadedError, match="the server has too many requests"):
        await requests.add("cy/t1/1")
    await requests.serve(5)
    await requests.add("cy/t1/1", "home:ann/t3/1")
    assert requests.served[-1] == "cy/t1/1"


async def test_a_request_that_has_gone_is_dropped() -> None:
    requests = Requests()
    await requests.add("ann/t1/1", "bo/t1/1", "bo/t1/2", "cy/t1/1")
    for name in ("bo/t1/1", "ann/t1/1"):  # one waits, one has the slot
        requests.tasks[name].cancel()
        with suppress(asyncio.CancelledError):
            await requests.tasks[name]
    await requests.serve(2)
    assert requests.served == ["ann/t1/1", "bo/t1/2", "cy/t1/1"]
    assert requests.waiting == 0


async def test_a_detached_slot_outlives_its_request() -> None:
    requests = Requests()
    with requests.queue.enter(Owner("ann")) as ticket:
        await ticket.wait()
        give_back = ticket.detach()
    await requests.add("bo/t1/1")
    assert requests.served == []
    give_back()
    await requests.serve(1)
    assert requests.served == ["bo/t1/1"]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=12), st.integers(1, 3))
def test_every_request_is_served_once_and_no_owner_waits_for_two_of_another(
    asked: Sequence[tuple[str, str]], slots: int
) -> None:
    async def serve() -> list[str]:
        requests = Requests(slots)
        names = [f"{owner}/{table}/{number}" for number, (owner, table) in enumerate(asked)]
        await requests.add(*names)
        await requests.serve(len(names))
        assert sorted(requests.served) == sorted(names)
        assert requests.waiting == 0
        return requests.served[slots:]  # the first requests found free slots

    served = [name.split("/")[0] for name in asyncio.run(serve())]
    for index in range(1, len(served)):
        if served[index] == served[index - 1] and slots == 1:
            others = [owner for owner in served[index + 1 :] if owner != served[index]]
            assert not others, "an owner with waiting requests was passed over"

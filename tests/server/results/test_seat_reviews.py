"""Each seat of a person is reviewed once, and what the coach found follows the player."""

from collections.abc import AsyncIterator
from functools import partial

import pytest_asyncio
import sqlalchemy as sa
from tests.server.player_export import export
from tests.server.results.played_games import play_game, rated_game, store_game
from tests.server.results.test_ingest import open_store
from tests.server.rooms.room_log import IDS

from faceup.server.admin.deletion import erase_players
from faceup.server.daily.schema import daily_attempts, daily_deals
from faceup.server.player_data import merge
from faceup.server.results.ingest import ResultsIngest
from faceup.server.results.schema import seat_reviews
from faceup.server.results.seat_reviews import (
    MAX_TRIES,
    RESERVED,
    CoachFindings,
    FoundFault,
    PendingSeat,
    SeatFindings,
    coach_findings,
    pending_seats,
    reserve,
    store_findings,
)
from faceup.server.rooms import TableConfig
from faceup.server.store import Store
from faceup.server.store.schema import server_clock

RISK = SeatFindings(9, {"sixth": FoundFault(2, 3.5, 2.0, 4), "row": FoundFault(1, 9.0, 9.0, 1)})
ROW = SeatFindings(8, {"row": FoundFault(1, 1.0, 1.0, 7)})


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """Create a store on each kind of database."""
    async with open_store(url) as opened:
        yield opened


async def pending(store: Store, *, since: int = 0, later: int = 0) -> list[PendingSeat]:
    await ResultsIngest(store).ingest()
    now = store.now() + later
    return await store.query(lambda connection: pending_seats(connection, now, since, {"nimmt"}, 20))


async def findings(store: Store, number: int) -> CoachFindings:
    return await store.query(lambda connection: coach_findings(connection, IDS[number]))


async def review_all(store: Store, review: SeatFindings) -> None:
    """Store the same findings for all pending seats."""
    for seat in await pending(store):
        assert await store.write(partial(reserve, now=store.now(), seat=seat))
        await store.write(partial(store_findings, seat=seat, findings=review))


async def test_seats_of_persons_are_pending_until_they_are_reviewed(store: Store) -> None:
    first = await store_game(store, rated_game(1))
    second = await store_game(store, play_game(2))
    await store_game(store, play_game(config=TableConfig(game="war", bots=("random",))))
    seats = await pending(store)
    assert [(seat.room, seat.seat, seat.who) for seat in seats] == [
        (second, 0, IDS[0]),
        (second, 1, IDS[1]),
        (first, 0, IDS[0]),
    ]
    assert await pending(store, since=store.now() + 1) == []
    await review_all(store, RISK)
    assert await pending(store, later=10 * RESERVED) == []


async def test_a_seat_is_reserved_by_one_process_and_tried_a_few_times(store: Store) -> None:
    await store_game(store, rated_game(1))
    [seat] = await pending(store)
    for tries in range(MAX_TRIES):
        now = store.now() + tries * 2 * RESERVED
        assert [await store.write(partial(reserve, now=now, seat=seat)) for _ in range(2)] == [True, False]
        assert await pending(store, later=tries * 2 * RESERVED) == []
    assert await pending(store, later=100 * RESERVED) == []
    assert not await store.write(lambda c: reserve(c, store.now(), seat._replace(number=99)))


async def test_findings_are_added_up_by_player_and_the_most_frequent_fault_is_first(store: Store) -> None:
    table = await store_game(store, rated_game(1))
    await review_all(store, RISK)
    await store_game(store, rated_game(2))
    await review_all(store, ROW)
    coached = await findings(store, 0)
    assert (coached.games, coached.decisions) == (2, 17)
    assert [(fault.fault, fault.count, fault.cost) for fault in coached.faults] == [("row", 2, 10.0), ("sixth", 2, 3.5)]
    example = coached.faults[0].example
    assert (example.table, example.seat, example.decision, example.cost) == (table, 0, 1, 9.0)
    assert await findings(store, 1) == CoachFindings(games=0, decisions=0, faults=())


async def test_findings_go_with_a_merged_player_and_are_deleted_with_an_erased_one(store: Store) -> None:
    await store_game(store, play_game(2))
    await review_all(store, RISK)
    await store.write(lambda connection: merge(connection, IDS[1], IDS[2]))
    assert (await findings(store, 2)).games == 1
    exported = await store.query(lambda connection: export(connection, IDS[2]))
    assert [fault["fault"] for fault in exported["coach"]["faults"]] == ["sixth", "row"]
    await erase_players(store, [IDS[2]])
    assert (await findings(store, 0)).games == 1
    rows = await store.query(lambda connection: connection.execute(seat_reviews.select()).all())
    assert [row.seat for row in rows] == [0]


async def test_a_daily_deal_is_reviewed_when_its_day_has_ended(store: Store) -> None:
    table = await store_game(store, rated_game(1))
    ends_at = store.now() + 1_000_000

    def start_day(connection: sa.Connection) -> None:
        day = {"date": "2026-11-26", "secret": "", "config": "{}", "created_at": 0}
        connection.execute(daily_deals.insert().values(day))
        attempt = {"date": "2026-11-26", "player": IDS[0], "room": table, "started_at": 0, "ends_at": ends_at}
        connection.execute(daily_attempts.insert().values(attempt))

    await store.write(start_day)
    assert await pending(store) == []
    after = ends_at + 1
    await store.write(
        lambda connection: connection.execute(server_clock.update().values(last_heartbeat=after)).rowcount
    )
    assert [seat.room for seat in await pending(store, since=ends_at, later=2_000_000)] == [table]
    assert await pending(store, since=ends_at + 1, later=2_000_000) == []

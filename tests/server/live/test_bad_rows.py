"""One table or row that cannot be handled stops nothing else."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
import sqlalchemy as sa
from tests.server.admin.deletion_worlds import NAMES, a_guest, seated
from tests.server.app_server import opened
from tests.server.daily.test_tasks import server_at
from tests.server.live.players import Person, a_game, caught_up, hub_at, until
from tests.server.live.test_deadlines import entries
from tests.server.parties.test_routes import get, join, key_of, people, send, start
from tests.server.results.played_games import play_game, store_game
from tests.server.results.test_ingest import _people
from tests.server.store.rows import a_table, an_append

from faceup.core.record import Extended, TimedOut
from faceup.server.accounts.players import Erasure
from faceup.server.accounts.sessions import create_session
from faceup.server.admin import deletion
from faceup.server.admin.deletion import delete_tables, erase_players
from faceup.server.daily import tasks as daily_deals
from faceup.server.daily.queries import Day, Par
from faceup.server.http.auth import AuthCache
from faceup.server.live import TableHub
from faceup.server.live.timers import AFTER_ERROR, TimerQueue
from faceup.server.results.ingest import ResultsIngest
from faceup.server.results.seat_reviews import PendingSeat, SeatFindings
from faceup.server.results.tasks import SeatReviews
from faceup.server.rooms import TableConfig
from faceup.server.rooms.daily import open_dates
from faceup.server.rooms.room import open_room
from faceup.server.rooms.summary import list_summary
from faceup.server.store import Store
from faceup.server.store.schema import log, outages, rooms
from faceup.server.tables.watch_list_tasks import WatchList
from faceup.server.turns.notices import TurnNotice
from faceup.server.turns.push_channel import PushChannel
from faceup.server.turns.push_keys import create_push_keys
from faceup.server.turns.push_subscriptions import PushSubscription, subscribe
from faceup.server.workers.coach import Coach


async def damage(hub: TableHub, table: str) -> None:
    """Make the log of a table unreadable, and remove the table from memory."""
    row = log.update().where(log.c.room == table, log.c.seq == 1)
    await hub.store.write(lambda connection: connection.execute(row.values(entries="[[")).rowcount)
    hub._rooms.pop(table).end()


async def wake_of(hub: TableHub, table: str) -> int:
    query = sa.select(rooms.c.wake).where(rooms.c.id == table)
    return await hub.store.query(lambda connection: connection.execute(query).scalar_one())


async def test_an_unreadable_table_delays_no_deadline_of_another_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        bad, _ = await a_game(hub, "ann", "bo", clock=5_000)
        good, _ = await a_game(hub, "cy", "di", clock=5_000)
        await damage(hub, bad)
        hub._rooms.pop(good).end()
        skew[0] += 10_000
        due = await wake_of(hub, bad)
        cy = await Person(hub, good, "cy").connect()
        await cy.until(lambda cy: cy.room_view["decision"] == 1)
        assert entries(hub, good, TimedOut)
        while await wake_of(hub, bad) == due:  # noqa: ASYNC110 -- a database
            await asyncio.sleep(0.05)
        assert await wake_of(hub, bad) > hub.now() - 5_000, "no process visits it for some time"
        await caught_up(hub)
    failures = [record for record in caplog.records if bad in record.getMessage()]
    assert len(failures) == 1
    assert hub.store.metrics.value("faceup_background_failures_total", task="visits of tables") >= 1


async def test_an_unreadable_table_does_not_keep_an_outage_open(tmp_path: Path) -> None:
    """While an outage is open, no deadline of any table expires."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        bad, _ = await a_game(hub, "ann", "bo")
        good, _ = await a_game(hub, "cy", "di")
        await damage(hub, bad)
        now = hub.store.now()
        row = outages.insert().values(start=now - 60_000, end=now)
        await hub.store.write(lambda connection: connection.execute(row).rowcount)
        await until(lambda: any(entry.by > 50_000 for entry in entries(hub, good, Extended)))
        async with asyncio.timeout(30):
            while await hub.store.outages_open():  # noqa: ASYNC110 -- a database
                await asyncio.sleep(0.05)


async def test_an_unreadable_table_is_left_out_of_the_games_to_watch(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        bad, _ = await a_game(hub, "ann", "bo", listed=True)
        good, _ = await a_game(hub, "cy", "di", listed=True)
        await damage(hub, bad)
        assert [game.table for game in await WatchList(hub.store, hub).get()] == [good]


async def test_the_par_of_a_date_that_fails_blocks_no_other_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def compute(day: Day, _: object = None) -> Par:
        if day.date == first:
            raise RuntimeError("test error")
        return Par(bot="champion", heads=7, place=1, turns=(7,))

    monkeypatch.setattr(daily_deals, "BOTS", ("random", "greedy", "random"))
    monkeypatch.setattr(daily_deals, "compute_par", compute)
    async with server_at(tmp_path / "faceup.db") as server:
        first, second = open_dates(server.hub.now())[-2:]
        ann = await server.player("Ann")
        for date in (first, second):
            await server.start(ann, date)
        await server.daily.prepare()
        assert (await server.daily.day(first)).par is None
        assert (await server.daily.day(second)).par is not None


def test_a_timer_that_fails_is_called_again() -> None:
    now, calls = [0], list[int]()

    def fire(_key: str) -> None:
        calls.append(now[0])
        raise RuntimeError("test error")

    async def run() -> None:
        timers = TimerQueue[str](lambda: now[0], fire)
        timers.set("a table", 10)
        for now[0] in (10, 20, 10 + AFTER_ERROR):
            timers.fire_due()
        timers.stop()

    asyncio.run(run())
    assert calls == [10, 10 + AFTER_ERROR]


async def test_the_writer_continues_if_others_cannot_be_notified(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'faceup.db'}")

    def notify(_rows: Any) -> None:
        raise RuntimeError("test error")

    store._writer._committed = notify
    table = await a_table(store)
    async with asyncio.timeout(30):
        await store.append(an_append(table, 1))
        await store.append(an_append(table, 2))
    assert len(await store.read(table)) == 3
    assert store.metrics.value("faceup_background_failures_total", task="writer") >= 2
    await store.close()


async def test_a_connection_that_cannot_be_ended_keeps_no_other_one_of_a_revoked_player(tmp_path: Path) -> None:
    ended = list[str]()

    class Connection:
        def __init__(self, name: str) -> None:
            self.name = name

        def revoke_access(self) -> None:
            if self.name == "bad":
                raise RuntimeError("test error")
            ended.append(self.name)

    async with hub_at(tmp_path / "faceup.db") as hub:
        cache = AuthCache(hub.store, AsyncMock())
        for name in ("first", "bad", "last"):
            cache.connect(["player:1"], Connection(name))
        cache.revoked("player:1")
    assert sorted(ended) == ["first", "last"]


async def test_a_table_that_cannot_be_dropped_keeps_no_other_deleted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path / "t.sqlite") as app:
        bad, good = [(await app.hub.create(TableConfig(game="nimmt"), "ann", "Ann")).table for _ in range(2)]
        assert set(app.hub.rooms) == {bad, good}
        drop = app.hub.drop

        async def fail_for_bad(table: str) -> None:
            if table == bad:
                raise RuntimeError("test error")
            await drop(table)

        monkeypatch.setattr(app.hub, "drop", fail_for_bad)
        await delete_tables(app.store, [bad, good])
        async with asyncio.timeout(60):
            while good in app.hub.rooms:  # noqa: ASYNC110 -- servers read revocations once a second
                await asyncio.sleep(0.05)
        assert app.store.metrics.value("faceup_background_failures_total", task="revocations") == 1


async def test_a_seat_that_cannot_be_reviewed_stops_no_other_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        await hub.store.write(_people)
        bad, good = [await store_game(hub.store, play_game(seed=seed)) for seed in (1, 2)]
        await ResultsIngest(hub.store).ingest()
        reviews, reviewed = SeatReviews(hub.store, hub, Coach(hub.store.metrics), share=1.0), set[str]()

        async def find(seat: PendingSeat) -> SeatFindings:
            if seat.room == bad:
                raise RuntimeError("test error")
            reviewed.add(seat.room)
            return SeatFindings()

        monkeypatch.setattr(reviews, "_find", find)
        await reviews.run()
        assert reviewed == {good}


async def test_a_device_that_cannot_be_sent_to_delays_no_other_one(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        store, now, sent = hub.store, hub.store.now(), list[str]()
        player = await a_guest(store, "Ann")
        await store.write(lambda connection: create_push_keys(connection, "mailto:us@example.org"))

        def add_device(connection: sa.Connection, endpoint: str) -> None:
            session = create_session(connection, now, player, "a phone").id
            device = PushSubscription(endpoint=endpoint, p256dh="p", auth="a", language="en")
            subscribe(connection, now, session, (player,), device)

        for endpoint in ("https://a.test/", "https://bad.test/", "https://c.test/"):
            await store.write(partial(add_device, endpoint=endpoint))

        async def send(device: PushSubscription, *_: object, **__: object) -> str:
            if "bad" in device.endpoint:
                raise RuntimeError("test error")
            sent.append(device.endpoint)
            return "delivered"

        summary = list_summary(open_room(TableConfig(game="nimmt")))
        notice = TurnNotice(room="t", player=player, decision=0, since=now, due=None, summary=summary)
        assert await PushChannel(store, Mock(send=send)).send(notice)
    assert sorted(sent) == ["https://a.test/", "https://c.test/"]


async def test_a_table_that_cannot_be_rewritten_delays_the_erasure_only_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        store = hub.store
        people = (await a_guest(store, NAMES[0]), await a_guest(store, NAMES[1]))
        config = TableConfig(game="nimmt", options={"seats": 2, "hand": 2})
        bad, good = [await seated(hub, config, people) for _ in range(2)]
        rewrite = deletion._rewrite_log

        async def fail_for_bad(store: Store, table: str, pending: Sequence[Erasure]) -> bool:
            if table == bad:
                raise RuntimeError("test error")
            return await rewrite(store, table, pending)

        async def named_in() -> set[str]:
            logs = {table: await store.read(table) for table in (bad, good)}
            return {table for table, rows in logs.items() if people[0].encode() in b"".join(r.entries for r in rows)}

        monkeypatch.setattr(deletion, "_rewrite_log", fail_for_bad)
        await erase_players(store, [people[0]])
        assert await named_in() == {bad}
        monkeypatch.setattr(deletion, "_rewrite_log", rewrite)
        await deletion.resume(store)  # a server does this every minute
        assert await named_in() == set()


async def test_a_party_with_an_unreadable_table_is_shown(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo") as ((server,), (ann, bo)):
        party = await start(ann, name="Ours")
        other = await start(ann, name="Others")
        config = {"game": "nimmt", "options": {"seats": 2}, "terms": {"clock": None}}
        table = (await send(ann, "POST", f"/api/parties/{party}/tables", {"config": config}, 201))["id"]
        await damage(server.hub, table)
        shown = await get(ann, f"/api/parties/{party}")
        assert (shown["name"], [member["name"] for member in shown["members"]]) == ("Ours", ["Ann"])
        listed = await get(ann, "/api/parties")
        assert {entry["id"] for entry in listed} == {party, other}
        await join(bo, await key_of(ann, party))
        assert len((await get(bo, f"/api/parties/{party}"))["members"]) == 2

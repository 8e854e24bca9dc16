"""Daily deals on one or several servers: one secret per day, one attempt per player, the same game for everyone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.server.live.players import Person, caught_up, hub_at

from faceup.core import Malformed, WrongSeatError
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.players import create_guest
from faceup.server.daily import tasks as daily_deals_module
from faceup.server.daily.queries import PLAYER_SEAT, Day, Par, find_attempt, start_attempt
from faceup.server.daily.schema import daily_attempts, daily_deals
from faceup.server.daily.tasks import DailyDeals, attempt_id, compute_par, daily_config
from faceup.server.live import TableHub
from faceup.server.player_data import merge
from faceup.server.results.ingest import ResultsIngest
from faceup.server.rooms.commands import AddBot, Close, PersonCommand, React, Rematch, TransferHost
from faceup.server.rooms.daily import DAY, HOUR, committed_dates, ends_at, next_date, open_dates, opens_at, turns_of
from faceup.server.rooms.errors import RecordWithheldError, SpectatorsOffError
from faceup.server.store import Store
from faceup.table.commands import Leave, Pause


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots without a search play. The choices of `random` depend on the seeds."""
    monkeypatch.setattr(daily_deals_module, "BOTS", ("random", "greedy", "random"))


class Server:
    """A server process: its hub, database and daily deals."""

    def __init__(self, hub: TableHub, store: Store) -> None:
        self.hub, self.store = hub, store
        self.daily = DailyDeals(store, hub)

    @property
    def today(self) -> str:
        return open_dates(self.hub.now())[-1]

    async def player(self, name: str) -> str:
        guest = await self.store.write(lambda connection: create_guest(connection, 0, name))
        return guest.id

    async def start(self, player: str, date: str = "") -> str:
        return await self.daily.start_attempt(date or self.today, player, "Ann")

    async def person(self, player: str) -> Person:
        return await Person(self.hub, await self.start(player), player).connect()

    async def dates(self) -> dict[str, str]:
        query = sa.select(daily_deals.c.date, daily_deals.c.secret).order_by(daily_deals.c.date)
        return await self.store.query(lambda connection: {row.date: row.secret for row in connection.execute(query)})


@asynccontextmanager
async def server_at(path: Path | str, skew: list[int] | None = None) -> AsyncIterator[Server]:
    address = path if isinstance(path, str) else f"sqlite:///{path}"
    async with hub_at(path, skew=skew) as hub:
        store = await Store.attach(address)
        try:
            yield Server(hub, store)
        finally:
            await store.close()


async def play(person: Person, indices: list[int] | None = None) -> Person:
    """Play the legal action with these numbers, counted from the end; the first action after they are used up."""
    rest = list(indices or [])
    while person.room_view["status"] != "finished":
        if person.undecided_seats():
            actions, decision = person.room_view["actions"], person.room_view["decision"]
            await person.choose(rest.pop(0) % len(actions) if rest else 0)
            # The answer may come before the update, and then the seat would choose twice.
            await person.until(
                lambda connection, decision=decision: (
                    not connection.undecided_seats() or connection.room_view["decision"] != decision
                )
            )
        await person.until(
            lambda connection: connection.undecided_seats() or connection.room_view["status"] == "finished"
        )
    return person


@pytest.mark.sample(1)
async def test_everyone_gets_the_same_cards_and_the_same_choices_get_the_same_game(url: str) -> None:
    async with server_at(url) as first, server_at(url) as second:
        people = []
        for server, choices in ((first, [3, 1, 4]), (second, [3, 1, 4]), (first, [0, 0, 0]), (second, [3, 1, 5])):
            person = await server.person(await server.player("Ann"))
            people.append((person.room_view["view"]["hand"], await play(person, choices)))
        assert all(hand == people[0][0] for hand, _ in people)
        logs = [person.room_view["view"]["log"] for _, person in people]
        assert logs[0] == logs[1]
        assert people[0][1].room_view["result"] == people[1][1].room_view["result"]
        for log in logs[2:]:
            same = next(turn for turn in range(10) if log[turn] != logs[0][turn])
            assert log[same]["plays"][1:] == logs[0][same]["plays"][1:], (
                "the games are equal as long as the choices are"
            )
        assert people[0][1].room_view["daily"] == first.today


@pytest.mark.sample(1)
async def test_one_attempt_counts_and_every_start_returns_the_same_table(url: str) -> None:
    async with server_at(url) as first, server_at(url) as second:
        ann, bo = await first.player("Ann"), await first.player("Bo")
        tables = await asyncio.gather(*(server.start(ann) for server in (first, second) * 3))
        assert len(set(tables)) == 1
        assert await second.start(bo) not in tables
        yesterday = open_dates(first.hub.now())[-2]
        assert await first.start(ann, yesterday) not in tables, "each date has its own attempt"
        await play(await Person(first.hub, tables[0], ann).connect())
        assert await second.start(ann) == tables[0], "a finished attempt is not repeated"
        rows = await first.store.query(lambda connection: connection.execute(sa.select(daily_attempts)).all())
        assert len(rows) == 3


async def test_an_attempt_as_a_guest_counts_for_the_account(tmp_path: Path) -> None:
    async with server_at(tmp_path / "faceup.db") as server:
        guest, account = await server.player("Ann"), await server.player("Ann")
        table = await server.start(guest)
        await server.store.write(lambda connection: merge(connection, guest, account))
        assert await server.start(account) == table
        # Both played before they were merged: the attempt that was started first counts.
        other = await server.player("Ann")
        assert await server.start(other) != table
        await server.store.write(lambda connection: merge(connection, other, account))
        assert await server.start(account) == table


async def test_several_servers_draw_one_secret_for_each_day(url: str) -> None:
    async with server_at(url) as first, server_at(url) as second:
        await asyncio.gather(*(server.daily.day(first.today) for server in (first, second) * 3))
        days = [await server.daily.day(date) for server in (first, second) for date in await first.dates()]
        assert [day.commitment for day in days[: len(days) // 2]] == [day.commitment for day in days[len(days) // 2 :]]
        secrets = (await first.dates()).values()
        assert len(set(secrets)) == len(secrets) == len(committed_dates(first.hub.now()))


async def test_days_start_and_end_with_the_clock_of_the_database(tmp_path: Path) -> None:
    skew = [0]
    async with server_at(tmp_path / "faceup.db", skew) as server:
        ann, date = await server.player("Ann"), server.today
        tomorrow = next_date(date)
        before = await server.daily.day(tomorrow)
        with pytest.raises(Malformed, match=tomorrow):
            await server.start(ann, tomorrow)
        skew[0] += opens_at(tomorrow) - server.hub.now()
        assert await server.start(ann, tomorrow)
        assert await server.daily.day(tomorrow) == before, "the secret is the one that was committed to"
        skew[0] += ends_at(date) - server.hub.now() - 60_000
        assert await server.start(ann, date)
        skew[0] += 60_000
        with pytest.raises(Malformed, match=date):
            await server.start(ann, date)


async def test_a_server_that_was_down_creates_the_days_that_are_missing(tmp_path: Path) -> None:
    skew = [0]
    async with server_at(tmp_path / "faceup.db", skew) as server:
        await server.daily.prepare_days()
        open_days, now = await server.dates(), server.hub.now()
        assert tuple(open_days) == committed_dates(now)
    skew[0] = 5 * DAY
    async with server_at(tmp_path / "faceup.db", skew) as server:
        assert (await server.daily.day(server.today)).date not in open_days
        dates = await server.dates()
        assert dates == open_days | {date: dates[date] for date in committed_dates(server.hub.now())}
        with pytest.raises(NotFoundError):
            await server.daily.day(next_date(max(open_days)))


async def test_a_server_that_is_killed_before_the_table_is_created_continues(tmp_path: Path) -> None:
    async with server_at(tmp_path / "faceup.db") as server:
        ann, date = await server.player("Ann"), server.today
        await server.daily.day(date)
        room = attempt_id(ann, date)
        await server.store.write(partial(start_attempt, now=0, date=date, player=ann, room=room))
        assert await server.store.room(room) is None
        assert await server.start(ann) == room
        assert (await server.hub.view(room, ann)).seat == PLAYER_SEAT


async def test_only_the_player_sees_the_table_and_no_one_gets_the_record_before_the_day_has_ended(
    tmp_path: Path,
) -> None:
    skew = [0]
    async with server_at(tmp_path / "faceup.db", skew) as server:
        ann, bo, date = await server.player("Ann"), await server.player("Bo"), server.today
        person = await server.person(ann)
        for status in ("active", "finished"):
            assert person.room_view["status"] == status
            for player in (bo, None):
                for call in (server.hub.view, server.hub.watch, server.hub.first_line, server.hub.log):
                    with pytest.raises(SpectatorsOffError):
                        await call(person.table, player)
            await play(person)
        skew[0] += ends_at(date) - server.hub.now() - 60_000
        with pytest.raises(RecordWithheldError):
            await server.hub.record(person.table)
        record, seat = await server.hub.own_record(person.table, ann)
        assert sum(turns_of(record, seat)) == person.room_view["result"]["scores"][seat]
        assert len(turns_of(record, seat)) == 10
        with pytest.raises(WrongSeatError):
            await server.hub.own_record(person.table, bo)
        skew[0] += 60_000
        assert await server.hub.record(person.table) == record


async def test_no_one_can_change_an_attempt(tmp_path: Path) -> None:
    async with server_at(tmp_path / "faceup.db") as server:
        ann = await server.player("Ann")
        person = await server.person(ann)
        commands: tuple[PersonCommand, ...] = (Close(), Pause(), TransferHost(1), AddBot("random", 1))
        for number, command in enumerate(commands):
            with pytest.raises(WrongSeatError):
                await server.hub.send(person.table, command, id=f"{number}", player=ann)
        await server.hub.send(person.table, React(0, "phew"), id="react", player=ann)
        await play(person)
        with pytest.raises(WrongSeatError, match="rematch"):
            await server.hub.rematch(person.table, ann, id="rematch")
        with pytest.raises(WrongSeatError, match="rematch"):
            await server.hub.send(person.table, Rematch("other"), id="~rematch", player=None)


async def test_an_attempt_waits_for_its_player_until_the_day_has_ended(tmp_path: Path) -> None:
    skew = [0]
    async with server_at(tmp_path / "faceup.db", skew) as server:
        ann, date = await server.player("Ann"), server.today
        person = await server.person(ann)
        await person.choose()
        await person.until(
            lambda connection: connection.room_view["decision"] == 1 or connection.room_view["view"]["waiting"]
        )
        person.disconnect()
        await server.hub.send(person.table, Leave(0), id="leave", player=ann)
        async with asyncio.timeout(30):
            while (await server.hub.view(person.table, ann)).paused is None:  # noqa: ASYNC110 -- there is no event
                await asyncio.sleep(0.02)
        decision = (await server.hub.view(person.table, ann)).decision
        skew[0] += 3 * HOUR  # ordinary tables are closed after half an hour
        await caught_up(server.hub)
        view = await server.hub.view(person.table, ann)
        assert (view.status, view.decision, view.choice) == ("active", decision, None)
        again = await server.person(ann)
        await again.until(lambda connection: "paused" not in connection.room_view and connection.undecided_seats())
        await again.choose()
        again.disconnect()
        skew[0] += ends_at(date) - server.hub.now() + HOUR
        async with asyncio.timeout(30):
            while (await server.hub.view(person.table, ann)).status != "closed":
                skew[0] += HOUR // 4
                await asyncio.sleep(0.05)


async def test_an_attempt_that_ends_after_the_day_does_not_count(tmp_path: Path) -> None:
    async with server_at(tmp_path / "faceup.db") as server:
        ann = await server.player("Ann")
        await play(await server.person(ann))
        await ResultsIngest(server.store).ingest()
        attempt = await server.store.query(partial(find_attempt, date=server.today, player=ann))
        assert attempt is not None
        assert attempt.heads is not None
        too_late = daily_attempts.update().values(ends_at=daily_attempts.c.started_at)
        await server.store.write(lambda connection: connection.execute(too_late).rowcount)
        attempt = await server.store.query(partial(find_attempt, date=server.today, player=ann))
        assert attempt is not None
        assert attempt.heads is None


async def test_the_par_of_a_day_that_someone_has_started_is_computed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = []

    async def compute(day: Day, _: object = None) -> Par:
        computed.append(day.date)
        return Par(bot="champion", heads=7, place=1, turns=(7,))

    monkeypatch.setattr(daily_deals_module, "compute_par", compute)
    async with server_at(tmp_path / "faceup.db") as server:
        assert (await server.daily.day(server.today)).par is None
        await server.daily.prepare()
        assert computed == []
        await server.start(await server.player("Ann"))
        for _ in range(2):
            await server.daily.prepare()
        assert computed == [server.today]
        assert (await server.daily.day(server.today)).par == await compute(await server.daily.day(server.today))


@pytest.mark.long
async def test_the_strongest_bot_plays_for_the_par_in_a_worker_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert daily_config().bots == ("gentle", "steady", "sharp")
    async with server_at(tmp_path / "faceup.db") as server:
        day = await server.daily.day(server.today)
        par = await compute_par(day, server.hub.bots)
        assert par == await compute_par(day, server.hub.bots), "the bots are deterministic"
        assert (par.bot, par.heads, len(par.turns)) == ("champion", sum(par.turns), 10)

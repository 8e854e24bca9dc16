"""Retention periods: what counts for them, and that a part that fails stops no other part."""

from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.admin.deletion_worlds import NAMES, a_guest
from tests.server.live.players import hub_at

from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.one_time_codes import issue
from faceup.server.accounts.players import find_player
from faceup.server.accounts.schema import one_time_codes, players, sessions, tokens
from faceup.server.admin import retention
from faceup.server.admin.deletion import DAY, start_erasures
from faceup.server.admin.retention import sweep
from faceup.server.rooms import TableConfig
from faceup.server.store.schema import outages, rooms
from faceup.server.tables.schema import quick_seats


async def test_an_outage_does_not_count_for_the_last_visit_of_a_guest(url: str) -> None:
    async with hub_at(url) as hub:
        store, now = hub.store, hub.store.now()
        lately, long_ago = [
            await a_guest(store, name, days_ago=days) for name, days in zip(NAMES, (40, 60), strict=True)
        ]
        down = outages.insert().values(start=now - 35 * DAY, end=now - 15 * DAY, done=now)
        await store.write(lambda connection: connection.execute(down).rowcount)
        assert (await sweep(store))["guests_without_games"] == 1
        assert (await store.query(partial(find_player, identifier=lately))).id == lately
        with pytest.raises(NotFoundError):
            await store.query(partial(find_player, identifier=long_ago))


@pytest.mark.sample(1)
@pytest.mark.parametrize("returns", ["visit", "token", "account"])
async def test_a_guest_who_returns_during_the_deletion_is_kept(
    url: str, monkeypatch: pytest.MonkeyPatch, returns: str
) -> None:
    async with hub_at(url) as hub:
        store = hub.store
        ann, bo = [await a_guest(store, name, days_ago=400) for name in ("Ann", "Bo")]
        now = store.now()
        changes = {
            "visit": sessions.update().where(sessions.c.player == ann).values(seen_at=now),
            "token": tokens.insert().values(digest="d", id="t", player=ann, label="bot", scopes="play", created_at=now),
            "account": players.update().where(players.c.id == ann).values(account_at=now),
        }

        async def start_late(*arguments: Any, **options: Any) -> int:
            await store.write(lambda connection: connection.execute(changes[returns]).rowcount)
            return await start_erasures(*arguments, **options)

        monkeypatch.setattr(retention, "start_erasures", start_late)
        deleted = await sweep(store)
        assert deleted["guests"] + deleted["guests_without_games"] == 1
        assert (await store.query(partial(find_player, identifier=ann))).id == ann
        with pytest.raises(NotFoundError):
            await store.query(partial(find_player, identifier=bo))


async def test_a_part_of_the_deletion_that_fails_stops_no_other_part(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **_options: object) -> None:
        raise RuntimeError("test error")

    async with hub_at(url) as hub:
        store, old = hub.store, hub.store.now() - 400 * DAY
        guest, table = (
            await a_guest(store, "Ann", days_ago=400),
            (await hub.create(TableConfig(game="nimmt"), "ann", "Ann")).table,
        )
        over = rooms.update().where(rooms.c.id == table).values(status="closed", ended_at=old, wake=None)
        await store.write(lambda connection: connection.execute(over).rowcount)
        monkeypatch.setattr(retention, "delete_tables", fail)
        with pytest.raises(RuntimeError, match="test error"):
            await sweep(store)
        with pytest.raises(NotFoundError):
            await store.query(partial(find_player, identifier=guest))


async def test_expired_codes_and_quick_matches_are_deleted_on_a_server_without_visitors(url: str) -> None:
    async with hub_at(url) as hub:
        store, now = hub.store, hub.store.now()
        ann, bo = [await a_guest(store, name) for name in NAMES[:2]]
        table = (await hub.create(TableConfig(game="nimmt"), ann, "Ann")).table

        def fill(connection: sa.Connection) -> None:
            for player, at in ((ann, now - 2 * 3_600_000), (bo, now)):
                issue(connection, at, "mail", player)
                row = {"player": player, "kind": "nimmt", "room": table, "request": "", "at": at}
                connection.execute(quick_seats.insert().values(row))

        await store.write(fill)
        await sweep(store)
        for column in (one_time_codes.c.player, quick_seats.c.player):
            assert await store.query(partial(_values, column=column)) == [bo]


def _values(connection: sa.Connection, column: sa.Column[str]) -> list[str]:
    return list(connection.execute(sa.select(column)).scalars())

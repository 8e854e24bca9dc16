"""The choices in the export of a player's data: all of the player, and nothing of anyone else."""

from functools import partial
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.admin.deletion_worlds import NAMES, a_guest, a_lone_game, seated
from tests.server.live.players import QUICK, hub_at
from tests.server.player_export import export

from faceup.core.record import Autoplayed, Chosen, Marked, Terms, TimedOut
from faceup.server import player_data
from faceup.server.live import TableHub
from faceup.server.player_data import merge
from faceup.server.results.history import record_seats
from faceup.server.rooms import Choose, Sit, TableConfig, dumps, loads
from faceup.server.store import Store
from faceup.server.store.schema import log
from faceup.table.commands import Mark, Unchoose

GAMES = {"nimmt": {"seats": 2, "hand": 3}, "niuniu": {"seats": 2}, "war": {}}
SECRETS = (Chosen, Marked, TimedOut, Autoplayed)


async def choices_of(store: Store, player: str) -> list[dict[str, Any]]:  # Any: JSON
    choices: list[dict[str, Any]] = (await store.query(partial(export, player=player)))["choices"]
    return choices


async def choose(hub: TableHub, table: str, player: str, number: int) -> str:
    """Choose the action with this number of those that the player has, and return it."""
    view = await hub.view(table, player)
    assert view.seat is not None
    action: str = view.actions[number % len(view.actions)]
    await hub.send(table, Choose(view.seat, action), id=f"{view.decision}-{number}", player=player)
    return action


async def change_secrets(store: Store, table: str, seat: int) -> None:
    """Replace what a seat has chosen and marked in the log."""

    def work(connection: sa.Connection) -> None:
        for row in connection.execute(sa.select(log).where(log.c.room == table)).all():
            changed = tuple(
                msgspec.structs.replace(entry, action="another")
                if isinstance(entry, SECRETS) and entry.seat == seat
                else entry
                for entry in loads(row.entries)
            )
            here = log.c.room == table, log.c.seq == row.seq
            connection.execute(log.update().where(*here).values(entries=dumps(changed).decode()))

    await store.write(work)


@pytest.mark.parametrize("game", GAMES)
async def test_a_running_game_shows_only_what_the_player_has_chosen(game: str, url: str) -> None:
    async with hub_at(url, QUICK) as hub:
        store = hub.store
        ann, bo = people = (await a_guest(store, NAMES[0]), await a_guest(store, NAMES[1]))
        table = await seated(hub, TableConfig(game=game, options={**GAMES[game]}, terms=Terms()), people)
        chosen = [await choose(hub, table, ann, 0)]
        view = await hub.view(table, ann)
        assert view.seat is not None
        await hub.send(table, Unchoose(view.seat), id="take back", player=ann)
        chosen.append(await choose(hub, table, ann, 1))
        await hub.send(table, Mark(1, (await hub.view(table, bo)).actions[0]), id="mark", player=bo)
        [own] = await choices_of(store, ann)
        assert (own["table"], own["game"]) == (table, game)
        assert [entry["entry"] for entry in own["choices"]] == ["chosen", "unchosen", "chosen"]
        assert [entry["action"] for entry in own["choices"] if "action" in entry] == chosen
        assert {entry["seat"] for entry in own["choices"]} == {0}

        before = b"".join(await store.query(partial(pieces, player=ann)))
        await change_secrets(store, table, 1)
        assert b"".join(await store.query(partial(pieces, player=ann))) == before
        assert NAMES[1].encode() not in before
        assert bo.encode() not in before
        await change_secrets(store, table, 0)
        assert b"".join(await store.query(partial(pieces, player=ann))) != before


def pieces(connection: sa.Connection, player: str) -> list[bytes]:
    with player_data.export(connection, player) as file:
        return file.readlines()


@pytest.mark.sample(1)
async def test_finished_games_and_those_of_a_merged_guest_are_there_without_those_of_bots(url: str) -> None:
    async with hub_at(url, QUICK) as hub:
        store = hub.store
        ann, guest = await a_guest(store, NAMES[0]), await a_guest(store, NAMES[1])
        tables = [await a_lone_game(hub, ann, NAMES[0]), await a_lone_game(hub, guest, NAMES[1])]
        await store.write(lambda connection: merge(connection, guest, ann))
        exported = await choices_of(store, ann)
        assert [row["table"] for row in exported] == tables
        for row in exported:
            assert {entry["seat"] for entry in row["choices"]} == {0}
            assert len(row["choices"]) >= 2  # and the rows that the player took
        await store.write(lambda c: c.execute(log.update().where(log.c.room == tables[0]).values(entries="?")))
        assert [row["table"] for row in await choices_of(store, ann)] == tables[1:]


async def test_a_seat_has_the_choices_of_its_owner_at_that_moment(url: str) -> None:
    config = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms())
    async with hub_at(url, QUICK) as hub:
        store = hub.store
        ann, bo = await a_guest(store, NAMES[0]), await a_guest(store, NAMES[1])
        table = await seated(hub, config, (ann,), NAMES[:1])
        await hub.leave(table, ann)
        for player, name in ((bo, NAMES[1]), (ann, NAMES[0])):
            await hub.send(table, Sit(name), id="sit again", player=player)
        await store.write(lambda connection: record_seats(connection, hub.now(), table, (ann, bo)))
        chosen = [await choose(hub, table, player, 0) for player in (bo, ann)]
        for player, seat in ((bo, 0), (ann, 1)):
            [row] = await choices_of(store, player)
            assert [(entry["seat"], entry["action"]) for entry in row["choices"]] == [(seat, chosen[seat])]

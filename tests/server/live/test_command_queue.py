import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.live.players import a_game, hub_at

from faceup.server.admin.deletion import delete_tables
from faceup.server.live import TableHub, TableNotFoundError
from faceup.server.live.command_queue import Ack
from faceup.server.rooms import Choose
from faceup.server.rooms.commands import RoomCommand, Sit
from faceup.server.rooms.errors import CommandIdReusedError
from faceup.server.rooms.room import PlayerIds
from faceup.server.store import UnavailableError
from faceup.table.commands import Leave, Mark, Pause


@pytest.mark.long
async def test_commands_are_rejected_while_the_database_is_locked(tmp_path: Path) -> None:
    path = tmp_path / "faceup.db"
    async with hub_at(path) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        choice = Choose(0, ann.room_view["actions"][0], 0)
        lines = len(bo.lines)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            results = await asyncio.gather(
                *(hub.send(table, choice, id="choice", player="ann") for _ in range(3)), return_exceptions=True
            )
            assert all(isinstance(error, UnavailableError) for error in results)
            assert len(bo.lines) == lines
            assert hub.context.heartbeat._unreachable
            other.execute("ROLLBACK")
        await hub.send(table, choice, id="choice", player="ann")
        await asyncio.gather(ann.play(), bo.play())
        log = await hub.store.read(table)
        assert sum((append.command or "").startswith("ann:choice") for append in log) == 1


async def test_a_stop_finishes_the_commands_of_players_and_drops_those_of_the_server(tmp_path: Path) -> None:
    """So a stop does not wait until the server has played on at all its tables."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        choices = [Choose(seat, person.room_view["actions"][0], 0) for seat, person in enumerate((ann, bo))]
        sent = [
            hub.send(table, choice, id="choice", player=str(person.player))
            for choice, person in zip(choices, (ann, bo), strict=True)
        ]
        queue = hub.rooms[table].queue
        own = queue.post(Pause())
        await hub.stop()
        assert [answer.exception() for answer in sent] == [None, None]
        assert isinstance(own.exception(), UnavailableError)
        assert queue.room.table.decision == 1
        assert queue.room.table.paused is None
        hub.context.timers.set(hub.rooms[table], 0)
        assert not hub.context.timers._heap


async def test_clients_learn_that_a_table_was_deleted(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        await delete_tables(hub.store, [table])
        with pytest.raises(TableNotFoundError):
            await hub.send(table, Choose(0, ann.room_view["actions"][0], 0), id="choice", player="ann")
        await bo.until(lambda bo: bo.ended)
        assert bo.ended == "deleted"
        with pytest.raises(TableNotFoundError):
            await hub.watch(table, "bo")


async def test_another_command_with_the_same_id_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "faceup.db"
    async with hub_at(path) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        first, second = ann.room_view["actions"][:2]
        choice, people = Choose(0, first, 0), ("account", "ann")
        stored = await hub.send(table, choice, id="an id", player="ann")
        others: tuple[RoomCommand, ...] = (Choose(0, second, 0), Mark(0, first, 0), Leave(0), Sit("Ann"), Pause())

        async def repeat(hub: TableHub, player: PlayerIds) -> None:
            assert await hub.send(table, choice, id="an id", player=player) == stored
            for other in others:
                with pytest.raises(CommandIdReusedError):
                    await hub.send(table, other, id="an id", player=player)

        await repeat(hub, "ann")
        await repeat(hub, people)  # the guest has logged in
    async with hub_at(path) as hub:
        await repeat(hub, people)
        assert [row.seq for row in await hub.store.read(table) if (row.command or "").startswith("ann:an id")] == [
            stored.seq
        ]
        assert (await hub.view(table, "ann")).choice == first
        await hub.send(
            table, Choose(1, bo.room_view["actions"][0], 0), id="an id", player="bo"
        )  # each player has their own ids


async def test_two_commands_with_one_id_that_arrive_together_are_applied_once(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, _) = await a_game(hub, "ann", "bo")
        choices = [Choose(0, action, 0) for action in ann.room_view["actions"][:2]]
        sent = (hub.send(table, choice, id="an id", player="ann") for choice in choices)
        first, second = await asyncio.gather(*sent, return_exceptions=True)
        assert isinstance(first, Ack)
        assert isinstance(second, CommandIdReusedError)

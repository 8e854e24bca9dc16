import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.desk.players import a_game, desk_at

from faceup.server.desk import NoTable
from faceup.server.rooms import Choose
from faceup.server.store import Unavailable


@pytest.mark.long
async def test_while_the_database_is_locked_commands_are_refused_and_then_all_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "faceup.db"
    async with desk_at(path) as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        choice = Choose(0, ann.sight["words"][0], 0)
        lines = len(bo.lines)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = await asyncio.gather(
                *(desk.send(table, choice, id="choice", player="ann") for _ in range(3)), return_exceptions=True
            )
            assert all(isinstance(error, Unavailable) for error in refused)
            assert len(bo.lines) == lines
            assert desk._means.unheard
            other.execute("ROLLBACK")
        await desk.send(table, choice, id="choice", player="ann")
        await asyncio.gather(ann.play(), bo.play())
        log = await desk._store.read(table)
        assert sum(append.command == "ann:choice" for append in log) == 1


async def test_a_table_that_is_deleted_is_gone_for_those_who_are_at_it(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        await desk._store.forget(table)
        with pytest.raises(NoTable):
            await desk.send(table, Choose(0, ann.sight["words"][0], 0), id="choice", player="ann")
        await bo.until(lambda bo: bo.ended)
        assert bo.ended == "again"
        with pytest.raises(NoTable):
            await desk.watch(table, "bo")

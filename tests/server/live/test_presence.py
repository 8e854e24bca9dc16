import asyncio
from pathlib import Path

import msgspec
from tests.server.live.players import QUICK, Person, a_game, closed, hub_at, until

from faceup.core.record import Autoplayed, Left, Paused, Returned, TimedOut, Unpaused
from faceup.server.rooms import Choose, Sit, TableConfig
from faceup.table.commands import Leave, Unchoose


def kinds(hub: object, table: str, *types: type) -> list[str]:
    entries = hub._rooms[table].room.table.entries  # type: ignore[attr-defined]
    return [type(entry).__name__ for entry in entries if isinstance(entry, types)]


async def test_absent_players_are_autoplayed_until_they_return(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", hand=10, grace=200)
        bo.disconnect()
        await ann.until(lambda ann: 1 in ann.room_view["away"])
        await ann.until(lambda ann: 1 in ann.room_view["chosen"])
        assert kinds(hub, table, Left, Autoplayed, TimedOut) == ["Left", "Autoplayed"]
        bo = await Person(hub, table, "bo").connect()
        await ann.until(lambda ann: 1 not in ann.room_view["away"])
        await bo.until(lambda bo: "choice" in bo.room_view)
        # A choice made by autoplay can be changed like the player's own.
        await hub.send(table, Unchoose(1, 0), id="back", player="bo")
        await ann.until(lambda ann: 1 not in ann.room_view["chosen"])
        await asyncio.gather(ann.play(), bo.play())
        assert kinds(hub, table, Left, Autoplayed, Returned) == ["Left", "Autoplayed", "Returned"]


async def test_a_short_disconnection_changes_nothing(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (_, bo) = await a_game(hub, "ann", "bo", grace=20_000)
        bo.disconnect()
        await asyncio.sleep(0.1)
        await Person(hub, table, "bo").connect(bo.version)
        skew[0] += 21_000
        await asyncio.sleep(0.5)
        assert not kinds(hub, table, Left)


async def test_a_choice_marks_the_player_present(tmp_path: Path) -> None:
    """A client that only sends requests has no connection that marks it present."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", grace=60_000)
        await hub.send(table, Leave(1), id="leave", player="bo")
        await ann.until(lambda ann: 1 in ann.room_view["away"])
        await hub.send(table, Choose(1, bo.room_view["actions"][-1], 0), id="choice", player="bo")
        assert kinds(hub, table, Left, Returned) == ["Left", "Returned"]


async def test_a_game_is_paused_while_all_players_are_away(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", hand=10, grace=50)
        ann.disconnect()
        bo.disconnect()
        await until(lambda: kinds(hub, table, Paused))
        chosen = kinds(hub, table, Autoplayed)
        await asyncio.sleep(0.2)
        assert kinds(hub, table, Autoplayed) == chosen
        await Person(hub, table, "ann").connect()
        await until(lambda: kinds(hub, table, Unpaused))


async def test_an_abandoned_table_is_closed(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, people = await a_game(hub, "ann", "bo", grace=50)
        waiting = await hub.create(TableConfig(game="nimmt"), "ann", "Ann")
        watched = await hub.create(TableConfig(game="nimmt"), "ann", "Ann")
        eve = await Person(hub, watched.table, None).connect()
        for person in people:
            person.disconnect()
        await until(lambda: kinds(hub, table, Paused))
        skew[0] += 31 * 60_000
        await closed(hub, table)
        await until(lambda: kinds(hub, waiting.table, Left))  # Ann's seat is free again
        assert (await hub.view(waiting.table, None)).status == "pending"
        skew[0] += 120 * 60_000
        await closed(hub, waiting.table)
        assert eve.room_view["status"] == "pending"


async def test_a_seat_is_freed_some_time_after_its_player_leaves_the_lobby(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, lobby=100)) as hub:
        made = await hub.create(TableConfig(game="nimmt", options={"seats": 3}), "ann", "Ann")
        ann = await Person(hub, made.table, "ann").connect()
        await hub.send(made.table, Sit("Bo"), id="sit", player="bo")
        await ann.until(lambda ann: b"Bo leaves" in b"".join(ann.lines))
        assert ann.room_view["seats"][1] is None

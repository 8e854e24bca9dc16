import asyncio
from pathlib import Path

import pytest
from tests.server.live.players import Person, a_game, hub_at

from faceup.core import IllegalActionError, Malformed, WrongSeatError
from faceup.server.live import TableNotFoundError
from faceup.server.rooms import Choose, Sit, Start, TableConfig
from faceup.server.rooms.commands import AddBot, Close, Remove
from faceup.table.commands import Mark, Pause
from faceup.table.errors import StaleCommandError


async def test_two_players_and_two_bots_finish_a_game_with_the_same_result(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        made = await hub.create(TableConfig(game="nimmt", options={"seats": 4, "hand": 3}), "ann", "Ann")
        ann, bo, eve = [await Person(hub, made.table, player).connect() for player in ("ann", "bo", None)]
        await hub.send(made.table, Sit("Bo"), id="sit", player="bo")
        await hub.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await bo.status("active")
        await asyncio.gather(ann.play(), bo.play())
        await eve.status("finished")
        record = await hub.record(made.table)
        assert record.result is not None
        for person in (ann, bo, eve):
            assert person.room_view["result"]["scores"] == list(record.result.scores)


async def test_a_spectator_who_sits_down_gets_the_view_of_the_seat(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        made = await hub.create(TableConfig(game="nimmt", options={"seats": 3}), "ann", "Ann")
        bo = await Person(hub, made.table, "bo").connect()
        assert "seat" not in bo.room_view
        await hub.send(made.table, Sit("Bo"), id="sit", player="bo")
        await bo.until(lambda bo: bo.room_view.get("seat") == 1)
        await hub.send(made.table, Remove(1), id="remove", player="ann")
        await bo.until(lambda bo: "seat" not in bo.room_view)


async def test_commands_are_idempotent(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        command = Choose(0, ann.room_view["actions"][0], 0)
        first, second = await asyncio.gather(*(hub.send(table, command, id="choice", player="ann") for _ in range(2)))
        third = await hub.send(table, command, id="choice", player="ann")
        assert first == second == third
        # The same ID from another player is another command.
        await hub.send(table, Choose(1, bo.room_view["actions"][0], 0), id="choice", player="bo")
        await ann.until(lambda ann: ann.room_view["decision"] == 1)


async def test_a_rejected_command_gives_the_reason_and_changes_nothing(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        before = await hub.view(table, "ann")
        action = bo.room_view["actions"][0]
        for command, error in (
            (Choose(1, action, 0), WrongSeatError),
            (Choose(0, action, 0), IllegalActionError),
            (Choose(0, ann.room_view["actions"][0], 1), WrongSeatError),
            (Choose(0, "play 1000", 0), Malformed),
            (Mark(7, None, 0), WrongSeatError),
            (AddBot("random"), StaleCommandError),
        ):
            with pytest.raises(error):
                await hub.send(table, command, id="wrong", player="ann")
        with pytest.raises(WrongSeatError):
            await hub.send(table, Pause(), id="pause", player="bo")
        with pytest.raises(Malformed, match="id"):
            await hub.send(table, Choose(0, ann.room_view["actions"][0], 0), id="x" * 100, player="ann")
        with pytest.raises(TableNotFoundError):
            await hub.send("nowhere", Start(), id="start", player="ann")
        with pytest.raises(TableNotFoundError):
            await hub.watch("nowhere", "ann")
        with pytest.raises(WrongSeatError, match="finished"):
            await hub.record(table)
        assert await hub.view(table, "ann") == before


async def test_all_requests_for_a_rematch_return_the_same_table(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", hand=1)
        with pytest.raises(WrongSeatError):
            await hub.rematch(table, "ann", id="too early")
        await asyncio.gather(ann.play(), bo.play())
        with pytest.raises(WrongSeatError):
            await hub.rematch(table, "eve", id="not in it")
        first, second = await asyncio.gather(*(hub.rematch(table, player, id="resync") for player in ("ann", "bo")))
        assert first.table == second.table
        assert {first.invited, second.invited} <= {("ann", "bo"), ("ann",), ("bo",)}
        await bo.until(lambda bo: bo.room_view.get("rematch") == first.table)
        assert (await hub.view(first.table, "ann")).seat == 0
        assert (await hub.view(first.table, "bo")).status == "active"
        assert await hub.rematch(table, "ann", id="again") == (first.table, ("ann",))


async def test_a_closed_rematch_is_replaced_by_another_one(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, people = await a_game(hub, "ann", "bo", hand=1)
        await asyncio.gather(*(person.play() for person in people))
        first = await hub.rematch(table, "ann", id="one")
        await hub.send(first.table, Close(), id="close", player="ann")
        again = await asyncio.gather(*(hub.rematch(table, player, id="two") for player in ("bo", "ann")))
        assert {created.table for created in again} != {first.table}
        assert len({created.table for created in again}) == 1
        assert (await hub.view(table, "ann")).rematch == again[0].table
        assert (await hub.view(again[0].table, "ann")).status == "active"


async def test_a_table_without_spectators_is_visible_to_its_players_only(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        config = TableConfig(game="nimmt", options={"seats": 2, "hand": 1}, spectators="nobody")
        made = await hub.create(config, "ann", "Ann")
        eve = await Person(hub, made.table, "eve").connect()
        await hub.send(made.table, Sit("Bo"), id="sit", player="bo")
        await eve.until(lambda eve: eve.ended)
        assert eve.ended == "spectators_off"
        assert eve.room_view["status"] == "pending"
        with pytest.raises(WrongSeatError):
            await hub.watch(made.table, "eve")
        with pytest.raises(WrongSeatError):
            await hub.view(made.table, None)

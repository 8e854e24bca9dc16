"""Fair deals on the hub's clock: unresponsive clients do not block a deal, and outages exclude no one."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from tests.server.live.players import Person, hub_at

from faceup.core.record import Extended, LeftOut, Terms
from faceup.server.live import TableHub
from faceup.server.rooms import Sit, TableConfig
from faceup.server.rooms.commands import fair_command_for
from faceup.table import verify
from faceup.table.fair_round import FAIR_ROUND_TIMEOUT

CONFIG = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(clock=30_000, fair=True))


async def a_fair_game(hub: TableHub, config: TableConfig = CONFIG) -> tuple[str, list[Person]]:
    """Create a table with two players whose first secret is committed."""
    made = await hub.create(config, "ann", "Ann")
    await hub.send(made.table, Sit("Bo"), id="sit", player="bo")
    people = [await Person(hub, made.table, player).connect() for player in ("ann", "bo")]
    for person in people:
        await person.until(lambda person: "fair" in person.room_view)
    return made.table, people


async def answer(person: Person) -> None:
    """Send the next fair-deal command of the player's client."""
    command = fair_command_for(person.room_view, b"x" * 32)
    assert command is not None
    await person.hub.send(person.table, command, id=f"{command}"[:60], player=person.player)


def count(hub: TableHub, table: str, kind: type) -> int:
    return sum(isinstance(entry, kind) for entry in hub.rooms[table].room.table.entries)


async def test_two_clients_make_a_deal_and_play_it(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_fair_game(hub)
        for person in (ann, bo):
            await answer(person)
        for person in (ann, bo):
            await person.until(lambda person: "listed" in person.room_view["fair"])
            await answer(person)
        await ann.until(lambda ann: ann.room_view["actions"])
        await asyncio.gather(ann.play(), bo.play())
        assert verify(await hub.record(table)).contributors == ("Ann", "Bo")


@pytest.mark.parametrize("clock", [30_000, None])
async def test_unresponsive_clients_do_not_block_a_fair_deal(tmp_path: Path, clock: int | None) -> None:
    """With and without a game clock."""
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        config = msgspec.structs.replace(CONFIG, terms=Terms(clock=clock, fair=True))
        table, (ann, bo) = await a_fair_game(hub, config)
        await answer(ann)
        skew[0] += FAIR_ROUND_TIMEOUT + 1_000
        await ann.until(lambda ann: ann.room_view["fair"].get("listed") == [0])
        assert count(hub, table, LeftOut) == 0
        skew[0] += FAIR_ROUND_TIMEOUT + 1_000
        await bo.until(lambda bo: bo.room_view["fair"]["left_out"] == [0])
        # Bo never pledged, so the deal does not wait for Bo again.
        await bo.until(lambda bo: bo.room_view["actions"])
        assert bo.room_view["fair"]["listed"] == []


async def test_fair_deal_deadlines_are_extended_by_outages(tmp_path: Path) -> None:
    path = tmp_path / "faceup.db"
    async with hub_at(path) as hub:
        table, (ann, bo) = await a_fair_game(hub)
        for person in (ann, bo):
            await answer(person)
        await ann.until(lambda ann: "listed" in ann.room_view["fair"])
        due = ann.room_view["fair"]["due"]
    await asyncio.sleep(0.5)
    async with hub_at(path) as hub:
        ann = await Person(hub, table, "ann").connect()
        await ann.until(lambda ann: ann.room_view["fair"]["due"] > due)
        assert 400 < ann.room_view["fair"]["due"] - due < 20_000
        assert count(hub, table, Extended) == 1
        await answer(ann)

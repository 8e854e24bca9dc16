"""Correspondence games: players have days for each choice, and need not be connected."""

from pathlib import Path

import msgspec
import pytest
from tests.server.live.players import QUICK, Person, a_game, caught_up, closed, hub_at, until
from tests.server.live.test_presence import kinds

from faceup.core.record import Applied, Autoplayed, Left, Paused, Terms, TimedOut, Unpaused
from faceup.server.live import TableHub
from faceup.server.live.wake_times import abandoned_at, wake_time
from faceup.server.rooms import Choose, Sit, TableConfig
from faceup.server.rooms.commands import Close
from faceup.server.rooms.config import DAY
from faceup.server.rooms.errors import PauseUsedUpError
from faceup.table.commands import Mark, Pause, Resume

HOUR = DAY // 24


async def offline_game(hub: TableHub, *players: str, days: int = 1, hand: int = 10) -> tuple[str, list[Person]]:
    """Start a game with days per move. Afterwards, no one is connected."""
    table, people = await a_game(hub, *players, hand=hand, clock=days * DAY, grace=0)
    for person in people:
        person.disconnect()
    return table, people


async def test_players_may_be_offline_for_the_whole_time_of_their_choice(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (ann, bo) = await offline_game(hub, "ann", "bo", days=2)
        await hub.send(table, Choose(0, ann.room_view["actions"][0], 0), id="1", player="ann")
        await hub.send(table, Mark(1, bo.room_view["actions"][-1], 0), id="1", player="bo")
        skew[0] += 47 * HOUR
        watching = await Person(hub, table, None).connect()
        assert watching.disconnected == watching.room_view["away"] == []
        assert not kinds(hub, table, Left, Paused, Autoplayed, TimedOut, Applied)[1:]  # the first one is the deal
        skew[0] += 2 * HOUR
        await watching.until(lambda watching: watching.room_view["decision"] == 1)
        assert kinds(hub, table, Left, Paused, Autoplayed, TimedOut) == ["TimedOut"]  # Bo's mark was played


async def test_a_game_without_players_goes_on_until_no_one_has_acted_for_thirty_days(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, _ = await offline_game(hub, "ann", "bo", days=7)
        for turn in range(1, 5):
            skew[0] += 7 * DAY + HOUR
            await until(lambda turn=turn: hub.rooms[table].room.table.decision == turn)
            assert (await hub.view(table, "ann")).status == "active"
        assert kinds(hub, table, TimedOut)
        skew[0] += 2 * DAY
        await closed(hub, table)
        assert not kinds(hub, table, Left, Paused)


@pytest.mark.parametrize("rated", [False, True])
async def test_a_rated_game_can_be_paused_for_as_long_as_a_choice_may_take(tmp_path: Path, *, rated: bool) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, _ = await a_game(hub, "ann", "bo", hand=10, clock=2 * DAY, rated=rated)
        for number in range(2):
            await hub.send(table, Pause(), id=f"pause {number}", player="ann")
            skew[0] += DAY
            if number == 0:
                await hub.send(table, Resume(), id="resume", player="ann")
        skew[0] += HOUR
        if rated:
            await until(lambda: hub.rooms[table].room.table.paused is None)
            with pytest.raises(PauseUsedUpError):
                await hub.send(table, Pause(), id="again", player="ann")
        skew[0] += 20 * DAY
        await caught_up(hub)
        assert (hub.rooms[table].room.table.paused is None) == rated
        assert wake_after_a_pause(hub, table) == rated


def wake_after_a_pause(hub: TableHub, table: str) -> bool:
    """Return whether a process would visit the table for a deadline or the end of a pause, and not in a month."""
    actor = hub.rooms[table]
    wake = wake_time(actor.room, 0, QUICK)
    return wake is not None and wake < abandoned_at(actor.room, 0, QUICK)


async def test_a_table_that_has_not_started_keeps_its_seats_for_thirty_days(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        config = TableConfig(game="nimmt", options={"seats": 3}, terms=Terms(clock=DAY))
        table = (await hub.create(config, "ann", "Ann")).table
        await hub.send(table, Sit("Bo"), id="sit", player="bo")
        skew[0] += 29 * DAY
        watching = await Person(hub, table, None).connect()
        assert [seat and seat["name"] for seat in watching.room_view["seats"]] == ["Ann", "Bo", None]
        watching.disconnect()
        skew[0] += 2 * DAY
        await closed(hub, table)


async def test_a_pause_by_the_host_has_no_limit_of_its_own(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, _ = await offline_game(hub, "ann", "bo")
        await hub.send(table, Pause(), id="1", player="ann")
        skew[0] += 14 * DAY
        await Person(hub, table, "bo").connect()
        assert not kinds(hub, table, Unpaused, TimedOut)
        await hub.send(table, Close(), id="2", player="ann")


async def test_a_waiting_table_leaves_the_memory_and_is_loaded_for_its_deadline(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, keep_idle=100), skew=skew) as hub:
        table, _ = await offline_game(hub, "ann", "bo")
        await until(lambda: table not in hub.rooms)
        skew[0] += DAY + HOUR
        await until(lambda: table in hub.rooms and len(kinds(hub, table, TimedOut)) == 2)

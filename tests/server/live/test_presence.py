import asyncio
from pathlib import Path

import msgspec
import pytest
from tests.server.live.players import QUICK, Person, a_game, caught_up, closed, hub_at, until

from faceup.core.record import Autoplayed, Left, Paused, Returned, TimedOut, Unpaused
from faceup.server.results.game_result import result_from_log
from faceup.server.rooms import Choose, Sit, TableConfig, loads
from faceup.table.commands import Leave, Pause, Unchoose


def kinds(hub: object, table: str, *types: type) -> list[str]:
    entries = hub.rooms[table].room.table.entries  # type: ignore[attr-defined]
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


async def test_players_whose_connection_is_silent_are_autoplayed_until_they_answer(tmp_path: Path) -> None:
    """A phone that sleeps may keep its connection open."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo, _) = await a_game(hub, "ann", "bo", "cy", hand=10, grace=200)
        assert bo.reader is not None
        bo.reader.set_silent(True)
        await ann.until(lambda ann: 1 in ann.room_view["away"])
        await ann.until(lambda ann: 1 in ann.room_view["chosen"])
        assert kinds(hub, table, Left, Autoplayed, Returned) == ["Left", "Autoplayed"]
        bo.reader.set_silent(False)
        await ann.until(lambda ann: 1 not in ann.room_view["away"])
        assert kinds(hub, table, Left, Autoplayed, Returned) == ["Left", "Autoplayed", "Returned"]


async def test_a_short_disconnection_changes_nothing(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (_, bo) = await a_game(hub, "ann", "bo", grace=20_000)
        bo.disconnect()
        await caught_up(hub)
        await Person(hub, table, "bo").connect(bo.version)
        skew[0] += 21_000
        await caught_up(hub)
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
        await caught_up(hub)
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


@pytest.mark.parametrize("leave", ["connections", "commands", "pause"])
async def test_bots_finish_an_abandoned_rated_game(tmp_path: Path, leave: str) -> None:
    """No one avoids a defeat: the result is that of the seats."""
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        config = TableConfig(game="nimmt", options={"seats": 2}, rated=True, grace=50)
        table = (await hub.create(config, "ann", "Ann")).table
        await hub.send(table, Sit("Bo"), id="sit", player="bo")
        people = [await Person(hub, table, player).connect() for player in ("ann", "bo")]
        if leave == "pause":
            await hub.send(table, Pause(), id="pause", player="ann")
        for seat, person in enumerate(people):
            if leave == "commands":
                await hub.send(table, Leave(seat), id="leave", player=person.player)
            person.disconnect()
        await until(lambda: len(kinds(hub, table, Left)) == 2 and kinds(hub, table, Paused))
        skew[0] += 31 * 60_000
        await until(lambda: hub.rooms[table].room.status == "finished")
        record = await hub.record(table)
        assert record.result is not None
        result = result_from_log(loads(row.entries) for row in await hub.store.read(table))
        assert result.rated
        assert [side.who for side in result.sides] == ["ann", "bo"]


async def test_a_player_who_returns_takes_an_abandoned_rated_game_over(tmp_path: Path) -> None:
    slow = msgspec.structs.replace(QUICK, think_time=(2_000, 2_000))
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", slow, skew=skew) as hub:
        config = TableConfig(game="nimmt", options={"seats": 2}, rated=True, grace=50)
        table = (await hub.create(config, "ann", "Ann")).table
        await hub.send(table, Sit("Bo"), id="sit", player="bo")
        for person in [await Person(hub, table, player).connect() for player in ("ann", "bo")]:
            person.disconnect()
        await until(lambda: kinds(hub, table, Paused))
        skew[0] += 31 * 60_000
        await until(lambda: kinds(hub, table, Unpaused))
        ann = await Person(hub, table, "ann").connect()
        await ann.until(lambda ann: 0 not in ann.room_view["away"])
        ann.disconnect()
        await until(lambda: len(kinds(hub, table, Paused)) == 2 or hub.rooms[table].room.status == "finished")
        assert hub.rooms[table].room.status == "active", "the game waits again"


async def test_a_seat_is_freed_some_time_after_its_player_leaves_the_lobby(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, lobby=100)) as hub:
        made = await hub.create(TableConfig(game="nimmt", options={"seats": 3}), "ann", "Ann")
        ann = await Person(hub, made.table, "ann").connect()
        await hub.send(made.table, Sit("Bo"), id="sit", player="bo")
        await ann.until(lambda ann: b"Bo leaves" in b"".join(ann.lines))
        assert ann.room_view["seats"][1] is None


async def test_others_are_shown_who_has_lost_the_connection(tmp_path: Path) -> None:
    """A closed or silent connection is shown until the player is back."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo, _) = await a_game(hub, "ann", "bo", "cy", grace=60_000)
        bo.disconnect()
        await ann.until(lambda ann: ann.disconnected == [1])
        assert not kinds(hub, table, Left)
        eve = await Person(hub, table, None).connect()
        await eve.until(lambda eve: eve.disconnected == [1])
        bo = await Person(hub, table, "bo").connect(bo.version)
        await ann.until(lambda ann: ann.disconnected == [])
        assert bo.reader is not None
        bo.reader.set_silent(True)
        await ann.until(lambda ann: ann.disconnected == [1])
        bo.reader.set_silent(False)
        await ann.until(lambda ann: ann.disconnected == [])
        assert not kinds(hub, table, Left)


async def test_a_reload_is_not_shown_as_a_lost_connection(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", hand=10, grace=60_000)
        bo.disconnect()
        bo = await Person(hub, table, "bo").connect()
        await asyncio.gather(ann.play(), bo.play())
        assert not [line for line in ann.lines if b"disconnected" in line]


async def test_a_player_who_is_marked_away_is_not_shown_as_disconnected(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        _, (ann, bo, _) = await a_game(hub, "ann", "bo", "cy", hand=10, grace=2_000)
        bo.disconnect()
        await ann.until(lambda ann: ann.disconnected == [1])
        await ann.until(lambda ann: 1 in ann.room_view["away"] and ann.disconnected == [])


async def test_delayed_spectators_are_not_shown_lost_connections(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", grace=60_000, spectator_delay=60_000)
        eve = await Person(hub, table, None).connect()
        bo.disconnect()
        await ann.until(lambda ann: ann.disconnected == [1])
        late = await Person(hub, table, None).connect()
        assert not [line for line in eve.lines + late.lines if b"disconnected" in line]


@pytest.mark.parametrize("clock", [None, 30_000])
async def test_only_connections_of_players_with_company_or_a_clock_are_attended(
    tmp_path: Path, clock: int | None
) -> None:
    """Only these are pinged if they are silent for some time."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", grace=50, clock=clock)
        eve = await Person(hub, table, None).connect()
        attended = [person.reader.attended for person in (ann, bo, eve) if person.reader]
        assert attended == [True, True, False]
        bo.disconnect()
        await ann.until(lambda ann: 1 in ann.room_view["away"])
        assert ann.reader is not None
        assert ann.reader.attended == (clock is not None)


def awaited(*people: Person) -> list[bool]:
    """Return whether each person's connection has to notice soon if the network is lost."""
    return [person.reader is not None and person.reader.awaited_in() <= 0 for person in people]


async def test_only_the_last_person_for_whom_everyone_waits_is_awaited(tmp_path: Path) -> None:
    """Only this person is pinged soon after the last message."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, people = await a_game(hub, "ann", "bo", "cy", hand=10, clock=None)
        ann, _, cy = people
        assert awaited(*people) == [False, False, False]
        for person, last in ((ann, [False, False, False]), (cy, [False, True, False])):
            seat = person.room_view["seat"]
            await hub.send(table, Choose(seat, person.room_view["actions"][0], 0), id=f"{seat}", player=person.player)
            assert awaited(*people) == last
        await hub.send(table, Unchoose(2, 0), id="back", player="cy")
        assert awaited(*people) == [False, False, False]
        await hub.send(table, Leave(2), id="leave", player="cy")
        assert awaited(*people) == [False, True, False], "no one waits for a player who is away"
        await hub.send(table, Pause(), id="pause", player="ann")
        assert awaited(*people) == [False, False, False]


async def test_everyone_who_has_not_chosen_is_awaited_before_a_deadline(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, people = await a_game(hub, "ann", "bo", "cy", hand=10, clock=60_000)
        ann = people[0]
        await hub.send(table, Choose(0, ann.room_view["actions"][0], 0), id="0", player="ann")
        assert awaited(*people) == [False, False, False]
        skew[0] += 50_000
        assert awaited(*people) == [False, True, True]

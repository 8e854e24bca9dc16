import asyncio
import json
from pathlib import Path

import pytest
from tests.server.desk.players import QUICK, Person, a_game, desk_at, until

from faceup.server.desk import Subscription
from faceup.server.rooms import Choose, HandOver, Opening, React, Sit


async def test_a_reader_that_comes_back_gets_exactly_the_lines_that_it_has_missed(tmp_path: Path) -> None:
    """From every version, from the log or from memory, whichever server it comes back to."""
    path = tmp_path / "faceup.db"
    async with desk_at(path) as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo", hand=4)
        eve = await Person(desk, table, None).come()
        await asyncio.gather(ann.play(fussy=True), bo.play(fussy=True))
        await eve.status("finished")
        for person in (ann, bo, eve):
            await _comes_back_from_everywhere(desk, table, person)
    async with desk_at(path) as desk:
        for person in (ann, bo, eve):
            await _comes_back_from_everywhere(desk, table, person)


async def _comes_back_from_everywhere(desk: object, table: str, person: Person) -> None:
    told = [line for line in person.lines if b'"end"' not in line]
    for index, line in enumerate(told):
        after = json.loads(line)["v"]
        again = await Person(desk, table, person.player).come(after)  # type: ignore[arg-type]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert again.lines == told[index + 1 :]
        again.go()


@pytest.mark.parametrize("after", [0, 1, 99, -3])
async def test_a_version_that_never_was_is_answered_with_the_whole_sight(tmp_path: Path, after: int) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, _ = await a_game(desk, "ann", "bo")
        again = await Person(desk, table, "ann").come(after)
        await again.until(lambda again: again.lines)
        assert b'"sight"' in again.lines[0]


async def test_a_slow_reader_is_given_up_and_nobody_else_waits_for_it(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo", hand=10)
        slow = await desk.watch(table, None)
        while not slow.ended:
            slow.put(b"x" * 9_999 + b"\n")
        assert slow.ended == "slow"
        await asyncio.gather(ann.play(), bo.play())
        assert [frame async for frame in slow] == [b'{"end":"slow"}\n']
        assert desk.figures.slow == 1


async def test_a_reader_that_never_reads_costs_no_more_than_its_bound(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, _) = await a_game(desk, "ann", "bo")
        asleep = await desk.watch(table, None)
        for number in range(600):
            words = ann.sight["words"][number % 2]
            await desk.send(table, Choose(0, words, 0), id=f"c{number}", player="ann")
            if asleep.ended:
                break
        assert not asleep.ended  # what others change their minds about is nothing new to it
        frame = await anext(asleep)
        assert frame.count(b"\n") == 2


async def test_appends_that_were_kept_together_are_told_in_one_frame(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo, cy) = await a_game(desk, "ann", "bo", "cy")
        reader = await desk.watch(table, None)
        await anext(reader)
        await asyncio.gather(ann.choose(), bo.choose(), cy.choose())
        frames = [await anext(reader)]
        while sum(frame.count(b"\n") for frame in frames) < 3:
            frames.append(await anext(reader))
        assert len(frames) < 3


async def test_readers_are_told_why_a_stream_ends(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db", QUICK) as desk:
        table, (ann, _) = await a_game(desk, "ann", "bo")
    await ann.until(lambda ann: ann.ended)
    assert ann.ended == "restart"
    assert ann.reader is not None
    assert not table.startswith("~")


async def test_spectators_are_told_later_where_the_table_says_so(tmp_path: Path) -> None:
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        opening = Opening(game="nimmt", options={"seats": 2, "hand": 2}, watch_delay=60_000)
        made = await desk.create(opening, "ann", "Ann")
        eve = await Person(desk, made.table, "eve").come()
        await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
        ann, bo = [await Person(desk, made.table, player).come() for player in ("ann", "bo")]
        await ann.status("active")
        await bo.status("active")
        await desk.send(made.table, React(0, "bravo"), id="bravo", player="ann")
        await asyncio.gather(ann.play(), bo.play())
        late = await Person(desk, made.table, None).come()
        assert eve.sight["status"] == late.sight["status"] == "pending"
        assert (await desk.sight(made.table, None)).status == "pending"
        skew[0] += 61_000
        await eve.status("finished")
        await late.status("finished")
        assert eve.sight == late.sight


async def test_a_reader_that_was_closed_is_told_nothing_more() -> None:
    closed: list[Subscription] = []
    reader = Subscription("ann", on_close=closed.append)
    reader.put(b"1\n")
    reader.close()
    reader.close()
    reader.put(b"2\n")
    reader.end("restart")
    assert reader.take() == b""
    assert closed == [reader]


async def test_a_room_that_nobody_watches_is_put_out_of_memory_and_comes_back(tmp_path: Path) -> None:
    import msgspec

    async with desk_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, remember=0, lobby=0)) as desk:
        made = await desk.create(Opening(game="nimmt", options={"seats": 2}), None, None)
        await until(lambda: made.table not in desk._rooms)
        assert (await desk.sight(made.table, None)).status == "pending"
        assert desk.figures.loads == 1


async def test_a_host_without_a_seat_is_told_that_it_is_the_host_and_when_it_is_not_any_more(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        made = await desk.create(Opening(game="nimmt", options={"seats": 2}), "hal", None)
        hal, eve = [await Person(desk, made.table, player).come() for player in ("hal", "eve")]
        for name in ("ann", "bo"):
            await desk.send(made.table, Sit(name), id="sit", player=name)
        ann = await Person(desk, made.table, "ann").come()
        for person in (hal, eve):
            await person.status("active")
        seen = hal.version
        assert hal.sight == {**eve.sight, "hosting": True}
        assert (await desk.sight(made.table, "hal")).hosting is True
        await desk.send(made.table, HandOver(0), id="over", player="hal")
        for person in (ann, hal, eve):
            await person.until(lambda person: person.sight.get("host") == 0)
        await hal.until(lambda hal: "hosting" not in hal.sight)
        assert ann.sight["hosting"] is True
        assert hal.sight == eve.sight
        assert not any(b"hosting" in line for line in eve.lines)
        again = await Person(desk, made.table, "hal").come(seen)  # what all spectators were told does not say it
        await again.until(lambda again: again.sight)
        assert again.sight == eve.sight

"""Fair deals on the desk's clock: nobody holds up a table, and nobody is left out because we were away."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from tests.server.desk.players import Person, desk_at

from faceup.core.record import Extended, LeftOut, Terms
from faceup.server.desk import Desk
from faceup.server.rooms import Opening, Sit, fair_answer
from faceup.table import verify
from faceup.table.fair import PATIENCE

OPENING = Opening(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(clock=30_000, fair=True))


async def a_fair_game(desk: Desk, opening: Opening = OPENING) -> tuple[str, list[Person]]:
    """A table at which two people sit, and whose first secret is sealed."""
    made = await desk.create(opening, "ann", "Ann")
    await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
    people = [await Person(desk, made.table, player).come() for player in ("ann", "bo")]
    for person in people:
        await person.until(lambda person: "fair" in person.sight)
    return made.table, people


async def answer(person: Person) -> None:
    """What the person's client sends by itself now."""
    command = fair_answer(person.sight, b"x" * 32)
    assert command is not None
    await person.desk.send(person.table, command, id=f"{command}"[:60], player=person.player)


def count(desk: Desk, table: str, kind: type) -> int:
    return sum(isinstance(entry, kind) for entry in desk._rooms[table].room.table.entries)


async def test_two_clients_make_a_deal_and_play_it(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_fair_game(desk)
        for person in (ann, bo):
            await answer(person)
        for person in (ann, bo):
            await person.until(lambda person: "listed" in person.sight["fair"])
            await answer(person)
        await ann.until(lambda ann: ann.sight["words"])
        await asyncio.gather(ann.play(), bo.play())
        assert verify(await desk.record(table)).contributors == ("Ann", "Bo")


@pytest.mark.parametrize("clock", [30_000, None])
async def test_clients_that_never_answer_hold_up_nobody(tmp_path: Path, clock: int | None) -> None:
    """Whether the game itself has a clock or none."""
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        opening = msgspec.structs.replace(OPENING, terms=Terms(clock=clock, fair=True))
        table, (ann, bo) = await a_fair_game(desk, opening)
        await answer(ann)
        skew[0] += PATIENCE + 1_000
        await ann.until(lambda ann: ann.sight["fair"].get("listed") == [0])
        assert count(desk, table, LeftOut) == 0
        skew[0] += PATIENCE + 1_000
        await bo.until(lambda bo: bo.sight["fair"]["left_out"] == [0])
        # Bo never pledged, so nobody waits for it again, and there is nobody else.
        await bo.until(lambda bo: bo.sight["words"])
        assert bo.sight["fair"]["listed"] == []


async def test_a_round_has_the_time_again_in_which_no_server_ran(tmp_path: Path) -> None:
    path = tmp_path / "faceup.db"
    async with desk_at(path) as desk:
        table, (ann, bo) = await a_fair_game(desk)
        for person in (ann, bo):
            await answer(person)
        await ann.until(lambda ann: "listed" in ann.sight["fair"])
        due = ann.sight["fair"]["due"]
    await asyncio.sleep(0.5)
    async with desk_at(path) as desk:
        ann = await Person(desk, table, "ann").come()
        await ann.until(lambda ann: ann.sight["fair"]["due"] > due)
        assert 400 < ann.sight["fair"]["due"] - due < 20_000
        assert count(desk, table, Extended) == 1
        await answer(ann)

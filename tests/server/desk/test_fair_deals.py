from pathlib import Path

from tests.server.desk.players import desk_at, until

from faceup import table as tables
from faceup.core.record import LeftOut, Sealed, Terms
from faceup.server.desk import Desk
from faceup.server.rooms import Opening, OpenPledge, Pledge, Sit


async def _answer(desk: Desk, table: str, seat: int, player: str, seed: bytes) -> None:
    """What the player's client does by itself."""
    step = tables.fair_step((await desk.sight(table, player)).fair, seat, seed)
    match step:
        case tables.Pledge(seat=_, round=number, pledge=pledge):
            await desk.send(table, Pledge(seat, number, pledge), id=f"pledge-{number}", player=player)
        case tables.OpenPledge(seat=_, round=number, contribution=contribution):
            await desk.send(table, OpenPledge(seat, number, contribution), id=f"open-{number}", player=player)
        case None:
            pass


async def test_a_client_that_does_not_open_in_time_is_left_out_and_the_game_begins_without_its_bytes(
    tmp_path: Path,
) -> None:
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        opening = Opening(game="nimmt", options={"seats": 2}, terms=Terms(clock=30_000, fair=True))
        made = await desk.create(opening, "ann", "Ann")
        await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
        room = desk._rooms[made.table]
        for seat, player in enumerate(("ann", "bo")):
            await _answer(desk, made.table, seat, player, bytes(32))
        await _answer(desk, made.table, 0, "ann", bytes(32))
        skew[0] += 11_000
        await until(lambda: any(isinstance(entry, LeftOut) for entry in room.room.table.entries))
        for _ in range(2):
            await _answer(desk, made.table, 0, "ann", bytes(32))
        assert room.room.table.deciders == (0, 1)
        kinds = [type(entry) for entry in room.room.table.entries]
        assert kinds.count(Sealed) == 2

import asyncio
from pathlib import Path

from tests.server.desk.players import Person, desk_at

from faceup.server.rooms import Opening, Sit, Start


async def test_two_people_and_two_bots_play_a_game_to_its_end_and_all_see_the_same_result(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        made = await desk.create(Opening(game="nimmt", options={"seats": 4, "hand": 3}), "ann", "Ann")
        ann, bo, eve = [await Person(desk, made.table, player).come() for player in ("ann", "bo", None)]
        await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
        await desk.send(made.table, Start(), id="start", player="ann")
        await bo.status("active")
        await ann.status("active")
        await asyncio.gather(ann.play(), bo.play())
        await eve.status("finished")
        record = await desk.record(made.table)
        assert record.result is not None
        for person in (ann, bo, eve):
            assert person.sight["result"]["scores"] == list(record.result.scores)

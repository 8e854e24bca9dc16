import asyncio
from pathlib import Path

import pytest
from tests.server.desk.players import Person, a_game, desk_at

from faceup.core import Malformed, NotLegal, NotYours
from faceup.server.desk import NoTable
from faceup.server.rooms import AddBot, Choose, Mark, Opening, Pause, Remove, Sit, Start
from faceup.table import Stale


async def test_two_people_and_two_bots_play_a_game_to_its_end_and_all_see_the_same_result(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        made = await desk.create(Opening(game="nimmt", options={"seats": 4, "hand": 3}), "ann", "Ann")
        ann, bo, eve = [await Person(desk, made.table, player).come() for player in ("ann", "bo", None)]
        await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
        await desk.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await bo.status("active")
        await asyncio.gather(ann.play(), bo.play())
        await eve.status("finished")
        record = await desk.record(made.table)
        assert record.result is not None
        for person in (ann, bo, eve):
            assert person.sight["result"]["scores"] == list(record.result.scores)


async def test_whoever_sits_down_while_watching_goes_on_with_the_sight_of_the_seat(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        made = await desk.create(Opening(game="nimmt", options={"seats": 3}), "ann", "Ann")
        bo = await Person(desk, made.table, "bo").come()
        assert "seat" not in bo.sight
        await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
        await bo.until(lambda bo: bo.sight.get("seat") == 1)
        await desk.send(made.table, Remove(1), id="remove", player="ann")
        await bo.until(lambda bo: "seat" not in bo.sight)


async def test_a_command_that_is_sent_twice_counts_once_and_gets_the_same_answer(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        command = Choose(0, ann.sight["words"][0], 0)
        first, second = await asyncio.gather(*(desk.send(table, command, id="choice", player="ann") for _ in range(2)))
        third = await desk.send(table, command, id="choice", player="ann")
        assert first == second == third
        # Another player's command with the same id is another command.
        await desk.send(table, Choose(1, bo.sight["words"][0], 0), id="choice", player="bo")
        await ann.until(lambda ann: ann.sight["decision"] == 1)


async def test_a_refusal_says_why_and_leaves_the_table_as_it_was(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        before = await desk.sight(table, "ann")
        words = bo.sight["words"][0]
        for command, error in (
            (Choose(1, words, 0), NotYours),
            (Choose(0, words, 0), NotLegal),
            (Choose(0, ann.sight["words"][0], 1), NotYours),
            (Choose(0, "play 1000", 0), Malformed),
            (Mark(7, None, 0), NotYours),
            (AddBot("random"), Stale),
        ):
            with pytest.raises(error):
                await desk.send(table, command, id="wrong", player="ann")
        with pytest.raises(NotYours):
            await desk.send(table, Pause(), id="pause", player="bo")
        with pytest.raises(Malformed, match="id"):
            await desk.send(table, Choose(0, ann.sight["words"][0], 0), id="x" * 100, player="ann")
        with pytest.raises(NoTable):
            await desk.send("nowhere", Start(), id="start", player="ann")
        with pytest.raises(NoTable):
            await desk.watch("nowhere", "ann")
        with pytest.raises(NotYours, match="over"):
            await desk.record(table)
        assert await desk.sight(table, "ann") == before


async def test_all_who_ask_for_a_rematch_get_the_same_table_and_their_seats_there(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo", hand=1)
        with pytest.raises(NotYours):
            await desk.rematch(table, "ann", id="too early")
        await asyncio.gather(ann.play(), bo.play())
        with pytest.raises(NotYours):
            await desk.rematch(table, "eve", id="not in it")
        first, second = await asyncio.gather(*(desk.rematch(table, who, id="again") for who in ("ann", "bo")))
        assert first == second
        await bo.until(lambda bo: bo.sight.get("rematch") == first)
        for who in ("ann", "bo"):
            await desk.send(first, Sit(who), id="sit", player=who)
        assert (await desk.sight(first, "ann")).seat == 1
        assert (await desk.sight(first, "bo")).status == "active"


async def test_a_table_at_which_nobody_may_look_on_is_seen_by_its_players_alone(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        opening = Opening(game="nimmt", options={"seats": 2, "hand": 1}, watch="nobody")
        made = await desk.create(opening, "ann", "Ann")
        eve = await Person(desk, made.table, "eve").come()
        await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
        await eve.until(lambda eve: eve.ended)
        assert eve.ended == "private"
        assert eve.sight["status"] == "pending"
        with pytest.raises(NotYours):
            await desk.watch(made.table, "eve")
        with pytest.raises(NotYours):
            await desk.sight(made.table, None)

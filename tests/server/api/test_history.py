"""What was played, over HTTP."""

from tests.server.api.playing import do, error, play_on
from tests.server.inside import House
from tests.server.people.games import keep, usual
from tests.server.rooms.play import IDS

from faceup.core.record import loads
from faceup.server.people.history import LEAST


async def test_a_finished_game_is_in_the_results_of_all_who_played_it(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.client() as anybody:
        table = await house.table(ann)
        await do(bo, table, "sit")
        assert (await ann.get("/api/me/results")).json()["games"] == []
        await play_on([ann, bo], table)
        mine = (await ann.get("/api/me/results")).json()
        [game] = mine["games"]
        assert (game["table"], game["seat"], game["rated"]) == (table, 0, False)
        assert [side["who"]["name"] for side in game["sides"]] == ["Ann", "Bo"]
        assert mine["tallies"] == [
            {"game": "nimmt", "variant": "cowheadking", "games": 1, "first": int(game["sides"][0]["place"] == 1)}
        ]
        handle = game["sides"][1]["who"]["handle"]
        theirs = (await anybody.get(f"/api/players/{handle}/results")).json()
        assert (theirs["name"], theirs["games"][0]["seat"]) == ("Bo", 1)
        assert (await anybody.get(f"/api/players/{handle}/games")).json() == theirs["games"]
        record = loads((await anybody.get(f"/api/tables/{game['table']}/record")).text)
        assert record.result is not None
        assert record.result.scores == tuple(side["score"] for side in game["sides"])


async def test_a_ladder_has_people_and_bots(house: House) -> None:
    for seed in range(LEAST):
        await keep(house.store, usual(seed))
    async with house.client() as anybody:
        found = (await anybody.get("/api/ladder?game=nimmt")).json()
        assert (found["game"], found["variant"], found["least"]) == ("nimmt", "cowheadking", LEAST)
        assert {rung["who"].get("bot") for rung in found["rungs"]} == {None, "random"}
        assert [rung["place"] for rung in found["rungs"]] == [1, 2]
        bot = (await anybody.get("/api/bots/random/results")).json()
        assert bot["ratings"][0]["games"] == LEAST
        assert not any(IDS[0] in text for text in (str(found), str(bot)))


async def test_what_is_not_there_is_said_in_one_way(house: House) -> None:
    async with house.client() as anybody:
        for path, status, kind in (
            ("/api/players/nobody/results", 404, "missing"),
            ("/api/players/nobody/games", 404, "missing"),
            ("/api/bots/nobody/results", 404, "missing"),
            ("/api/me/results", 401, "unknown"),
            ("/api/ladder?game=chess", 400, "malformed"),
            ("/api/ladder?variant=chess", 400, "malformed"),
            ("/api/ladder?limit=0", 400, "malformed"),
            ("/api/players/nobody/games?before=x", 400, "malformed"),
        ):
            assert error(await anybody.get(path)) == (status, kind), path

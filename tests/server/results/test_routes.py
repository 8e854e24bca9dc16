"""Routes of results, ratings and ladders."""

from tests.server.app_server import AppServer
from tests.server.requests import do, error, play_on
from tests.server.results.played_games import SETTLING_GAMES, niuniu_game, rated_game, store_game
from tests.server.rooms.room_log import IDS

from faceup.core.record import loads
from faceup.server.results.history import MIN_HANDS


async def test_a_finished_game_is_in_the_results_of_all_its_players(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann)
        await do(bo, table, "sit")
        assert (await ann.get("/api/me/results")).json()["games"] == []
        await play_on([ann, bo], table)
        own_results = (await ann.get("/api/me/results")).json()
        [game] = own_results["games"]
        assert (game["table"], game["seat"], game["rated"]) == (table, 0, False)
        assert [side["who"]["name"] for side in game["sides"]] == ["Ann", "Bo"]
        assert own_results["totals"] == [
            {"game": "nimmt", "variant": "cowheadking", "games": 1, "first": int(game["sides"][0]["place"] == 1)}
        ]
        handle = game["sides"][1]["who"]["handle"]
        public_results = (await anonymous.get(f"/api/players/{handle}/results")).json()
        assert (public_results["name"], public_results["games"][0]["seat"]) == ("Bo", 1)
        assert (await anonymous.get(f"/api/players/{handle}/games")).json() == public_results["games"]
        record = loads((await anonymous.get(f"/api/tables/{game['table']}/record")).text)
        assert record.result is not None
        assert record.result.scores == tuple(side["score"] for side in game["sides"])


async def test_a_ladder_has_people_and_bots(app: AppServer) -> None:
    for seed in range(SETTLING_GAMES):
        await store_game(app.store, rated_game(seed))
    async with app.client() as anonymous:
        ladder = (await anonymous.get("/api/ladder?game=nimmt")).json()
        assert (ladder["game"], ladder["variant"], ladder["min_hands"]) == ("nimmt", "cowheadking", None)
        assert {rung["who"].get("bot") for rung in ladder["ladder_rows"]} == {None, "random"}
        assert [rung["place"] for rung in ladder["ladder_rows"]] == [1, 2]
        bot = (await anonymous.get("/api/bots/random/results")).json()
        assert bot["ratings"][0]["games"] == SETTLING_GAMES
        assert all(type(row[name]) is int for row in ladder["ladder_rows"] for name in ("rating", "deviation"))
        assert not any(IDS[0] in text for text in (str(ladder), str(bot)))


async def test_niu_niu_has_hand_statistics_and_a_ladder_by_mean_score(app: AppServer) -> None:
    await store_game(app.store, niuniu_game(1, throws=MIN_HANDS))
    async with app.client() as anonymous:
        ladder = (await anonymous.get("/api/ladder?game=niuniu")).json()
        assert (ladder["by"], ladder["min_hands"], ladder["ladder_rows"]) == ("hands", MIN_HANDS, [])
        assert [rung["place"] for rung in ladder["hands"]] == [1, 2, 3]
        bot = (await anonymous.get("/api/bots/random/results")).json()
        [rung] = [rung for rung in ladder["hands"] if rung["who"].get("bot") == "random"]
        assert bot["hands"][0] == {
            "game": "niuniu", "variant": "battle", "totals": rung["totals"], "place": rung["place"], "program": False
        }  # fmt: skip
        assert (bot["ratings"], IDS[0] in str(ladder)) == ([], False)
        totals = rung["totals"]
        assert (totals["hands"], sum(totals["points"])) == (MIN_HANDS, MIN_HANDS)
        assert totals["mean"] == totals["sum"] / MIN_HANDS
        orders = {game["name"]: game["ladder"] for game in (await anonymous.get("/api/games")).json()}
        assert (orders["nimmt"], orders["niuniu"], orders["war"]) == ("rating", "hands", None)
    async with app.guest("Cy") as cy:
        opening = {"game": "niuniu", "options": {"seats": 1, "throws": 2}}
        table = (await cy.post("/api/tables", json={"config": opening})).json()["id"]
        await play_on([cy], table)
        own_results = (await cy.get("/api/me/results")).json()
        [standing] = own_results["hands"]
        assert standing["totals"] == own_results["games"][0]["sides"][0]["hands"]
        assert (standing["totals"]["hands"], standing["place"]) == (2, None)


async def test_an_account_has_the_results_of_its_guest_after_login(app: AppServer) -> None:
    throws = {"game": "niuniu", "options": {"seats": 1, "throws": 2}}
    async with app.guest("Ann") as phone, app.guest("Guest") as laptop, app.guest("Bo") as bo:
        await phone.post("/api/account", json={"login": "ann", "password": "correct horse"})
        for host in (phone, laptop):
            await play_on([host], (await host.post("/api/tables", json={"config": throws})).json()["id"])
            table = (
                await host.post(
                    "/api/tables", json={"config": {"game": "nimmt", "options": {"seats": 2}, "rated": True}}
                )
            ).json()
            await do(bo, table["id"], "sit")
            await play_on([host, bo], table["id"])
        before = [(await client.get("/api/me/results")).json() for client in (phone, laptop)]
        await laptop.post("/api/login", json={"login": "ann", "password": "correct horse"})
        for device in (phone, laptop):
            own_results = (await device.get("/api/me/results")).json()
            assert len(own_results["games"]) == 4
            assert [rating["games"] for rating in own_results["ratings"]] == [2]
            assert own_results["ratings"][0]["wins"] == sum(result["ratings"][0]["wins"] for result in before)
            [standing] = own_results["hands"]
            assert standing["totals"]["sum"] == sum(result["hands"][0]["totals"]["sum"] for result in before)


async def test_unknown_resources_are_not_found(app: AppServer) -> None:
    async with app.client() as anonymous:
        for path, status, kind in (
            ("/api/players/unknown/results", 404, "not_found"),
            ("/api/players/unknown/games", 404, "not_found"),
            ("/api/bots/unknown/results", 404, "not_found"),
            ("/api/me/results", 401, "unauthenticated"),
            ("/api/ladder?game=chess", 400, "malformed"),
            ("/api/ladder?variant=chess", 400, "malformed"),
            ("/api/ladder?limit=0", 400, "malformed"),
            ("/api/players/unknown/games?before=x", 400, "malformed"),
        ):
            assert error(await anonymous.get(path)) == (status, kind), path

"""Games to watch: only public games in progress, as spectators see them, the best one first."""

from collections.abc import Iterable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.app_server import AppServer, opened
from tests.server.tables.test_online import id_of

from faceup.server.process.settings import Settings
from faceup.server.results.schema import ratings
from faceup.server.store.queries import games_to_watch
from faceup.server.tables.watch_list_tasks import GameToWatch, WatchedSeat, best_first


async def games(server: AppServer, client: httpx.AsyncClient) -> list[dict[str, Any]]:
    server.app.services.watch_list.forget()
    answer = await client.get("/api/watch")
    assert answer.status_code == 200, answer.text
    shown: list[dict[str, Any]] = answer.json()
    return shown


def tables(shown: Iterable[dict[str, Any]]) -> list[str]:
    return [game["table"] for game in shown]


async def play(table: str, *clients: httpx.AsyncClient) -> None:
    """Let everyone choose the first action until the game is over."""
    while True:
        for client in clients:
            room = (await client.get(f"/api/tables/{table}")).json()["room"]
            if room["status"] != "active":
                return
            if room["actions"] and "choice" not in room:
                choice = {"seat": room["seat"], "action": room["actions"][0], "decision": room["decision"]}
                body = {"id": f"{room['decision']}", "command": "choose", **choice}
                answer = await client.post(f"/api/tables/{table}/commands", json=body)
                assert answer.status_code in {200, 403, 409}, answer.text  # autoplay may choose first


async def test_only_public_games_in_progress_with_spectators_are_listed(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(opened(tmp_path / "t.db", Settings().without_limits()))
        ann, bo = [await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Bo")]
        stranger = await stack.enter_async_context(server.client())
        await server.table(ann, listed=True)  # has not started
        await server.table(ann, bo)  # not public
        await server.table(ann, bo, listed=True, spectators="nobody")
        shown = await server.table(ann, bo, listed=True)
        [game] = await games(server, stranger)
        assert game["table"] == shown
        assert [seat["name"] for seat in game["seats"]] == ["Ann", "Bo"]
        assert {**game, "seats": None, "table": None} == {
            "table": None,
            "game": "nimmt",
            "variant": "cowheadking",
            "rated": False,
            "decision": 0,
            "late": False,
            "paused": False,
            "delay": 0,
            "seats": None,
        }
        await play(shown, ann, bo)
        assert await games(server, stranger) == []


async def test_a_delay_is_kept_at_the_start_and_at_the_end(tmp_path: Path) -> None:
    """The list says of a game with a delay what spectators see, also when it is over for its players."""
    skew = [0]
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(opened(tmp_path / "t.db", Settings().without_limits(), skew=skew))
        ann, bo = [await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Bo")]
        stranger = await stack.enter_async_context(server.client())
        table = await server.table(ann, bo, listed=True, spectator_delay=600_000)
        assert await games(server, stranger) == []
        skew[0] += 300_000
        await play(table, ann, bo)
        for now, listed in ((300_000, False), (540_000, False), (602_000, True), (840_000, True), (920_000, False)):
            skew[0] = now
            for room in server.hub.rooms.values():
                room.on_timer()
            shown = await games(server, stranger)
            seen = (await stranger.get(f"/api/tables/{table}")).json()["room"]
            assert [game["decision"] for game in shown] == ([seen["decision"]] if listed else []), now
            assert (seen["status"] == "active") == listed


async def test_ratings_decide_between_equal_numbers_of_people(tmp_path: Path) -> None:
    """Provisional ratings are not shown, and count as those of new players."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(opened(tmp_path / "t.db", Settings().without_limits()))
        ann, bo, cy = [await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Bo", "Cy")]
        rows = [
            {"who": await id_of(server.store, client), "mean": mean, "deviation": deviation}
            for client, mean, deviation in ((ann, 35.0, 2.0), (bo, 25.0, 2.0), (cy, 60.0, 8.0))
        ]
        insert = ratings.insert().values(game="nimmt", variant="cowheadking", games=9, wins=3.0)
        await server.store.write(lambda connection: connection.execute(insert, rows).rowcount)
        first = await server.table(ann, bo, listed=True)
        second = await server.table(cy, bo, listed=True)
        bots = await server.table(ann, listed=True, bots=["random"])
        await ann.post(f"/api/tables/{bots}/commands", json={"id": "s", "command": "start"})
        shown = await games(server, bo)
        assert tables(shown) == [first, second, bots]
        assert [[seat["rating"] for seat in game["seats"]] for game in shown] == [
            [1800, 1500],
            [None, 1500],
            [1800, None],
        ]


def test_the_best_game_runs_has_time_left_most_people_and_high_ratings() -> None:
    def seats(*people: int | None) -> tuple[WatchedSeat | None, ...]:
        return tuple(WatchedSeat(name="P", kind="person", rating=rating) for rating in people)

    def game(table: str, *players: WatchedSeat | None, **facts: Any) -> GameToWatch:
        rest = {"late": False, "paused": False, "decision": 0} | facts
        return GameToWatch(
            table=table, game="nimmt", variant="cowheadking", rated=False, delay=0, seats=players, **rest
        )

    bot = WatchedSeat(name="Penny", kind="random")
    in_order = (
        game("three people", *seats(None, 1500, 1500)),
        game("high ratings", *seats(1900, 1700), bot),
        game("new players count 1500", *seats(None, None)),
        game("low ratings", *seats(1500, 1499)),
        game("one person", *seats(2400), bot, bot),
        game("bots", bot, bot),
        game("late", *seats(2000, 2000, 2000), late=True),
        game("paused", *seats(2000, 2000, 2000, 2000), paused=True),
    )
    assert best_first(in_order[::-1]) == in_order
    later = msgspec.structs.replace(in_order[0], decision=3)
    assert best_first((later, in_order[0])) == (in_order[0], later)


async def test_no_address_can_bury_the_games_of_others(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(opened(tmp_path / "t.db", Settings().without_limits()))
        ann, bo = [
            await stack.enter_async_context(server.guest(name, address))
            for name, address in (("Ann", "192.0.2.1"), ("Bo", "192.0.2.2"))
        ]
        old = await server.table(ann, bo, listed=True)
        new = [await server.table(bo, ann, listed=True) for _ in range(3)]
        rows = await server.store.query(partial(games_to_watch, now=server.store.now(), limit=2))
        assert {row.id for row in rows} == {old, new[-1]}


@pytest.mark.parametrize("path", ["/api/watch", "/api/online"])
async def test_the_lists_survive_a_table_without_a_log(tmp_path: Path, path: str) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(opened(tmp_path / "t.db", Settings().without_limits()))
        ann, bo = [await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Bo")]
        table = await server.table(ann, bo, listed=True)
        await server.store.write(lambda connection: connection.exec_driver_sql("DELETE FROM log").rowcount)
        await server.hub.drop(table)
        answer = await ann.get(path)
        assert answer.status_code == 200
        assert table not in answer.text

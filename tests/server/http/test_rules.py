"""Rules with several doors: each test names all requests that could get around a rule, and tries them all."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
from tests.server.app_server import AppServer, ListeningServer
from tests.server.conftest import Serve
from tests.server.friends.test_routes import id_of
from tests.server.parties.test_routes import get, handle_of, join, key_of, send, start
from tests.server.requests import do, error, play_on, room_view
from tests.server.tournaments.players import command, create, view

from faceup.server.daily import tasks as daily_deals
from faceup.server.http.app import ROUTES
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.moderation.bans import ban_address, ban_player
from faceup.server.process.settings import Settings
from faceup.server.rooms.errors import SpectatorsOffError
from faceup.server.store import TableRow
from faceup.server.store.schema import rooms

DELAY = 600_000
RATED = {"options": {"seats": 2}, "rated": True}
TOO_MANY = (429, "too_many_tables")
NOT_FOUND = (404, "not_found")

Door = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


@asynccontextmanager
async def guests(app: AppServer, names: str) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Log guests in."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(app.guest(name)) for name in names.split()]


async def wait_out_the_delay(app: AppServer) -> None:
    """Let all tables end earlier by the spectator delay."""
    earlier = rooms.update().values(ended_at=rooms.c.ended_at - DELAY)
    await app.store.write(lambda connection: connection.execute(earlier).rowcount)


# Spectators see a game with a delay.


async def test_no_list_shows_the_end_of_a_game_before_spectators_have_seen_it(app: AppServer) -> None:
    async with guests(app, "Ann Bo Eve Zoe") as (ann, bo, eve, zoe):
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        handle = await handle_of(ann)
        config = {"game": "nimmt", **RATED, "spectator_delay": DELAY, "listed": True}
        public = (await send(ann, "POST", "/api/tables", {"config": config}, 201))["id"]
        await do(bo, public, "sit")
        body = {"config": {**config, "listed": False, "options": {}}}
        private = (await send(ann, "POST", f"/api/parties/{party}/tables", body, 201))["id"]
        await do(bo, private, "sit")
        await join(eve, await key_of(ann, party))
        code = (await get(zoe, f"/api/tables/{public}"))["code"]

        async def shown() -> dict[str, Any]:
            """Return what each list shows of the games to others."""
            body: dict[str, Any] = {
                path: (await zoe.get(path)).text
                for path in (
                    f"/api/players/{handle}/results",
                    f"/api/players/{handle}/games",
                    f"/api/players/{handle}/statistics",
                    "/api/ladder?game=nimmt",
                    "/api/tables",
                    f"/api/codes/{code}",
                    f"/api/tables/{public}/preview.png",
                    f"/t/{public}",
                )
            }
            for path in ("/statistics", "/games"):
                body[f"party{path}"] = (await eve.get(f"/api/parties/{party}{path}")).text
            seen = await get(eve, f"/api/parties/{party}")
            body["party"] = {"status": seen["table"]["status"], "ended_at": seen["table"]["ended_at"]}
            body["parties"] = (await get(eve, "/api/parties"))[0]["status"]
            return body

        assert (await room_view(zoe, public))["status"] == "pending", "spectators have not seen the start"
        before = await shown()
        for table in (public, private):
            await play_on([ann, bo], table)
            assert (await room_view(ann, table))["status"] == "finished"
        during = await shown()
        assert during == before
        assert public in during["/api/tables"]
        await wait_out_the_delay(app)
        after = await shown()
        unchanged = {path for path, text in after.items() if text == during[path]}
        assert unchanged <= {f"/api/tables/{public}/preview.png", f"/t/{public}", "party"}, "these follow the stream"
        assert public not in after["/api/tables"]
        games = await get(zoe, f"/api/players/{handle}/games")
        assert {game["table"] for game in games} == {public, private}


async def test_a_party_shows_the_end_of_a_game_without_spectators_after_the_delay(
    app: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        """Refuse to show the table, as while spectators would see its game."""
        raise SpectatorsOffError("this table allows no spectators")

    async with guests(app, "Ann Bo Eve") as (ann, bo, eve):
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        config = {"game": "nimmt", **RATED, "rated": False, "spectator_delay": DELAY, "spectators": "nobody"}
        table = (await send(ann, "POST", f"/api/parties/{party}/tables", {"config": config}, 201))["id"]
        await do(bo, table, "sit")
        await join(eve, await key_of(ann, party))
        await play_on([ann, bo], table)
        monkeypatch.setattr(app.hub, "view", refuse)
        seen = (await get(eve, f"/api/parties/{party}"))["table"]
        assert (seen["status"], seen["ended_at"], seen["present"]) == ("active", None, [])
        await wait_out_the_delay(app)
        seen = (await get(eve, f"/api/parties/{party}"))["table"]
        assert (seen["status"], seen["present"]) == ("finished", [])


async def test_a_tournament_counts_a_table_when_its_spectators_have_seen_the_end(app: AppServer) -> None:
    async with guests(app, "Ann Bo Cy") as players:
        table = {"game": "nimmt", "options": {"seats": 3, "hand": 2}, "terms": {"clock": 60_000}}
        cup = await create(players[0], table={**table, "spectator_delay": DELAY}, rounds=1)
        for player in players:
            await command(player, cup, "join")
        await command(players[0], cup, "start_round", round=1)
        tournaments = app.app.services.tournaments
        await tournaments.run_due()
        room = (await view(players[0], cup))["me"]["table"]
        by_seat = sorted([((await room_view(player, room))["seat"], index) for index, player in enumerate(players)])
        await play_on([players[index] for _, index in by_seat], room)
        for _ in range(2):
            await tournaments.run_due()
        seen = (await view(players[0], cup))["tournament"]
        assert (seen["status"], seen["rounds"][0]["tables"][0]["places"]) == ("playing", None)
        await wait_out_the_delay(app)
        await tournaments.run_due()
        assert (await view(players[0], cup))["tournament"]["status"] == "finished"


# No one avoids a defeat in a rated game.


async def test_the_host_cannot_close_a_rated_game_by_any_door(server: ListeningServer) -> None:
    async with guests(server, "Ann Bo") as (ann, bo):
        table = await server.table(ann, bo, **RATED)
        assert error(await do(ann, table, "close")) == (403, "wrong_seat")
        async with server.live(table, ann) as live:
            await live.until("room")
            assert (await live.ask("ws", "close"))["error"]["kind"] == "wrong_seat"
        key = (await send(ann, "POST", "/api/tokens", {"label": "bot", "scopes": ["read", "play"]}, 201))["key"]
        async with server.client(authorization=f"Bearer {key}") as program:
            assert error(await do(program, table, "close")) == (403, "wrong_seat")
        assert (await do(ann, table, "transfer_host", seat=1)).status_code == 200
        assert error(await do(bo, table, "close")) == (403, "wrong_seat")
        assert (await do(bo, table, "remove", seat=0)).status_code == 409
        assert (await room_view(ann, table))["status"] == "active"
        waiting = await server.table(ann, **RATED)
        assert (await do(ann, waiting, "close")).status_code == 200, "before the start, nothing is lost"


async def test_rated_tables_play_on_when_the_host_ends_their_tournament(app: AppServer) -> None:
    async with guests(app, "Ann Bo Cy") as players:
        for rated in (True, False):
            table = {"game": "nimmt", "options": {"seats": 3}, "terms": {"clock": 60_000}, "rated": rated}
            cup = await create(players[0], table=table, rounds=1)
            for player in players:
                await command(player, cup, "join")
            await command(players[0], cup, "start_round", round=1)
            await app.app.services.tournaments.run_due()
            room = (await view(players[0], cup))["me"]["table"]
            await command(players[0], cup, "end")
            await app.app.services.tournaments.run_due()
            assert (await room_view(players[0], room))["status"] == ("active" if rated else "closed")


# A rated game has no hints.


@pytest.mark.sample(1)
@pytest.mark.parametrize("others", [0, 1])
@pytest.mark.parametrize("hints", [True, False])
async def test_a_rated_game_has_no_hints_and_no_coach(server: ListeningServer, others: int, *, hints: bool) -> None:
    async with guests(server, "Ann Bo") as (ann, bo):
        config = {"options": {"seats": 3}, "rated": True, "bots": ["greedy"], "terms": {"clock": None, "hints": hints}}
        table = await server.table(ann, *[bo][:others], **config)
        await do(ann, table, "start")
        key = (await send(ann, "POST", "/api/tokens", {"label": "bot", "scopes": ["read", "play"]}, 201))["key"]
        async with server.client(authorization=f"Bearer {key}") as program:
            for client in (ann, program):
                assert error(await client.get(f"/api/tables/{table}/hint")) == (403, "forbidden")
                assert error(await client.get(f"/api/tables/{table}/hint?seat=0")) == (403, "forbidden")
                assert not (await room_view(client, table))["hints"]
                for path in ("review", "review.ndjson", "replay", "record", "moment.svg"):
                    assert error(await client.get(f"/api/tables/{table}/{path}")) == (403, "wrong_seat")
        async with server.live(table, ann) as live:
            assert not (await live.until("room"))["room"]["hints"]


# Open tables are limited.


async def test_every_door_to_a_new_table_has_the_limits_of_open_tables(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily_deals, "BOTS", ("random", "greedy", "lowest"))
    app = await serve(Settings(tables_per_player=1))
    async with guests(app, "Ann Bo") as (ann, bo):
        party = await start(ann)
        over = await app.table(ann, bo)
        await play_on([ann, bo], over)
        await app.table(ann)
        config = {"game": "nimmt", "options": {"seats": 2, "hand": 2}}
        doors: dict[str, Door] = {
            "table": lambda client: client.post("/api/tables", json={"config": config}),
            "quick match": lambda client: client.post("/api/quick-match", json={"game": "nimmt"}),
            "party": lambda client: client.post(f"/api/parties/{party}/tables", json={"config": config}),
            "rematch": lambda client: do(client, over, "rematch"),
            "daily deal": lambda client: client.post("/api/daily", json={}),
        }
        assert {name: error(await door(ann)) for name, door in doors.items()} == dict.fromkeys(doors, TOO_MANY)
        assert (await get(ann, "/api/daily"))["today"]["attempt"] is None
        again = (await do(bo, over, "rematch")).json()["table"]
        row = await app.store.room(again)
        assert row is not None
        assert row.origin.creator == await id_of(app.store, bo), "who asks has the table"
        assert error(await bo.post("/api/tables", json={"config": config})) == TOO_MANY


async def test_bots_that_sit_down_later_have_the_limits_of_open_tables(serve: Serve) -> None:
    app = await serve(Settings(tables_per_player=4, bot_tables_per_player=1))
    async with guests(app, "Ann") as (ann,):
        config = {"game": "nimmt", "options": {"seats": 3, "hand": 2}}

        async def waiting(*, sit: bool) -> str:
            return str((await send(ann, "POST", "/api/tables", {"config": config, "sit": sit}, 201))["id"])

        first, second, third = await waiting(sit=False), await waiting(sit=False), await waiting(sit=True)
        assert (await do(ann, first, "add_bot", kind="random", seat=0)).status_code == 200
        await until_stored(app, first, lambda row: row.origin.bot_only)
        assert error(await do(ann, second, "start")) == TOO_MANY
        assert error(await do(ann, second, "add_bot", kind="random", seat=2)) == TOO_MANY
        assert (await do(ann, third, "add_bot", kind="sharp", seat=1)).status_code == 200
        await until_stored(app, third, lambda row: row.origin.cost == 2)
        assert error(await do(ann, third, "add_bot", kind="sharp", seat=2)) == TOO_MANY
        assert (await do(ann, third, "add_bot", kind="random", seat=2)).status_code == 200


async def until_stored(app: AppServer, table: str, condition: Callable[[TableRow], bool]) -> None:
    """Wait until the row of a table fulfils a condition."""
    async with asyncio.timeout(60):
        while (row := await app.store.room(table)) is None or not condition(row):  # noqa: ASYNC110 -- a database
            await asyncio.sleep(0.01)


async def test_every_door_to_a_new_table_has_the_rate_limit(serve: Serve) -> None:
    app = await serve(Settings().without_limits(), ServerLimits(tables=RateLimit(2, 0.000001)))
    async with guests(app, "Ann Bo") as (ann, bo):
        over = await app.table(bo, ann)
        await play_on([bo, ann], over)
        party = await start(ann)
        await app.table(ann)
        doors: dict[str, Door] = {
            "table": lambda client: client.post("/api/tables", json={"config": {"game": "nimmt"}}),
            "quick match": lambda client: client.post("/api/quick-match", json={"game": "nimmt"}),
            "party": lambda client: client.post("/api/parties", json={}),
            "table of a party": lambda client: client.post(
                f"/api/parties/{party}/tables", json={"config": {"game": "nimmt"}}
            ),
            "rematch": lambda client: do(client, over, "rematch"),
            "daily deal": lambda client: client.post("/api/daily", json={}),
            "tournament": lambda client: client.post(
                "/api/tournaments", json={"settings": {"name": "Cup", "table": {"game": "nimmt"}}}
            ),
        }
        errors = {name: error(await door(ann)) for name, door in doors.items()}
        assert errors == dict.fromkeys(doors, (429, "rate_limited"))


# A member whom the host removed from a party.


async def test_a_removed_member_has_no_door_to_the_party(app: AppServer) -> None:
    async with guests(app, "Ann Bo Cy") as (ann, bo, cy):
        party = await start(ann)
        link = await key_of(ann, party)
        for member in (bo, cy):
            await join(member, link)
        await send(cy, "POST", "/api/invitations", {"to": await handle_of(bo), "party": party})
        config = {"game": "nimmt", "options": {"seats": 2, "hand": 2}}
        table = (await send(ann, "POST", f"/api/parties/{party}/tables", {"config": config}, 201))["id"]
        for member in (bo, cy):
            await do(member, table, "sit")
        await play_on([ann, bo, cy], table)
        assert (await room_view(ann, table))["status"] == "finished"
        await send(ann, "DELETE", f"/api/parties/{party}/members/{await handle_of(bo)}")
        rematch = (await do(bo, table, "rematch")).json()["table"]
        seen = await get(ann, f"/api/parties/{party}")
        assert seen["room"] == table != rematch, "the rematch is not a table of the party"
        assert await get(ann, f"/api/tables/{rematch}/party") is None
        for answer in (
            await bo.get(f"/api/party-links/{link}"),
            await bo.post(f"/api/party-links/{link}", json={}),
            await bo.get(f"/api/parties/{party}"),
            await bo.get(f"/api/parties/{party}/games"),
            await bo.get(f"/api/parties/{party}/statistics"),
            await bo.get(f"/api/parties/{party}/link.svg"),
            await bo.post(f"/api/parties/{party}/tables", json={"config": config, "instead": table}),
            await bo.post("/api/invitations", json={"to": await handle_of(cy), "party": party}),
        ):
            assert error(answer) == NOT_FOUND
        again = await key_of(ann, party)
        assert error(await bo.post(f"/api/party-links/{again}", json={})) == (403, "forbidden")
        assert await get(bo, f"/api/tables/{table}/party") is None
        assert (await get(bo, "/api/inbox"))["invitations"] == []


# Invitations.


@pytest.mark.sample(1)
@pytest.mark.parametrize("blocker", ["sender", "receiver"])
@pytest.mark.parametrize("place", ["table", "party"])
async def test_an_open_invitation_ends_when_one_blocks_the_other(app: AppServer, blocker: str, place: str) -> None:
    async with guests(app, "Ann Bo") as (ann, bo):
        await app.table(ann, bo)
        where = await app.table(ann, options={"seats": 3}) if place == "table" else await start(ann)
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), place: where})
        (invitation,) = (await get(bo, "/api/inbox"))["invitations"]
        first, other = (ann, bo) if blocker == "sender" else (bo, ann)
        await send(first, "PUT", f"/api/blocks/{await handle_of(other)}")
        assert (await get(bo, "/api/inbox"))["invitations"] == []
        await send(bo, "POST", f"/api/invitations/{invitation['id']}/accept", status=404)
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), place: where})
        assert (await get(bo, "/api/inbox"))["invitations"] == []
        await send(first, "DELETE", f"/api/blocks/{await handle_of(other)}")
        await send(bo, "POST", f"/api/invitations/{invitation['id']}/accept", status=404)


async def test_an_invitation_ends_with_the_right_of_its_sender(app: AppServer) -> None:
    async with guests(app, "Ann Bo Cy") as (ann, bo, cy):
        await app.table(ann, bo)
        await app.table(bo, cy)
        for kick in (True, False):
            table = await app.table(ann, bo, options={"seats": 4})
            await send(bo, "POST", "/api/invitations", {"to": await handle_of(cy), "table": table})
            (invitation,) = (await get(cy, "/api/inbox"))["invitations"]
            await (do(ann, table, "remove", seat=1) if kick else do(bo, table, "leave", seat=1))
            await send(cy, "POST", f"/api/invitations/{invitation['id']}/accept", status=404)
            assert (await room_view(cy, table)).get("seat") is None
        table = await app.table(bo, options={"seats": 4})
        await send(bo, "POST", "/api/invitations", {"to": await handle_of(cy), "table": table})
        (invitation,) = (await get(cy, "/api/inbox"))["invitations"]
        sender = await id_of(app.store, bo)
        now = app.store.now()
        await app.store.write(lambda connection: ban_player(connection, now, sender))
        await send(cy, "POST", f"/api/invitations/{invitation['id']}/accept", status=404)


@pytest.mark.sample(1)
@pytest.mark.parametrize("end", ["left", "link renewed", "link renewed after leaving", "declined"])
async def test_an_invitation_to_a_party_is_used_once(app: AppServer, end: str) -> None:
    async with guests(app, "Ann Bo") as (ann, bo):
        await app.table(ann, bo)
        party = await start(ann)
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "party": party})
        (invitation,) = (await get(bo, "/api/inbox"))["invitations"]
        accept = f"/api/invitations/{invitation['id']}/accept"
        if "leav" in end or end == "left":
            for _ in range(2):
                assert (await send(bo, "POST", accept))["party"] == party, "a retry has the same answer"
            await send(bo, "DELETE", f"/api/parties/{party}/members/{await handle_of(bo)}")
        if "renewed" in end:
            await send(ann, "POST", f"/api/parties/{party}/link")
            assert (await get(bo, "/api/inbox"))["invitations"] == []
        if end == "declined":
            await send(bo, "DELETE", f"/api/invitations/{invitation['id']}")
        await send(bo, "POST", accept, status=404)
        await get(bo, f"/api/parties/{party}", status=404)
        if end != "declined":  # a new invitation is a new permission
            await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "party": party})
            (invitation,) = (await get(bo, "/api/inbox"))["invitations"]
            assert (await send(bo, "POST", f"/api/invitations/{invitation['id']}/accept"))["party"] == party


async def test_an_invitation_to_a_table_seats_once(app: AppServer) -> None:
    async with guests(app, "Ann Bo") as (ann, bo):
        await app.table(ann, bo)
        table = await app.table(ann, options={"seats": 3})
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "table": table})
        (invitation,) = (await get(bo, "/api/inbox"))["invitations"]
        for seat in (1, None):
            assert (await send(bo, "POST", f"/api/invitations/{invitation['id']}/accept"))["table"] == table
            assert (await room_view(bo, table)).get("seat") == seat
            await do(bo, table, "leave", seat=1)


# A banned address.


async def test_a_banned_address_has_no_door(app: AppServer) -> None:
    open_to_all = {"/api/health", "/api/ready", "/api/version", "/api/games", "/api/mail/unsubscribe"}
    open_to_all |= {"/api/about", "/api/privacy"}  # the law wants them to be open to everyone
    paths = sorted(
        (re.sub(r"\{.*?\}", "x", path), method)
        for handler in ROUTES
        for path in handler.paths
        for method in handler.http_methods & {"GET", "POST", "PUT", "PATCH", "DELETE"}
        if path.startswith("/api/") and not path.startswith("/api/openapi") and path not in open_to_all
    )
    assert len(paths) > 100
    now = app.store.now()
    await app.store.write(lambda connection: ban_address(connection, now, "198.51.100.7"))
    async with app.client_at("198.51.100.7") as mallory:
        async with asyncio.timeout(20):
            while (await mallory.get("/api/server-info")).status_code == 200:  # noqa: ASYNC110 -- the server provides no event
                await asyncio.sleep(0.05)
        answers = {(path, method): await mallory.request(method, path, json={}) for path, method in paths}
        doors = [door for door, answer in answers.items() if b'"kind":"banned"' not in answer.content]
        assert doors == []

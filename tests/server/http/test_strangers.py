"""What one stranger with many guests can fill, send and cost, and what people can do about it."""

import gzip
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import sqlalchemy as sa
from tests.server.app_server import STALL, AppServer, built
from tests.server.friends.test_routes import befriend, id_of
from tests.server.parties.test_routes import get, handle_of, join, key_of, send, start
from tests.server.player_export import export
from tests.server.tournaments.players import command, create, view

from faceup.server.accounts.players import create_guest
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.live import Timeouts
from faceup.server.moderation.reports import list_reports
from faceup.server.player_data import merge
from faceup.server.process.settings import Settings
from faceup.server.tables.quick_match import BlockedError, take_seat
from faceup.server.tournaments import queries as tournaments
from faceup.server.tournaments.tables import SeatedPlayer

OFTEN: Final = RateLimit(100_000, 1)
LIMITS: Final = ServerLimits(requests=OFTEN, commands=OFTEN, tables=OFTEN)
SETTINGS: Final = Settings(tournament_places_per_address=5)
STRANGER: Final = "198.51.100.7"


@asynccontextmanager
async def server(path: Path) -> AsyncIterator[tuple[AppServer, AsyncExitStack]]:
    """Run a server at which no quick match starts without all players."""
    timeouts = Timeouts(think_time=(0, 0), stall=STALL, fill=600_000, fill_grace=600_000)
    async with built(f"sqlite:///{path / 't.db'}", SETTINGS, LIMITS, timeouts) as app, AsyncExitStack() as stack:
        await app.app.start()
        stack.push_async_callback(app.app.stop)
        yield app, stack


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[tuple[AppServer, AsyncExitStack]]:
    async with server(tmp_path) as running:
        yield running


async def guests(world: tuple[AppServer, AsyncExitStack], names: str, address: str = "") -> list[httpx.AsyncClient]:
    app, stack = world
    return [await stack.enter_async_context(app.guest(name, address)) for name in names.split()]


async def refused(client: httpx.AsyncClient, tournament: str, name: str, **fields: object) -> str:
    answer = await client.post(f"/api/tournaments/{tournament}/commands", json={"command": name, **fields})
    assert answer.status_code >= 400, answer.text
    kind: str = answer.json()["error"]["kind"]
    return kind


def names_in(seen: dict[str, Any]) -> list[str]:
    return [player["name"] for player in seen["tournament"]["players"]]


async def test_one_address_gets_a_share_of_the_places_of_a_tournament(world: tuple[AppServer, AsyncExitStack]) -> None:
    (host, *club) = await guests(world, "Host A B C D E F")
    strangers = await guests(world, "S1 S2 S3 S4 S5 S6 S7", STRANGER)
    tournament = await create(host)
    for stranger in strangers[:5]:
        await command(stranger, tournament, "join")
    assert await refused(strangers[5], tournament, "join") == "rate_limited"
    await command(host, tournament, "remove", number=1)
    await command(strangers[1], tournament, "leave")
    assert await refused(strangers[6], tournament, "join") == "rate_limited"  # leaving gives no new share
    await command(strangers[1], tournament, "join")
    for stranger in club:  # the network of the host
        await command(stranger, tournament, "join")
    other = await create(host)
    await command(strangers[5], other, "join")  # each tournament has its own share


async def test_a_removed_entrant_frees_the_place_and_cannot_return(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    host, ann, bo = await guests(world, "Host Ann Bo")
    tournament = await create(host)
    await command(ann, tournament, "join")
    account = await app.store.write(lambda connection: create_guest(connection, 0).id)

    def fill(connection: sa.Connection) -> None:
        for number in range(2, 201):
            player = create_guest(connection, 0).id
            tournaments.join_tournament(connection, 0, tournament, SeatedPlayer(player, f"P {number} {player[:5]}", ""))

    await app.store.write(fill)
    assert await refused(bo, tournament, "join") == "stale"
    await command(host, tournament, "remove", number=1)
    seen = await command(bo, tournament, "join")
    assert (seen["me"]["number"], len(seen["tournament"]["players"])) == (1, 200)
    assert "Ann" not in names_in(seen)
    assert await refused(ann, tournament, "join") == "closed"
    guest = await id_of(app.store, ann)
    await app.store.write(lambda connection: merge(connection, guest, account))
    with pytest.raises(Exception, match="the host removed you"):
        await app.store.write(
            lambda connection: tournaments.join_tournament(connection, 0, tournament, SeatedPlayer(account, "X", ""))
        )


async def test_the_host_admits_players_and_no_one_else_sees_who_waits(world: tuple[AppServer, AsyncExitStack]) -> None:
    host, ann, bo, cy = await guests(world, "Host Ann Bo Cy")
    tournament = await create(host, admission="approval")
    assert (await command(host, tournament, "join"))["me"]["status"] == "active"
    for client in (ann, bo, cy):
        assert (await command(client, tournament, "join"))["me"]["status"] == "waiting"
    waiting = (await view(host, tournament))["waiting"]
    assert [(player["number"], player["name"]) for player in waiting] == [(2, "Ann"), (3, "Bo"), (4, "Cy")]
    seen = await view(ann, tournament)
    assert (names_in(seen), seen["waiting"]) == (["Host", "", "", ""], [])
    assert [row["number"] for row in seen["tournament"]["standings"]] == [1]
    assert await refused(host, tournament, "start_round", round=1) == "malformed"  # only one player takes part
    assert await refused(ann, tournament, "admit", number=2) == "forbidden"
    for _ in range(2):
        admitted = await command(host, tournament, "admit", number=2)
    assert names_in(admitted) == ["Host", "Ann", "", ""]
    await command(host, tournament, "remove", number=3)
    assert await refused(bo, tournament, "join") == "closed"
    await command(cy, tournament, "leave")
    assert (await command(cy, tournament, "join"))["me"]["status"] == "waiting"  # leaving is no way in
    started = await command(host, tournament, "start_round", round=1)
    assert sorted(started["tournament"]["rounds"][0]["tables"][0]["seats"]) == [1, 2]
    assert await refused(host, tournament, "admit", number=4) == "malformed"  # too late, as for joining
    assert names_in(await view(ann, tournament)) == ["Host", "Ann", "", ""]


async def test_a_tournament_for_accounts_creates_no_guest(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, stack = world
    host, guest = await guests(world, "Host Guest")
    tournament = await create(host, admission="account")
    visitor = await stack.enter_async_context(app.client())
    assert await refused(visitor, tournament, "join") == "forbidden"
    assert not visitor.cookies
    assert await refused(guest, tournament, "join") == "forbidden"
    await send(guest, "POST", "/api/account", {"login": "Ann", "password": "a long password"})
    assert (await command(guest, tournament, "join"))["me"]["status"] == "active"


async def test_a_tournament_is_encoded_once_for_everyone(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    host, ann, bo = await guests(world, "Host Ann Bo")
    tournament = await create(host)
    for client in (ann, bo):
        await command(client, tournament, "join")
    reads = app.app.services.tournaments
    first = await reads.get(tournament)
    assert await reads.get(tournament) is first  # unchanged, so it is not decoded again
    views = app.app.services.tournament_views
    assert views.encoded(first) is views.encoded(await reads.get(tournament))
    path = f"/api/tournaments/{tournament}"
    async with ann.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
        body = b"".join([part async for part in answer.aiter_raw()])
        assert answer.headers["content-encoding"] == "gzip"
    plain = await ann.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    unpacked = json.loads(gzip.decompress(body))
    assert {**unpacked, "now": 0} == {**plain.json(), "now": 0}
    assert unpacked["me"]["number"] == 1
    assert (await view(bo, tournament))["me"]["number"] == 2


async def meet(app: AppServer, first: httpx.AsyncClient, others: list[httpx.AsyncClient]) -> None:
    """Let people sit at a table with each of the others."""
    for other in others:
        await app.table(first, other)


async def test_the_guests_of_one_address_cannot_fill_an_inbox(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    (ann, bo) = await guests(world, "Ann Bo")
    strangers = await guests(world, " ".join(f"S{number}" for number in range(9)), STRANGER)
    await meet(app, ann, [bo, *strangers])
    me = await handle_of(ann)
    answers = []
    for stranger in strangers:
        party = await start(stranger)
        answers += [
            (await stranger.put(f"/api/friends/{me}")).status_code,
            (await stranger.post("/api/invitations", json={"to": me, "party": party})).status_code,
        ]
    assert answers == [200] * 6 + [429] * 12
    inbox = await get(ann, "/api/inbox")
    assert len(inbox["requests"]) + len(inbox["invitations"]) == 6
    await send(bo, "PUT", f"/api/friends/{me}")  # others reach the player
    await send(strangers[8], "PUT", f"/api/friends/{await handle_of(bo)}", status=404)


async def test_friends_of_one_address_are_not_counted(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    ann, bo = await guests(world, "Ann Bo")
    await meet(app, ann, [bo])
    await befriend(ann, bo)
    for _ in range(9):
        await send(bo, "POST", "/api/invitations", {"to": await handle_of(ann), "party": await start(bo)})


async def test_people_choose_who_may_ask_and_invite_them(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    ann, bo = await guests(world, "Ann Bo")
    (cy,) = await guests(world, "Cy", STRANGER)
    await meet(app, ann, [bo, cy])
    await befriend(ann, bo)
    me = await handle_of(ann)
    asks = [(client, {"to": me, "party": await start(client)}) for client in (bo, cy)]
    assert (await get(ann, "/api/friends"))["contact"] == "met"
    for contact, (friend, met) in (("friends", (200, 403)), ("no_one", (403, 403)), ("met", (200, 200))):
        await send(ann, "PATCH", "/api/friends", {"contact": contact})
        seen = await get(ann, "/api/friends")
        assert (seen["contact"], seen["shows_online"]) == (contact, False)
        for (client, body), status in zip(asks, (friend, met), strict=True):
            await send(client, "POST", "/api/invitations", body, status)
        await send(cy, "PUT", f"/api/friends/{me}", status=met)
    await send(ann, "PATCH", "/api/friends", {"contact": "strangers"}, 400)
    await send(ann, "PATCH", "/api/friends", {"contact": "no_one"})
    await send(ann, "PUT", f"/api/friends/{await handle_of(cy)}")  # the player may answer and ask
    assert "Cy" in [row["name"] for row in (await get(ann, "/api/friends"))["friends"]]
    player = await id_of(app.store, ann)
    assert (await app.store.query(lambda connection: export(connection, player)))["friends"]["contact"] == "no_one"


async def test_a_choice_of_contacts_does_not_reveal_a_block(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    ann, bo = await guests(world, "Ann Bo")
    (cy,) = await guests(world, "Cy", STRANGER)
    await meet(app, ann, [bo, cy])
    await send(ann, "PUT", f"/api/blocks/{await handle_of(bo)}")
    for contact, status in (("met", 200), ("friends", 403), ("no_one", 403)):
        await send(ann, "PATCH", "/api/friends", {"contact": contact})
        answers = [await client.put(f"/api/friends/{await handle_of(ann)}") for client in (bo, cy)]
        assert {(answer.status_code, answer.text) for answer in answers} == {(status, answers[0].text)}
        for client in (bo, cy):
            await send(client, "DELETE", f"/api/friends/{await handle_of(ann)}")


async def test_a_game_of_a_party_starts_with_members_who_take_no_invitations(
    world: tuple[AppServer, AsyncExitStack],
) -> None:
    ann, bo, cy = await guests(world, "Ann Bo Cy")
    party = await start(ann)
    for client in (bo, cy):
        await join(client, await key_of(ann, party))
    await send(bo, "PATCH", "/api/friends", {"contact": "no_one"})
    await send(ann, "POST", f"/api/parties/{party}/tables", {"config": {"game": "nimmt"}}, 201)
    assert (await get(bo, "/api/inbox"))["invitations"] == []
    assert len((await get(cy, "/api/inbox"))["invitations"]) == 1


async def test_one_address_cannot_fill_a_party(tmp_path: Path) -> None:
    async with server(tmp_path) as world:
        app, _ = world
        (ann, bo) = await guests(world, "Ann Bo")
        party = await start(ann)
        key = await key_of(ann, party)
        strangers = await guests(world, " ".join(f"S{number}" for number in range(31)), STRANGER)
        statuses = [(await stranger.post(f"/api/party-links/{key}", json={})).status_code for stranger in strangers]
        assert statuses == [200] * 30 + [429]
        await join(bo, key)
        assert app.home != STRANGER


async def test_invitations_and_names_are_reported_once_and_not_by_their_owners(
    world: tuple[AppServer, AsyncExitStack],
) -> None:
    app, _ = world
    ann, mallory, eve = await guests(world, "Ann Mallory Eve")
    await meet(app, ann, [mallory])
    party = await start(mallory, name="Bad words")
    await send(mallory, "POST", "/api/invitations", {"to": await handle_of(ann), "party": party})
    tournament = await create(mallory, name="Worse words")
    invitation = (await get(ann, "/api/inbox"))["invitations"][0]["id"]
    paths = (f"/api/invitations/{invitation}", f"/api/parties/{party}", f"/api/tournaments/{tournament}")
    await send(ann, "POST", f"{paths[1]}/reports", {}, 404)  # not a member yet
    await send(eve, "POST", f"{paths[0]}/reports", {}, 404)
    await join(ann, await key_of(mallory, party))
    for path in paths:
        for _ in range(2):
            await send(ann, "POST", f"{path}/reports", {"reason": "name"})
        await send(ann, "POST", f"{path}/reports", {"reason": "stalling"}, 400)
    await send(ann, "POST", f"{paths[0]}/reports", {"reason": "unwanted"})
    for path in paths[1:]:
        await send(mallory, "POST", f"{path}/reports", {}, 403)
    reports = await app.store.query(list_reports)
    assert sorted((report.kind, report.name, report.reason, report.code) for report in reports) == [
        ("invitation", "Bad words", "name", ""),
        ("invitation", "Bad words", "unwanted", ""),
        ("party", "Bad words", "name", ""),
        ("tournament", "Worse words", "name", ""),
    ]
    assert {(report.handle, report.by) for report in reports} == {(await handle_of(mallory), "Ann")}


async def quick(client: httpx.AsyncClient) -> str:
    answer = await client.post("/api/quick-match", json={"game": "nimmt", "seats": 4})
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["id"]
    return table


async def test_a_quick_match_never_seats_blocked_people_together(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    ann, bo, cy, dee = await guests(world, "Ann Bo Cy Dee")
    await meet(app, ann, [bo, cy])
    await send(ann, "PUT", f"/api/blocks/{await handle_of(bo)}")
    first = await quick(ann)
    second = await quick(bo)
    assert first != second
    assert await quick(bo) == second  # a repeated request
    await send(cy, "PUT", f"/api/blocks/{await handle_of(ann)}")
    assert await quick(cy) == second  # whoever blocked whom
    assert await quick(dee) == first
    player = await id_of(app.store, bo)
    with pytest.raises(BlockedError):
        await app.store.write(lambda connection: take_seat(connection, 0, player, "other kind", "", table=first))


@contextmanager
def counted_queries(app: AppServer) -> Iterator[list[str]]:
    """Collect the statements of the database while the context lasts."""
    texts: list[str] = []
    engines = (app.store._database.engine, app.store._database.readers)

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        texts.append(statement)

    for engine in engines:
        sa.event.listen(engine, "before_cursor_execute", note)
    yield texts
    for engine in engines:
        sa.event.remove(engine, "before_cursor_execute", note)


LISTS: Final = (
    "/api/parties",
    "/api/friends",
    "/api/inbox",
    "/api/me/tournaments",
    "/api/me/tables",
    "/api/sessions",
    "/api/tables",
    "/api/online",
    "/api/watch",
)


async def test_longer_lists_need_no_more_queries(world: tuple[AppServer, AsyncExitStack]) -> None:
    app, _ = world
    (ann,) = await guests(world, "Ann")
    others = [(await guests(world, f"P{number}", f"198.51.100.{number}"))[0] for number in range(1, 9)]
    numbers: dict[str, list[int]] = {path: [] for path in LISTS}
    for number, other in zip(count(), others, strict=False):
        await app.table(ann, other, listed=number % 2 == 0)
        party = await start(ann)
        await join(other, await key_of(ann, party))
        await send(ann, "POST", f"/api/parties/{party}/tables", {"config": {"game": "nimmt"}}, 201)
        if number < 4:
            await create(other)
            await send(other, "PUT", f"/api/friends/{await handle_of(ann)}")
            await send(other, "POST", "/api/invitations", {"to": await handle_of(ann), "party": await start(other)})
        if number in {1, 7}:
            for path in LISTS:
                assert (await ann.get(path)).status_code == 200, path
                tries = []
                for _ in range(3):  # the tasks of the server in the background have queries, too
                    with counted_queries(app) as queries:
                        await get(ann, path)
                    tries.append(len(queries))
                numbers[path].append(min(tries))
    assert all(long < short + 6 for short, long in numbers.values()), numbers  # six more parties, tables and so on

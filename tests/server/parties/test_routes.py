"""Parties: join by a link, manage members, and play at tables of which all members know."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from tests.server.app_server import STALL, AppServer, built
from tests.server.player_export import export

from faceup.server.accounts.players import find_by_handle
from faceup.server.admin.deletion import erase_players
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.live import Timeouts
from faceup.server.parties import queries as parties
from faceup.server.parties.schema import parties as party_rows
from faceup.server.player_data import merge
from faceup.server.process.settings import Settings

OFTEN = RateLimit(100_000, 1)
LIMITS = ServerLimits(requests=OFTEN, commands=OFTEN, tables=OFTEN)
NIMMT = {"game": "nimmt", "options": {"hand": 1}, "terms": {"clock": None, "autoplay": "lowest"}}


@asynccontextmanager
async def people(
    database: Path | str, names: str = "Ann Bo Cy", number: int = 1
) -> AsyncIterator[tuple[list[AppServer], list[httpx.AsyncClient]]]:
    """Run servers without ports on a database, given its URL or a folder, and log guests in at them in turn."""
    url = database if isinstance(database, str) else f"sqlite:///{database}/t.db"
    async with AsyncExitStack() as stack:
        started = []
        for _ in range(number):
            timeouts = Timeouts(think_time=(0, 0), stall=STALL)
            settings = Settings().without_limits()
            server = await stack.enter_async_context(built(url, settings, LIMITS, timeouts))
            await server.app.start()
            stack.push_async_callback(server.app.stop)
            started.append(server)
        for server in started:
            await server.hub.context.heartbeat.send()
        clients = [
            await stack.enter_async_context(started[index % number].guest(name))
            for index, name in enumerate(names.split())
        ]
        yield started, clients


async def get(client: httpx.AsyncClient, path: str, status: int = 200) -> Any:
    answer = await client.get(path)
    assert answer.status_code == status, answer.text
    return answer.json()


async def send(client: httpx.AsyncClient, method: str, path: str, body: object = None, status: int = 200) -> Any:
    answer = await client.request(method, path, json=body if body is not None else {})
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


async def start(client: httpx.AsyncClient, **body: object) -> str:
    return str((await send(client, "POST", "/api/parties", body, 201))["id"])


async def key_of(client: httpx.AsyncClient, party: str) -> str:
    return str((await get(client, f"/api/parties/{party}"))["link"]).rpartition("/")[2].partition("?")[0]


async def join(client: httpx.AsyncClient, key: str, status: int = 200) -> Any:
    return await send(client, "POST", f"/api/party-links/{key}", {}, status)


async def members(client: httpx.AsyncClient, party: str) -> list[str]:
    return [member["name"] for member in (await get(client, f"/api/parties/{party}"))["members"]]


async def handle_of(client: httpx.AsyncClient) -> str:
    return str((await get(client, "/api/me"))["handle"])


async def test_a_link_shows_who_invites_to_what_and_joining_it_the_rest(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, _)):
        party = await start(ann, name="  Thursday   cards ")
        key = await key_of(ann, party)
        host = {"handle": await handle_of(ann), "name": "Ann", "face": None, "here": True, "program": False}
        shown = {"name": "Thursday cards", "by": host, "members": 1, "people": [host], "party": None}
        assert await get(bo, f"/api/party-links/{key}") == shown
        await get(bo, f"/api/parties/{party}", 404)
        assert await join(bo, key) == await join(bo, key) == {"id": party}
        assert await members(bo, party) == ["Ann", "Bo"]
        assert (await get(bo, f"/api/party-links/{key}"))["party"] == party
        assert [row["name"] for row in await get(bo, "/api/parties")] == ["Thursday cards"]


async def test_a_visitor_becomes_a_guest_by_starting_or_joining_a_party(tmp_path: Path) -> None:
    async with people(tmp_path, "") as ((server,), _), server.client() as ann, server.client() as bo:
        assert await get(ann, "/api/parties") == []
        party = await start(ann, player="Ann")
        key = await key_of(ann, party)
        await join(bo, "nothing", 404)
        assert not bo.cookies
        await send(bo, "POST", f"/api/party-links/{key}", {"player": "Bo"})
        assert await members(ann, party) == ["Ann", "Bo"]


async def test_only_the_host_manages_a_party_and_another_member_follows_when_the_host_leaves(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, cy)):
        party = await start(ann)
        key = await key_of(ann, party)
        await join(bo, key)
        for method, path in (
            ("PATCH", ""),
            ("DELETE", ""),
            ("POST", "/link"),
            ("DELETE", f"/members/{await handle_of(ann)}"),
        ):
            body = {"name": "Ours"} if method == "PATCH" else None
            assert (await send(bo, method, f"/api/parties/{party}{path}", body, 403))["error"]["kind"] == "forbidden"
            await send(cy, method, f"/api/parties/{party}{path}", body, 404)
        await send(ann, "DELETE", f"/api/parties/{party}/members/{await handle_of(ann)}")
        await get(ann, f"/api/parties/{party}", 404)
        await send(bo, "PATCH", f"/api/parties/{party}", {"name": "Ours"})
        view = await get(bo, f"/api/parties/{party}")
        assert (view["name"], [member["host"] for member in view["members"]]) == ("Ours", [True])
        await join(ann, key)
        assert [member["host"] for member in (await get(ann, f"/api/parties/{party}"))["members"]] == [True, False]
        await send(bo, "DELETE", f"/api/parties/{party}")
        await get(bo, f"/api/parties/{party}", 404)
        await get(bo, f"/api/party-links/{key}", 404)


async def test_the_member_who_shares_the_link_invites_and_otherwise_the_host(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, cy)):
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        link = (await get(bo, f"/api/parties/{party}"))["link"]
        invitation = link.rpartition("/")[2]
        assert (await get(cy, f"/api/party-links/{invitation}"))["by"]["name"] == "Bo"
        stranger = f"{await key_of(bo, party)}?by={await handle_of(cy)}"
        assert (await get(cy, f"/api/party-links/{stranger}"))["by"]["name"] == "Ann"
        await send(bo, "DELETE", f"/api/parties/{party}/members/{await handle_of(bo)}")
        assert (await get(cy, f"/api/party-links/{invitation}"))["by"]["name"] == "Ann"


async def test_guests_without_a_name_have_no_numbers_but_those_of_a_table(tmp_path: Path) -> None:
    async with people(tmp_path, "") as ((server,), _), server.client() as ann, server.client() as bo:
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        assert await members(ann, party) == ["Guest", "Guest"]
        table = await play(ann, party, config=NIMMT)
        await sit(bo, table)
        room = (await get(ann, f"/api/tables/{table}"))["room"]
        assert [seat["name"] for seat in room["seats"]] == ["Guest", "Guest 2"]


async def test_a_removed_member_cannot_come_back(tmp_path: Path) -> None:
    async with people(tmp_path) as ((server,), (ann, bo, cy)):
        party = await start(ann)
        before = await key_of(ann, party)
        await join(bo, before)
        await send(ann, "DELETE", f"/api/parties/{party}/members/{await handle_of(bo)}")
        await get(bo, f"/api/parties/{party}", 404)
        after = await key_of(ann, party)
        assert after != before
        await join(bo, after, 403)
        await get(bo, f"/api/party-links/{after}", 403)
        async with server.guest("Bo again") as again:
            await join(again, before, 404)
        await join(cy, after)
        await send(ann, "POST", f"/api/parties/{party}/link")
        await get(cy, f"/api/party-links/{after}", 404)
        assert await members(cy, party) == ["Ann", "Cy"]


async def test_members_and_parties_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parties, "MAX_MEMBERS", 2)
    monkeypatch.setattr(parties, "MAX_PARTIES", 2)
    async with people(tmp_path) as (_, (ann, bo, cy)):
        first, second = await start(ann), await start(ann)
        refused = await send(ann, "POST", "/api/parties", {}, 429)
        assert "you are a member of 2 parties" in refused["error"]["message"]
        await join(bo, await key_of(ann, first))
        refused = await join(cy, await key_of(ann, first), 429)
        assert "this party is full" in refused["error"]["message"]
        assert await members(ann, second) == ["Ann"]


async def test_bad_names_and_requests_change_nothing(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann") as (_, (ann,)):
        for name in ("x" * 41, "\u202eparty", "Admin"):
            await send(ann, "POST", "/api/parties", {"name": name}, 400)
        assert await get(ann, "/api/parties") == []
        party = await start(ann, name="Ours")
        await send(ann, "PATCH", f"/api/parties/{party}", {"name": "\u0007"}, 400)
        await send(ann, "POST", f"/api/parties/{party}/tables", {}, 400)  # there are no last settings
        await send(ann, "POST", f"/api/parties/{party}/tables", {"config": {"game": "chess"}}, 400)
        view = await get(ann, f"/api/parties/{party}")
        assert (view["name"], view["room"]) == ("Ours", None)
        await send(ann, "PATCH", f"/api/parties/{party}", {"name": " "})
        assert (await get(ann, f"/api/parties/{party}"))["name"] == ""


async def play(client: httpx.AsyncClient, party: str, **body: object) -> str:
    return str((await send(client, "POST", f"/api/parties/{party}/tables", body, 201))["id"])


async def sit(client: httpx.AsyncClient, table: str) -> None:
    await send(client, "POST", f"/api/tables/{table}/commands", {"id": "sit", "command": "sit"})


async def finish(table: str, *players: httpx.AsyncClient) -> None:
    """Let everyone play their only card."""
    for player in players:
        room = (await get(player, f"/api/tables/{table}"))["room"]
        if room["status"] == "active" and room["actions"] and room.get("choice") is None:
            body = {
                "id": f"c{room['decision']}",
                "command": "choose",
                "seat": room["seat"],
                "action": room["actions"][0],
            }
            await send(player, "POST", f"/api/tables/{table}/commands", body | {"decision": room["decision"]})


async def end(table: str, *players: httpx.AsyncClient) -> None:
    """Play to the end of the game."""
    while (await get(players[0], f"/api/tables/{table}"))["room"]["status"] == "active":
        await finish(table, *players)


async def test_a_new_table_reserves_seats_for_the_members_who_are_here(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, cy)):
        party = await start(ann)
        key = await key_of(ann, party)
        await join(bo, key)
        table = await play(ann, party, config=NIMMT)
        seen = await get(bo, f"/api/parties/{party}")
        assert (seen["table"]["id"], seen["table"]["place"], seen["table"]["status"]) == (table, "reserved", "pending")
        assert await handle_of(bo) in (await get(ann, f"/api/tables/{table}"))["room"]["reserved"]
        await sit(bo, table)
        assert (await get(ann, f"/api/parties/{party}"))["table"]["status"] == "active"
        await join(cy, key)
        assert (await get(cy, f"/api/parties/{party}"))["table"]["place"] is None
        assert (await get(cy, f"/api/tables/{table}"))["room"].get("seat") is None
        await end(table, ann, bo)
        again = await play(cy, party, instead=table)  # with the last settings, and seats for those at the last table
        room = (await get(cy, f"/api/tables/{again}"))["room"]
        assert sum(1 for name in room["reserved"] if name) == 2
        assert room["config"]["options"] == {"hand": 1, "seats": 3}
        assert await get(cy, "/api/tables") == []  # not public


async def test_a_rematch_stays_in_the_party_and_is_its_running_table(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo") as (_, (ann, bo)):
        party = await start(ann, name="Ours")
        await join(bo, await key_of(ann, party))
        table = await play(ann, party, config=NIMMT)
        await sit(bo, table)
        await end(table, ann, bo)
        asked = await send(ann, "POST", f"/api/tables/{table}/commands", {"id": "r", "command": "rematch"})
        view = await get(bo, f"/api/parties/{party}")
        assert (view["room"], view["table"]["place"]) == (asked["table"], "reserved")
        for identifier in (table, asked["table"]):
            assert (await get(bo, f"/api/tables/{identifier}/party"))["name"] == "Ours"


@pytest.mark.sample(1)
async def test_members_who_start_a_game_at_the_same_time_get_the_same_table(url: str) -> None:
    """Also at different servers."""
    async with people(url, "Ann Bo Cy", 2) as (_, (ann, bo, cy)):
        party = await start(ann)
        key = await key_of(ann, party)
        for client in (bo, cy):
            await join(client, key)
        requests = [play(client, party, config=NIMMT) for client in (ann, bo, cy) for _ in range(2)]
        assert len(set(await asyncio.gather(*requests))) == 1
        room = (await get(ann, f"/api/parties/{party}"))["table"]
        assert sorted(seat["name"] for seat in room["summary"]["seats"] if seat["kind"] == "person") == [
            "Ann",
            "Bo",
            "Cy",
        ]


@pytest.mark.sample(1)
async def test_a_request_waits_until_the_party_changes_at_this_or_another_server(url: str) -> None:
    async with people(url, "Ann Bo Cy", 2) as ((first, second), (ann, bo, cy)):
        party = await start(ann)
        seen = await get(ann, f"/api/parties/{party}")
        for other, server in ((cy, first), (bo, second)):  # the third guest is at the first server
            seen = await get(ann, f"/api/parties/{party}")
            waiting = asyncio.create_task(get(ann, f"/api/parties/{party}?after={seen['version']}"))
            await get(ann, f"/api/parties/{party}")
            assert not waiting.done(), "a later request was answered first"
            await join(other, seen["link"].rpartition("/")[2])
            news = await asyncio.wait_for(waiting, 6)
            assert len(news["members"]) == len(seen["members"]) + 1, server
        first.app.services.changes.stop()
        news = await get(ann, f"/api/parties/{party}")
        await asyncio.wait_for(get(ann, f"/api/parties/{party}?after={news['version']}"), 6)


async def test_the_export_has_the_name_of_a_party_that_the_player_gave_and_left(tmp_path: Path) -> None:
    async with people(tmp_path) as ((server,), (ann, bo, _)):
        party = await start(ann, name="Club night")
        await join(bo, await key_of(ann, party))
        await send(ann, "DELETE", f"/api/parties/{party}/members/{await handle_of(ann)}")
        exported = []
        for client in (ann, bo):
            handle = await handle_of(client)
            player = await server.store.query(partial(find_by_handle, handle=handle))
            exported.append((await server.store.query(partial(export, player=player.id)))["parties"])
        assert exported[0] == [
            {"party": party, "name": "Club night", "named": True, "joined_at": None, "seen_at": None}
        ]
        assert [(row["name"], row["named"], row["joined_at"] > 0) for row in exported[1]] == [
            ("Club night", False, True)
        ]


@pytest.mark.sample(1)
async def test_no_more_than_the_limit_can_join_at_the_same_time(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parties, "MAX_MEMBERS", 3)
    async with people(url, "Ann Bo Cy Di Ed Flo", 2) as (_, (ann, *others)):
        party = await start(ann)
        path = f"/api/party-links/{await key_of(ann, party)}"
        answers = await asyncio.gather(*[client.post(path, json={}) for client in (*others, *others)])
        assert sorted({answer.status_code for answer in answers}) == [200, 429]
        assert len(await members(ann, party)) == 3


@pytest.mark.sample(1)
async def test_a_merged_guest_keeps_the_place_and_an_erased_player_leaves_the_party(url: str) -> None:
    async with people(url) as ((server,), (ann, bo, cy)):
        party, _ = await start(ann), await start(cy)
        for client in (bo, cy):
            await join(client, await key_of(ann, party))
        handles = [await handle_of(client) for client in (ann, bo, cy)]
        ids = await server.store.query(lambda connection: [find_by_handle(connection, handle).id for handle in handles])
        await server.store.write(lambda connection: merge(connection, ids[0], ids[2]))
        assert await members(bo, party) == ["Cy", "Bo"]
        exported = await server.store.query(lambda connection: export(connection, ids[1]))
        assert [row["party"] for row in exported["parties"]] == [party]
        await erase_players(server.store, [ids[2]])
        assert await members(bo, party) == ["Bo"]
        assert (await get(bo, f"/api/parties/{party}"))["members"][0]["host"]
        rows = await server.store.query(lambda connection: parties.parties_of(connection, ids[1]))
        assert [row.id for row in rows] == [party]
        query = select(party_rows.c.id)
        left = await server.store.query(lambda connection: connection.execute(query).scalars().all())
        assert left == [party]  # the party of the erased player alone is deleted


def words_in(text: str, words: Sequence[str]) -> list[str]:
    """Return the words that are in a text, but not those that happen to be part of a random id."""
    return [word for word in words if re.search(rf"\b{re.escape(word)}\b", text)]


async def test_no_one_but_members_sees_anything_of_a_party(tmp_path: Path) -> None:
    """All addresses of parties are requested, also those that are added later."""
    async with people(tmp_path) as ((server,), (ann, bo, cy)), server.client() as visitor:
        party = await start(ann, name="Secret name")
        key = await key_of(ann, party)
        await join(bo, key)
        table = await play(ann, party, config=NIMMT)
        paths = (await get(visitor, "/api/openapi.json"))["paths"]
        party_paths = [path for path, item in paths.items() if "party" in path and "get" in item]
        assert {"/api/parties/{party}", "/api/parties/{party}/link.svg", "/api/tables/{table}/party"} <= {*party_paths}
        hidden = ("Ann", "Bo", "Secret name", key, table, await handle_of(ann))
        for client in (cy, visitor):
            for path in (*party_paths, "/api/parties", f"/party/{party}"):
                if "{key}" in path:
                    continue
                text = (await client.get(path.format(party=party, table=table))).text
                assert words_in(text.replace(table, "", path.count("{table}")), hidden) == [], path
            shown = await get(client, f"/api/party-links/{key}")
            assert (shown["name"], shown["by"]["name"], shown["party"]) == ("Secret name", "Ann", None)
            assert party not in str(shown)
            assert words_in((await client.get("/party/join/x")).text, hidden) == []


async def test_statistics_and_games_of_a_party_follow_its_tables(tmp_path: Path) -> None:
    async with people(tmp_path) as ((server,), (ann, bo, cy)):
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        assert await get(ann, f"/api/parties/{party}/statistics") == {"games": 0, "variants": []}
        table = await play(ann, party, config=NIMMT)
        await sit(bo, table)
        await end(table, ann, bo)
        elsewhere = await server.table(ann, bo)
        await end(elsewhere, ann, bo)  # a game that the party does not count
        statistics = await get(bo, f"/api/parties/{party}/statistics")
        (variant,) = statistics["variants"]
        assert (statistics["games"], variant["games"], variant["variant"]) == (1, 1, "cowheadking")
        assert sorted(standing["who"]["name"] for standing in variant["standings"]) == ["Ann", "Bo"]
        assert sum(standing["wins"] for standing in variant["standings"]) == 1
        (listed,) = await get(bo, f"/api/parties/{party}/games")
        assert listed["table"] == table
        assert (await get(bo, f"/api/parties/{party}/statistics?since={listed['ended_at'] + 1}"))["games"] == 0
        assert await get(bo, f"/api/parties/{party}/games?before={listed['number']}") == []
        await get(cy, f"/api/parties/{party}/statistics", 404)
        await get(cy, f"/api/parties/{party}/games", 404)
        handle = await handle_of(ann)
        ann_id = await server.store.query(lambda connection: find_by_handle(connection, handle).id)
        await erase_players(server.store, [ann_id])
        (variant,) = (await get(bo, f"/api/parties/{party}/statistics"))["variants"]
        assert [standing["who"]["name"] for standing in variant["standings"]] == ["Bo"]
        assert handle not in (await bo.get(f"/api/parties/{party}/games")).text

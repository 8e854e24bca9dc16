"""Friends by consent, invitations that reveal nothing, and blocked people who notice nothing."""

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.parties.test_routes import get, handle_of, join, key_of, people, send, start
from tests.server.player_export import export
from tests.server.server_process import serving

from faceup.server.accounts.players import find_by_handle
from faceup.server.accounts.shared_limits import SharedLimit
from faceup.server.admin.deletion import erase_players
from faceup.server.friends import invitations
from faceup.server.friends.queries import people_of
from faceup.server.moderation.bans import ban_player
from faceup.server.parties import queries
from faceup.server.player_data import merge
from faceup.server.rooms.config import DAY
from faceup.server.store import Store


async def id_of(store: Store, client: httpx.AsyncClient) -> str:
    handle = await handle_of(client)
    return await store.query(lambda connection: find_by_handle(connection, handle).id)


async def names(client: httpx.AsyncClient, part: str) -> list[str]:
    return [person["name"] for person in (await get(client, "/api/friends"))[part]]


async def befriend(first: httpx.AsyncClient, other: httpx.AsyncClient) -> None:
    await send(first, "PUT", f"/api/friends/{await handle_of(other)}")
    await send(other, "PUT", f"/api/friends/{await handle_of(first)}")


@asynccontextmanager
async def known(database: Path | str, number: int = 1) -> AsyncIterator[tuple[Any, list[httpx.AsyncClient]]]:
    """Run servers with Ann and Bo, who have sat at a table together, and Cy, whom no one knows."""
    async with people(database, number=number) as (servers, (ann, bo, cy)):
        await servers[0].table(ann, bo)
        yield servers, [ann, bo, cy]


async def test_two_people_who_sat_together_become_friends_when_both_want_to(tmp_path: Path) -> None:
    async with known(tmp_path) as (_, (ann, bo, cy)):
        assert await names(ann, "recent") == ["Bo"]
        assert [(await get(client, "/api/server-info"))["known"] for client in (ann, bo, cy)] == [True, True, False]
        await send(ann, "PUT", f"/api/friends/{await handle_of(cy)}", status=404)
        await send(ann, "PUT", f"/api/friends/{await handle_of(ann)}", status=403)
        for _ in range(2):
            await send(ann, "PUT", f"/api/friends/{await handle_of(bo)}")
        assert (await names(ann, "friends"), await names(ann, "sent")) == ([], ["Bo"])
        assert (await names(bo, "friends"), await names(bo, "received")) == ([], ["Ann"])
        assert [request["name"] for request in (await get(bo, "/api/inbox"))["requests"]] == ["Ann"]
        await send(bo, "PUT", f"/api/friends/{await handle_of(ann)}")
        assert await names(ann, "friends") == ["Bo"]
        assert await names(bo, "friends") == ["Ann"]
        assert (await get(bo, "/api/inbox"))["requests"] == []
        await send(ann, "DELETE", f"/api/friends/{await handle_of(bo)}")
        assert await names(bo, "friends") == await names(ann, "friends") == []
        assert await names(bo, "recent") == ["Ann"]


async def test_friends_see_who_is_online_only_if_the_player_allows_it(tmp_path: Path) -> None:
    async with known(tmp_path) as ((server,), (ann, bo, _)):
        await befriend(ann, bo)
        friends = (await get(ann, "/api/friends"))["friends"]
        assert [friend["online"] for friend in friends] == [None]
        await send(bo, "PATCH", "/api/friends", {"shows_online": True})
        await server.app.services.online.update()  # the server does this every few seconds
        shown = await get(ann, "/api/friends")
        assert ([friend["online"] for friend in shown["friends"]], shown["shows_online"]) == ([True], False)
        me, later = await id_of(server.store, ann), server.store.now() + 3_600_000  # then the server is dead
        people = await server.store.query(lambda connection: people_of(connection, later, [me]))
        assert [friend.online for friend in people.friends] == [False]
        assert "table" not in str(shown)


async def test_an_invitation_shows_the_game_and_the_players_and_gives_a_seat(tmp_path: Path) -> None:
    async with known(tmp_path) as ((server,), (ann, bo, cy)):
        table = await server.table(ann, options={"seats": 3})
        await send(bo, "POST", "/api/invitations", {"to": await handle_of(ann), "table": table}, 403)  # has no seat
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(cy), "table": table}, 404)
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo)}, 400)
        for _ in range(2):
            await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "table": table})
        inbox = await bo.get("/api/inbox")
        code = (await get(ann, f"/api/tables/{table}"))["code"]
        assert table not in inbox.text
        assert code not in inbox.text
        (invitation,) = inbox.json()["invitations"]
        assert (invitation["kind"], invitation["game"], invitation["players"], invitation["sender"]["name"]) == (
            "table",
            "nimmt",
            ["Ann"],
            "Ann",
        )
        await send(cy, "POST", f"/api/invitations/{invitation['id']}/accept", status=404)
        for _ in range(2):
            accepted = await send(bo, "POST", f"/api/invitations/{invitation['id']}/accept")
            assert accepted == {"table": table, "party": None}
        assert (await get(bo, f"/api/tables/{table}"))["room"]["seat"] == 1
        assert (await get(bo, "/api/inbox"))["invitations"] == []


async def test_a_declined_invitation_cannot_be_sent_again_before_it_expires(tmp_path: Path) -> None:
    async with known(tmp_path) as ((server,), (ann, bo, _)):
        to = await handle_of(bo)
        first, second = await server.table(ann), await server.table(ann)
        await send(ann, "POST", "/api/invitations", {"to": to, "table": first})
        await send(ann, "POST", "/api/invitations", {"to": to, "table": second})
        (invitation,) = (await get(bo, "/api/inbox"))["invitations"]  # one at a time
        await send(bo, "DELETE", f"/api/invitations/{invitation['id']}")
        await send(ann, "POST", "/api/invitations", {"to": to, "table": first})
        assert (await get(bo, "/api/inbox"))["invitations"] == []
        ids, later = [await id_of(server.store, ann)], server.store.now() + invitations.TABLE_EXPIRES
        receiver = await id_of(server.store, bo)
        await server.store.write(lambda connection: invitations.invite(connection, later, ids, receiver, table=first))
        (again,) = (await get(bo, "/api/inbox"))["invitations"]
        expired = later + invitations.TABLE_EXPIRES
        invitation = await server.store.query(
            lambda connection: invitations.open_invitations(connection, expired, receiver)
        )
        assert (again["players"], invitation) == (["Ann"], ())


async def test_an_invitation_to_a_party_makes_the_receiver_a_member(tmp_path: Path) -> None:
    async with known(tmp_path) as (_, (ann, bo, _)):
        party = await start(ann, name="Ours")
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "party": party})
        inbox = await bo.get("/api/inbox")
        (invitation,) = inbox.json()["invitations"]
        assert (invitation["kind"], invitation["name"]) == ("party", "Ours")
        assert party not in inbox.text
        assert await send(bo, "POST", f"/api/invitations/{invitation['id']}/accept") == {"table": None, "party": party}
        assert [member["name"] for member in (await get(bo, f"/api/parties/{party}"))["members"]] == ["Ann", "Bo"]
        await send(ann, "DELETE", f"/api/parties/{party}/members/{await handle_of(bo)}")
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "party": party})
        (invitation,) = (await get(bo, "/api/inbox"))["invitations"]
        await send(
            bo, "POST", f"/api/invitations/{invitation['id']}/accept", status=403
        )  # the host removed this player


async def test_a_blocked_player_reaches_no_one_and_does_not_learn_of_it(tmp_path: Path) -> None:
    async with known(tmp_path) as ((server,), (ann, bo, _)):
        await befriend(ann, bo)
        table = await server.table(bo)
        to = {"to": await handle_of(ann), "table": table}
        await send(bo, "POST", "/api/invitations", to)
        (earlier,) = (await get(ann, "/api/inbox"))["invitations"]
        await send(ann, "PUT", f"/api/blocks/{await handle_of(bo)}")
        assert (await get(ann, "/api/inbox"))["invitations"] == []
        await send(ann, "POST", f"/api/invitations/{earlier['id']}/accept", status=404)
        seen_by_bo = await send(bo, "POST", "/api/invitations", to)
        assert seen_by_bo is None
        await send(bo, "PUT", f"/api/friends/{await handle_of(ann)}")
        inbox = await get(ann, "/api/inbox")
        assert (inbox["invitations"], inbox["requests"]) == ([], [])
        assert (await names(ann, "blocked"), await names(ann, "received"), await names(ann, "recent")) == (
            ["Bo"],
            [],
            [],
        )
        assert await names(bo, "sent") == ["Ann"]
        await send(bo, "DELETE", f"/api/friends/{await handle_of(ann)}")
        assert await names(bo, "recent") == ["Ann"]  # as after the end of any friendship
        await send(ann, "DELETE", f"/api/friends/{await handle_of(bo)}")
        assert await names(ann, "blocked") == ["Bo"]
        await send(ann, "DELETE", f"/api/blocks/{await handle_of(bo)}")
        assert await names(ann, "blocked") == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("ends", ["start", "full"])
async def test_an_invitation_ends_when_its_game_starts_or_the_last_seat_is_taken(tmp_path: Path, ends: str) -> None:
    async with known(tmp_path) as ((server,), (ann, bo, cy)):
        table = await server.table(ann, options={"seats": 3, "hand": 2})
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "table": table})
        inbox = await get(bo, "/api/inbox")
        assert len(inbox["invitations"]) == 1
        waiting = asyncio.create_task(get(bo, f"/api/inbox?after={inbox['version']}"))
        await get(bo, "/api/inbox")  # a later request is answered, so the earlier waits
        commands = f"/api/tables/{table}/commands"
        if ends == "start":
            await send(ann, "POST", commands, {"id": "start", "command": "start"})
        else:
            await send(ann, "POST", commands, {"id": "bot", "command": "add_bot", "kind": "random"})
            await send(cy, "POST", commands, {"id": "sit", "command": "sit"})
        async with asyncio.timeout(20):
            while (news := await waiting)["invitations"]:  # the list of players has changed before
                waiting = asyncio.create_task(get(bo, f"/api/inbox?after={news['version']}"))


@pytest.mark.parametrize("blocks", [False, True])
async def test_no_one_can_be_invited_to_a_table_that_has_no_seat_for_them(tmp_path: Path, blocks: bool) -> None:
    """The answer does not depend on the receiver, so that it does not reveal who has blocked the sender."""
    async with known(tmp_path) as ((server,), (ann, bo, _)):
        to = await handle_of(bo)
        if blocks:
            await send(bo, "PUT", f"/api/blocks/{await handle_of(ann)}")
        full, started = await server.table(ann, options={"seats": 2}), await server.table(ann, options={"seats": 2})
        closed = await server.table(ann, options={"seats": 2})
        for table, command in (
            (full, {"command": "add_bot", "kind": "random"}),
            (started, {"command": "start"}),
            (closed, {"command": "close"}),
        ):
            await send(ann, "POST", f"/api/tables/{table}/commands", {"id": "ready", **command})
            await send(ann, "POST", "/api/invitations", {"to": to, "table": table}, 409)
        assert (await get(bo, "/api/inbox"))["invitations"] == []


async def test_no_one_can_be_invited_to_a_party_that_is_full_or_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MAX_MEMBERS", 1)
    async with known(tmp_path) as (_, (ann, bo, _)):
        party = await start(ann, name="Ours")
        to = {"to": await handle_of(bo), "party": party}
        await send(ann, "POST", "/api/invitations", to, 429)
        await send(ann, "DELETE", f"/api/parties/{party}/members/{await handle_of(ann)}")  # no one is left
        await send(ann, "POST", "/api/invitations", to, 404)


async def test_an_invitation_to_days_per_move_lasts_as_long_as_the_table_waits(tmp_path: Path) -> None:
    async with known(tmp_path) as ((server,), (ann, bo, _)):
        table = await server.table(ann, terms={"clock": DAY, "autoplay": "lowest"})
        await send(ann, "POST", "/api/invitations", {"to": await handle_of(bo), "table": table})
        receiver, store = await id_of(server.store, bo), server.store

        async def shown(after: int) -> list[str]:
            now = store.now() + after
            invitations_open = await store.query(
                lambda connection: invitations.open_invitations(connection, now, receiver)
            )
            return [invitation.id for invitation in invitations_open]

        (invitation,) = await shown(29 * DAY)
        assert await shown(31 * DAY) == []
        await send(bo, "DELETE", f"/api/invitations/{invitation}")
        later, ids = store.now() + invitations.TABLE_EXPIRES, [await id_of(store, ann)]
        await store.write(lambda connection: invitations.invite(connection, later, ids, receiver, table=table))
        assert len(await shown(invitations.TABLE_EXPIRES)) == 1  # a refusal does not last for a month


async def test_a_banned_player_is_not_shown_and_a_greedy_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with known(tmp_path) as ((server,), (ann, bo, _)):
        table = await server.table(bo)
        limits = msgspec.structs.replace(server.app.services.limits, invitations=SharedLimit(2, 3_600_000))
        monkeypatch.setattr(server.app.services, "limits", limits)
        to = {"to": await handle_of(ann), "table": table}
        for status in (200, 200, 429):
            await send(bo, "POST", "/api/invitations", to, status)
        banned = await id_of(server.store, bo)
        now = server.store.now()
        await server.store.write(lambda connection: ban_player(connection, now, banned))
        assert (await get(ann, "/api/inbox"))["invitations"] == []
        assert await names(ann, "recent") == []


async def test_an_inbox_waits_for_news_also_from_another_server(tmp_path: Path) -> None:
    async with known(tmp_path, 2) as ((first, _), (ann, bo, _)):
        inbox = await get(bo, "/api/inbox")
        waiting = asyncio.create_task(get(bo, f"/api/inbox?after={inbox['version']}"))
        await get(bo, "/api/inbox")
        assert not waiting.done(), "a later request was answered first"
        await send(ann, "PUT", f"/api/friends/{await handle_of(bo)}")
        assert [request["name"] for request in (await asyncio.wait_for(waiting, 6))["requests"]] == ["Ann"]
        async with first.client() as visitor:
            await get(visitor, "/api/inbox", 401)
            await get(visitor, "/api/friends", 401)


@pytest.mark.sample(1)
async def test_friends_follow_a_merged_guest_and_disappear_with_an_erased_player(url: str) -> None:
    async with known(url) as ((server,), (ann, bo, cy)):
        await befriend(ann, bo)
        table = await server.table(bo)
        await send(bo, "POST", "/api/invitations", {"to": await handle_of(ann), "table": table})
        ids = [await id_of(server.store, client) for client in (ann, bo, cy)]
        await send(ann, "PATCH", "/api/friends", {"shows_online": True})
        await server.store.write(lambda connection: merge(connection, ids[0], ids[2]))
        shown = await get(cy, "/api/friends")
        assert ([friend["name"] for friend in shown["friends"]], shown["shows_online"]) == (["Bo"], False)
        assert await names(bo, "friends") == ["Cy"]
        assert len((await get(cy, "/api/inbox"))["invitations"]) == 1
        exported = (await server.store.query(lambda connection: export(connection, ids[1])))["friends"]
        assert [friend["state"] for friend in exported["friends"]] == ["wanted"]
        assert [invitation["sent"] for invitation in exported["invitations"]] == [True]
        await erase_players(server.store, [ids[1]])
        assert await names(cy, "friends") == []
        assert (await get(cy, "/api/inbox"))["invitations"] == []


async def test_members_of_a_party_know_each_other(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, cy)):
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        await befriend(ann, bo)
        assert await names(ann, "friends") == ["Bo"]
        await send(cy, "PUT", f"/api/friends/{await handle_of(bo)}", status=404)


@pytest.mark.sample(1)
async def test_requests_at_the_same_time_to_two_servers_make_one_friendship(url: str) -> None:
    async with known(url, 2) as ((first, second), (ann, bo, _)):
        devices = []
        async with AsyncExitStack() as stack:
            for client, other in ((ann, bo), (bo, ann)):
                for server in (first, second):
                    device = await stack.enter_async_context(server.client())
                    device.cookies.update(client.cookies)
                    devices += [(device, f"/api/friends/{await handle_of(other)}")] * 3
            answers = await asyncio.gather(*[device.put(path, json={}) for device, path in devices])
            await asyncio.gather(*[device.get("/api/inbox") for device, _ in devices])
            # Of two processes that wait for each other, PostgreSQL lets one start again, and its client asks again.
            # If all requests arrive before the first answer, they are more than one inbox may get from one address.
            assert {answer.status_code for answer in answers} <= {200, 429, 503}
            for (device, path), answer in zip(devices, answers, strict=True):
                if answer.status_code == 503:
                    await send(device, "PUT", path)
        assert (await names(ann, "friends"), await names(bo, "friends")) == (["Bo"], ["Ann"])


@pytest.mark.slow
def test_waiting_requests_do_not_delay_the_end_of_a_server(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.ask("/api/session", {"name": "Ann"})
        version = server.ask("/api/inbox").json["version"]
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(server.ask, f"/api/inbox?after={version}")
            for _ in range(2):
                server.ask("/api/inbox")
            assert not waiting.done()
            started = time.monotonic()
            assert server.stop() == 0
            assert waiting.result().status == 200
            assert time.monotonic() - started < 5

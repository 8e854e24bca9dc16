"""The countdown to the next game of a party: one tap for everyone who is there, and no one else holds it up."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.parties.test_routes import NIMMT, end, get, handle_of, join, key_of, people, send, start

from faceup.server.accounts.players import find_by_handle
from faceup.server.admin.deletion import erase_players
from faceup.server.parties import countdown


@pytest.fixture(autouse=True)
def short() -> Iterator[None]:
    """Make countdowns short, but long enough for a few requests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(countdown, "COUNTDOWN", 1500)
        yield


async def tap(client: httpx.AsyncClient, party: str, instead: str | None = None, **body: object) -> None:
    await send(client, "POST", f"/api/parties/{party}/countdown", {"instead": instead, **body})


async def follow(client: httpx.AsyncClient, party: str, instead: str | None = None) -> str:
    """Wait for the end of the countdown, as a page does, and return the table."""
    body = {"countdown": True, "instead": instead}
    return str((await send(client, "POST", f"/api/parties/{party}/tables", body, 201))["id"])


async def shown(client: httpx.AsyncClient, party: str) -> Any:
    return (await get(client, f"/api/parties/{party}"))["countdown"]


async def names_at(client: httpx.AsyncClient, table: str) -> list[str]:
    room = (await get(client, f"/api/tables/{table}"))["room"]
    assert room["status"] == "active"
    return [seat["name"] if seat["kind"] == "person" else "bot" for seat in room["seats"]]


async def party_of(ann: httpx.AsyncClient, *others: httpx.AsyncClient) -> str:
    party = await start(ann)
    for other in others:
        await join(other, await key_of(ann, party))
    await asyncio.sleep(0.01)  # so that everyone has joined before the countdown
    return party


@pytest.mark.sample(1)
async def test_one_tap_seats_everyone_who_is_there_and_a_sleeping_phone_holds_up_no_game(url: str) -> None:
    async with people(url, "Ann Bo Cy Di", 2) as (_, (ann, bo, cy, _)):
        party = await party_of(ann, bo, cy)
        await tap(ann, party, config=NIMMT)
        seen = await shown(bo, party)
        assert seen["by"] == await handle_of(ann)
        assert set(seen["players"]) == {await handle_of(ann), await handle_of(bo)}  # Cy's phone sleeps
        tables = await asyncio.gather(follow(ann, party), follow(bo, party), follow(bo, party))
        assert len(set(tables)) == 1
        assert await names_at(bo, tables[0]) == ["Ann", "Bo"]
        assert (await get(bo, f"/api/parties/{party}"))["table"]["place"] == "seat"
        assert await shown(ann, party) is None
        await end(tables[0], ann, bo)
        await tap(cy, party, tables[0])  # with the last settings
        for client in (bo, ann):
            await get(client, f"/api/parties/{party}")
        assert await names_at(ann, await follow(bo, party, tables[0])) == ["Ann", "Bo", "Cy"]  # seats are kept


async def test_a_second_tap_changes_nothing_and_one_that_is_too_late_starts_nothing(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, cy)):
        party = await party_of(ann, bo)
        await tap(ann, party, config=NIMMT)
        first = await shown(ann, party)
        await asyncio.gather(tap(ann, party, config=NIMMT), tap(bo, party, config={"game": "war"}))
        again = await shown(ann, party)
        assert (again["by"], again["game"], again["ends_at"]) == (first["by"], "nimmt", first["ends_at"])
        table = await follow(ann, party)
        await tap(bo, party, config=NIMMT)  # the page of Bo has not shown the table yet
        assert await shown(bo, party) is None
        assert await follow(bo, party) == table
        for body in ({}, {"config": {"game": "chess"}}):
            await send(cy, "POST", f"/api/parties/{party}/countdown", body, 400 if body else 404)
        await send(cy, "DELETE", f"/api/parties/{party}/countdown", {}, 404)
        await send(cy, "POST", f"/api/parties/{party}/tables", {"countdown": True}, 404)


async def test_who_does_not_want_to_play_sits_out_and_the_starter_stops_the_countdown(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, cy)):
        party = await party_of(ann, bo, cy)
        await tap(ann, party, config=NIMMT)
        for client in (bo, cy):
            await get(client, f"/api/parties/{party}")
        await send(bo, "DELETE", f"/api/parties/{party}/countdown")
        assert ((await shown(bo, party))["out"], (await shown(cy, party))["out"]) == (True, False)
        assert await names_at(ann, await follow(cy, party)) == ["Ann", "Cy"]
        room = (await get(ann, f"/api/parties/{party}"))["room"]
        await tap(bo, party, room, config=NIMMT)
        await send(bo, "DELETE", f"/api/parties/{party}/countdown")
        assert await shown(ann, party) is None
        body = {"countdown": True, "instead": room}
        await send(ann, "POST", f"/api/parties/{party}/tables", body, 404)  # and no page goes back to the last table
        assert (await get(ann, f"/api/parties/{party}"))["room"] == room


async def test_the_game_starts_without_the_member_who_tapped_and_has_left(tmp_path: Path) -> None:
    async with people(tmp_path) as (_, (ann, bo, cy)):
        party = await party_of(ann, bo, cy)
        await tap(ann, party, config=NIMMT)
        for client in (bo, cy):
            await get(client, f"/api/parties/{party}")
        await send(ann, "DELETE", f"/api/parties/{party}/members/{await handle_of(ann)}")
        assert await names_at(bo, await follow(cy, party)) == ["Bo", "Cy"]


async def test_a_countdown_that_no_page_follows_starts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(countdown, "EXPIRES", -countdown.COUNTDOWN)
    async with people(tmp_path, "Ann") as (_, (ann,)):
        party = await party_of(ann)
        await tap(ann, party, config=NIMMT)
        view = await get(ann, f"/api/parties/{party}")
        assert (view["countdown"], view["room"]) == (None, None)
        body = {"countdown": True}
        refused = await send(ann, "POST", f"/api/parties/{party}/tables", body, 404)
        assert refused["error"]["message"] == "the countdown was stopped"


async def test_a_countdown_forgets_an_erased_player(tmp_path: Path) -> None:
    async with people(tmp_path) as ((server,), (ann, bo, _)):
        party = await party_of(ann, bo)
        await tap(ann, party, config=NIMMT)
        handle = await handle_of(ann)
        assert (await shown(bo, party))["by"] == handle
        ann_id = await server.store.query(lambda connection: find_by_handle(connection, handle).id)
        await erase_players(server.store, [ann_id])
        assert await shown(bo, party) is None

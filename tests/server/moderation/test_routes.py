"""Reports of players about each other: who may report another player, how often, and who learns of it."""

from typing import Any

import httpx
import pytest
from tests.server.app_server import AppServer, opened
from tests.server.conftest import Serve
from tests.server.player_export import export

from faceup.server.accounts.players import find_by_name
from faceup.server.accounts.shared_limits import SharedLimit
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.moderation.reports import Report, list_reports


async def reports_of(app: AppServer) -> list[Report]:
    return await app.store.query(list_reports)


async def report(client: httpx.AsyncClient, table: str, seat: object = 1, reason: object = "stalling") -> int:
    answer = await client.post(f"/api/tables/{table}/reports", json={"seat": seat, "reason": reason})
    return answer.status_code


async def test_a_report_reaches_the_operator_once(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Mallory") as mallory:
        table = await app.table(ann, mallory)
        await mallory.patch("/api/me", json={"name": "Innocent"})
        for reason in ("stalling", "stalling", "name", "stalling"):
            assert await report(ann, table, reason=reason) == 200
        reports = await reports_of(app)
        assert sorted((entry.name, entry.reason, entry.by, entry.reporters) for entry in reports) == [
            ("Mallory", "name", "Ann", 1),
            ("Mallory", "stalling", "Ann", 1),
        ]
        assert {entry.handle for entry in reports} == {(await mallory.get("/api/me")).json()["handle"]}
        assert {entry.table for entry in reports} == {table}


async def test_only_players_of_a_table_report_other_people_there(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.guest("Eve") as eve, app.client() as anonymous:
        table = await app.table(ann, bo, options={"seats": 3, "hand": 2}, bots=["random"])
        await ann.post(f"/api/tables/{table}/commands", json={"id": "start", "command": "start"})
        token = (await ann.post("/api/tokens", json={"label": "bot", "scopes": ["play", "read"]})).json()["key"]
        assert await report(anonymous, table) == 401
        async with app.client(authorization=f"Bearer {token}") as program:
            assert await report(program, table) == 403
        assert await report(eve, table) == 403  # a spectator
        for seat in (0, 2, 3, 999):  # herself, a bot, no seat
            assert await report(ann, table, seat) == 403, seat
        assert await report(ann, "nothing") == 404
        assert await reports_of(app) == []
        assert await report(bo, table, 0) == 200


@pytest.mark.parametrize("body", [{}, {"seat": 1}, {"seat": -1, "reason": "name"}, {"seat": 1, "reason": "ugly"}])
async def test_an_invalid_report_is_refused(app: AppServer, body: dict[str, Any]) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, bo)
        for wrong in (body, {**body, "by": "Bo"}):
            assert (await ann.post(f"/api/tables/{table}/reports", json=wrong)).status_code == 400


async def test_reports_are_limited_by_player_and_by_address(serve: Serve) -> None:
    limits = ServerLimits(reports=SharedLimit(2, 3_600_000), reports_per_address=SharedLimit(3, 3_600_000))
    app = await serve(limits=limits)
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.guest("Cy", "192.0.2.8") as cy:
        table = await app.table(ann, bo, cy, options={"seats": 3, "hand": 2})
        reasons = ("name", "stalling", "leaving")
        assert [await report(ann, table, 2, reason) for reason in reasons] == [200, 200, 429]
        assert [await report(bo, table, 2, reason) for reason in reasons] == [200, 429, 429]  # the same address
        assert [await report(cy, table, 0, reason) for reason in reasons] == [200, 200, 429]
        reports = await reports_of(app)
        assert {(entry.name, entry.reporters) for entry in reports} == {("Cy", 2), ("Ann", 1)}


async def test_servers_share_reports_and_their_limits(url: str) -> None:
    limits = ServerLimits(reports=SharedLimit(2, 3_600_000))
    async with (
        opened(url, limits=limits) as first,
        opened(url, limits=limits) as second,
        first.guest("Ann") as client,
        first.guest("Bo") as bo,
        second.client() as there,
    ):
        table = await first.table(client, bo)
        there.cookies = client.cookies
        assert [await report(client, table), await report(there, table)] == [200, 200]
        assert await report(client, table, reason="name") == await report(there, table, reason="name") == 429
        (stored,) = await reports_of(second)
        assert (stored.by, stored.name) == ("Ann", "Bo")


async def test_the_reported_player_finds_nothing_about_it(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Mallory") as mallory:
        table = await app.table(ann, mallory)
        paths = ("/api/me", "/api/me/tables", "/api/server-info", f"/api/tables/{table}/backlog")

        async def everything() -> list[str]:
            answers = [await mallory.get(path) for path in paths]
            room = (await mallory.get(f"/api/tables/{table}")).json()["room"]
            (player,) = await app.store.query(lambda connection: find_by_name(connection, "Mallory"))
            exported = await app.store.query(lambda connection: export(connection, player))
            return [*(answer.text for answer in answers), str(room), str(exported)]

        before = await everything()
        assert await report(ann, table) == 200
        assert await everything() == before
        (player,) = await app.store.query(lambda connection: find_by_name(connection, "Ann"))
        (own,) = (await app.store.query(lambda connection: export(connection, player)))["reports"]
        assert (own["name"], own["reason"]) == ("Mallory", "stalling")

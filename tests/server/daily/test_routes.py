"""The routes of the daily deal, from the commitment to the revealed secret."""

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest
from tests.server.app_server import AppServer, opened
from tests.server.results.test_programs import program_of
from tests.server.server_process import Server, serving

from faceup.core.record import loads
from faceup.server.daily import tasks as daily_deals
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.rooms.daily import DAY, HOUR, ends_at, next_date, open_dates, opens_at
from faceup.server.store import Store

SCRIPT = Path(__file__).parents[3] / "examples" / "verify_daily.py"


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily_deals, "BOTS", ("random", "greedy", "lowest"))


class DailyServer:
    """A server whose clock can be moved, and its guests."""

    def __init__(self, server: AppServer, skew: list[int], stack: AsyncExitStack) -> None:
        self.server, self.skew, self._stack = server, skew, stack
        self.date = open_dates(server.hub.now())[-1]

    async def guest(self, name: str) -> httpx.AsyncClient:
        return await self._stack.enter_async_context(self.server.guest(name))

    def go_to(self, time: int) -> None:
        self.skew[0] += time - self.server.hub.now()

    async def overview(self, client: httpx.AsyncClient, date: str = "") -> dict[str, Any]:
        answer = await client.get("/api/daily", params={"date": date or self.date})
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def day(self, client: httpx.AsyncClient, date: str = "") -> dict[str, Any]:
        answer = await client.get(f"/api/daily/{date or self.date}")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def start(self, client: httpx.AsyncClient, date: str = "") -> str:
        answer = await client.post("/api/daily", json={"date": date or self.date})
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["id"]
        return table

    async def play(self, client: httpx.AsyncClient, date: str = "", *, last: bool = False) -> str:
        """Play the lowest card, or the highest, in every turn. Return the table's ID."""
        table = await self.start(client, date)
        while True:
            room = (await client.get(f"/api/tables/{table}")).json()["room"]
            if room["status"] == "finished":
                return table
            if room["actions"] and "choice" not in room:
                decision, action = room["decision"], room["actions"][-1 if last else 0]
                choice = {"seat": 0, "decision": decision, "action": action}
                path = f"/api/tables/{table}/commands"
                await client.post(path, json={"id": f"c{decision}", "command": "choose", **choice})


@asynccontextmanager
async def daily_server(path: Path) -> AsyncIterator[DailyServer]:
    often = RateLimit(100_000, 1)
    limits = ServerLimits(requests=often, commands=often, tables=often, studies=often)
    skew = [0]
    async with opened(path, limits=limits, skew=skew) as server, AsyncExitStack() as stack:
        yield DailyServer(server, skew, stack)


async def test_a_day_from_its_commitment_to_the_revealed_secret(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann, bo, cy = [await daily.guest(name) for name in ("Ann", "Bo", "Cy")]
        before = await daily.overview(ann)
        promised = before["tomorrow"]
        date = promised["date"]
        daily.go_to(opens_at(date))
        assert (await daily.overview(ann, date))["today"]["commitment"] == promised["commitment"]

        for client, last in ((ann, False), (bo, True)):
            await daily.play(client, date, last=last)
        table = await daily.start(cy, date)
        first, second, open_day = [await daily.day(client, date) for client in (ann, bo, cy)]
        assert [open_day[name] for name in ("secret", "deal", "ranking", "par")] == [None] * 4
        assert open_day["players"] == 2
        assert open_day["attempt"]["status"] == "active"
        attempt = first["attempt"]
        assert (first["secret"], first["deal"]) == (None, None)
        assert attempt["heads"] == sum(attempt["turns"])
        assert len(attempt["turns"]) == 10
        assert {row["table"] for row in first["ranking"]} == {""}
        heads = sorted(view["attempt"]["heads"] for view in (first, second))
        assert [row["heads"] for row in first["ranking"]] == heads
        assert attempt["rank"] == 1 + sum(other < attempt["heads"] for other in heads)

        daily.go_to(ends_at(date) - 60_000)
        assert (await daily.day(ann, date))["secret"] is None
        daily.go_to(ends_at(date))
        day = await daily.day(cy, date)
        assert (day["open"], day["commitment"], day["attempt"]["heads"]) == (False, promised["commitment"], None)
        assert {row["who"]["name"] for row in day["ranking"]} == {"Ann", "Bo"}
        for row in day["ranking"]:
            record = loads((await cy.get(f"/api/tables/{row['table']}/record")).content)
            assert day["deal"] in [getattr(entry, "outcome", "") for entry in record.entries]
        assert table not in json.dumps(day["ranking"])

        # A script that knows none of our code verifies it.
        file = tmp_path / "day.json"
        file.write_text(json.dumps(day), "utf-8")
        for commitment, status in ((promised["commitment"], 0), ("0" * 64, 1)):
            run = [sys.executable, "-I", str(SCRIPT), str(file), commitment]
            assert subprocess.run(run, check=False, capture_output=True).returncode == status  # noqa: ASYNC221
        file.write_text(json.dumps(open_day), "utf-8")
        assert subprocess.run([*run[:3], str(file)], check=False, capture_output=True).returncode == 2  # noqa: ASYNC221


async def test_the_table_of_a_daily_deal_shows_the_face_of_its_player(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann = await daily.guest("Ann")
        await ann.patch("/api/me", json={"face": "fox-3"})
        table = await daily.start(ann)
        seat = (await ann.get(f"/api/tables/{table}")).json()["room"]["seats"][0]
        assert (seat["name"], seat["face"]) == ("Ann", "fox-3")


async def test_equal_heads_share_a_place(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        clients = [await daily.guest(name) for name in ("Ann", "Bo", "Cy")]
        for client in clients:
            await daily.play(client)
        day = await daily.day(clients[2])
        assert [(row["rank"], row["who"]["name"]) for row in day["ranking"]] == [(1, "Ann"), (1, "Bo"), (1, "Cy")]
        assert day["attempt"]["rank"] == 1
        assert all(row["guest"] for row in day["ranking"])


async def test_streaks_count_consecutive_days(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann = await daily.guest("Ann")
        date, expected = daily.date, [(0, 0), (1, 1), (2, 2), (0, 2), (0, 2), (1, 2)]
        for number, streak in enumerate(expected):
            overview = await daily.overview(ann, date)
            assert overview["today"]["date"] == date
            if number in {0, 1, 4}:  # there is no game on the days 2 and 3
                await daily.play(ann, date)
            assert (overview["streak"], overview["best_streak"]) == streak, number
            played = [day["date"] for day in overview["calendar"] if day["heads"] is not None]
            assert len(played) == min(number, 2) + (number > 4)
            date = next_date(date)
            daily.go_to(opens_at(date) + HOUR)


async def test_the_local_date_of_the_player_must_be_a_date_somewhere(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann = await daily.guest("Ann")
        daily.go_to(opens_at(next_date(daily.date)))
        dates = open_dates(daily.server.hub.now())
        assert len(dates) == 3
        assert [(await daily.overview(ann, date))["today"]["date"] for date in dates] == list(dates)
        assert len({await daily.start(ann, date) for date in dates}) == 3
        nowhere = next_date(dates[-1])
        assert (await daily.overview(ann, nowhere))["today"]["date"] in dates
        for date in (nowhere, "1999-12-31", "yesterday", "20261123"):
            answer = await ann.post("/api/daily", json={"date": date[:10]})
            assert (answer.status_code, answer.json()["error"]["where"]) == (400, "date")
        assert (await ann.get("/api/daily/1999-12-31")).status_code == 404
        assert (await ann.get("/api/daily/yesterday")).status_code == 400
        daily.go_to(daily.server.hub.now() + 3 * DAY)
        answer = await ann.post("/api/daily", json={"date": dates[0]})
        assert answer.status_code == 400


async def test_without_a_session_the_daily_deal_creates_a_guest(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily, daily.server.client() as client:
        anonymous = await daily.overview(client)
        assert (anonymous["today"]["attempt"], anonymous["streak"]) == (None, 0)
        started = await client.post("/api/daily", json={"name": "Eve"})
        assert started.status_code == 201
        assert (await client.get("/api/me")).json()["name"] == "Eve"
        assert [table["id"] for table in (await client.get("/api/me/tables")).json()] == [started.json()["id"]]


async def test_a_daily_deal_is_not_rated_and_not_in_the_history_before_its_day_has_ended(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann, bo = await daily.guest("Ann"), await daily.guest("Bo")
        table = await daily.play(ann)
        handle = (await ann.get("/api/me")).json()["handle"]
        for client in (ann, bo):
            results = (await client.get(f"/api/players/{handle}/results")).json()
            assert (results["games"], results["ratings"]) == ([], [])
            assert (await client.get(f"/api/players/{handle}/games")).json() == []
        assert table not in (await ann.get("/api/me/export")).text
        store = await Store.attach(f"sqlite:///{tmp_path / 't.sqlite'}")
        try:
            ended = "UPDATE daily_attempts SET ends_at = 1"
            await store.write(lambda connection: connection.exec_driver_sql(ended).rowcount)
        finally:
            await store.close()
        (game,) = (await bo.get(f"/api/players/{handle}/games")).json()
        assert (game["table"], game["rated"]) == (table, False)


async def test_there_are_no_hints_in_a_daily_deal(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann = await daily.guest("Ann")
        table = await daily.start(ann)
        assert (await ann.get(f"/api/tables/{table}")).json()["room"]["config"]["terms"]["hints"] is False
        assert (await ann.get(f"/api/tables/{table}/hint?seat=0")).status_code in {403, 404}


async def test_the_player_replays_the_own_view_until_the_day_has_ended(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann, bo = await daily.guest("Ann"), await daily.guest("Bo")
        table = await daily.play(ann)
        lines = [json.loads(line) for line in (await ann.get(f"/api/tables/{table}/replay")).text.splitlines()]
        assert lines[0]["room"]["seat"] == 0
        assert len(lines) > 10
        assert not any("hands" in line.get("room", line.get("patch")) for line in lines)
        for path in ("record", "review", "moment.svg"):
            answer = await ann.get(f"/api/tables/{table}/{path}")
            assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "withheld")
        assert (await bo.get(f"/api/tables/{table}/replay")).json()["error"]["kind"] == "wrong_seat"
        daily.go_to(ends_at(daily.date))
        for client in (ann, bo):
            first = (await client.get(f"/api/tables/{table}/replay")).text.splitlines()[0]
            assert len(json.loads(first)["room"]["hands"]) == 4
        assert (await bo.get(f"/api/tables/{table}/record")).status_code == 200


@pytest.mark.long
def test_an_attempt_survives_a_kill_of_the_server(tmp_path: Path) -> None:
    """The real bots play in server processes that are killed between the choices."""
    tables, logs = set(), list[Any]()
    cookies = ["", ""]
    for _ in range(3):
        with serving(tmp_path / "data") as server:
            logs.clear()
            for player in range(2):
                server.cookie = cookies[player]
                started = server.ask("/api/daily", {})
                assert started.status == 201
                tables.add((player, started.json["id"]))
                logs.append(play_decisions(server, started.json["id"], 2)["view"]["log"])
                cookies[player] = server.cookie
            server.stop(signal.SIGKILL)
    assert len(tables) == 2, "every start after a kill returns the same table"
    shortest = min(map(len, logs))
    assert shortest > 2
    assert logs[0][:shortest] == logs[1][:shortest], "kills do not change what the bots choose"


def play_decisions(server: Server, table: str, count: int) -> dict[str, Any]:
    """Choose the first action in the next decisions, wait until the next one is open, and return the room view."""
    made = 0
    while True:
        room: dict[str, Any] = server.ask(f"/api/tables/{table}").json["room"]
        if room["actions"] and "choice" not in room:
            if made == count:
                return room
            choice = {"seat": 0, "action": room["actions"][0], "decision": room["decision"]}
            command = {"id": f"c{room['decision']}", "command": "choose", **choice}
            made += server.ask(f"/api/tables/{table}/commands", command).status == 200
        sleep(0.2)


async def test_the_ranking_marks_programs(tmp_path: Path) -> None:
    async with daily_server(tmp_path / "t.sqlite") as daily:
        ann, bo = [await daily.guest(name) for name in ("Ann", "Bo")]
        async with program_of(daily.server, bo) as bot:
            await daily.play(ann)
            await daily.play(bot)
            ranking = (await daily.day(ann))["ranking"]
            assert {row["who"]["name"]: row["who"]["program"] for row in ranking} == {"Ann": False, "Bo": True}

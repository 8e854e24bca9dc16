"""The live channels, over real wires: WebSocket and NDJSON."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import websockets
from tests.server.inside import Wired, wired

from faceup.server.api import Limits, Rate
from faceup.server.people import ban, players_named
from faceup.server.rooms import after_line

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    """One for all: their tables never touch each other."""
    async with wired(tmp_path_factory.mktemp("live") / "t.sqlite", limits=Limits(keep_alive=0.1)) as serving:
        yield serving


async def test_a_game_is_played_over_two_wires_and_the_lines_add_up_to_the_sight(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as one, server.live(table, bo) as other:
            sights = [(await wire.until("sight"))["sight"] for wire in (one, other)]
            versions: list[list[int]] = [[], []]
            for number in range(20):
                if sights[0]["status"] == "finished":
                    break
                for seat, wire in enumerate((one, other)):
                    if seat in sights[seat]["view"]["to_act"] and seat not in sights[seat].get("chosen", []):
                        action, decision = sights[seat]["words"][0], sights[seat]["decision"]
                        body = {"id": f"{seat}-{number}", "do": "choose", "seat": seat}
                        await wire.connection.send(json.dumps({**body, "action": action, "decision": decision}))
                for seat, wire in enumerate((one, other)):
                    line = await wire.until("patch")
                    versions[seat].append(line["v"])
                    sights[seat] = after_line(sights[seat], line)
            for seat, player in enumerate((ann, bo)):
                while sights[seat]["status"] != "finished":
                    line = await (one, other)[seat].until("patch")
                    versions[seat].append(line["v"])
                    sights[seat] = after_line(sights[seat], line)
                seen = (await player.get(f"/api/tables/{table}")).json()["sight"]
                assert sights[seat] == seen
                assert versions[seat] == [*range(versions[seat][0], versions[seat][-1] + 1)]


async def test_nothing_is_acknowledged_that_is_not_in_the_log_and_twice_is_once(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            sight = (await wire.until("sight"))["sight"]
            choice = {"seat": 0, "action": sight["words"][0], "decision": 0}
            assert await wire.ask("c1", "choose", **choice) == {"ack": "c1"}
            assert await wire.ask("c1", "choose", **choice) == {"ack": "c1"}
            assert (await ann.get(f"/api/tables/{table}")).json()["sight"]["choice"] == sight["words"][0]


async def test_whoever_comes_back_gets_exactly_the_lines_that_it_missed(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            first = await wire.until("sight")
        words = first["sight"]["words"]
        async with server.live(table, ann) as wire, server.live(table, ann) as whole:
            await wire.until("sight")
            for number, action in enumerate((words[0], words[1], words[0])):
                await wire.ask(f"m{number}", "mark", seat=0, action=action, decision=0)
            lines = [await whole.until("patch") for _ in range(3)]
        async with server.live(table, ann, query=f"?after={lines[0]['v']}") as back:
            assert [await back.line() for _ in range(2)] == lines[1:]
        async with server.live(table, ann, query="?after=999") as lost:
            assert "sight" in await lost.line()


async def test_what_is_wrong_with_a_frame_is_said_in_a_line_and_the_connection_goes_on(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            sight = (await wire.until("sight"))["sight"]
            for frame, kind, identifier in (
                ("nonsense", "malformed", None),
                ("[]", "malformed", None),
                ('{"id":"x"}', "malformed", "x"),
                ('{"id":"x","do":"dance"}', "malformed", "x"),
                ('{"id":"x","do":"tick"}', "malformed", "x"),
                ('{"id":"x","do":"stand_in","seat":1,"decision":0}', "malformed", "x"),
                ('{"id":"x","do":"choose","seat":0}', "malformed", "x"),
                ('{"id":"x","do":"start","more":1}', "malformed", "x"),
                ('{"id":"' + "x" * 65 + '","do":"start"}', "malformed", None),
                ('{"id":"~bot-0-1","do":"start"}', "malformed", "~bot-0-1"),
                ('{"id":"x","do":"pong"}', "malformed", "x"),
                ('{"id":"x","do":"sit","name":"' + "x" * 5000 + '"}', "too_large", None),
                ('{"id":"x","do":"leave","seat":0,"lag":1000}', "malformed", "x"),
                ('{"id":"x","do":"start"}', "stale", "x"),
                ('{"id":"x","do":"choose","seat":1,"action":"play 1","decision":0}', "not_yours", "x"),
                ('{"id":"x","do":"choose","seat":0,"action":"play 1","decision":9}', "not_yours", "x"),
            ):
                await wire.connection.send(frame)
                line = await wire.until("refused")
                assert (line["refused"], line["error"]["kind"]) == (identifier, kind), frame
                assert line["error"]["message"]
            await wire.connection.send(b"\xff\xfe")
            assert (await wire.until("refused"))["error"]["kind"] == "malformed"
            assert (await ann.get(f"/api/tables/{table}")).json()["sight"] == sight


async def test_a_frame_that_no_command_can_fill_ends_the_connection_and_changes_nothing(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            sight = (await wire.until("sight"))["sight"]
            await wire.connection.send("x" * 20_000)
            assert await wire.closed() == 1009
        assert (await ann.get(f"/api/tables/{table}")).json()["sight"] == sight


async def test_somebody_who_sits_down_goes_on_as_the_seat_on_the_same_wire(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann)
        async with server.live(table, bo) as wire:
            assert "seat" not in (await wire.until("sight"))["sight"]
            assert await wire.ask("s", "sit") == {"ack": "s"}
        async with server.live(table, bo) as wire:
            sight = (await wire.until("sight"))["sight"]
            assert (sight["seat"], sight["seats"][1]["name"]) == (1, "Bo")


async def test_somebody_with_two_seats_has_a_wire_for_each(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Guest") as guest:
        account = {"login": "twoseats", "password": "correct horse"}
        await ann.post("/api/account", json=account)
        table = await server.table(ann, guest)
        await guest.post("/api/login", json=account)
        async with server.live(table, guest) as first, server.live(table, guest, "?seat=1") as second:
            for seat, wire in enumerate((first, second)):
                sight = (await wire.until("sight"))["sight"]
                assert sight["seat"] == seat
                answer = await wire.ask("a", "choose", seat=seat, action=sight["words"][0], decision=0)
                assert answer == {"ack": "a"}


async def test_a_page_of_another_site_gets_no_connection(server: Wired, caplog: pytest.LogCaptureFixture) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        for origin in ("https://evil.example", "null"):
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with server.live(table, ann, origin=origin):
                    pass
            assert refused.value.response.status_code == 403
            assert json.loads(refused.value.response.body or b"")["error"]["kind"] == "foreign"
        async with server.live(table, ann, origin=server.base) as wire:
            assert (await wire.until("sight"))["sight"]["seat"] == 0
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_where_there_is_nothing_to_connect_to_a_line_says_why(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        private = await server.table(ann, bo, watch="nobody")
        for table, kind in (("A" * 22, "no_table"), (private, "hidden")):
            async with server.live(table) as wire:
                line = await wire.line()
                assert (line["refused"], line["error"]["kind"]) == (None, kind)
                assert await wire.closed() == 4004
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with server.live("../.."):
            pass
    assert refused.value.response.status_code == 404


async def test_a_spectator_without_a_session_sees_and_does_nothing(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table) as wire:
            sight = (await wire.until("sight"))["sight"]
            assert "seat" not in sight
            assert (await wire.ask("s", "sit"))["error"]["kind"] == "unknown"


async def test_a_token_that_is_revoked_in_mid_game_is_cut_off_and_the_session_is_not(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        token = (await ann.post("/api/tokens", json={"label": "bot"})).json()
        async with (
            server.live(table, token=token["key"]) as bot,
            server.live(table, ann) as page,
            server.client(authorization=f"Bearer {token['key']}") as streaming,
            streaming.stream("GET", f"/api/tables/{table}/stream") as stream,
        ):
            lines = stream.aiter_lines()
            assert (await bot.until("sight"))["sight"]["seat"] == 0
            assert json.loads(await anext(lines))["sight"]["seat"] == 0
            await page.until("sight")
            assert (await ann.delete(f"/api/tokens/{token['id']}")).status_code == 200
            assert await bot.line() == {"end": "revoked"}
            assert await bot.closed() == 4001
            assert [json.loads(line) async for line in lines if line] == [{"end": "revoked"}]
            assert (await page.ask("r", "react", seat=0, reaction="bravo")) == {"ack": "r"}
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with server.live(table, token=token["key"]):
                pass
        assert refused.value.response.status_code == 401


async def test_whoever_is_banned_by_another_process_is_cut_off(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Mallory") as mallory:
        table = await server.table(ann, mallory)
        async with server.live(table, ann) as wire, server.live(table, mallory) as other:
            await wire.until("sight")
            await other.until("sight")
            now = await server.store.now()
            (banned,) = await server.store.query(lambda connection: players_named(connection, "Mallory"))
            await server.store.write(lambda connection: ban(connection, now, banned))
            assert await other.until("end") == {"end": "revoked"}
            assert await other.closed() == 4001
            assert "ack" in await wire.ask("r", "react", seat=0, reaction="phew")
        assert (await mallory.get("/api/me")).status_code == 403


async def test_a_token_without_a_scope_reads_or_plays_not(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        keys = {
            scope: (await ann.post("/api/tokens", json={"label": scope, "scopes": [scope]})).json()["key"]
            for scope in ("read", "play")
        }
        async with server.live(table, token=keys["read"]) as wire:
            assert (await wire.until("sight"))["sight"]["seat"] == 0
            assert (await wire.ask("x", "react", seat=0, reaction="hmm"))["error"]["kind"] == "forbidden"
        async with server.live(table, token=keys["play"]) as wire:
            assert (await wire.line())["error"]["kind"] == "forbidden"


async def test_the_way_to_a_client_is_measured_by_the_server(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        before = sum(server.tally.lag_seconds.counts)
        async with server.live(table, ann) as wire:
            await wire.until("sight")
            await wire.ask("r", "react", seat=0, reaction="hmm")  # by now the first ping is answered
            await wire.ask("s", "react", seat=0, reaction="hmm")
            assert sum(server.tally.lag_seconds.counts) - before == 1
            await wire.connection.send('{"do":"pong","ping":1}')
            await wire.connection.send('{"do":"pong","ping":77}')
            await wire.ask("t", "react", seat=0, reaction="hmm")
            assert sum(server.tally.lag_seconds.counts) - before == 1, (
                "an answer counts once, and to a ping that was sent"
            )


async def test_commands_that_come_too_fast_are_refused_with_when_to_try_again(tmp_path: Path) -> None:
    async with (
        wired(tmp_path / "t.sqlite", limits=Limits(commands=Rate(5, 1))) as server,
        server.guest("Ann") as ann,
        server.guest("Bo") as bo,
    ):
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire, server.live(table, bo) as other:
            words = (await wire.until("sight"))["sight"]["words"]
            await other.until("sight")
            answers = [await wire.ask(f"r{n}", "mark", seat=0, action=words[n % 2], decision=0) for n in range(8)]
            assert sum("ack" in answer for answer in answers) in {4, 5, 6}
            assert answers[-1]["error"]["kind"] == "too_many"
            assert answers[-1]["error"]["retry_after"] >= 1
            assert answers[-1]["refused"] == "r7"
            assert "ack" in await other.ask("x", "react", seat=1, reaction="hmm")


async def test_a_player_has_so_many_connections_and_no_more(tmp_path: Path) -> None:
    async with (
        wired(tmp_path / "t.sqlite", limits=Limits(live=2)) as server,
        server.guest("Ann") as ann,
        server.guest("Bo") as bo,
    ):
        table = await server.table(ann, bo)
        async with server.live(table, ann) as one, server.live(table, ann) as two:
            await one.until("sight")
            await two.until("sight")
            with pytest.raises(websockets.InvalidStatus) as refused:
                async with server.live(table, ann):
                    pass
            assert refused.value.response.status_code == 429
            assert (await ann.get(f"/api/tables/{table}/stream")).status_code == 429
        async with server.live(table, ann) as again:
            await again.until("sight")


@asynccontextmanager
async def streamed(client: httpx.AsyncClient, path: str) -> AsyncIterator[AsyncIterator[str]]:
    async with client.stream("GET", path) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield answer.aiter_lines()


async def test_a_stream_carries_the_same_lines_as_the_wire_and_empty_ones_between(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with streamed(ann, f"/api/tables/{table}/stream") as lines, server.live(table, ann) as wire:
            whole = await wire.until("sight")
            assert {**json.loads(await anext(lines)), "now": whole["now"]} == whole
            assert await anext(lines) == ""
            await wire.ask("m", "mark", seat=0, action=whole["sight"]["words"][0], decision=0)
            told = [line async for line in _some(lines, 1)]
            assert told[0]["patch"] == {"mark": whole["sight"]["words"][0]}
        async with streamed(ann, f"/api/tables/{table}/stream?after={whole['v']}") as lines:
            assert [line async for line in _some(lines, 1)] == told


async def _some(lines: AsyncIterator[str], count: int) -> AsyncIterator[dict[str, Any]]:
    while count:
        line = await asyncio.wait_for(anext(lines), 20)
        if line:
            count -= 1
            yield json.loads(line)


async def test_the_head_of_a_stream_ends(server: Wired) -> None:
    async with server.guest("Ann") as ann, server.client() as monitor:
        table = await server.table(ann)
        head = await monitor.head(f"/api/tables/{table}/stream")
        assert (head.status_code, head.headers["content-type"]) == (200, "application/x-ndjson")
        for path in ("/", "/api/health", "/api/openapi.json", f"/api/tables/{table}/stream"):
            assert (await monitor.head(path)).status_code == 200
        for _ in range(200):
            if not server.desk._rooms[table]._streams.of(None).readers:
                break
            await asyncio.sleep(0.02)
        else:
            pytest.fail("somebody still reads")


async def test_when_the_server_stops_everybody_is_told_to_come_back(tmp_path: Path) -> None:
    async with wired(tmp_path / "t.sqlite") as server, server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            await wire.until("sight")
            await server.desk.stop()
            assert await wire.line() == {"end": "restart"}
            assert await wire.closed() == 1012

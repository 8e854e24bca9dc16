"""Live connections over WebSocket and NDJSON."""

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
from tests.server.app_server import ListeningServer, listening_server

from faceup.server.accounts.players import find_by_name
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.http.websocket import MAX_REJECTED
from faceup.server.moderation.bans import ban_player
from faceup.server.rooms.merge_patch import apply_line

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ListeningServer]:
    """A server for all tests of this module, which use separate tables."""
    async with listening_server(
        tmp_path_factory.mktemp("live") / "t.sqlite", limits=ServerLimits(keep_alive=0.1)
    ) as serving:
        yield serving


async def test_applying_all_patches_gives_the_room_view(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as first, server.live(table, bo) as other:
            views = [(await wire.until("room"))["room"] for wire in (first, other)]
            versions: list[list[int]] = [[], []]
            for number in range(20):
                if views[0]["status"] == "finished":
                    break
                for seat, wire in enumerate((first, other)):
                    if seat in views[seat]["view"]["to_act"] and seat not in views[seat].get("chosen", []):
                        action, decision = views[seat]["actions"][0], views[seat]["decision"]
                        body = {"id": f"{seat}-{number}", "command": "choose", "seat": seat}
                        await wire.connection.send(json.dumps({**body, "action": action, "decision": decision}))
                for seat, wire in enumerate((first, other)):
                    line = await wire.until("patch")
                    versions[seat].append(line["v"])
                    views[seat] = apply_line(views[seat], line)
            for seat, player in enumerate((ann, bo)):
                while views[seat]["status"] != "finished":
                    line = await (first, other)[seat].until("patch")
                    versions[seat].append(line["v"])
                    views[seat] = apply_line(views[seat], line)
                seen = (await player.get(f"/api/tables/{table}")).json()["room"]
                assert views[seat] == seen
                assert versions[seat] == [*range(versions[seat][0], versions[seat][-1] + 1)]


async def test_acknowledged_commands_are_in_the_log_exactly_once(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            room_view = (await wire.until("room"))["room"]
            choice = {"seat": 0, "action": room_view["actions"][0], "decision": 0}
            assert await wire.ask("c1", "choose", **choice) == {"ack": "c1"}
            assert await wire.ask("c1", "choose", **choice) == {"ack": "c1"}
            assert (await ann.get(f"/api/tables/{table}")).json()["room"]["choice"] == room_view["actions"][0]


async def test_resuming_a_stream_sends_exactly_the_missed_messages(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            first = await wire.until("room")
        actions = first["room"]["actions"]
        async with server.live(table, ann) as wire, server.live(table, ann) as uninterrupted:
            await wire.until("room")
            for number, action in enumerate((actions[0], actions[1], actions[0])):
                await wire.ask(f"m{number}", "mark", seat=0, action=action, decision=0)
            lines = [await uninterrupted.until("patch") for _ in range(3)]
        async with server.live(table, ann, query=f"?after={lines[0]['v']}") as back:
            assert [await back.line() for _ in range(2)] == lines[1:]
        async with server.live(table, ann, query="?after=999") as lost:
            assert "room" in await lost.line()


async def test_an_invalid_message_is_rejected_and_the_connection_continues(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            room_view = (await wire.until("room"))["room"]
            for frame, kind, identifier in (
                ("nonsense", "malformed", None),
                ("[]", "malformed", None),
                ('{"id":"x"}', "malformed", "x"),
                ('{"id":"x","command":"dance"}', "malformed", "x"),
                ('{"id":"x","command":"tick"}', "malformed", "x"),
                ('{"id":"x","command":"autoplay","seat":1,"decision":0}', "malformed", "x"),
                ('{"id":"x","command":"choose","seat":0}', "malformed", "x"),
                ('{"id":"x","command":"start","more":1}', "malformed", "x"),
                ('{"id":"' + "x" * 65 + '","command":"start"}', "malformed", None),
                ('{"id":"~bot-0-1","command":"start"}', "malformed", "~bot-0-1"),
                ('{"id":"x","command":"pong"}', "malformed", "x"),
                ('{"id":"x","command":"sit","name":"' + "x" * 5000 + '"}', "too_large", None),
                ('{"id":"x","command":"leave","seat":0,"lag":1000}', "malformed", "x"),
                ('{"id":"x","command":"start"}', "stale", "x"),
                ('{"id":"x","command":"choose","seat":1,"action":"play 1","decision":0}', "wrong_seat", "x"),
                ('{"id":"x","command":"choose","seat":0,"action":"play 1","decision":9}', "wrong_seat", "x"),
            ):
                await wire.connection.send(frame)
                line = await wire.until("rejected")
                assert (line["rejected"], line["error"]["kind"]) == (identifier, kind), frame
                assert line["error"]["message"]
            await wire.connection.send(b"\xff\xfe")
            assert (await wire.until("rejected"))["error"]["kind"] == "malformed"
            assert (await ann.get(f"/api/tables/{table}")).json()["room"] == room_view


async def test_a_too_large_message_ends_the_connection_and_changes_nothing(
    server: ListeningServer,
) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            room_view = (await wire.until("room"))["room"]
            await wire.connection.send("x" * 20_000)
            assert await wire.closed() == 1009
        assert (await ann.get(f"/api/tables/{table}")).json()["room"] == room_view


async def test_a_spectator_who_sits_down_continues_on_the_same_websocket(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann)
        async with server.live(table, bo) as wire:
            assert "seat" not in (await wire.until("room"))["room"]
            assert await wire.ask("s", "sit") == {"ack": "s"}
        async with server.live(table, bo) as wire:
            room_view = (await wire.until("room"))["room"]
            assert (room_view["seat"], room_view["seats"][1]["name"]) == (1, "Bo")


async def test_a_player_with_two_seats_has_a_websocket_for_each(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Guest") as guest:
        account = {"login": "twoseats", "password": "correct horse"}
        await ann.post("/api/account", json=account)
        table = await server.table(ann, guest)
        await guest.post("/api/login", json=account)
        async with server.live(table, guest) as first, server.live(table, guest, "?seat=1") as second:
            for seat, wire in enumerate((first, second)):
                room_view = (await wire.until("room"))["room"]
                assert room_view["seat"] == seat
                choice = {"seat": seat, "action": room_view["actions"][0], "decision": 0}
                assert await wire.ask(f"{seat}", "choose", **choice) == {"ack": f"{seat}"}


async def test_websockets_from_other_sites_are_rejected(
    server: ListeningServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        for origin in ("https://evil.example", "null"):
            with pytest.raises(websockets.InvalidStatus) as rejected:
                async with server.live(table, ann, origin=origin):
                    pass
            assert rejected.value.response.status_code == 403
            assert json.loads(rejected.value.response.body or b"")["error"]["kind"] == "cross_origin"
        async with server.live(table, ann, origin=server.base) as wire:
            assert (await wire.until("room"))["room"]["seat"] == 0
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_table_that_cannot_be_watched_sends_an_error_message(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        private = await server.table(ann, bo, spectators="nobody")
        for table, kind in (("A" * 22, "table_not_found"), (private, "no_spectators")):
            async with server.live(table) as wire:
                line = await wire.line()
                assert (line["rejected"], line["error"]["kind"]) == (None, kind)
                assert await wire.closed() == 4004
    with pytest.raises(websockets.InvalidStatus) as rejected:
        async with server.live("../.."):
            pass
    assert rejected.value.response.status_code == 404


async def test_a_spectator_without_a_session_can_watch_but_not_act(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table) as wire:
            room_view = (await wire.until("room"))["room"]
            assert "seat" not in room_view
            assert (await wire.ask("s", "sit"))["error"]["kind"] == "unauthenticated"


async def test_revoking_a_token_closes_its_connection_but_not_the_sessions(server: ListeningServer) -> None:
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
            assert (await bot.until("room"))["room"]["seat"] == 0
            assert json.loads(await anext(lines))["room"]["seat"] == 0
            await page.until("room")
            assert (await ann.delete(f"/api/tokens/{token['id']}")).status_code == 200
            assert await bot.line() == {"end": "revoked"}
            assert await bot.closed() == 4001
            assert [line async for line in lines if "ping" not in line] == ['{"end":"revoked"}']
            assert (await page.ask("r", "react", seat=0, reaction="bravo")) == {"ack": "r"}
        with pytest.raises(websockets.InvalidStatus) as rejected:
            async with server.live(table, token=token["key"]):
                pass
        assert rejected.value.response.status_code == 401


async def test_a_ban_by_another_process_closes_connections(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Mallory") as mallory:
        table = await server.table(ann, mallory)
        async with server.live(table, ann) as wire, server.live(table, mallory) as other:
            await wire.until("room")
            await other.until("room")
            now = server.store.now()
            (banned,) = await server.store.query(lambda connection: find_by_name(connection, "Mallory"))
            await server.store.write(lambda connection: ban_player(connection, now, banned))
            assert await other.until("end") == {"end": "revoked"}
            assert await other.closed() == 4001
            assert "ack" in await wire.ask("r", "react", seat=0, reaction="phew")
        assert (await mallory.get("/api/me")).status_code == 403


async def test_a_token_without_the_scope_cannot_read_or_play(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        keys = {
            scope: (await ann.post("/api/tokens", json={"label": scope, "scopes": [scope]})).json()["key"]
            for scope in ("read", "play")
        }
        async with server.live(table, token=keys["read"]) as wire:
            assert (await wire.until("room"))["room"]["seat"] == 0
            assert (await wire.ask("x", "react", seat=0, reaction="hmm"))["error"]["kind"] == "forbidden"
        async with server.live(table, token=keys["play"]) as wire:
            assert (await wire.line())["error"]["kind"] == "forbidden"


async def test_pings_measure_the_round_trip_time(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        before = server.store.metrics.value("faceup_round_trip_seconds_count")
        async with server.live(table, ann) as wire:
            await wire.until("room")
            await wire.ask("r", "react", seat=0, reaction="hmm")  # by now the first ping is answered
            await wire.ask("s", "react", seat=0, reaction="hmm")
            assert server.store.metrics.value("faceup_round_trip_seconds_count") - before == 1
            await wire.connection.send('{"command":"pong","ping":1}')
            await wire.connection.send('{"command":"pong","ping":77}')
            await wire.ask("t", "react", seat=0, reaction="hmm")
            assert server.store.metrics.value("faceup_round_trip_seconds_count") - before == 1, (
                "a pong counts only once, and only for a ping that was sent"
            )


async def test_rate_limited_commands_are_rejected_with_retry_after(tmp_path: Path) -> None:
    async with (
        listening_server(tmp_path / "t.sqlite", limits=ServerLimits(commands=RateLimit(5, 1))) as server,
        server.guest("Ann") as ann,
        server.guest("Bo") as bo,
    ):
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire, server.live(table, bo) as other:
            actions = (await wire.until("room"))["room"]["actions"]
            await other.until("room")
            answers = [await wire.ask(f"r{n}", "mark", seat=0, action=actions[n % 2], decision=0) for n in range(8)]
            assert sum("ack" in answer for answer in answers) in {4, 5, 6}
            assert answers[-1]["error"]["kind"] == "rate_limited"
            assert answers[-1]["error"]["retry_after"] >= 1
            assert answers[-1]["rejected"] == "r7"
            assert "ack" in await other.ask("x", "react", seat=1, reaction="hmm")


async def test_a_client_that_does_not_stop_when_it_is_rate_limited_is_disconnected(tmp_path: Path) -> None:
    async with (
        listening_server(tmp_path / "t.sqlite", limits=ServerLimits(commands=RateLimit(5, 1))) as server,
        server.guest("Ann") as ann,
    ):
        table = await server.table(ann)
        async with server.live(table, ann) as wire:
            await wire.until("room")
            for number in range(MAX_REJECTED + 10):
                await wire.connection.send(json.dumps({"id": f"r{number}", "command": "react", "seat": 0}))
            assert await wire.until("end") == {"end": "rate_limited"}
            assert await wire.closed() == 4029
        assert server.store.metrics.value("faceup_slow_readers_total") == 0
        async with server.live(table, ann) as again:
            assert (await again.until("room"))["room"]["seat"] == 0


async def test_connections_of_a_player_are_limited(tmp_path: Path) -> None:
    async with (
        listening_server(tmp_path / "t.sqlite", limits=ServerLimits(live=2)) as server,
        server.guest("Ann") as ann,
        server.guest("Bo") as bo,
    ):
        table = await server.table(ann, bo)
        async with server.live(table, ann) as first, server.live(table, ann) as two:
            await first.until("room")
            await two.until("room")
            with pytest.raises(websockets.InvalidStatus) as rejected:
                async with server.live(table, ann):
                    pass
            assert rejected.value.response.status_code == 429
            assert (await ann.get(f"/api/tables/{table}/stream")).status_code == 429
        async with server.live(table, ann) as again:
            await again.until("room")


@asynccontextmanager
async def streamed(client: httpx.AsyncClient, path: str) -> AsyncIterator[AsyncIterator[str]]:
    async with client.stream("GET", path) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield answer.aiter_lines()


async def test_a_stream_sends_the_messages_of_the_websocket_and_heartbeats(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with streamed(ann, f"/api/tables/{table}/stream") as lines, server.live(table, ann) as wire:
            snapshot = await wire.until("room")
            assert {**json.loads(await anext(lines)), "now": snapshot["now"]} == snapshot
            ping = json.loads(await anext(lines))  # the heartbeat; the limit is that of a connection with pings
            assert (ping["ping"], ping["silence"]) == (0, 100 + 1500 + 2250)
            await wire.ask("m", "mark", seat=0, action=snapshot["room"]["actions"][0], decision=0)
            messages = [line async for line in _messages(lines, 1)]
            assert messages[0]["patch"] == {"mark": snapshot["room"]["actions"][0]}
        async with streamed(ann, f"/api/tables/{table}/stream?after={snapshot['v']}") as lines:
            assert [line async for line in _messages(lines, 1)] == messages


async def _messages(lines: AsyncIterator[str], count: int) -> AsyncIterator[dict[str, Any]]:
    while count:
        line = await asyncio.wait_for(anext(lines), 20)
        if "ping" not in (message := json.loads(line)):
            count -= 1
            yield message


async def test_head_of_a_stream_ends(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.client() as monitor:
        table = await server.table(ann)
        head = await monitor.head(f"/api/tables/{table}/stream")
        assert (head.status_code, head.headers["content-type"]) == (200, "application/x-ndjson")
        for path in ("/", "/api/health", "/api/openapi.json", f"/api/tables/{table}/stream"):
            assert (await monitor.head(path)).status_code == 200
        for _ in range(200):
            if not server.hub.rooms[table]._streams.of(None).readers:
                break
            await asyncio.sleep(0.02)
        else:
            pytest.fail("the stream still has a reader")


async def test_a_shutdown_closes_connections_with_restart(tmp_path: Path) -> None:
    async with listening_server(tmp_path / "t.sqlite") as server, server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo)
        async with server.live(table, ann) as wire:
            await wire.until("room")
            await server.hub.stop()
            assert await wire.line() == {"end": "restart"}
            assert await wire.closed() == 1012

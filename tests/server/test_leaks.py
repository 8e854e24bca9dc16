"""Non-interference over real connections: what a viewer receives does not depend on hidden information.

Two tables of one server have the same players. The second differs in everything the viewer must not know: other
players' cards, marks, choices and changes of mind. The viewer must receive the same bytes on all channels, except for
table IDs and times.
"""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa
import websockets
from tests.server.app_server import ListeningServer, listening_server
from tests.server.tournaments.players import command, create, settings, view

from faceup.coach.puzzles import package_puzzles
from faceup.core import Outcome, generator
from faceup.core.record import Applied, Terms
from faceup.games.nimmt.state import Deal as Cards
from faceup.games.war import WarDeal as Piles
from faceup.server.accounts.schema import players
from faceup.server.admin.deletion import delete_tables
from faceup.server.admin.page.app import AdminPage
from faceup.server.admin.page.routes import ROUTES
from faceup.server.audit.schema import audit_log
from faceup.server.daily import tasks as daily_deals
from faceup.server.daily.schema import daily_deals as deal_rows
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.live.turns import turns_of
from faceup.server.process.settings import Settings
from faceup.server.rooms import Choose, Room, Sit, TableConfig, create_entries, decide, dumps, evolve, fold_log, loads
from faceup.server.rooms.daily import DAY, daily_deal
from faceup.server.rooms.entries import EntryBatch, Seated
from faceup.server.rooms.room import Viewer
from faceup.server.rooms.summary import list_summary
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store import LogRow as Row
from faceup.server.store import Store, new_code, new_id
from faceup.table import Table

NAMES = ("Ann", "Bo", "Cy")
NO_CLOCK = Terms()


class Log:
    """The log of a game with these players."""

    def __init__(self, config: TableConfig, players: list[str], seed: int) -> None:
        self.rng = generator(seed)
        self.batches: list[EntryBatch] = [create_entries(config, players[0], NAMES[0], self.rng)]
        self.players = players
        for seat in range(1, self.room.table.rules.seats):
            self.add(decide(self.room, Sit(NAMES[seat]), players[seat], 0, self.rng))

    @property
    def room(self) -> Room:
        return fold_log((batch, None) for batch in self.batches)

    def add(self, batch: EntryBatch) -> None:
        self.batches.append(batch)

    def play_decision(self) -> None:
        """Let everyone choose their first action."""
        before = self.room.table
        for seat in before.deciders:
            room = self.room
            action = room.table.rules.legal(room.table.state, seat)[0]
            choose = Choose(seat, room.table.rules.describe(action), before.decision)
            self.add(decide(room, choose, self.players[seat], 0, self.rng))

    def with_other_deal(self, viewer: Viewer) -> "Log":
        """Return the same log with a different deal that the viewer cannot distinguish."""
        table = self.room.table
        other = object.__new__(Log)
        other.rng, other.players = self.rng, self.players
        dealt = Applied(0, outcome=table.rules.describe(_another_deal(table, viewer)))
        other.batches = [
            tuple(dealt if isinstance(entry, Applied) and "deal" in entry.outcome else entry for entry in batch)
            for batch in self.batches
        ]
        assert other.batches != self.batches
        assert table.rules.view(other.room.table.state, viewer) == table.rules.view(table.state, viewer)
        return other


def _another_deal(table: Table, viewer: Viewer) -> Outcome:
    """Return a deal that the viewer cannot distinguish."""
    state: Any = table.state  # each game has its own type
    if table.rules.game == "nimmt":
        guess = table.rules.guess(table.rules.view(state, viewer), generator(99))
        hands = [[*hand, *(turn.plays[seat] for turn in state.log)] for seat, hand in enumerate(guess.hands)]
        return Cards(tuple(card for hand in hands for card in sorted(hand)) + guess.opening)
    (dealt,) = [entry.outcome for entry in table.entries if isinstance(entry, Applied) and entry.outcome]
    piles = table.rules.parse(dealt)
    assert isinstance(piles, Piles)
    pile, two = piles.piles
    rounds = state.rounds  # one card each, because there was no war
    unseen = (*two[rounds:], *pile[rounds:])
    return Piles(((*pile[:rounds], *unseen[: len(pile) - rounds]), (*two[:rounds], *unseen[len(pile) - rounds :])))


async def insert_table(store: Store, log: Log) -> str:
    """Insert a table with this log and return its ID."""
    table, room, summary = new_id(), None, list_summary(log.room)
    for seq, batch in enumerate(log.batches):
        room = fold_log([(batch, None)]) if room is None else evolve(room, batch)
        row = Row(table=table, seq=seq, at=batch[-1].at, entries=dumps(batch), status=room.status)
        if seq:
            await store.append(row)
        else:
            now = store.now()
            await store.create(row, opened_at=now, listed=True, code=new_code(), summary=summary)
    return table


class ViewerRecorder:
    """Records the lines of one viewer, from a WebSocket and from an HTTP stream."""

    def __init__(self, connection: websockets.ClientConnection, stream: httpx.Response) -> None:
        self.lines: tuple[list[bytes], list[bytes]] = ([], [])
        self.answers: list[bytes] = []
        self.changed = asyncio.Event()
        self.connection = connection
        self.tasks = [
            asyncio.create_task(self._read_websocket(connection)),
            asyncio.create_task(self._read_stream(stream)),
        ]

    async def _read_websocket(self, connection: websockets.ClientConnection) -> None:
        async for frame in connection:
            assert isinstance(frame, str)
            for line in frame.encode().splitlines():
                if line.startswith((b'{"ack"', b'{"rejected"')):
                    self.answers.append(line)
                elif not line.startswith(b'{"ping"'):
                    self.lines[0].append(line)
            self.changed.set()

    async def _read_stream(self, stream: httpx.Response) -> None:
        async for line in stream.aiter_lines():
            if line:
                self.lines[1].append(line.encode())
                self.changed.set()

    async def ask(self, identifier: str, command: str, **fields: object) -> None:
        """Send a command and wait for the answer."""
        await self.connection.send(json.dumps({"id": identifier, "command": command, **fields}))
        await self.until(f'"{identifier}"'.encode(), self.answers)

    async def do(self, identifier: str, command: str, **fields: object) -> None:
        """Send a command that must be accepted."""
        await self.ask(identifier, command, **fields)
        assert self.answers[-1].startswith(b'{"ack"'), self.answers[-1]

    async def until(self, text: bytes, lines: list[bytes]) -> None:
        async with asyncio.timeout(60):
            while not any(text in line for line in lines):
                self.changed.clear()
                await self.changed.wait()


@asynccontextmanager
async def record(server: ListeningServer, table: str, client: httpx.AsyncClient) -> AsyncIterator[ViewerRecorder]:
    """Subscribe to the table as this client."""
    headers = (
        {"cookie": f"{SESSION_COOKIE}={client.cookies[SESSION_COOKIE]}"} if SESSION_COOKIE in client.cookies else {}
    )
    address = f"{server.base.replace('http', 'ws')}/api/tables/{table}/live"
    async with (
        websockets.connect(address, additional_headers=headers) as connection,
        client.stream("GET", f"/api/tables/{table}/stream") as stream,
    ):
        collected = ViewerRecorder(connection, stream)
        try:
            yield collected
        finally:
            for task in collected.tasks:
                task.cancel()
            await asyncio.gather(*collected.tasks, return_exceptions=True)


class Players:
    """A server, the players of its tables, and a spectator."""

    def __init__(self, server: ListeningServer, clients: list[httpx.AsyncClient], spectator: httpx.AsyncClient) -> None:
        self.server = server
        self.clients = clients
        self.spectator = spectator

    def client(self, viewer: Viewer) -> httpx.AsyncClient:
        return self.spectator if viewer is None else self.clients[viewer]

    async def play(self, table: str, viewer: Viewer, index: int) -> list[bytes]:
        """Play a few rounds and return everything the viewer received."""
        client = self.client(viewer)
        others = [seat for seat in range(len(self.clients)) if seat != viewer]
        async with AsyncExitStack() as stack:
            recorders = {
                seat: await stack.enter_async_context(record(self.server, table, self.client(seat)))
                for seat in {*range(len(self.clients)), viewer}
            }
            recorder = recorders[viewer]
            for collected in recorders.values():
                for lines in collected.lines:
                    await collected.until(b'"room"', lines)
            room_view = (await client.get(f"/api/tables/{table}")).json()["room"]
            to_act, decision = room_view["view"]["to_act"], room_view["decision"]
            for number, seat in enumerate(set(others) & set(to_act)):
                other_actions = (await self.client(seat).get(f"/api/tables/{table}")).json()["room"]["actions"]
                await self._mark(recorders[seat], seat, other_actions, decision, index)
                if number == 0 and len(to_act) > 1:  # the last choice would reveal all
                    choice = {"seat": seat, "decision": decision}
                    await recorders[seat].do("c", "choose", action=other_actions[-index], **choice)
                    if index and len(other_actions) > 1:
                        await recorders[seat].do("d", "choose", action=other_actions[0], **choice)
            received = [
                await self._send_commands(
                    recorder, client, table=table, viewer=viewer, other=others[0], room_view=room_view
                )
            ]
            for seat in others:
                await recorders[seat].do("end", "react", seat=seat, reaction="thanks")
                for lines in recorder.lines:
                    await recorder.until(b'"text":"%b: Thanks' % NAMES[seat].encode(), lines)
            paths = (
                "",
                "/drawing.svg",
                "/picture.png",
                "/backlog",
                "/hint",
                "/record",
                "/stream?after=999",
                "/nothing",
            )
            received += [await self._get(client, f"/api/tables/{table}{path}") for path in paths]
            received.append(await self._get(client, f"/t/{table}/preview.png"))
            assert b"200 \x89PNG" in received[-1]
            received.append(await self._get(client, f"/t/{table}"))
            assert b'"room":' in received[-1]
            assert b"og:description" in received[-1]
            assert normalize(recorder.lines[0], table) == normalize(recorder.lines[1], table), (
                "both channels carry the same lines"
            )
            return [*recorder.lines[0], *received]

    async def _mark(self, player: ViewerRecorder, seat: int, actions: list[str], decision: int, index: int) -> None:
        """Mark actions in the second table only."""
        if index:
            await player.do("m1", "mark", seat=seat, action=actions[0], decision=decision)
            await player.do("m2", "mark", seat=seat, action=None, decision=decision)
            await player.do("m3", "mark", seat=seat, action=actions[-1], decision=decision)

    async def _send_commands(
        self,
        recorder: ViewerRecorder,
        client: httpx.AsyncClient,
        *,
        table: str,
        viewer: Viewer,
        other: int,
        room_view: dict[str, Any],
    ) -> bytes:
        """Send allowed and forbidden commands as the viewer. Returns all answers."""
        decision, actions = room_view["decision"], room_view["actions"]
        own_seat = 0 if viewer is None else viewer
        commands: list[dict[str, Any]] = [
            {"command": "choose", "seat": other, "action": "play 1", "decision": decision},
            {"command": "choose", "seat": own_seat, "action": "play 104", "decision": decision},
            {"command": "choose", "seat": own_seat, "action": "nonsense", "decision": decision},
            {"command": "choose", "seat": own_seat, "action": "flip", "decision": decision + 1},
            {"command": "mark", "seat": own_seat, "action": actions[0] if actions else "play 1", "decision": decision},
            {"command": "unchoose", "seat": own_seat, "decision": decision},
            {"command": "unchoose", "seat": other, "decision": decision},
            {"command": "dance"},
        ]
        answers = []
        for number, body in enumerate(commands):
            await recorder.ask(
                f"t{number}", body["command"], **{name: body[name] for name in body if name != "command"}
            )
            answer = await client.post(f"/api/tables/{table}/commands", json={"id": f"h{number}", **body})
            answers.append(b"%d %b" % (answer.status_code, answer.content))
        return b"\n".join([*recorder.answers, *answers])

    async def _get(self, client: httpx.AsyncClient, path: str) -> bytes:
        async with client.stream("GET", path) as answer:
            if path.endswith("999"):
                return (await anext(answer.aiter_lines())).encode()
            return b"%d %b" % (answer.status_code, await answer.aread())


@asynccontextmanager
async def game_server(
    path: Path, seats: int, settings: Settings | None = None
) -> AsyncIterator[tuple[Players, Store, list[str]]]:
    """Yield a server with this many players, access to its database, and the players' IDs."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            listening_server(path, settings=settings, limits=ServerLimits(keep_alive=60))
        )
        clients = [await stack.enter_async_context(server.guest(name)) for name in NAMES[:seats]]
        spectator = await stack.enter_async_context(server.client())
        store = await Store.attach(f"sqlite:///{path}")
        stack.push_async_callback(store.close)
        first = await server.table(*clients, options={"seats": seats, "hand": 1} if seats > 2 else {})
        entries = [entry for row in await store.read(first) for entry in loads(row.entries)]
        ids = [entry.player for entry in entries if isinstance(entry, Seated)]
        yield Players(server, clients, spectator), store, ids


def normalize(lines: list[bytes], table: str) -> list[bytes]:
    """Replace the table's ID and times."""
    code = re.compile(rb'"code":"[A-Z]{5}"|/t/[A-Z]{5}')
    times = re.compile(rb'"(at|due|now|since|paused)":\d+')
    return [times.sub(rb'"\1":0', code.sub(b"CODE", line.replace(table.encode(), b"TABLE"))) for line in lines]


def first_choice(table: Table) -> bool:
    return table.decision == 0


def later_choice(table: Table) -> bool:
    return table.decision > 1 and len(table.deciders) > 1 and not getattr(table.state, "wars", 0)


def a_row(table: Table) -> bool:
    """Seat 1 has to take a row."""
    return table.deciders == (1,)


def log_in_phase(config: TableConfig, players: list[str], in_phase: Callable[[Table], bool]) -> Log:
    """Return the log of a game in this phase."""
    for seed in range(200):
        log = Log(config, players, seed)
        for _ in range(4):
            if in_phase(log.room.table):
                return log
            if log.room.status == "active":
                log.play_decision()
    raise AssertionError("none of 200 games reaches the phase")


GAMES = [
    (TableConfig(game="nimmt", options={"seats": 3, "hand": 4}, terms=NO_CLOCK), (first_choice, later_choice, a_row)),
    (TableConfig(game="war", options={"per_suit": 6}, terms=NO_CLOCK), (later_choice,)),
]


@pytest.mark.parametrize("phase", [first_choice, later_choice, a_row])
def test_turns_do_not_depend_on_hidden_information(phase: Callable[[Table], bool]) -> None:
    """Lists, streams and messages of turns have nothing but these values and the public summary of the table."""
    days = TableConfig(game="nimmt", options={"seats": 3, "hand": 4}, terms=Terms(clock=86_400_000))
    log = log_in_phase(days, list(NAMES), phase)
    for viewer in (0, None):
        other = log.with_other_deal(viewer)
        assert turns_of(log.room, 0) == turns_of(other.room, 0)
        assert list_summary(log.room) == list_summary(other.room)
        messages = []
        for index, variant in ((0, log), (-1, other)):
            room = variant.room
            seat = room.table.deciders[0]
            legal = room.table.rules.legal(room.table.state, seat)
            chosen = Choose(seat, room.table.rules.describe(legal[index]), room.table.decision)
            after = evolve(room, decide(room, chosen, variant.players[seat], 9_000, variant.rng))
            messages.append(turns_of(after, 0) if phase is not a_row else ())
        assert messages[0] == messages[1]


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(("config", "phases"), GAMES, ids=["6 nimmt!", "War"])
async def test_hidden_information_changes_no_byte_that_a_viewer_receives(
    config: TableConfig, phases: tuple[Callable[[Table], bool], ...], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "faceup")
    async with game_server(tmp_path / "t.sqlite", config.rules().seats) as (game, store, players):
        for phase in phases:
            log = log_in_phase(config, players, phase)
            for viewer in (0, None):
                received = []
                for index, variant in enumerate((log, log.with_other_deal(viewer))):
                    table = await insert_table(store, variant)
                    received.append(normalize(await game.play(table, viewer, index), table))
                assert received[0] == received[1], f"{phase.__name__}, viewer {viewer}"
                assert len(received[0]) > 6
    # The log names commands, but contains no actions.
    assert not re.search(r"play \d|deal \d|take row", caplog.text)


async def test_a_report_changes_no_byte_that_others_receive(tmp_path: Path) -> None:
    config = GAMES[0][0]
    async with game_server(tmp_path / "t.sqlite", config.rules().seats) as (game, store, players):
        log = log_in_phase(config, players, first_choice)
        for viewer in (1, 2, None):
            received = []
            for reason in ("", "cheating"):
                table = await insert_table(store, log)
                if reason:
                    report = {"seat": 1, "reason": reason}
                    answer = await game.client(0).post(f"/api/tables/{table}/reports", json=report)
                    assert answer.status_code == 200
                received.append(normalize(await game.play(table, viewer, 0), table))
            assert received[0] == received[1], f"viewer {viewer}"


@pytest.mark.parametrize("config", [config for config, _ in GAMES], ids=["6 nimmt!", "War"])
async def test_the_page_for_administration_does_not_depend_on_hidden_information(
    config: TableConfig, tmp_path: Path
) -> None:
    token = "a token for this test"  # noqa: S105 -- of this test
    settings = Settings(admin_port=1, admin_token=token)
    async with game_server(tmp_path / "t.sqlite", config.rules().seats, settings) as (game, store, players):
        page = httpx.ASGITransport(AdminPage(game.server.app.services))
        headers = {"origin": "http://localhost"}
        async with httpx.AsyncClient(transport=page, base_url="http://localhost", headers=headers) as admin:
            await admin.post("/login", data={"token": token})
            paths = sorted(path for route in ROUTES if "GET" in route.http_methods for path in route.paths)
            log, received = log_in_phase(config, players, later_choice), []
            for index, variant in enumerate((log, log.with_other_deal(None))):
                table = await insert_table(store, variant)
                table_path = f"/api/tables/{table}"
                client = game.client(0)
                view = (await client.get(table_path)).json()
                choice = {"seat": 0, "action": view["room"]["actions"][-index], "decision": view["room"]["decision"]}
                answer = await client.post(f"{table_path}/commands", json={"id": "c", "command": "choose", **choice})
                assert answer.status_code == 200
                async with record(game.server, table, client) as recorder:
                    await recorder.until(b'"room"', recorder.lines[0])
                    pages = [(await admin.get(path)).text for path in paths]
                assert sum(table in text for text in pages) == 1
                varies = re.compile(rf"{table}|{view['code']}|\d\d:\d\d(:\d\d)?|\d\.\d+ s")
                received.append([varies.sub("", text) for text in pages])
                await delete_tables(store, [table])
                await store.write(lambda connection: connection.execute(sa.delete(audit_log)))  # it has the deletion
            assert received[0] == received[1]


LOBBY = ("/api/online", "/api/watch")


@pytest.mark.parametrize("config", [config for config, _ in GAMES], ids=["6 nimmt!", "War"])
async def test_the_lists_of_the_lobby_do_not_depend_on_hidden_information(config: TableConfig, tmp_path: Path) -> None:
    """Neither cards nor choices of a public table change a byte of the people online and of the games to watch."""
    config = msgspec.structs.replace(config, listed=True)
    async with game_server(tmp_path / "t.sqlite", config.rules().seats) as (game, store, players):
        log, received = log_in_phase(config, players, later_choice), []
        services = game.server.app.services
        for index, variant in enumerate((log, log.with_other_deal(None))):
            table = await insert_table(store, variant)
            table_path = f"/api/tables/{table}"
            async with record(game.server, table, game.client(0)) as recorder:
                await recorder.until(b'"room"', recorder.lines[0])
                room = (await game.client(0).get(table_path)).json()["room"]
                if index:
                    await recorder.do("c", "choose", seat=0, action=room["actions"][-1], decision=room["decision"])
                    await recorder.do("m", "mark", seat=0, action=room["actions"][0], decision=room["decision"])
                    await recorder.do("u", "unchoose", seat=0, decision=room["decision"])
                await services.online.update()
                services.online.forget()
                services.watch_list.forget()
                answers = [(await game.spectator.get(path)).content for path in LOBBY]
            assert all(table.encode() in answer for answer in answers)
            received.append(normalize(answers, table))
            await delete_tables(store, [table])
            await game.server.hub.drop(table)
        assert received[0] == received[1]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "hidden",
    [{"listed": False}, {"listed": True, "spectator_delay": 600_000}, {"listed": False, "spectators": "nobody"}],
    ids=["not public", "delayed", "not public, no spectators"],
)
async def test_a_private_table_changes_no_byte_of_the_lists_of_the_lobby(
    hidden: dict[str, Any], tmp_path: Path
) -> None:
    """Two people are online. Nobody learns whether they play with each other, and a delay hides that a game started."""
    received = []
    for plays in (False, True):
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(listening_server(tmp_path / f"{plays}.sqlite"))
            clients = [await stack.enter_async_context(server.guest(name)) for name in NAMES[:2]]
            spectator = await stack.enter_async_context(server.client())
            if plays:
                table = await server.table(*clients, **hidden)
                for client in clients:
                    live = await stack.enter_async_context(server.live(table, client))
                    await live.until("room")
            await server.app.services.online.update()
            received.append([(await spectator.get(path)).content for path in LOBBY])
    assert received[0] == received[1]
    assert b'"count":2' in received[0][0]


async def play_to_the_end(client: httpx.AsyncClient, table: str) -> None:
    """Choose the first action of seat 0 in every decision."""
    while (room := (await client.get(f"/api/tables/{table}")).json()["room"])["status"] == "active":
        if room["actions"] and "choice" not in room:
            choice = {"seat": 0, "action": room["actions"][0], "decision": room["decision"]}
            body = {"id": f"{room['decision']}", "command": "choose", **choice}
            await client.post(f"/api/tables/{table}/commands", json=body)


PUBLIC_PATHS = {"/api/tables/{table}/link.svg"}
"""What everyone may request of a daily table: its link as a QR code, without anything about the game."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("finished", [False, True])
async def test_a_daily_table_gives_others_nothing_until_the_day_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: bool
) -> None:
    """All addresses of the table are requested, also those that are added later."""
    monkeypatch.setattr(daily_deals, "BOTS", ("random", "greedy", "lowest"))
    skew = [0]
    often = RateLimit(100_000, 1)
    limits = ServerLimits(requests=often, commands=often, studies=often)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.sqlite", limits=limits, skew=skew))
        ann, bo = [await stack.enter_async_context(server.guest(name)) for name in NAMES[:2]]
        spectator = await stack.enter_async_context(server.client())
        table, other = [(await client.post("/api/daily", json={})).json()["id"] for client in (ann, bo)]
        assert table != other
        for client, played in ((ann, table), (bo, other)) if finished else ():
            await play_to_the_end(client, played)
        api = (await spectator.get("/api/openapi.json")).json()
        paths = [path for path, item in api["paths"].items() if "{table}" in path and "get" in item]
        assert len(paths) > 8
        for client in (bo, spectator):
            for path in sorted({*paths} - PUBLIC_PATHS):
                for seat in ("", "?seat=0", "?seat=1"):
                    answer = await client.get(path.format(table=table) + seat)
                    assert answer.status_code in {400, 401, 403}, (path, seat, answer.status_code)
            assert b'"room":' not in (await client.get(f"/t/{table}")).content
            for command in ({"command": "sit"}, {"command": "rematch"}, {"command": "start"}):
                answer = await client.post(f"/api/tables/{table}/commands", json={"id": "x", **command})
                assert answer.status_code in {401, 403, 409}, command
            async with server.live(table, client) as live:
                assert "error" in (line := await live.line()) or line.get("end") == "no_spectators", line
        assert table not in (await spectator.get("/api/tables")).text

        handle = (await ann.get("/api/me")).json()["handle"]
        for client, path in ((ann, "/api/me"), (bo, f"/api/players/{handle}"), (spectator, f"/api/players/{handle}")):
            statistics = (await client.get(f"{path}/statistics")).json()
            assert (statistics["games"], statistics["variants"]) == (0, []), path

        # No answer has the secret of the day, also none for its players.
        store = await Store.attach(f"sqlite:///{tmp_path / 't.sqlite'}")
        stack.push_async_callback(store.close)
        query = sa.select(deal_rows.c.date, deal_rows.c.secret)
        days = await store.query(lambda connection: connection.execute(query).all())
        hidden = [
            text for day in days for text in (day.secret, daily_deal(day.date, bytes.fromhex(day.secret)).bot_key)
        ]
        for client in (ann, bo, spectator):
            for path in (
                "/api/daily",
                *(f"/api/daily/{day.date}" for day in days),
                f"/api/tables/{table}",
                f"/t/{table}",
            ):
                text = (await client.get(path)).text
                assert not any(secret in text for secret in hidden), path
        seen = (await ann.get(f"/api/tables/{table}")).json()["room"]
        assert "bot_key" not in json.dumps(seen)
        if not finished:
            assert all(name not in seen for name in ("result", "hands"))
        skew[0] += 3 * DAY
        assert (await bo.get(f"/api/tables/{table}/record")).status_code == (200 if finished else 403)
        assert hidden[0] in (await spectator.get(f"/api/daily/{days[0].date}")).text


async def test_no_answer_has_the_values_of_a_puzzle_before_the_player_has_answered_it(tmp_path: Path) -> None:
    """All addresses of puzzles are requested, also those that are added later."""
    async with AsyncExitStack() as stack:
        often = RateLimit(100_000, 1)
        server = await stack.enter_async_context(
            listening_server(tmp_path / "t.sqlite", limits=ServerLimits(requests=often, commands=often))
        )
        ann, bo = [await stack.enter_async_context(server.guest(name)) for name in NAMES[:2]]
        spectator = await stack.enter_async_context(server.client())
        api = (await spectator.get("/api/openapi.json")).json()
        paths = [path for path, item in api["paths"].items() if path.startswith("/api/puzzles") and "get" in item]
        assert {"/api/puzzles", "/api/puzzles/{puzzle}"} <= {*paths}
        for puzzle in package_puzzles()[::6]:
            answered = await ann.post(f"/api/puzzles/{puzzle.id}", json={"action": puzzle.best.action})
            verdict = answered.json()["puzzle"]["verdict"]
            assert verdict["options"][0]["action"] == puzzle.best.action
            hidden = [f'"{name}"' for name in ("behind", "risk", "reason", "lead", "found", "tries")]
            for client in (bo, spectator):
                for path in (*paths, "/puzzles/{puzzle}"):
                    text = (await client.get(path.format(puzzle=puzzle.id))).text
                    assert not any(name in text for name in hidden), (path, puzzle.id)
            shown = (await bo.get(f"/api/puzzles/{puzzle.id}")).json()
            assert {"hands", "deal"}.isdisjoint(shown["view"])
            refused = await bo.post(f"/api/puzzles/{puzzle.id}", json={"action": "play 200"})
            assert (refused.status_code, shown["verdict"]) == (400, None)
            assert not any(name in refused.text for name in hidden)


async def test_a_tournament_shows_nothing_of_a_table_that_is_playing(tmp_path: Path) -> None:
    """All addresses of tournaments are requested, also those that are added later, before and after secret choices."""
    async with AsyncExitStack() as stack:
        often = RateLimit(100_000, 1)
        limits = ServerLimits(requests=often, commands=often, tables=often)
        server = await stack.enter_async_context(listening_server(tmp_path / "t.sqlite", limits=limits))
        host, *people = [await stack.enter_async_context(server.guest(name)) for name in ("Host", *NAMES)]
        spectator = await stack.enter_async_context(server.client())
        secret_table = {**settings()["table"], "spectators": "nobody"}
        tournament = await create(host, table=secret_table)
        for person in people:
            await command(person, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        api = (await spectator.get("/api/openapi.json")).json()
        paths = [path for path, item in api["paths"].items() if path.startswith("/api/tournaments/") and "get" in item]
        assert "/api/tournaments/{tournament}" in paths
        table = (await view(people[0], tournament))["me"]["table"]

        async def everything(client: httpx.AsyncClient) -> list[str]:
            texts = [(await client.get(path.format(tournament=tournament))).text for path in paths]
            # An interruption of the server moves the times of a tournament, which is a new version.
            texts.append((await client.get("/api/me/tournaments")).text)
            return [re.sub(r'"(now|version|round_ends_at)":\d+', "", text) for text in texts]

        before = [await everything(client) for client in (host, people[1], spectator)]
        room = (await people[0].get(f"/api/tables/{table}")).json()["room"]
        choice = {"id": "1", "command": "choose", "seat": room["seat"], "decision": 0, "action": room["actions"][0]}
        assert (await people[0].post(f"/api/tables/{table}/commands", json=choice)).status_code == 200
        assert [await everything(client) for client in (host, people[1], spectator)] == before
        ids = await server.store.query(lambda connection: [*connection.execute(sa.select(players.c.id)).scalars()])
        shown = "".join(text for texts in before for text in texts)
        assert not [player for player in [*ids, *room["actions"]] if player in shown]
        for client in (host, spectator):
            assert (await client.get(f"/api/tables/{table}")).status_code == 403


async def test_no_address_of_parties_and_friends_shows_anything_of_a_game_without_spectators(tmp_path: Path) -> None:
    """A member of the party without a seat gets its page, its statistics, the inbox and the list of friends."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.sqlite"))
        ann, bo, cy = [await stack.enter_async_context(server.guest(name)) for name in NAMES]
        party = (await ann.post("/api/parties", json={"name": "Ours"})).json()["id"]
        key = (await ann.get(f"/api/parties/{party}")).json()["link"].rpartition("/")[2]
        for client in (bo, cy):
            assert (await client.post(f"/api/party-links/{key}", json={})).is_success
        config = {"game": "nimmt", "spectators": "nobody", "options": {"seats": 2, "hand": 2}, "terms": {"clock": None}}
        table = (await ann.post(f"/api/parties/{party}/tables", json={"config": config})).json()["id"]
        handle = (await cy.get("/api/me")).json()["handle"]
        assert (await ann.post("/api/invitations", json={"to": handle, "table": table})).is_success
        room = (await ann.get(f"/api/tables/{table}")).json()["room"]
        if room["status"] == "pending":  # a seat is reserved for each member who is here
            await ann.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "start"})
        room = (await ann.get(f"/api/tables/{table}")).json()["room"]
        assert room["status"] == "active"
        await ann.post(
            f"/api/tables/{table}/commands",
            json={
                "id": "2",
                "command": "choose",
                "seat": 0,
                "action": room["actions"][0],
                "decision": room["decision"],
            },
        )
        assert (await cy.get(f"/api/tables/{table}")).status_code == 403
        own = (f"/api/parties/{party}", f"/api/parties/{party}/statistics", f"/api/parties/{party}/games")
        for path in (*own, f"/api/tables/{table}/party", "/api/parties", "/api/inbox", "/api/friends"):
            answer = await cy.get(path)
            assert answer.is_success, answer.text
            hidden = ('hand":[', "rows", "actions", "choice", "chosen", "view", "heads", *room["actions"])
            assert not [text_part for text_part in hidden if text_part in answer.text], path

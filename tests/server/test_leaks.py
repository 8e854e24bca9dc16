"""Over real wires, what reaches a player or a spectator does not depend on what is hidden from it.

Two tables of one server, the same people at both. At the second, everything is otherwise that the viewer may not know:
the others' cards, what they mark, what they seal and how often they think again. Then all that the viewer gets, on all
channels, is the same bytes, but for the tables' names and the time.
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
import pytest
import websockets
from tests.server.inside import Wired, wired

from faceup.core import Outcome, generator
from faceup.core.record import Applied, Terms
from faceup.games.nimmt.state import Deal as Cards
from faceup.games.war import Deal as Piles
from faceup.server.api import Limits
from faceup.server.api.cookies import NAME
from faceup.server.rooms import (
    Append,
    Choose,
    Opening,
    Room,
    Seated,
    Sit,
    Viewer,
    decide,
    dumps,
    evolve,
    loads,
    opened,
    room_from,
)
from faceup.server.store import Append as Row
from faceup.server.store import Store, new_code, new_id
from faceup.table import Table

PEOPLE = ("Ann", "Bo", "Cy")
NOTHING = Terms()


class Log:
    """The log of a game as far as it goes."""

    def __init__(self, opening: Opening, players: list[str], seed: int) -> None:
        self.rng = generator(seed)
        self.appends: list[Append] = [opened(opening, players[0], PEOPLE[0], self.rng)]
        self.players = players
        for seat in range(1, self.room.table.rules.seats):
            self.add(decide(self.room, Sit(PEOPLE[seat]), players[seat], 0, self.rng))

    @property
    def room(self) -> Room:
        return room_from((append, None) for append in self.appends)

    def add(self, append: Append) -> None:
        self.appends.append(append)

    def turn(self) -> None:
        """Everybody chooses its first action."""
        before = self.room.table
        for seat in before.deciders:
            room = self.room
            action = room.table.rules.legal(room.table.state, seat)[0]
            choose = Choose(seat, room.table.rules.describe(action), before.decision)
            self.add(decide(room, choose, self.players[seat], 0, self.rng))

    def otherwise(self, viewer: Viewer) -> "Log":
        """The same log but for what the viewer may not know: another deal, in which the same has been played."""
        table = self.room.table
        other = object.__new__(Log)
        other.rng, other.players = self.rng, self.players
        dealt = Applied(0, outcome=table.rules.describe(_another_deal(table, viewer)))
        other.appends = [
            tuple(dealt if isinstance(entry, Applied) and "deal" in entry.outcome else entry for entry in append)
            for append in self.appends
        ]
        assert other.appends != self.appends
        assert table.rules.view(other.room.table.state, viewer) == table.rules.view(table.state, viewer)
        return other


def _another_deal(table: Table, viewer: Viewer) -> Outcome:
    """A deal of which the viewer has seen the same."""
    state: Any = table.state  # each game has its own
    if table.rules.game == "nimmt":
        guess = table.rules.guess(table.rules.view(state, viewer), generator(99))
        hands = [[*hand, *(turn.plays[seat] for turn in state.log)] for seat, hand in enumerate(guess.hands)]
        return Cards(tuple(card for hand in hands for card in sorted(hand)) + guess.opening)
    (dealt,) = [entry.outcome for entry in table.entries if isinstance(entry, Applied) and entry.outcome]
    piles = table.rules.parse(dealt)
    assert isinstance(piles, Piles)
    one, two = piles.piles
    turned = state.rounds  # a card each: no round of it was a war
    unseen = (*two[turned:], *one[turned:])
    return Piles(((*one[:turned], *unseen[: len(one) - turned]), (*two[:turned], *unseen[len(one) - turned :])))


async def kept(store: Store, log: Log) -> str:
    """The id of a table with this log."""
    table, room = new_id(), None
    for seq, append in enumerate(log.appends):
        room = room_from([(append, None)]) if room is None else evolve(room, append)
        row = Row(table=table, seq=seq, at=append[-1].at, entries=dumps(append), status=room.status)
        if seq:
            await store.append(row)
        else:
            now = await store.now()
            await store.create(row, opened_at=now, listed=True, code=new_code(), summary=b"{}")
    return table


class Ear:
    """All that one viewer gets of one table, over a WebSocket and over a stream of its own."""

    def __init__(self, connection: websockets.ClientConnection, stream: httpx.Response) -> None:
        self.lines: tuple[list[bytes], list[bytes]] = ([], [])
        self.answers: list[bytes] = []
        self.news = asyncio.Event()
        self.connection = connection
        self.tasks = [asyncio.create_task(self._hear(connection)), asyncio.create_task(self._read(stream))]

    async def _hear(self, connection: websockets.ClientConnection) -> None:
        async for frame in connection:
            assert isinstance(frame, str)
            for line in frame.encode().splitlines():
                if line.startswith((b'{"ack"', b'{"refused"')):
                    self.answers.append(line)
                elif not line.startswith(b'{"ping"'):
                    self.lines[0].append(line)
            self.news.set()

    async def _read(self, stream: httpx.Response) -> None:
        async for line in stream.aiter_lines():
            if line:
                self.lines[1].append(line.encode())
                self.news.set()

    async def ask(self, identifier: str, command: str, **fields: object) -> None:
        """Send a command, and wait for the answer."""
        await self.connection.send(json.dumps({"id": identifier, "do": command, **fields}))
        await self.until(f'"{identifier}"'.encode(), self.answers)

    async def do(self, identifier: str, command: str, **fields: object) -> None:
        """Send a command that is accepted."""
        await self.ask(identifier, command, **fields)
        assert self.answers[-1].startswith(b'{"ack"'), self.answers[-1]

    async def until(self, what: bytes, among: list[bytes]) -> None:
        async with asyncio.timeout(20):
            while not any(what in line for line in among):
                self.news.clear()
                await self.news.wait()


@asynccontextmanager
async def ear(server: Wired, table: str, who: httpx.AsyncClient) -> AsyncIterator[Ear]:
    """Listen at the table as this client."""
    headers = {"cookie": f"{NAME}={who.cookies[NAME]}"} if NAME in who.cookies else {}
    address = f"{server.base.replace('http', 'ws')}/api/tables/{table}/live"
    async with (
        websockets.connect(address, additional_headers=headers) as connection,
        who.stream("GET", f"/api/tables/{table}/stream") as stream,
    ):
        heard = Ear(connection, stream)
        try:
            yield heard
        finally:
            for task in heard.tasks:
                task.cancel()
            await asyncio.gather(*heard.tasks, return_exceptions=True)


class House:
    """A server, the people at its tables, and somebody who looks on."""

    def __init__(self, server: Wired, people: list[httpx.AsyncClient], nobody: httpx.AsyncClient) -> None:
        self.server = server
        self.people = people
        self.nobody = nobody

    def client(self, viewer: Viewer) -> httpx.AsyncClient:
        return self.nobody if viewer is None else self.people[viewer]

    async def world(self, table: str, viewer: Viewer, index: int) -> list[bytes]:
        """Play on a little, and give back all that the viewer got."""
        me = self.client(viewer)
        others = [seat for seat in range(len(self.people)) if seat != viewer]
        async with AsyncExitStack() as stack:
            ears = {
                seat: await stack.enter_async_context(ear(self.server, table, self.client(seat)))
                for seat in {*range(len(self.people)), viewer}
            }
            mine = ears[viewer]
            for heard in ears.values():
                for lines in heard.lines:
                    await heard.until(b'"sight"', lines)
            sight = (await me.get(f"/api/tables/{table}")).json()["sight"]
            to_act, decision = sight["view"]["to_act"], sight["decision"]
            for number, seat in enumerate(set(others) & set(to_act)):
                theirs = (await self.client(seat).get(f"/api/tables/{table}")).json()["sight"]["words"]
                await self._hidden(ears[seat], seat, theirs, decision, index)
                if number == 0 and len(to_act) > 1:  # the last choice of all would turn everything up
                    choice = {"seat": seat, "decision": decision}
                    await ears[seat].do("c", "choose", action=theirs[-index], **choice)
                    if index and len(theirs) > 1:
                        await ears[seat].do("d", "choose", action=theirs[0], **choice)
            told = [await self._asked(mine, me, table=table, viewer=viewer, other=others[0], sight=sight)]
            for seat in others:
                await ears[seat].do("end", "react", seat=seat, reaction="thanks")
                for lines in mine.lines:
                    await mine.until(b'"words":"%b: Thanks' % PEOPLE[seat].encode(), lines)
            paths = ("", "/drawing.svg", "/past", "/record", "/stream?after=999", "/nothing")
            told += [await self._got(me, f"/api/tables/{table}{path}") for path in paths]
            told.append(await self._got(me, f"/t/{table}"))
            assert b'"sight":' in told[-1]
            assert plain(mine.lines[0], table) == plain(mine.lines[1], table), "both channels carry the same lines"
            return [*mine.lines[0], *told]

    async def _hidden(self, theirs: Ear, seat: int, words: list[str], decision: int, index: int) -> None:
        """What the others do in one world alone."""
        if index:
            await theirs.do("m1", "mark", seat=seat, action=words[0], decision=decision)
            await theirs.do("m2", "mark", seat=seat, action=None, decision=decision)
            await theirs.do("m3", "mark", seat=seat, action=words[-1], decision=decision)

    async def _asked(
        self, mine: Ear, me: httpx.AsyncClient, *, table: str, viewer: Viewer, other: int, sight: dict[str, Any]
    ) -> bytes:
        """The answers to what the viewer may ask, and to what it may not."""
        decision, words = sight["decision"], sight["words"]
        own = 0 if viewer is None else viewer
        tries: list[dict[str, Any]] = [
            {"do": "choose", "seat": other, "action": "play 1", "decision": decision},
            {"do": "choose", "seat": own, "action": "play 104", "decision": decision},
            {"do": "choose", "seat": own, "action": "nonsense", "decision": decision},
            {"do": "choose", "seat": own, "action": "flip", "decision": decision + 1},
            {"do": "mark", "seat": own, "action": words[0] if words else "play 1", "decision": decision},
            {"do": "unchoose", "seat": own, "decision": decision},
            {"do": "unchoose", "seat": other, "decision": decision},
            {"do": "dance"},
        ]
        got = []
        for number, body in enumerate(tries):
            await mine.ask(f"t{number}", body["do"], **{name: body[name] for name in body if name != "do"})
            answer = await me.post(f"/api/tables/{table}/commands", json={"id": f"h{number}", **body})
            got.append(b"%d %b" % (answer.status_code, answer.content))
        return b"\n".join([*mine.answers, *got])

    async def _got(self, me: httpx.AsyncClient, path: str) -> bytes:
        async with me.stream("GET", path) as answer:
            if path.endswith("999"):
                return (await anext(answer.aiter_lines())).encode()
            return b"%d %b" % (answer.status_code, await answer.aread())


@asynccontextmanager
async def house(path: Path, seats: int) -> AsyncIterator[tuple[House, Store, list[str]]]:
    """A server with so many people, a way into its database, and the people's ids."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(wired(path, limits=Limits(keep_alive=60)))
        people = [await stack.enter_async_context(server.guest(name)) for name in PEOPLE[:seats]]
        nobody = await stack.enter_async_context(server.client())
        store = await Store.visit(f"sqlite:///{path}")
        stack.push_async_callback(store.close)
        first = await server.table(*people, options={"seats": seats, "hand": 1} if seats > 2 else {})
        entries = [entry for row in await store.read(first) for entry in loads(row.entries)]
        ids = [entry.player for entry in entries if isinstance(entry, Seated)]
        yield House(server, people, nobody), store, ids


def plain(lines: list[bytes], table: str) -> list[bytes]:
    """Without the table's name, and without times."""
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


def reached(opening: Opening, players: list[str], there: Callable[[Table], bool]) -> Log:
    """A game in that phase."""
    for seed in range(200):
        log = Log(opening, players, seed)
        for _ in range(4):
            if there(log.room.table):
                return log
            if log.room.status == "active":
                log.turn()
    raise AssertionError("no game of two hundred comes there")


GAMES = [
    (Opening(game="nimmt", options={"seats": 3, "hand": 4}, terms=NOTHING), (first_choice, later_choice, a_row)),
    (Opening(game="war", options={"per_suit": 6}, terms=NOTHING), (later_choice,)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("opening", "phases"), GAMES, ids=["6 nimmt!", "War"])
async def test_a_viewer_gets_the_same_bytes_on_every_channel_whatever_is_hidden_from_it(
    opening: Opening, phases: tuple[Callable[[Table], bool], ...], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "faceup")
    async with house(tmp_path / "t.sqlite", opening.rules().seats) as (rooms, store, players):
        for phase in phases:
            log = reached(opening, players, phase)
            for viewer in (0, None):
                told = []
                for index, world in enumerate((log, log.otherwise(viewer))):
                    table = await kept(store, world)
                    told.append(plain(await rooms.world(table, viewer, index), table))
                assert told[0] == told[1], f"{phase.__name__}, viewer {viewer}"
                assert len(told[0]) > 6
    # What a log says of commands is what they were, not what was in them.
    assert not re.search(r"play \d|deal \d|take row", caplog.text)

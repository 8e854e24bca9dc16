"""Play at ten thousand tables as people do: `python -m benchmarks.online_crowd [--tables N] [--processes N]`.

Each table is a copy of one game of two people without a clock, who choose every ten seconds. The server has one core,
with SQLite, and the clients have another one. Several server processes share a PostgreSQL and all cores, and the two
players of a table are connected to different ones. CPU times are counted apart. Each seat has a WebSocket, so there are
fewer tables if the system does not let a process open as many files.
"""

import argparse
import resource
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, NamedTuple

from benchmarks import online_faceup
from benchmarks.__main__ import machine
from benchmarks.arena import on_core
from benchmarks.interleave import Row, table
from benchmarks.online import DEALS, run_in_loop, serving
from benchmarks.online_load import Figures, Table, as_people_choose, seated
from benchmarks.online_processes import Server
from benchmarks.restart import copy_table
from faceup.core.record import Terms
from faceup.server.accounts.players import create_guest
from faceup.server.accounts.sessions import create_session
from faceup.server.live import TableHub
from faceup.server.rooms import Sit, TableConfig
from faceup.server.store import Store, new_id

SEATS: Final = 2
THINKING: Final = 6.3
"""The median of the seconds that a person thinks. The slower one of two then takes ten seconds on average."""
SPARE_FILES: Final = 150
"""Files that a server or client opens besides the sockets."""


class Crowd(NamedTuple):
    """The figures of a run.

    Attributes:
        played: what the clients measured.
        servers: seconds of CPU time of the servers.
        clients: the same for the clients.
        memory: bytes that the tables take in all servers, with their sockets.
    """

    played: Figures
    servers: float
    clients: float
    memory: int


def allowed_tables(most: int) -> int:
    """Let this process open as many files as it may, and return for how many tables they suffice, at most `most`."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return most if hard == resource.RLIM_INFINITY else min(most, (hard - SPARE_FILES) // SEATS)


async def create(url: str, count: int) -> tuple[list[str], list[str]]:
    """Create tables in a database. Return their IDs, and the session keys of the two players."""
    store = await Store.open(url)
    hub, keys, players = TableHub(store), [], []
    await hub.start()
    for name in ("Ann", "Bo"):
        players.append((await store.write(partial(create_guest, now=store.now(), name=name))).id)
        session = await store.write(partial(create_session, now=store.now(), player=players[-1], device=""))
        keys.append(session.key)
    terms = Terms(clock=None, autoplay="lowest")
    config = TableConfig(game="nimmt", options={"seats": SEATS, "deals": DEALS}, terms=terms, grace=600_000)
    first = (await hub.create(config, players[0], "Ann")).table
    await hub.send(first, Sit("Bo"), id="sit", player=players[1])
    tables = [first, *(new_id() for _ in range(count - 1))]
    await store.write(partial(copy_table, tables=tables))
    await hub.stop()
    await store.close()
    return tables, keys


async def play(servers: Sequence[Server], ids: Sequence[str], keys: Sequence[str], seconds: float) -> Crowd:
    """Connect both players to all tables, and let them choose."""

    def cpu() -> float:
        return sum(server.cpu() for server in servers)

    def memory() -> int:
        return sum(server.memory() for server in servers)

    turn: list[Callable[[Table], None]] = [lambda _: None]
    before = memory()
    players = [(servers[seat % len(servers)].port, key) for seat, key in enumerate(keys)]
    clients = [[online_faceup.Client(port, table, key) for port, key in players] for table in ids]
    tables = await seated(clients, lambda table: turn[0](table))  # noqa: PLW0108 -- it is another one later

    servers_before, clients_before = cpu(), process_time()
    played = await as_people_choose(tables, seconds, turn, thinking=THINKING)
    used, clients_used = cpu() - servers_before, process_time() - clients_before
    taken = memory() - before
    for seated_table in tables:
        seated_table.close()
    return Crowd(played, used, clients_used, taken)


def rows(crowd: Crowd, tables: int) -> list[Row]:
    """Return the table's rows."""
    played, choices = crowd.played, len(crowd.played.waits)
    answers, waits = sorted(played.answers), sorted(played.waits)
    figures = {
        "choices": (played.choices / played.seconds, "/s"),
        "servers' processor for a choice": (1e6 * crowd.servers / choices, "us"),
        "clients' processor for a choice": (1e6 * crowd.clients / choices, "us"),
        "memory of a table with its sockets": (crowd.memory / tables / 1024, "KiB"),
        "messages for a choice": (played.messages, ""),
        "half of the choices answered within": (1e3 * answers[len(answers) // 2], "ms"),
        "99 of 100 answered within": (1e3 * answers[int(0.99 * len(answers))], "ms"),
        "999 of 1,000 answered within": (1e3 * answers[int(0.999 * len(answers))], "ms"),
        "99 of 100 seen by both within": (1e3 * waits[int(0.99 * len(waits))], "ms"),
    }
    return [Row(name, unit, [figure]) for name, (figure, unit) in figures.items()]


@contextmanager
def crowded(count: int, processes: int) -> Iterator[tuple[list[Server], list[str], list[str]]]:
    """Yield running servers, the IDs of their tables, and the session keys of the two players."""
    with ExitStack() as stack:
        if processes == 1:
            url = f"sqlite:///{stack.enter_context(TemporaryDirectory(prefix='faceup-'))}/tables.sqlite"
        else:
            from tests.server.postgresql import PostgreSQL  # noqa: PLC0415 -- which one process does without

            database = PostgreSQL().start()
            stack.callback(database.remove)
            url = stack.enter_context(database.database())
        ids, keys = run_in_loop(create(url, count))
        core = 0 if processes == 1 else None
        servers = [stack.enter_context(serving(online_faceup, url, core)) for _ in range(processes)]
        if processes == 1:
            stack.enter_context(on_core(1))
        yield servers, ids, keys


def main() -> None:
    """Print the table of one run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.online_crowd", description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000, help="tables of two (10,000)")
    parser.add_argument("--seconds", type=float, default=60.0, help="duration (60)")
    parser.add_argument("--processes", type=int, default=1, help="server processes, with PostgreSQL if several (1)")
    asked = parser.parse_args()
    count = allowed_tables(asked.tables)
    with crowded(count, asked.processes) as (servers, ids, keys):
        crowd = run_in_loop(play(servers, ids, keys, asked.seconds))
    print(
        f"{machine()}\n{count:,} tables of {SEATS}, server processes: {asked.processes}\n\n{table(rows(crowd, count))}"
    )


if __name__ == "__main__":
    main()

"""Start servers quickly: a process that has imported everything forks one for each start.

    python -m tests.server.kills.fork_server
    python -m tests.server.kills.fork_server PORT DATABASE

Each line of standard input, `PORT DATABASE`, starts a server and is answered with its PID; arguments start one without
a fork. The server is `faceup serve` with shorter timeouts: ten seconds become half a second.
"""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from tests.server.app_server import built

from faceup.server.http.middleware import App
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.live import Timeouts
from faceup.server.process.settings import Settings
from faceup.server.process.uvicorn_server import Application, run

TIMEOUTS = Timeouts(think_time=(0, 0), handover=2_000, reconnect=500, sweep=100, poll=200)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Application]:
    """Open one server."""
    limits = ServerLimits(commands=RateLimit(10_000, 10_000))
    async with built(settings.database_url, settings, limits, TIMEOUTS) as server:
        yield Application(cast("App", server.app), server.hub.stop)


def serve(port: str, database: str) -> None:
    """Serve until stopped."""
    settings = Settings(port=int(port), database=database).without_limits()
    run(settings, opened(settings), lambda _port: write_line("ready"))


async def warm_up() -> None:
    """Start and stop a server, so that forked ones need not import what it imports late."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Settings(database=f"{folder}/tables.sqlite")):
            pass


def write_line(what: object) -> None:
    """Write a line to the parent process."""
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def main() -> None:
    """Fork servers until the input ends."""
    if sys.argv[1:]:
        serve(*sys.argv[1:])
        return
    asyncio.run(warm_up())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reap killed children automatically
    for line in sys.stdin:
        if child := os.fork():
            write_line(child)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(1)
        os.open(os.devnull, os.O_WRONLY)
        serve(*line.split())
        os._exit(0)


if __name__ == "__main__":
    main()

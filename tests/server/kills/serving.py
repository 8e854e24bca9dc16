"""Servers that are started again and again: a program that has imported everything, and forks one for each start.

    python -m tests.server.kills.serving
    python -m tests.server.kills.serving PORT DATABASE

Each line on its standard input, `PORT DATABASE`, starts a server, whose number is answered on a line; given as
arguments they start one without a fork. The server is `faceup serve` with the patience of tests: what is ten seconds
for people is half a second here.
"""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from tests.server.inside import built

from faceup.server.api import Limits
from faceup.server.api.front import App
from faceup.server.api.limits import Rate
from faceup.server.desk import Patience
from faceup.server.running import Served, run
from faceup.server.settings import Settings

PATIENCE = Patience(think=(0, 0), handover=2_000, reconnect=500, sweep=100, poll=200)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Served]:
    """One server from the opening of its database to the closing."""
    plenty = Limits(commands=Rate(10_000, 10_000))
    async with built(settings.database_url, settings, plenty, PATIENCE) as house:
        yield Served(cast("App", house.app), house.desk.stop)


def serve(port: str, database: str) -> None:
    """Serve until the end."""
    settings = Settings(port=int(port), database=database)
    run(settings, opened(settings), lambda _port: say("ready"))


def say(what: object) -> None:
    """A line to whoever started us."""
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def main() -> None:
    """Fork servers until nobody asks for more."""
    if sys.argv[1:]:
        serve(*sys.argv[1:])
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those that were killed leave nothing behind
    for line in sys.stdin:
        if child := os.fork():
            say(child)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(1)
        os.open(os.devnull, os.O_WRONLY)
        serve(*line.split())
        os._exit(0)


if __name__ == "__main__":
    main()

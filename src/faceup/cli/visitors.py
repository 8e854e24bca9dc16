"""What the commands share that send a player to a server: who it is, and what it says on the way."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from faceup.server.client import Client, Live


def add_visitor(parser: ArgumentParser) -> None:
    """Who the player is."""
    parser.add_argument("--seat", type=int, metavar="N", help="which seat, counted from 0; the first that is free")
    parser.add_argument("--name", metavar="X", help="what to be called at the table")
    parser.add_argument("--token", metavar="T", help="the player's token; without one, a new guest comes in")
    parser.add_argument("--session", metavar="KEY", help="of a guest who was there before, and whose seat is kept")


def client_of(arguments: Namespace, server: str) -> "Client":
    """The client that the options say."""
    from faceup.server.client import Client

    return Client(server, token=arguments.token, key=arguments.session)


def run(visit: "Coroutine[Any, Any, None]", client: "Client", again: str) -> None:
    """Run a visit. Ctrl-C ends it politely, and says how to come back.

    Args:
        visit: what is done there.
        client: whose session is to be used again.
        again: the command, to which the session is added.
    """
    import asyncio
    import signal

    async def until_stopped() -> None:
        task = asyncio.current_task()
        if task is not None and os.name == "posix":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await visit

    try:
        asyncio.run(until_stopped())
    except (KeyboardInterrupt, asyncio.CancelledError):
        session = f" --session {client.key}" if client.key else ""
        print(f"\nLeft the table. To go on: {again}{session}", file=sys.stderr)
        sys.exit(130)


def said(live: "Live") -> str:
    """How a game ended, in a sentence."""
    names = [player["name"] if player else f"Seat {seat}" for seat, player in enumerate(live.sight["seats"])]
    result = live.sight.get("result")
    if live.status != "finished" or result is None or live.seat is None:
        return f"The table is {live.status or 'gone'}."
    best = [name for name, rank in zip(names, result["ranks"], strict=True) if rank == 1]
    mine = result["ranks"][live.seat]
    points = result["scores"][live.seat]
    won = f"{' and '.join(best)} {'win' if len(best) > 1 else 'wins'}"
    return f"{won}; {names[live.seat]} is in place {mine} of {len(names)}, with {points}."

"""Functions that fetch documents from a server, and the options of all commands that join a table."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final

from faceup.cli.words import text

LONGEST: Final = 64 << 20
"""The maximum size of a response in bytes, so that a server cannot exhaust memory."""


def check_url(url: str) -> None:
    """Raise `Malformed` unless this is the address of a web server."""
    from faceup.core import Malformed

    if not url.startswith(("http://", "https://")):
        raise Malformed(f"URL must start with http:// or https://; got {url}", what=url, where="URL")


def fetch(url: str, what: str) -> bytes:
    """Return the content at a URL.

    Args:
        url: http or https.
        what: the name of the expected content, for the error message.

    Raises:
        Malformed: the URL is invalid, cannot be reached, or answers with an error.
    """
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    from faceup.core import Malformed

    check_url(url)
    try:
        with urlopen(Request(url, headers={"Accept": "application/json"}), timeout=30) as answer:  # noqa: S310 -- as checked
            text: bytes = answer.read(LONGEST)
            return text
    except HTTPError as error:
        error.close()
        why = f"answered {error.code} {error.reason} instead of {what}"
    except (HTTPException, OSError, ValueError) as error:
        why = f"cannot be reached: {getattr(error, 'reason', error)}"
    raise Malformed(f"{url} {why}", what=url, where="URL")


if TYPE_CHECKING:
    from faceup.server.client import Client, LiveTable


def add_client_options(parser: ArgumentParser) -> None:
    """Add the options that identify the player."""
    parser.add_argument("--seat", type=int, metavar="N", help="seat, counted from 0 (default: the first free seat)")
    parser.add_argument("--name", metavar="X", help="display name at the table")
    parser.add_argument("--token", metavar="T", help="access token of a player (default: join as a new guest)")
    parser.add_argument("--session", metavar="KEY", help="session key of a guest, to return to the guest's seat")


def create_client(arguments: Namespace, server: str) -> "Client":
    """Return a client for the server, which uses the access token and the session key of the options."""
    from faceup.server.client import Client

    return Client(server, token=arguments.token, key=arguments.session)


def run(visit: "Coroutine[Any, Any, None]", client: "Client", again: str) -> None:
    """Run a coroutine that plays at a table; on Ctrl-C, leave the table and print the command that rejoins it.

    Args:
        visit: the coroutine.
        client: the client of the table; the printed command contains its session key.
        again: the command to print, without the session key.
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
        print(f"\n{text('bot.left', command=f'{again}{session}')}", file=sys.stderr)
        sys.exit(130)


def seated_text(name: str, live: "LiveTable", link: str) -> str:
    """Return a sentence about the seat that a player has taken, which counts from 0 as in `--seat`."""
    return text("bot.sits", name=name, seat=live.seat or 0, link=link)


def describe_result(live: "LiveTable") -> str:
    """Return a sentence about the end of the game."""
    from faceup.translations import join_names, translate
    from faceup.translations.environment import environment_language

    language = environment_language()
    names = [
        player["name"] if player else translate(language, "site.seat", number=seat + 1)
        for seat, player in enumerate(live.room["seats"])
    ]
    result = live.room.get("result")
    if live.status != "finished" or result is None or live.seat is None:
        return text("bot.table", context=live.status)
    best = [name for name, rank in zip(names, result["ranks"], strict=True) if rank == 1]
    return text(
        "bot.result",
        winners=join_names(language, best),
        count=len(best),
        name=names[live.seat],
        place=result["ranks"][live.seat],
        seats=len(names),
        score=result["scores"][live.seat],
    )

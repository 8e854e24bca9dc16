"""`faceup ladder`: who leads on a server."""

from argparse import Namespace
from typing import Any

from faceup.cli.options import Commands, add_json, command


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "ladder",
        "show who plays how well on a server",
        ladder,
        examples=(
            "faceup ladder https://games.example",
            "faceup ladder https://games.example nimmt:classic --json",
        ),
    )
    parser.add_argument("url", metavar="URL", help="the server's address")
    parser.add_argument("game", nargs="?", default="nimmt", metavar="GAME[:VARIANT]", help="such as nimmt:classic")
    add_json(parser)


def ladder(arguments: Namespace) -> None:
    """Ask the server, and show its answer."""
    from urllib.parse import quote

    import msgspec

    from faceup.cli.fetching import fetched
    from faceup.core import Malformed

    game, _, variant = arguments.game.partition(":")
    url = f"{arguments.url.rstrip('/')}/api/ladder?game={quote(game)}&variant={quote(variant)}"
    try:
        found: dict[str, Any] = msgspec.json.decode(fetched(url, "a ladder"), type=dict[str, Any])  # Any: JSON
        if arguments.json:
            print(msgspec.json.encode(found).decode())
        else:
            _show(found)
    except (msgspec.DecodeError, LookupError, TypeError) as error:
        raise Malformed(f"{url} answers something else than a ladder", what=url, where="URL") from error


def _show(found: dict[str, Any]) -> None:  # Any: JSON
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{found['game']}:{found['variant']}", title_style="bold", box=None, pad_edge=False)
    for title in ("", "who", "rating", "games", "won"):
        table.add_column(title, justify="left" if title == "who" else "right")
    for rung in found["rungs"]:
        who = rung["who"]
        shown = Text(who["name"]) if who.get("bot") is None else Text(f"{who['name']} (bot)", style="dim")
        won = f"{100 * rung['wins'] / rung['games']:.0f}%"
        table.add_row(str(rung["place"]), shown, f"{rung['rating']:.1f}", str(rung["games"]), won)
    console = Console(highlight=False)
    if found["rungs"]:
        console.print(table)
    else:
        console.print(f"Nobody has played {found['least']} rated games of {found['game']}:{found['variant']} yet.")

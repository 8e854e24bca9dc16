"""`faceup ladder`: show a server's leaderboard."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from faceup.cli.options import Commands, add_json, add_language, command
from faceup.cli.output import print_json
from faceup.cli.words import text


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "ladder",
        "show a server's leaderboard",
        ladder,
        examples=(
            "faceup ladder https://games.example",
            "faceup ladder https://games.example nimmt:classic --json",
            "faceup ladder https://games.example niuniu",
        ),
    )
    parser.add_argument("url", metavar="URL", help="the server's address")
    parser.add_argument("game", nargs="?", default="nimmt", metavar="GAME[:VARIANT]", help="such as nimmt:classic")
    add_language(parser)
    add_json(parser)


def ladder(arguments: Namespace) -> None:
    """Fetch the leaderboard and print it."""
    from urllib.parse import quote

    import msgspec

    from faceup.cli.online import check_url, fetch
    from faceup.core import Malformed

    check_url(arguments.url)
    game, _, variant = arguments.game.partition(":")
    url = f"{arguments.url.rstrip('/')}/api/ladder?game={quote(game)}&variant={quote(variant)}"
    try:
        answer: dict[str, Any] = msgspec.json.decode(fetch(url, "a ladder"), type=dict[str, Any])  # Any: JSON
        if arguments.json:
            print_json(answer)
        else:
            _show(answer)
    except (msgspec.DecodeError, LookupError, TypeError) as error:
        raise Malformed(f"the answer of {url} is not a leaderboard", what=url, where="URL") from error


def _show(answer: dict[str, Any]) -> None:  # Any: JSON
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from faceup.terminal.words import message

    variant = f"{answer['game']}:{answer['variant']}"
    table = Table(title=variant, title_style="bold", box=None, pad_edge=False)
    by_hands = answer["by"] == "hands"
    for title in ("place", "player", *(("mean", "hands", "baozi") if by_hands else ("rating", "games", "wins"))):
        table.add_column(message(f"shell.ladder.{title}"), justify="left" if title == "player" else "right")
    rows = answer["hands" if by_hands else "ladder_rows"]
    for row in rows:
        who = row["who"]
        shown = Text(who["name"])
        if who.get("bot") is not None:
            shown = Text(message("site.program", name=who["name"]), style="dim")
        table.add_row(str(row["place"] or ""), shown, *(_hands(row["totals"]) if by_hands else _rating(row)))
    console = Console(highlight=False)
    if rows:
        console.print(table)
        if not by_hands and any(row["provisional"] for row in rows):
            console.print(text("ladder.provisional"))
    elif by_hands:
        least: int = answer["min_hands"]
        console.print(text("ladder.no_hands", count=least, variant=variant))
    else:
        console.print(text("ladder.none", variant=variant))


def _rating(row: dict[str, Any]) -> Sequence[str]:  # Any: JSON
    rating = f"{row['rating']}{'?' if row['provisional'] else ''}"
    return rating, str(row["games"]), _localized(f"{row['wins'] / row['games']:.0%}")


def _hands(totals: dict[str, Any]) -> Sequence[str]:  # Any: JSON
    return _localized(f"{totals['mean']:.2f}"), str(totals["hands"]), str(totals["baozi"])


def _localized(figures: str) -> str:
    from faceup.translations.environment import environment_language
    from faceup.translations.figures import localize

    return localize(environment_language(), figures)

"""`faceup arena bots`: list the bots of a roster or a log."""

import shlex
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faceup.cli.options import Commands, add_json, command
from faceup.cli.output import print_rows

if TYPE_CHECKING:
    from faceup.arena import Bot


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "bots",
        "list the bots of bots.toml, or those of a log",
        list_bots,
        examples=("faceup arena bots", "faceup arena bots compare-new-old.sqlite --json"),
    )
    parser.add_argument(
        "log", nargs="?", type=Path, metavar="LOG", help="list the bots of this log, with their number of matches"
    )
    parser.add_argument("--bots", type=Path, metavar="FILE", help="the roster (default bots.toml)")
    add_json(parser)


def list_bots(arguments: Namespace) -> None:
    """Print the bots, as a table with one line per bot, or as JSON."""
    from faceup.arena.run.roster import read_roster

    if arguments.log is not None:
        bots, matches = _of_log(arguments.log)
    else:
        roster = read_roster(arguments.bots)
        bots, matches = [roster.entrant(name).bot for name in roster.bots], None
    heads = ["name", "digest", *(["matches"] if matches is not None else []), "command"]
    rows = []
    for bot in bots:
        count = [] if matches is None else [f"{matches.get(bot.name, 0):,}"]
        rows.append([bot.name, bot.digest[:16], *count, shlex.join(bot.command) or "built-in"])
    none = 'There is no bots.toml here. Create one with:\n\n[[bot]]\nname = "mine"\ncommand = "./mine"'
    print_rows(arguments, [_describe(bot, matches) for bot in bots], heads, rows, none)


def _of_log(path: Path) -> "tuple[list[Bot], Mapping[str, int]]":
    from faceup.arena.run.log import read_log

    with read_log(path) as log:
        matches_played: Counter[str] = Counter()
        for result in log.all_results():
            matches_played.update(set(result.match.lineup))
        return list(log.bots.values()), matches_played


def _describe(bot: "Bot", matches: Mapping[str, int] | None) -> dict[str, Any]:  # Any: JSON
    result = {"name": bot.name, "player": bot.player, "command": bot.command, "digest": bot.digest}
    return result if matches is None else {**result, "matches": matches.get(bot.name, 0)}

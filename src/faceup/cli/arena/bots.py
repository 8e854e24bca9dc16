"""`faceup arena bots`: who is written down, and who has played for a log."""

import shlex
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faceup.cli.options import Commands, add_json, command

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
        "log", nargs="?", type=Path, metavar="LOG", help="whose bots, and how many matches each has played"
    )
    parser.add_argument("--bots", type=Path, metavar="FILE", help="where bots are written down; bots.toml if not given")
    add_json(parser)


def list_bots(arguments: Namespace) -> None:
    """The bots, each in a line or as JSON."""
    from faceup.arena.roster import read_roster

    if arguments.log is not None:
        bots, matches = _of_log(arguments.log)
    else:
        roster = read_roster(arguments.bots)
        bots, matches = [roster.entrant(name).bot for name in roster.bots], None
    if arguments.json:
        import msgspec

        print(msgspec.json.encode([_told(bot, matches) for bot in bots]).decode())
    elif bots:
        print(_in_words(bots, matches))
    else:
        print('No bots are written down here. Name some in bots.toml:\n\n[[bot]]\nname = "mine"\ncommand = "./mine"')


def _of_log(path: Path) -> "tuple[list[Bot], Mapping[str, int]]":
    from faceup.arena.log import read_log

    with read_log(path) as log:
        seen: Counter[str] = Counter()
        for result in log.all_results():
            seen.update(set(result.match.lineup))
        return list(log.bots.values()), seen


def _told(bot: "Bot", matches: Mapping[str, int] | None) -> dict[str, Any]:  # Any: JSON
    told = {"name": bot.name, "player": bot.player, "command": bot.command, "digest": bot.digest}
    return told if matches is None else {**told, "matches": matches.get(bot.name, 0)}


def _in_words(bots: "list[Bot]", matches: Mapping[str, int] | None) -> str:
    rows = [["name", "digest", "matches", "command"]]
    for bot in bots:
        line = shlex.join(bot.command) if bot.command else "a player of faceup's own"
        rows.append([bot.name, bot.digest[:16], f"{(matches or {}).get(bot.name, 0):,}", line])
    shown = [[cell for index, cell in enumerate(row) if index != 2 or matches is not None] for row in rows]
    widths = [max(len(row[column]) for row in shown) for column in range(len(shown[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in shown
    )

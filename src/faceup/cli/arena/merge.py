"""`faceup arena merge`: join the logs of shares."""

from argparse import Namespace
from pathlib import Path

from faceup.cli.options import Commands, command


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "merge",
        "join the logs of the shares of a schedule into the log of the whole",
        merge,
        examples=("faceup arena merge whole.sqlite share-*.sqlite",),
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the log to write; there must be none of that name")
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="all shares, in any order")


def merge(arguments: Namespace) -> None:
    """Join them."""
    from faceup.arena.log import read_log
    from faceup.arena.merging import merge as join

    join(arguments.out, arguments.logs)
    with read_log(arguments.out) as log:
        logs = "1 log" if len(arguments.logs) == 1 else f"{len(arguments.logs)} logs"
        print(f"{arguments.out}: {len(log.numbers()):,} matches from {logs}")

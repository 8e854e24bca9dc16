"""`faceup arena recover`: save the intact matches of a damaged log."""

from argparse import Namespace
from pathlib import Path

from faceup.cli.options import Commands, add_json, command
from faceup.cli.output import check_folder, print_json


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "recover",
        "save the intact matches of a damaged log in another log",
        recover,
        examples=("faceup arena recover arena.sqlite arena-recovered.sqlite",),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the damaged log, which is not changed")
    parser.add_argument("new", type=Path, metavar="NEW", help="the log to write, which must not exist")
    add_json(parser)


def recover(arguments: Namespace) -> None:
    """Save the log, and print how many matches are saved."""
    from faceup.arena.run.recovery import recover as recover_log
    from faceup.core import plural

    check_folder(arguments.new, "NEW")
    recovered = recover_log(arguments.log, arguments.new)
    if arguments.json:
        print_json({"log": str(arguments.new), "matches": recovered.matches, "lost": recovered.lost})
        return
    lost = f"; {recovered.lost:,} before the last one are lost" if recovered.lost else ""
    print(f"{arguments.new}: {plural(recovered.matches, 'match', 'matches')}{lost}")

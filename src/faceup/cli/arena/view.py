"""`faceup arena view`: a log in a browser."""

from argparse import Namespace
from pathlib import Path
from typing import Final

from faceup.cli.options import Commands, command

_PORT: Final = 8042


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "view",
        "serve the report and every match of a log to a browser on this machine",
        view,
        examples=("faceup arena view arena.sqlite", "faceup arena view arena.sqlite --port 0"),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the log of a run, which may still be going on")
    parser.add_argument(
        "--port", type=int, default=_PORT, help=f"{_PORT} if not given; 0 takes one that is free, and says which"
    )


def view(arguments: Namespace) -> None:
    """Serve until Ctrl-C."""
    from faceup.arena.log import read_log
    from faceup.arena.viewing import Server

    with read_log(arguments.log):
        pass  # what is no log is refused at once
    with Server(arguments.log, arguments.port) as server:
        print(f"{server.address} (for this machine alone; Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()

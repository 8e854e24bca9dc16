"""`faceup admin log`: show what operators and hosts did."""

from argparse import Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.admin.database import add_limit, add_options, list_rows
from faceup.cli.options import Commands, command
from faceup.cli.output import format_time, print_rows

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from faceup.server.audit.log import AuditEntry

_ACTORS: Final = ("operator", "host", "player")


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "log",
        "show what operators and hosts did, the newest first",
        show_log,
        examples=(
            "faceup admin log",
            "faceup admin log --by operator --json",
            "faceup admin log --person Mallory            what Mallory did as a host, and what was done about Mallory",
        ),
    )
    parser.add_argument("--by", choices=_ACTORS, default="", help="only what these did")
    parser.add_argument("--person", metavar="PERSON", help="only acts by or on this player: ID, login or unique name")
    add_limit(parser, 200, "acts")
    add_options(parser)


def show_log(arguments: Namespace) -> None:
    """Show the audit log."""
    from faceup.server.admin.players import find_one_player
    from faceup.server.audit.log import list_acts

    def query(connection: "Connection", limit: int) -> "list[AuditEntry]":
        player = None if arguments.person is None else find_one_player(connection, arguments.person)
        return list_acts(connection, player=player, by=arguments.by, limit=limit)

    rows = list_rows(arguments, lambda store, limit: store.query(lambda c: query(c, limit)), narrow="--by or --person")
    lines = [(format_time(row.at), row.act, row.by, row.actor_name or "", row.name or "", row.place) for row in rows]
    print_rows(arguments, rows, ("AT", "ACT", "BY", "HOST", "PLAYER", "WHERE"), lines, "No acts.")

"""`faceup admin tournaments` and `parties`: list and end them, and hand them to another host."""

from argparse import Namespace
from types import ModuleType
from typing import TYPE_CHECKING, Final

from faceup.cli.admin.database import add_limit, add_options, list_rows, with_database
from faceup.cli.options import Commands, command, group
from faceup.cli.output import format_time, print_json, print_rows

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from faceup.server.store import Store

_TOURNAMENT_STATUSES: Final = ("running", "open", "playing", "break", "paused", "finished", "cancelled")
_PARTY_STATUSES: Final = ("playing", "idle")


def register(commands: Commands) -> None:
    """Add the commands."""
    _register(
        commands,
        "tournaments",
        ("tournament", "the tournament's ID, or its name if no other one that is not over has it"),
        _TOURNAMENT_STATUSES,
        "end a tournament, as its host can: tables that are playing are closed, except rated ones",
    )
    _register(
        commands,
        "parties",
        ("party", "the party's ID, or its name if no other one has it"),
        _PARTY_STATUSES,
        "delete a party; its tables remain",
    )


def _register(
    commands: Commands, plural: str, name: tuple[str, str], statuses: tuple[str, ...], ending_help: str
) -> None:
    singular, explained = name
    inner = group(commands, plural, f"list and end {plural}, and hand them to another host")
    listing = command(
        inner,
        "list",
        f"list {plural}, the newest first" if singular == "tournament" else f"list {plural}, the last used first",
        list_events,
        examples=(
            f"faceup admin {plural} list --status {statuses[0]}",
            f"faceup admin {plural} list --find friday --json",
        ),
    )
    listing.add_argument("--status", choices=statuses, default="", help=f"only {plural} with this status")
    listing.add_argument("--find", default="", metavar="TEXT", help=f"only {plural} with this text in their name")
    add_limit(listing, 200, plural)
    ending = command(inner, "end", ending_help, end, examples=(f'faceup admin {plural} end "Friday"',))
    handing = command(
        inner,
        "hand-over",
        f"make another player the host of a {singular}" if singular == "tournament" else "make another member the host",
        hand_over,
        examples=(f'faceup admin {plural} hand-over "Friday" Ann',),
    )
    for parser in (ending, handing):
        parser.add_argument("event", metavar=singular.upper(), help=explained)
    handing.add_argument("person", metavar="PERSON", help="the player's ID, login or unique name")
    for parser in (listing, ending, handing):
        parser.set_defaults(kind=singular)
        add_options(parser)


def _module(arguments: Namespace) -> ModuleType:
    from faceup.server.admin import parties, tournaments

    return parties if arguments.kind == "party" else tournaments


def list_events(arguments: Namespace) -> None:
    """List the tournaments or parties."""
    module, is_party = _module(arguments), arguments.kind == "party"
    query = module.list_parties if is_party else module.list_tournaments
    rows = list_rows(
        arguments,
        lambda store, limit: store.query(lambda c: query(c, arguments.status, arguments.find, limit)),
        narrow="--status or --find",
    )
    if is_party:
        heads = ("ID", "NAME", "STATUS", "HOST", "MEMBERS", "TABLE", "CREATED", "SEEN")
        lines = [
            (
                *(row.id, row.name, row.status, row.host, str(row.members), row.table or ""),
                *(format_time(row.created_at), format_time(row.seen_at)),
            )
            for row in rows
        ]
        print_rows(arguments, rows, heads, lines, "No parties.")
        return
    heads = ("ID", "NAME", "STATUS", "HOST", "PLAYERS", "ROUND", "CREATED", "ENDED")
    lines = [
        (
            *(row.id, row.name, row.status, row.host or "", str(row.players), f"{row.round}/{row.rounds}"),
            *(format_time(row.created_at), format_time(row.ended_at)),
        )
        for row in rows
    ]
    print_rows(arguments, rows, heads, lines, "No tournaments.")


def end(arguments: Namespace) -> None:
    """End a tournament, or delete a party."""
    module = _module(arguments)
    work = module.end_party if arguments.kind == "party" else module.end_tournament

    async def inside(store: "Store") -> str:
        now = store.now()
        identifier: str = await store.write(lambda c: work(c, now, arguments.event))
        return identifier

    identifier = with_database(arguments, inside)
    if arguments.json:
        print_json({arguments.kind: identifier, "done": "end"})
    else:
        print(f"The {arguments.kind} {arguments.event} was ended.")


def hand_over(arguments: Namespace) -> None:
    """Make another player the host."""
    from faceup.server.admin.players import find_one_player

    module = _module(arguments)

    async def inside(store: "Store") -> str:
        now = store.now()

        def work(connection: "Connection") -> str:
            player = find_one_player(connection, arguments.person)
            identifier: str = module.hand_over(connection, now, arguments.event, player)
            return identifier

        return await store.write(work)

    identifier = with_database(arguments, inside)
    if arguments.json:
        print_json({arguments.kind: identifier, "host": arguments.person, "done": "hand-over"})
    else:
        print(f"{arguments.person} is the host of the {arguments.kind} {arguments.event} now.")

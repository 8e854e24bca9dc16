"""`faceup admin reports`: list and close the reports of players about each other."""

from argparse import Namespace
from typing import TYPE_CHECKING

from faceup.cli.admin.database import add_limit, add_options, list_rows, with_database
from faceup.cli.options import Commands, command, group
from faceup.cli.output import format_time, print_json, print_rows

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from faceup.server.store import Store


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "reports", "list and close the reports of players about each other")
    listing = command(
        inner,
        "list",
        "list the open reports, the newest first",
        list_reports,
        examples=("faceup admin reports list", "faceup admin reports list --all --json"),
    )
    listing.add_argument("--all", action="store_true", help="also reports that are closed")
    add_limit(listing, 200, "reports")
    add_options(listing)
    closing = command(
        inner,
        "close",
        "close reports that you have dealt with",
        close,
        examples=("faceup admin reports close NpWVb1cKqk0yXb3vYt6m8w",),
    )
    closing.add_argument("reports", nargs="+", metavar="REPORT", help="the ID of a report")
    add_options(closing)


def list_reports(arguments: Namespace) -> None:
    """List the reports."""
    from faceup.server.moderation.reports import list_reports as query_reports

    rows = list_rows(
        arguments, lambda store, limit: store.query(lambda c: query_reports(c, closed=arguments.all, limit=limit))
    )
    heads = ("ID", "PLAYER", "HANDLE", "REASON", "PEOPLE", "BY", "TABLE", "AT", "CLOSED")
    lines = [
        (
            *(row.id, row.name, row.handle, row.reason, row.reporters, row.by, row.code or row.kind),
            *(format_time(row.at), format_time(row.closed)),
        )
        for row in rows
    ]
    print_rows(arguments, rows, heads, lines, "No reports.")


def close(arguments: Namespace) -> None:
    """Close reports."""
    from faceup.core import plural
    from faceup.server.moderation.reports import close_report

    async def work(store: "Store") -> None:
        now = store.now()

        def close_all(connection: "Connection") -> None:
            for identifier in arguments.reports:
                close_report(connection, now, identifier)

        await store.write(close_all)

    with_database(arguments, work)
    if arguments.json:
        print_json({"reports": arguments.reports, "done": "close"})
    else:
        print(f"Closed {plural(len(arguments.reports), 'report')}.")

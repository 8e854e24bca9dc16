"""`faceup admin tables`: list, show, pause, close and delete tables."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import Any, Final

from faceup.cli.admin.database import add_limit, add_options, list_rows, with_database
from faceup.cli.options import Commands, command, group
from faceup.cli.output import format_time, print_answer, print_json, print_rows

_STATUSES: Final = ("pending", "active", "finished", "closed")


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "tables", "list, show, pause, close and delete tables")
    listing = command(
        inner,
        "list",
        "list the tables",
        list_tables,
        examples=("faceup admin tables list", "faceup admin tables list --status active --json"),
    )
    listing.add_argument("--status", choices=_STATUSES, help="only tables with this status")
    add_limit(listing, 1000, "tables")
    add_options(listing)
    _one(inner, "show", "show a table", show)
    _one(inner, "pause", "pause a table", pause)
    _one(inner, "resume", "resume a paused table", resume)
    _one(inner, "close", "close a table before its game is over, and notify its players", close)
    deleting = command(
        inner,
        "delete",
        "delete tables with their hands, names and secrets; no one can restore them",
        delete,
        examples=("faceup admin tables delete KTRWX", "faceup admin tables delete KTRWX MMPQA --json"),
    )
    deleting.add_argument("tables", nargs="+", metavar="TABLE", help="a table's ID or five-letter code")
    add_options(deleting)


def _one(commands: Commands, name: str, summary: str, run: Callable[[Namespace], None]) -> ArgumentParser:
    parser = command(commands, name, summary, run, examples=(f"faceup admin tables {name} KTRWX",))
    parser.add_argument("table", metavar="TABLE", help="the table's ID or five-letter code")
    add_options(parser)
    return parser


def list_tables(arguments: Namespace) -> None:
    """List the tables, most recently changed first."""
    from faceup.server.admin.tables import list_tables as query_tables

    rows = list_rows(arguments, lambda store, limit: query_tables(store, arguments.status, limit), narrow="--status")
    heads = ("ID", "CODE", "STATUS", "OPENED", "CHANGED", "GAME", "SEATS")
    lines = [
        (
            *(row.id, row.code, row.status, format_time(row.opened_at), format_time(row.changed_at)),
            row.summary.get("game", ""),
            ", ".join(_seat_name(seat) for seat in row.summary.get("seats", ())),
        )
        for row in rows
    ]
    print_rows(arguments, rows, heads, lines, "No tables.")


def _seat_name(seat: Mapping[str, Any] | None) -> str:  # Any: JSON
    """Return the name of a seat's player, which marks programs of people."""
    if seat is None:
        return "-"
    return f"{seat['name']} (program)" if seat.get("program") else seat["name"]


def show(arguments: Namespace) -> None:
    """Show a table's public state and its players, without hands."""
    from faceup.formatting import strip_control_characters
    from faceup.server.admin.tables import show_table

    shown = with_database(arguments, lambda store: show_table(store, arguments.table))
    if arguments.json:
        print_json(shown)
        return
    seats = [
        f"{name or '-'}{f' ({owner})' if owner else ''}{' (program)' if program else ''}"
        for name, owner, program in zip(shown["seats"], shown["owners"], shown["programs"], strict=True)
    ]
    times = {name: format_time(shown[name]) for name in ("opened_at", "changed_at")}
    lines = shown | times | {"seats": ", ".join(seats), "paused": "yes" if shown["paused"] else "no"}
    for name, value in lines.items():
        if name not in {"owners", "programs"} and value is not None:
            print(strip_control_characters(f"{name.removesuffix('_at'):8} {value}"))


def pause(arguments: Namespace) -> None:
    """Pause the table."""
    _do(arguments, "pause", "paused")


def resume(arguments: Namespace) -> None:
    """Resume the table."""
    _do(arguments, "resume", "resumed")


def close(arguments: Namespace) -> None:
    """Close the table."""
    _do(arguments, "close", "closed")


def delete(arguments: Namespace) -> None:
    """Delete the tables."""
    from faceup.server.admin.tables import delete as work

    tables = with_database(arguments, lambda store: work(store, arguments.tables))
    if arguments.json:
        print_json({"tables": tables, "done": "delete"})
        return
    for table in tables:
        print(f"{table}: deleted.")


def _do(arguments: Namespace, what: str, done: str) -> None:
    from faceup.server.admin.tables import act

    table = with_database(arguments, lambda store: act(store, arguments.table, what))
    print_answer(arguments, {"table": table, "done": what}, f"{table}: {done}.")

"""`faceup admin tables`: what is played, and an end or a pause to it."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Final

from faceup.cli.admin.database import add_options, visit
from faceup.cli.admin.printing import moment, print_columns, print_json, printable
from faceup.cli.options import Commands, command, group

_STATUSES: Final = ("pending", "active", "finished", "closed")


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "tables", "list, show, pause and close tables")
    listing = command(
        inner,
        "list",
        "list the tables",
        list_tables,
        examples=("faceup admin tables list", "faceup admin tables list --status active --json"),
    )
    listing.add_argument("--status", choices=_STATUSES, help="only these")
    listing.add_argument("--limit", type=int, default=1000, metavar="N", help="at most so many (1000)")
    add_options(listing)
    _one(inner, "show", "show what is known of a table", show)
    _one(inner, "pause", "stop a table's clock, and choosing", pause)
    _one(inner, "resume", "let a paused table go on", resume)
    _one(inner, "close", "end a table before its game is over; everybody at it is told", close)


def _one(commands: Commands, name: str, summary: str, run: Callable[[Namespace], None]) -> ArgumentParser:
    parser = command(commands, name, summary, run, examples=(f"faceup admin tables {name} KTRWX",))
    parser.add_argument("table", metavar="TABLE", help="its id or its five letters")
    add_options(parser)
    return parser


def list_tables(arguments: Namespace) -> None:
    """The tables, the last changed first."""
    from faceup.server.admin.tables import list_tables as found

    rows = visit(arguments, lambda store: found(store, arguments.status, arguments.limit))
    if arguments.json:
        print_json(rows)
        return
    heads = ("ID", "CODE", "STATUS", "OPENED", "CHANGED", "GAME", "SEATS")
    lines = [
        (
            *(row.id, row.code, row.status, moment(row.opened_at), moment(row.changed_at)),
            row.summary.get("game", ""),
            ", ".join(seat["name"] if seat else "-" for seat in row.summary.get("seats", ())),
        )
        for row in rows
    ]
    print_columns(heads, lines, "There are no tables.")


def show(arguments: Namespace) -> None:
    """What everybody could see of a table, and who sits there; no hand."""
    from faceup.server.admin.tables import show_table

    shown = visit(arguments, lambda store: show_table(store, arguments.table))
    if arguments.json:
        print_json(shown)
        return
    seats = [seat or "-" for seat in shown["seats"]]
    owners = [f"{name} ({owner})" if owner else name for name, owner in zip(seats, shown["owners"], strict=True)]
    times = {name: moment(shown[name]) for name in ("opened_at", "changed_at")}
    lines = shown | times | {"seats": ", ".join(owners), "paused": "yes" if shown["paused"] else "no"}
    for name, value in lines.items():
        if name != "owners" and value is not None:
            print(printable(f"{name.removesuffix('_at'):8} {value}"))


def pause(arguments: Namespace) -> None:
    """Stop the clock."""
    _do(arguments, "pause", "paused")


def resume(arguments: Namespace) -> None:
    """Let it go on."""
    _do(arguments, "resume", "goes on")


def close(arguments: Namespace) -> None:
    """End it."""
    _do(arguments, "close", "closed")


def _do(arguments: Namespace, what: str, done: str) -> None:
    from faceup.server.admin.tables import act

    table = visit(arguments, lambda store: act(store, arguments.table, what))
    if arguments.json:
        print_json({"table": table, "done": what})
    else:
        print(f"{table}: {done}.")

"""`faceup admin check`: look for damage in a server's database."""

from argparse import Namespace
from typing import TYPE_CHECKING

from faceup.cli.admin.database import add_options, with_database
from faceup.cli.options import Commands, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from faceup.server.store import IntegrityReport, Store


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "check",
        "read the whole database and report damage (exit status 0 or 1); the server may be running",
        check,
        examples=("faceup admin check", "faceup admin check --database backups/faceup-2026-03-01T04-30-00Z.sqlite"),
    )
    add_options(parser)


def check(arguments: Namespace) -> None:
    """Check the database.

    Raises:
        OSError: the database is damaged; the message lists the problems.
    """
    from faceup.core import plural

    async def work(store: "Store") -> "IntegrityReport":
        return await store.check_integrity()

    report = with_database(arguments, work)
    if arguments.json:
        print_json({"problems": report.problems, "notes": report.notes, "tables": report.tables})
    else:
        for note in report.notes:
            print(f"Note: {note}.")
    if report.problems:
        raise OSError(f"the database is damaged: {'; '.join(report.problems)}; restore a backup")
    if not arguments.json:
        print(f"No damage found in {plural(report.tables, 'table')}.")

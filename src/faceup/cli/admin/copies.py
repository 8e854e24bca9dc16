"""`faceup admin backup` and `restore`: a database to take along, while the server runs."""

from argparse import Namespace
from pathlib import Path

from faceup.cli.admin.database import add_options, settings_of
from faceup.cli.admin.printing import print_json
from faceup.cli.options import Commands, command


def register(commands: Commands) -> None:
    """Add the commands."""
    saving = command(
        commands,
        "backup",
        "copy the database into a file, as it is at one moment, while people play",
        backup,
        examples=("faceup admin backup tables-2026-03-01.sqlite",),
    )
    saving.add_argument("file", type=Path, metavar="FILE", help="the copy; there must be none of that name")
    add_options(saving)
    bringing = command(
        commands,
        "restore",
        "put a copy in the place of the database; no server may run on it",
        restore,
        examples=("faceup admin restore tables-2026-03-01.sqlite",),
    )
    bringing.add_argument("file", type=Path, metavar="FILE", help="the copy")
    add_options(bringing)


def backup(arguments: Namespace) -> None:
    """Copy."""
    from faceup.server.admin.copies import copy_out

    count = copy_out(settings_of(arguments).database_url, arguments.file)
    if arguments.json:
        print_json({"file": str(arguments.file), "tables": count})
    else:
        print(f"{arguments.file}: {count:,} tables.")


def restore(arguments: Namespace) -> None:
    """Put a copy in the place of the database."""
    from faceup.server.admin.copies import put_back

    before = put_back(settings_of(arguments).database_url, arguments.file)
    if arguments.json:
        print_json({"restored": str(arguments.file), "before": str(before) if before else None})
        return
    print(f"{arguments.file} is the database now.")
    if before:
        print(f"What was there before is kept as {before}.")

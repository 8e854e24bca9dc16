"""`faceup admin backup` and `restore`: back up and restore a server's database."""

from argparse import Namespace
from pathlib import Path

from faceup.cli.admin.database import add_options, settings_of
from faceup.cli.options import Commands, command
from faceup.cli.output import print_json


def register(commands: Commands) -> None:
    """Add the commands."""
    backup_parser = command(
        commands,
        "backup",
        "copy the database to a file; the server may be running",
        backup,
        examples=("faceup admin backup tables-2026-03-01.sqlite",),
    )
    backup_parser.add_argument("file", type=Path, metavar="FILE", help="the file to write; it must not exist")
    add_options(backup_parser)
    restore_parser = command(
        commands,
        "restore",
        "replace the database with a backup; the server must be stopped",
        restore,
        examples=("faceup admin restore tables-2026-03-01.sqlite",),
    )
    restore_parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    add_options(restore_parser)


def backup(arguments: Namespace) -> None:
    """Copy the database to a file."""
    from faceup.core import plural
    from faceup.server.admin.backup import create_backup

    count = create_backup(settings_of(arguments).database_url, arguments.file)
    if arguments.json:
        print_json({"file": str(arguments.file), "tables": count})
    else:
        print(f"{arguments.file}: {plural(count, 'table')}.")


def restore(arguments: Namespace) -> None:
    """Replace the database with a backup."""
    from faceup.server.admin.backup import restore_backup

    before = restore_backup(settings_of(arguments).database_url, arguments.file)
    if arguments.json:
        print_json({"restored": str(arguments.file), "before": str(before) if before else None})
        return
    print(f"Restored {arguments.file}.")
    if before:
        print(f"The previous database was saved as {before}.")

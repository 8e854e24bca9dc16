"""`faceup admin backup` and `restore`: back up and restore a server's database."""

import os
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
        examples=(
            "faceup admin backup before-the-upgrade.sqlite",
            "faceup admin backup backups/                  name the file by the time in UTC",
            "faceup admin backup backups/ --keep 14        and delete all but the newest 14",
        ),
    )
    backup_parser.add_argument("file", metavar="FILE|FOLDER/", help="a new file, or a folder for files named by time")
    backup_parser.add_argument("--keep", type=int, metavar="N", help="keep the newest N backups in the folder")
    add_options(backup_parser)
    restore_parser = command(
        commands,
        "restore",
        "replace the database with a backup; the server must be stopped",
        restore,
        examples=(
            "faceup admin restore backups/faceup-2026-03-01T04-30-00Z.sqlite",
            "faceup admin restore - < faceup-2026-03-01T04-30-00Z.sqlite",
        ),
    )
    restore_parser.add_argument("file", metavar="FILE", help="the backup; - reads it from standard input")
    add_options(restore_parser)


def backup(arguments: Namespace) -> None:
    """Copy the database to a file, and delete old backups if requested."""
    from datetime import UTC, datetime

    from faceup.core import Malformed, plural
    from faceup.server.admin.backup import create_backup, dated_file, delete_old_backups

    file, keep = Path(arguments.file), arguments.keep
    folder = file if arguments.file.endswith(("/", os.sep)) or file.is_dir() else None
    if keep is not None and (folder is None or keep < 1):
        raise Malformed(
            "--keep must be a number from 1, and needs a folder: `faceup admin backup backups/ --keep 14`",
            what=keep,
            where="keep",
        )
    if folder:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = dated_file(folder, datetime.now(UTC))
    count = create_backup(settings_of(arguments).database_url, file)
    deleted = delete_old_backups(folder, keep) if folder and keep else []
    if arguments.json:
        print_json({"file": str(file), "tables": count, "deleted": [str(path) for path in deleted]})
        return
    print(f"{file}: {plural(count, 'table')}.")
    for path in deleted:
        print(f"Deleted {path}.")


def restore(arguments: Namespace) -> None:
    """Replace the database with a backup."""
    import sys

    from faceup.server.admin.backup import restore_backup, restore_stream

    url = settings_of(arguments).database_url
    if arguments.file == "-":
        before = restore_stream(url, sys.stdin.buffer)
    else:
        before = restore_backup(url, Path(arguments.file))
    if arguments.json:
        print_json({"restored": arguments.file, "before": str(before) if before else None})
        return
    print("Restored the backup." if arguments.file == "-" else f"Restored {arguments.file}.")
    if before:
        print(f"The previous database was saved as {before}.")

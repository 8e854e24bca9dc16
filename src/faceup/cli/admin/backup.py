"""`faceup admin backup` and `restore`: back up and restore a server's database."""

import os
from argparse import Namespace
from functools import partial
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
            "faceup admin backup s3://bucket/faceup/       to S3, with the variables AWS_ACCESS_KEY_ID, AWS_REGION ...",
        ),
    )
    backup_parser.add_argument(
        "file", metavar="FILE|FOLDER/|URL", help="a new file; or a folder or s3://BUCKET/PATH, for names by time"
    )
    backup_parser.add_argument("--keep", type=int, metavar="N", help="keep the newest N backups in the folder or URL")
    add_options(backup_parser)
    restore_parser = command(
        commands,
        "restore",
        "replace the database with a backup; the server must be stopped",
        restore,
        examples=(
            "faceup admin restore backups/faceup-2026-03-01T04-30-00Z.sqlite",
            "faceup admin restore - < faceup-2026-03-01T04-30-00Z.sqlite",
            "faceup admin restore s3://bucket/faceup/faceup-2026-03-01T04-30-00Z.sqlite",
        ),
    )
    restore_parser.add_argument("file", metavar="FILE|URL", help="the backup; - reads it from standard input")
    add_options(restore_parser)


def backup(arguments: Namespace) -> None:
    """Copy the database to a file, and delete old backups if requested."""
    from datetime import UTC, datetime

    from faceup.core import Malformed, plural
    from faceup.server.admin.backup import backup_name, create_backup
    from faceup.server.admin.backup_targets import delete_old_backups, open_target

    place, keep = arguments.file, arguments.keep
    is_target = "://" in place or place.endswith(("/", os.sep)) or not place or Path(place).is_dir()
    if keep is not None and (not is_target or keep < 1):
        raise Malformed(
            "--keep must be a number from 1, and needs a folder: `faceup admin backup backups/ --keep 14`",
            what=keep,
            where="keep",
        )
    url, deleted = settings_of(arguments).database_url, []
    if is_target:
        target, name = open_target(place), backup_name(url, datetime.now(UTC))
        file, count = target.location(name), target.add(name, partial(create_backup, url))
        deleted = delete_old_backups(target, keep, name) if keep else []
    else:
        file, count = place, create_backup(url, Path(place))
    if arguments.json:
        print_json({"file": file, "tables": count, "deleted": deleted})
        return
    print(f"{file}: {plural(count, 'table')}.")
    for deleted_file in deleted:
        print(f"Deleted {deleted_file}.")


def restore(arguments: Namespace) -> None:
    """Replace the database with a backup."""
    import sys

    from faceup.server.admin.restore import restore_from, restore_stream

    url = settings_of(arguments).database_url
    before = restore_stream(url, sys.stdin.buffer) if arguments.file == "-" else restore_from(url, arguments.file)
    if arguments.json:
        print_json({"restored": arguments.file, "before": str(before) if before else None})
        return
    print("Restored the backup." if arguments.file == "-" else f"Restored {arguments.file}.")
    if before:
        print(f"The previous database was saved as {before}.")

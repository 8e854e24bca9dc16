"""`faceup admin backup` and `restore`: back up and restore a server's database."""

import os
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.admin.database import add_options, settings_of
from faceup.cli.options import Commands, command
from faceup.cli.output import format_time, print_json

if TYPE_CHECKING:
    from faceup.server.admin.reapply import Moderation


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
            "faceup admin restore old.sqlite --without-journal    lifts the bans since the backup, and so on",
        ),
    )
    restore_parser.add_argument("file", metavar="FILE|URL", help="the backup; - reads it from standard input")
    restore_parser.add_argument(
        "--journal", metavar="FILE", help="a further moderation journal, such as that of another machine"
    )
    restore_parser.add_argument(
        "--without-journal",
        action="store_true",
        help="do not repeat the bans, deletions and erasures that were done after the backup was made",
    )
    add_options(restore_parser)


def backup(arguments: Namespace) -> None:
    """Copy the database to a file, and delete old backups if requested."""
    from datetime import UTC, datetime

    from faceup.core import Malformed, plural
    from faceup.server.admin.backup import backup_name, create_backup
    from faceup.server.admin.backup_targets import delete_old_backups, open_target
    from faceup.server.admin.moderation_journal import copy_journal, journal_path

    place, keep = arguments.file, arguments.keep
    is_target = "://" in place or place.endswith(("/", os.sep)) or not place or Path(place).is_dir()
    if keep is not None and (not is_target or keep < 1):
        raise Malformed(
            "--keep must be a number from 1, and needs a folder: `faceup admin backup backups/ --keep 14`",
            what=keep,
            where="keep",
        )
    settings, deleted = settings_of(arguments), []
    url = settings.database_url
    if is_target:
        target, name = open_target(place), backup_name(url, datetime.now(UTC))
        file, count = target.location(name), target.add(name, partial(create_backup, url))
        copy_journal(journal_path(url, settings.moderation_journal), target)
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
    """Replace the database with a backup, and repeat later bans, deletions and erasures."""
    import sys

    from faceup.core import Malformed
    from faceup.server.admin.moderation_journal import journal_path, read_journal
    from faceup.server.admin.restore import Journals, restore_from, restore_stream

    settings = settings_of(arguments)
    url = settings.database_url
    path = journal_path(url, settings.moderation_journal)
    journals = Journals(path=path, repeat=not arguments.without_journal)
    if arguments.journal is not None:
        journal = read_journal(Path(arguments.journal))
        if journal is None:
            raise Malformed(f"there is no journal {arguments.journal}", what=arguments.journal, where="journal")
        journals = journals.with_copy(arguments.journal, journal)
    if arguments.file == "-":
        restored = restore_stream(url, sys.stdin.buffer, journals)
    else:
        restored = restore_from(url, arguments.file, journals)
    before, moderation = restored.before, restored.moderation
    if arguments.json:
        print_json({"restored": arguments.file, "before": str(before) if before else None, "moderation": moderation})
        return
    print("Restored the backup." if arguments.file == "-" else f"Restored {arguments.file}.")
    if before:
        print(f"The previous database was saved as {before}.")
    _report(moderation, path)


def _report(moderation: "Moderation", path: Path) -> None:
    """Print which acts after the backup were repeated, and until when all of them are known."""
    from faceup.core import plural
    from faceup.formatting import strip_control_characters

    for is_repeated, heading in ((True, "Repeated"), (False, "NOT repeated")):
        acts = [act for act in moderation.acts if act.repeated == is_repeated]
        if acts:
            print(f"{heading}: {plural(len(acts), 'act')} after the backup was made.")
        for act in acts:
            until = f" until {format_time(act.until)}" if act.until is not None else ""
            missing = "" if act.in_backup else " (not in the backup)"
            what = f" {act.what}" if act.what else ""
            print(strip_control_characters(f"  {format_time(act.at)}  {_ACTS[act.act]}{what}{until}{missing}"))
    until = format_time(moderation.known_until)
    if not moderation.complete:
        print(
            f"WARNING: bans, deletions and erasures are known until {until}, and later ones may be missing: "
            f"{'; '.join(moderation.warnings)}."
        )
        print(
            f"If the database was in use after {until}: if you have a newer copy of {path}, restore again with "
            "--journal FILE. If not, repeat them by hand."
        )
        return
    if moderation.warnings:
        print(f"Note: {'; '.join(moderation.warnings)}. Another copy is complete.")
    are_known = "are known" if moderation.acts else "are known: there are none after the backup was made"
    print(f"All bans, deletions and erasures until {until}, the last change of the previous database, {are_known}.")


_ACTS: Final = {
    "ban": "ban",
    "unban": "end of the ban of",
    "erase": "erased player",
    "delete_table": "deleted table",
    "request_deletion": "request to delete the account of",
    "cancel_deletion": "cancelled deletion of the account of",
}

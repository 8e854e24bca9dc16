"""Functions that save and load records, both of games in progress and of finished games."""

import os
import tempfile
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import Final

from faceup.core import Malformed
from faceup.core.record import Record, dumps, loads
from faceup.paths import data_folder

_LONGEST: Final = 64 * 1024 * 1024
"""The maximum size of a record in bytes; records of the longest games of War have a few hundred kilobytes."""


def default_path(record: Record) -> Path:
    """Return the file name of a new game, such as `2026-03-01-nimmt-cowheadking-120501.json`."""
    now = datetime.now().astimezone()
    return data_folder("saved") / f"{now:%Y-%m-%d}-{record.game}-{record.variant}-{now:%H%M%S}.json"


def save_new(record: Record, path: Path) -> Path:
    """Write the record to a new file, and return its path, which is `path`, or `...-2.json` and so on if that exists.

    Raises:
        Malformed: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            free = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
            with suppress(FileExistsError):
                free.touch(mode=0o600, exist_ok=False)  # creates the file, so that no other process can use the name
                break
    except OSError as error:
        raise Malformed(
            f"games cannot be saved in {path.parent}: {error.strerror}; set FACEUP_DATA to use another folder",
            what=str(path),
            where="file",
        ) from None
    try:
        save_record(record, free)
    except BaseException:
        free.unlink(missing_ok=True)
        raise
    return free


def save_record(record: Record, path: Path) -> None:
    """Write the record atomically: the file always holds either the old or the new record.

    Special files such as `/dev/stdout` or a pipe are written directly.

    Raises:
        Malformed: the file cannot be written; the old record is still there.
    """
    text = dumps(record)
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".faceup-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Malformed(f"{path} cannot be written: {error.strerror}", what=str(path), where="file") from None


def file_version(path: Path | None) -> tuple[int, int, int] | None:
    """Return an identifier of the file's current content, or None if the path does not name a regular file.

    Each save replaces the file, so a save by another process changes the identifier.
    """
    try:
        status = path and path.stat()
    except OSError:
        return None
    return (status.st_ino, status.st_mtime_ns, status.st_size) if status and S_ISREG(status.st_mode) else None


def load_record(path: Path) -> Record:
    """Load the record in a file.

    Raises:
        Malformed: the file does not exist, cannot be read or is not a record.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST + 1)
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}", what=str(path), where="file") from None
    if len(text) > _LONGEST:
        raise Malformed(f"{path} is too large for a record", what=str(path), where="file")
    try:
        return loads(text)
    except Malformed as error:
        raise Malformed(f"{path}: {error.message}", what=str(path), where=error.where) from None


def list_saved() -> list[Path]:
    """Return the files of saved games, most recently played first.

    Only regular files count: a pipe would wait forever for a writer. Another process may delete a file meanwhile.
    """
    played = {}
    for path in data_folder("saved").glob("*.json"):
        if version := file_version(path):
            _, played[path], _ = version
    return sorted(played, key=played.__getitem__, reverse=True)

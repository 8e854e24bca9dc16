"""Where games are kept: saved ones until they are finished, and the records of finished ones."""

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

_LONGEST: Final = 64 * 1024 * 1024
"""Bytes; the longest War has some five thousand rounds, which is a few hundred kilobytes."""


def folder(kind: str) -> Path:
    """The folder for "saved" or "records", in `FACEUP_DATA` or where this system keeps a user's data.

    Raises:
        Malformed: there is no such place, because the user has no home.
    """
    base = os.environ.get("FACEUP_DATA")
    if base:
        return Path(base) / kind
    from platformdirs import user_data_path  # noqa: PLC0415 -- help and one-shot commands keep nothing

    try:
        return user_data_path("faceup", appauthor=False) / kind
    except RuntimeError as error:
        raise Malformed(f"there is nowhere to keep games: {error}; or set FACEUP_DATA", where="FACEUP_DATA") from None


def usual_path(record: Record) -> Path:
    """Where a game that begins now is saved, such as `2026-03-01-nimmt-cowheadking-120501.json`."""
    now = datetime.now().astimezone()
    return folder("saved") / f"{now:%Y-%m-%d}-{record.game}-{record.variant}-{now:%H%M%S}.json"


def save_new(record: Record, path: Path) -> Path:
    """Write the record to that file, or to the first of `...-2.json`, `...-3.json` and so on that there is not yet.

    Raises:
        Malformed: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            free = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
            with suppress(FileExistsError):
                free.touch(mode=0o600, exist_ok=False)  # from here on it is ours, whatever other processes do
                break
    except OSError as error:
        raise Malformed(
            f"games are kept in {path.parent}, which cannot be written: {error.strerror}; "
            f"the variable FACEUP_DATA names another folder",
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
    """Write the record so that at every instant the file holds either the old one or the new one, whole.

    What is no file, such as `/dev/stdout` or a pipe, is written to as it is.

    Raises:
        Malformed: it cannot be written; then the old one is still there.
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


def mark_of(path: Path | None) -> tuple[int, int, int] | None:
    """Which writing of a file is there now: two that are equal are the same. None if there is none, or no file.

    Each save puts a new file in the place of the old one, so another process that saved there left another mark.
    """
    try:
        found = path and path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size) if found and S_ISREG(found.st_mode) else None


def load_record(path: Path) -> Record:
    """The record in a file.

    Raises:
        Malformed: there is no such file, it cannot be read, or it is not a record.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST + 1)
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}", what=str(path), where="file") from None
    if len(text) > _LONGEST:
        raise Malformed(f"{path} is too long for a record", what=str(path), where="file")
    try:
        return loads(text)
    except Malformed as error:
        raise Malformed(f"{path}: {error.message}", what=str(path), where=error.where) from None


def list_saved() -> list[Path]:
    """The saved games, the last one played first."""
    return sorted(folder("saved").glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)

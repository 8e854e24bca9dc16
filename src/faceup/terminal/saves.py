"""Where games are kept: saved ones until they are finished, and the records of finished ones."""

import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Final

from faceup.core import Malformed
from faceup.core.record import Record, dumps, loads

_LONGEST: Final = 64 * 1024 * 1024
"""Bytes; the longest War has some five thousand rounds, which is a few hundred kilobytes."""


def folder(kind: str) -> Path:
    """The folder for "saved" or "records", in `FACEUP_DATA` or where this system keeps a user's data."""
    from platformdirs import user_data_path  # noqa: PLC0415 -- help and one-shot commands keep nothing

    base = os.environ.get("FACEUP_DATA")
    return (Path(base) if base else user_data_path("faceup", appauthor=False)) / kind


def new_path(kind: str, record: Record) -> Path:
    """A file name for a game that begins now, such as `2026-03-01-nimmt-cowheadking-120501.json`, not taken yet."""
    now = datetime.now().astimezone()
    stem = f"{now:%Y-%m-%d}-{record.game}-{record.variant}-{now:%H%M%S}"
    path = folder(kind) / f"{stem}.json"
    number = 2
    while path.exists():
        path = folder(kind) / f"{stem}-{number}.json"
        number += 1
    return path


def save_record(record: Record, path: Path) -> None:
    """Write the record so that at every instant the file holds either the old one or the new one, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(dumps(record))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


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

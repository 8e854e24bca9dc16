"""Find damage of a log, by the checksums of its rows and the errors of SQLite, and report it in one message."""

import shlex
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from faceup.core import Malformed, RulesError

Row: TypeAlias = tuple[Any, ...]  # Any: a column of a damaged log can have any type


class DamagedLogError(Malformed):
    """An error because the log is damaged. `faceup arena recover` saves the intact matches."""

    kind = "damaged"


@contextmanager
def report_damage(path: Path) -> Iterator[None]:
    """Convert the errors of reading a damaged log in the `with` block to `DamagedLogError`."""
    try:
        yield
    except RulesError:
        raise
    except (sqlite3.DatabaseError, msgspec.DecodeError, zlib.error, ValueError, TypeError, OverflowError) as error:
        words = shlex.join(["faceup", "arena", "recover", str(path), f"{path.stem}-recovered{path.suffix}"])
        raise DamagedLogError(
            f"{path} is damaged: {error}; to save the intact matches in another log: {words}",
            what=str(path),
            where="--log",
        ) from None


def checksum(*columns: object) -> int:
    """Return the checksum of the other columns of a row."""
    parts = (column if isinstance(column, bytes) else str(column).encode() for column in columns)
    return zlib.crc32(b"\0".join(parts))


def verify(rows: Iterable[Row]) -> list[Row]:
    """Return rows without their last column, which is their checksum.

    Raises:
        ValueError: a row has another checksum.
    """
    verified = [tuple(row) for row in rows]
    for *columns, stored in verified:
        if checksum(*columns) != stored:
            raise ValueError("a row differs from its checksum")
    return [row[:-1] for row in verified]

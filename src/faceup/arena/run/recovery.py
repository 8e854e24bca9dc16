"""Save the intact matches of a damaged log in another log."""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from faceup.arena.run.log import MARKS, TABLES, Plan, last_contest, programs_folder
from faceup.arena.run.log_damage import Row, checksum, verify
from faceup.arena.run.pairings import Contest
from faceup.core import Malformed

_PAGE_SIZE: Final = 4096
_LEAST_ROW: Final = 64
"""The least bytes of a match in a log, which bound the numbers of its matches."""

_MOST_CONTESTS: Final = 1000


class Recovered(msgspec.Struct, frozen=True):
    """What was saved.

    Attributes:
        matches: number of saved matches. Their results and transcripts are intact.
        lost: number of matches before the last saved one that are missing. A run with the new log plays them again.
    """

    matches: int
    lost: int


def recover(path: Path, new: Path) -> Recovered:
    """Save the intact matches of a log, which is not changed, in a new log.

    Raises:
        Malformed: there is no such log, the new log exists already, or no contest of the log is intact.
    """
    if not path.is_file():
        raise Malformed(f"there is no log {path}", what=str(path), where="LOG")
    for existing in (new, programs_folder(new)):
        if existing.exists():
            raise Malformed(f"{existing} exists already; choose another name", what=str(new), where="NEW")
    with TemporaryDirectory() as temporary:
        copy, made = Path(temporary, "copy.sqlite"), Path(temporary, "new.sqlite")
        for suffix in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(f"{path.name}{suffix}"), f"{copy}{suffix}")
        with closing(sqlite3.connect(made)) as target:
            target.executescript(f"BEGIN; {TABLES} {MARKS} COMMIT;")
            first_page = made.read_bytes()[:_PAGE_SIZE]
            _repair_first_page(copy, first_page)
            with closing(sqlite3.connect(copy)) as source, target:
                recovered = _copy(source, target, copy.stat().st_size)
        if recovered is None:
            raise Malformed(f"{path} has no intact contest, so nothing can be saved", what=str(path), where="LOG")
        last_contest(made)  # raises an error if the new log cannot be read
        if programs_folder(path).is_dir():
            shutil.copytree(programs_folder(path), programs_folder(new))
        shutil.copyfile(made, new)
    return recovered


def _repair_first_page(copy: Path, first_page: bytes) -> None:
    """Replace the first page, which contains the table definitions and is the same in all logs but for their length."""
    with suppress(sqlite3.DatabaseError, UnicodeDecodeError), closing(sqlite3.connect(copy)) as base:
        base.execute("PRAGMA journal_mode = DELETE")  # moves the latest matches into the file
    pages = copy.stat().st_size // _PAGE_SIZE
    with copy.open("r+b") as file:
        file.write(first_page[:28] + pages.to_bytes(4) + bytes(8) + first_page[40:])


def _copy(source: sqlite3.Connection, target: sqlite3.Connection, size: int) -> Recovered | None:
    """Copy all intact rows; return None if no contest is intact."""
    rows = [row for number in range(1, _MOST_CONTESTS) for row in _find(source, "contests", "id = ?", number)]
    contests = {int(row[0]): msgspec.json.decode(row[1], type=Contest) for row in rows}
    if not contests:
        return None
    _insert(target, "contests", rows)
    names = {bot.name for contest in contests.values() for bot in contest.bots}
    _insert(target, "bots", [row for name in names for row in _find(source, "bots", "name = ?", name)])
    about = {"contest": str(max(contests)), "plan": msgspec.json.encode(Plan()).decode()}
    about |= {name: row[1] for name in about for row in _find(source, "about", "name = ?", name)}
    if about["contest"] not in map(str, contests):
        about["contest"] = str(max(contests))
    _insert(target, "about", about.items())
    matches = lost = 0
    for contest in contests:
        saved = [
            number for number in range(_end(source, contest, size)) if _copy_match(source, target, contest, number)
        ]
        matches += len(saved)
        lost += max(saved, default=-1) + 1 - len(saved)
    target.commit()
    return Recovered(matches, lost)


def _copy_match(source: sqlite3.Connection, target: sqlite3.Connection, contest: int, number: int) -> bool:
    """Copy a match and return True, if both its result and its transcript are intact: it must be possible to replay."""
    rows_by_table = {
        table: list(_find(source, table, "contest = ? AND number = ?", contest, number))
        for table in ("results", "transcripts")
    }
    if not all(rows_by_table.values()):
        return False
    for table, rows in rows_by_table.items():
        _insert(target, table, rows)
    return True


def _end(source: sqlite3.Connection, contest: int, size: int) -> int:
    """Return a number that is greater than that of any match."""
    most = size // _LEAST_ROW
    last = []
    for table in ("results", "transcripts"):
        try:
            last += source.execute(f"SELECT max(number) FROM {table} WHERE contest = ?", (contest,)).fetchone()  # noqa: S608 -- one of our tables
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return most
    return min(most, max((number + 1 for number in last if isinstance(number, int)), default=0))


def _find(source: sqlite3.Connection, table: str, where: str, *values: object) -> Iterator[Row]:
    """Yield the row with these values, without its checksum, if it is intact."""
    with suppress(sqlite3.DatabaseError, ValueError, TypeError, OverflowError):
        rows = verify(source.execute(f"SELECT * FROM {table} WHERE {where}", values).fetchall())  # noqa: S608 -- one of our tables
        yield from [row for row in rows if row[: len(values)] == values]  # a damaged index finds other rows


def _insert(target: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    for row in rows:
        columns = (*row, checksum(*row))
        marks = ", ".join("?" * len(columns))
        target.execute(f"INSERT INTO {table} VALUES ({marks})", columns)  # noqa: S608 -- one of our tables

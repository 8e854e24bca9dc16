"""The log of a comparison: a file that only grows, so that a run that was stopped goes on where it was.

Each line is a JSON object: first what is played, then the results in the order of the schedule.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from io import FileIO
from pathlib import Path
from typing import Final, Literal

import msgspec

from faceup.compare.contest import Contest, schedule
from faceup.compare.playing import Result
from faceup.core import Malformed

FORMAT: Final = 1


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line.

    Attributes:
        format: of the file.
        faceup: the version that plays; bots of another may play otherwise.
        contest: what is played.
    """

    format: Literal[1]
    faceup: str
    contest: Contest


class Journal:
    """A log that is open for writing: see `Journal.open`.

    Attributes:
        results: those of the first games of the schedule, as many as have been written.
    """

    def __init__(self, file: FileIO, path: Path, results: Sequence[Result]) -> None:
        self._file = file
        self._path = path
        self.results = list(results)

    @classmethod
    @contextmanager
    def open(cls, path: Path, contest: Contest) -> "Iterator[Journal]":
        """Open the log of this contest, to go on with it or to begin it. A line that was cut short is dropped.

        Raises:
            Malformed: it is the log of another contest (it says what differs), no log at all, in use, or there is no
                writing there.
        """
        _check_is_file(path)
        head = Head(FORMAT, version("faceup"), contest)
        try:
            file = FileIO(path, "a+")
        except OSError as error:
            raise _no_writing(path, error) from None
        with file:
            _lock(file, path)
            file.seek(0)
            *lines, cut_short = file.readall().split(b"\n")
            journal = cls(file, path, _read(lines, head, path) if lines else [])
            if not lines and not _line(head).startswith(cut_short):
                raise Malformed(f"{path} is not the log of a comparison", what=str(path), where="--log")
            file.truncate(file.tell() - len(cut_short))
            if not lines:
                journal._write(head)
            yield journal

    def add(self, result: Result) -> None:
        """Write the result of the next game of the schedule. Raises `Malformed` if it cannot be written."""
        self._write(result)
        self.results.append(result)

    def _write(self, line: Head | Result) -> None:
        try:
            self._file.write(_line(line))
        except OSError as error:
            raise _no_writing(self._path, error) from None


def _line(what: Head | Result) -> bytes:
    return msgspec.json.encode(what) + b"\n"


def _no_writing(path: Path, error: OSError) -> Malformed:
    return Malformed(f"{path} cannot be written: {error.strerror}", what=str(path), where="--log")


def read_contest(path: Path) -> Contest | None:
    """What the log is of; None if there is none yet. Raises `Malformed` if the file is no log."""
    _check_is_file(path)
    try:
        with path.open("rb") as file:
            line = file.readline()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}", what=str(path), where="--log") from None
    return _head(line, path).contest if line.endswith(b"\n") else None


def _head(line: bytes, path: Path) -> Head:
    try:
        return msgspec.json.decode(line, type=Head)
    except msgspec.DecodeError as error:
        raise Malformed(f"{path} is not the log of a comparison: {error}", what=str(path), where="--log") from None


def _read(lines: Sequence[bytes], head: Head, path: Path) -> list[Result]:
    """The results in the whole lines of a log."""
    found = _head(lines[0], path)
    for mine, theirs, fields in ((head, found, ("faceup",)), (head.contest, found.contest, Contest.__struct_fields__)):
        for field in fields:
            here, there = getattr(mine, field), getattr(theirs, field)
            if here != there:
                raise Malformed(
                    f"{path} is the log of another comparison, and is left as it is: {field} is {_said(there)} there "
                    f"and {_said(here)} here",
                    what=field,
                    where="--log",
                )
    results = []
    games = schedule(head.contest)
    for number, line in enumerate(lines[1:], 2):
        try:
            result = msgspec.json.decode(line, type=Result)
        except msgspec.DecodeError as error:
            raise Malformed(f"{path}, line {number}: {error}", what=str(path), where="--log") from None
        game = next(games)
        if result.game != game or not len(result.scores) == len(result.places) == head.contest.seats:
            raise Malformed(
                f"{path}, line {number} has to be deal {game.deal}, lineup {game.lineup}, rotation {game.rotation} "
                f"of {head.contest.seats} seats",
                what=line.decode(errors="replace"),
                where="--log",
            )
        results.append(result)
    return results


def _said(setting: object) -> str:
    if isinstance(setting, tuple):
        return "; ".join(",".join(lineup) for lineup in setting)
    return str(setting)


def _check_is_file(path: Path) -> None:
    """Refuse a folder, and a device, which may have no end."""
    if path.exists() and not path.is_file():
        raise Malformed(f"{path} is not a file", what=str(path), where="--log")


def _lock(file: FileIO, path: Path) -> None:
    """Keep a second comparison from writing to the same log. The system unlocks it when this process ends."""
    if sys.platform == "win32":
        return
    import fcntl  # noqa: PLC0415 -- which Windows has not

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Malformed(f"{path} is being written by another comparison", what=str(path), where="--log") from None

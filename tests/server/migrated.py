"""Databases with this version's schema and no rows, copied from a template because migrations take half a second.

`tests/server/store/test_migrations.py` tests the migrations.
"""

import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import sqlalchemy as sa

from faceup.server.store.database import Database
from faceup.server.store.migrations import prepare


def migrate(url: str) -> None:
    """Create this version's schema in an empty database."""
    database = Database(url)
    prepare(database)
    database.close()


def create_file(url: str) -> str:
    """Create the database of an SQLite URL unless its file exists; return the URL, of which other kinds are ignored."""
    path = Path(sa.make_url(url).database or "")
    if url.startswith("sqlite:") and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent) as copy:
            copy.write(_template())
            copy.flush()
            with suppress(FileExistsError):  # created by another server at the same time
                os.link(copy.name, path)
    return url


@cache
def _template() -> bytes:
    folder = Path(tempfile.mkdtemp(prefix="faceup-template-"))
    try:
        migrate(f"sqlite:///{folder / 'tables.sqlite'}")
        return (folder / "tables.sqlite").read_bytes()
    finally:
        shutil.rmtree(folder)

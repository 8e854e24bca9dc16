"""Search the database for the ids and handles of players, in all columns of all tables.

An erasure ends only when this search finds nothing. So a new table or column that erasures do not cover keeps them
open, with an error in the server's log, and makes a test fail.
"""

from collections.abc import Collection, Iterator
from typing import Final

import msgspec
import sqlalchemy as sa

from faceup.server.rooms.names import handle_of
from faceup.server.store.schema import erasures, metadata

_ROWS_AT_ONCE: Final = 1_000


def identifiers(people: Collection[str]) -> frozenset[str]:
    """Return the ids and the handles of players, given their ids."""
    return frozenset({*people, *map(handle_of, people)})


def texts_in(value: object) -> Iterator[str]:
    """Yield all texts in the value of a column, also those in JSON and on both sides of a colon, as in `ID:KEY`.

    >>> sorted(texts_in('{"reserved": ["", "a handle"], "command": "ID:KEY"}'))
    ['', 'ID', 'KEY', 'a handle', 'command', 'reserved']
    >>> list(texts_in("a name")), list(texts_in(7))
    (['a name'], [])
    """
    pending = [_decoded(value)]
    while pending:
        match pending.pop():
            case str(text):
                yield from text.split(":")
            case dict(members):
                pending += [*members, *members.values()]
            case list(items):
                pending += items
            case _:
                pass


def _decoded(value: object) -> object:
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str) and value.startswith(("[", "{")):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            pass
    return value


def find_traces(connection: sa.Connection, people: Collection[str]) -> list[str]:
    """Return the columns that contain the id or the handle of a player, such as "log.entries", in order.

    The table of the erasures themselves is not searched.
    """
    traces, names = set[str](), identifiers(people)
    for table in metadata.sorted_tables:
        columns = [column for column in table.c if isinstance(column.type, sa.Text | sa.LargeBinary)]
        if table is erasures or not columns:
            continue
        query = sa.select(*columns).execution_options(yield_per=_ROWS_AT_ONCE)
        with connection.execute(query) as rows:  # an error must not leave a cursor open in the database
            for row in rows:
                for column, value in zip(columns, row, strict=True):
                    if not names.isdisjoint(texts_in(value)):
                        traces.add(str(column))
    return sorted(traces)

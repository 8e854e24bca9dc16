"""Log rows for tests of the store, which does not interpret their entries."""

from typing import Any

import msgspec

from faceup.server.store import LogRow, Store, new_code, new_id


def an_append(table: str, seq: int, **more: Any) -> LogRow:  # Any: fields of an append
    entries = b'[{"entry":"left","at":1,"seat":0}]'
    return msgspec.structs.replace(LogRow(table=table, seq=seq, at=seq, entries=entries, status="active"), **more)


async def a_table(store: Store, *, wake: int | None = None, code: str = "") -> str:
    table = new_id()
    await create(store, an_append(table, 0, status="pending", wake=wake), code or new_code())
    return table


async def create(store: Store, first: LogRow, code: str) -> None:
    await store.create(first, opened_at=store.now(), listed=True, code=code, summary=b'{"game":"nimmt"}')

"""What a restore of an older backup repeats of what players asked for: the deletions of their accounts."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.cli.in_process import Done
from tests.server.admin.on_database import on_database
from tests.server.admin.test_moderation_journal import admin, database, guests, journal_of, names_in, restored

from faceup.server.accounts.account_deletion import (
    DELETION_DELAY,
    cancel_deletion,
    request_deletion,
    requested_deletions,
)
from faceup.server.accounts.schema import account_deletions
from faceup.server.accounts.sessions import create_session
from faceup.server.admin.deletion import erase_requested
from faceup.server.store import Store

__all__ = ["admin", "database"]


@pytest.mark.parametrize("lost", [False, True])
def test_requests_to_delete_an_account_hold_after_a_restore(
    database: Path, admin: Callable[..., Done], tmp_path: Path, *, lost: bool
) -> None:
    ann, bo, cy, di = guests(database, "Ann", "Bo", "Cy", "Di")

    async def before(store: Store) -> None:
        await store.write(partial(request_deletion, now=store.now(), player=di))

    async def after(store: Store) -> None:
        for player in (ann, bo, cy):
            await store.write(partial(request_deletion, now=store.now(), player=player))
        await store.write(partial(cancel_deletion, now=store.now(), player=bo))
        for player in (cy, di):  # a login cancels it
            await store.write(partial(create_session, now=store.now(), player=player, device=""))

    on_database(database, before)
    backup = tmp_path / "backup.sqlite"
    admin("backup", backup)
    on_database(database, after)
    admin("bans", "add", "--address", "192.0.2.7")  # any command updates the journal, as a server does
    requests = on_database(database, lambda store: store.query(requested_deletions))
    if lost:
        database.unlink()
    shown = restored(admin, backup)["acts"]
    assert [(act["act"], act["what"]) for act in shown if act["act"] != "ban"] == [
        *(("request_deletion", "Ann"), ("cancel_deletion", "Bo"), ("cancel_deletion", "Cy"), ("cancel_deletion", "Di"))
    ]
    assert on_database(database, lambda store: store.query(requested_deletions)) == requests
    assert [player for player, _ in requests] == [ann]
    assert not any(name in journal_of(database).read_text("utf-8") for name in ("Ann", ann))

    async def a_day_later(store: Store) -> None:
        earlier = account_deletions.c.requested_at - DELETION_DELAY
        await store.write(lambda c: c.execute(account_deletions.update().values(requested_at=earlier)).rowcount)
        await erase_requested(store)

    on_database(database, a_day_later)
    assert set(names_in(admin)) == {"Bo", "Cy", "Di"}

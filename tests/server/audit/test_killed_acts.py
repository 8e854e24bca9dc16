"""When a command for administration is killed between two transactions, its act is stored with its record, or neither.

A part of the act that has a transaction of its own, such as that at a table which a player leaves, has its own record.
"""

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
import sqlalchemy as sa
from pyotp import TOTP
from tests.cli.in_process import InProcessCli
from tests.server.admin.deletion_worlds import a_guest, everything, on_hub, seated
from tests.server.admin.on_database import on_database
from tests.server.admin.test_events import fill
from tests.server.migrated import create_file

from faceup.server.accounts.login import create_account
from faceup.server.accounts.second_factor import confirm_totp, start_totp
from faceup.server.audit.log import Act, list_acts
from faceup.server.live import TableHub
from faceup.server.moderation.bans import ban_address
from faceup.server.moderation.reports import add_report
from faceup.server.moderation.schema import reports
from faceup.server.rooms import TableConfig
from faceup.server.store import Store, UnavailableError
from faceup.server.store.writer import Job, Writer
from faceup.table.commands import Pause

NAMES = ("Ann", "Bo")
CONFIG = TableConfig(game="nimmt", options={"seats": 2, "hand": 2})

COMMANDS: dict[Act, str] = {
    "ban": "bans add Ann",
    "unban": "bans remove 192.0.2.7",
    "erase": "people erase Ann",
    "rename": "people rename Ann Anna",
    "log_out": "people remove Ann",
    "merge": "people merge Bo Ann",
    "reset_password": "people reset-password Ann",
    "remove_second_factor": "people remove-second-factor Ann",
    "close_report": "reports close REPORT",
    "pause_table": "tables pause RUNNING",
    "resume_table": "tables resume PAUSED",
    "close_table": "tables close RUNNING",
    "delete_table": "tables delete RUNNING",
    "registration": "registration closed",
    "announce": "announce Hello",
    "keep": "keep --finished 30d",
    "end_tournament": "tournaments end t0",
    "end_party": "parties end p0",
    "hand_over": "parties hand-over p0 Bo",
}
OTHERS: set[Act] = {"export", "research_export", "remove_player", "request_deletion", "cancel_deletion"}
"""Exports change nothing, `remove_player` is a part of `people remove`, and the last two are acts of players."""


async def _fill(hub: TableHub) -> dict[str, str]:
    """Create what the commands are about, and return the ids."""
    store, now = hub.store, hub.now()
    ann, bo = people = (await a_guest(store, "Ann"), await a_guest(store, "Bo"))
    running, paused = [await seated(hub, CONFIG, people, NAMES) for _ in range(2)]
    await hub.send(paused, Pause(), id="pause", player=ann)
    await store.write(partial(fill, ann=ann, bo=bo))
    await store.write(lambda c: ban_address(c, now, "192.0.2.7"))
    await store.write(lambda c: create_account(c, now, ann, "ann", "hash"))
    secret = (await store.write(lambda c: start_totp(c, ann, "ann"))).secret
    await store.write(lambda c: confirm_totp(c, now, ann, TOTP(secret).at(now // 1000)))
    await store.write(partial(add_report, now=now, place=running, reporter=ann, reported=bo, name="Bo", reason="name"))
    report: str = await store.query(lambda c: c.execute(sa.select(reports.c.id)).scalar_one())
    return {"RUNNING": running, "PAUSED": paused, "REPORT": report}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The path of a database, and the ids of what the commands are about."""
    path = tmp_path_factory.mktemp("killed") / "tables.sqlite"
    return path, on_hub(create_file(f"sqlite:///{path}"), _fill)


async def _contents(store: Store) -> tuple[str, list[str]]:
    """Return everything but the audit log, and the acts in the audit log."""
    return await everything(store, but={"audit_log"}), [act.act for act in await store.query(list_acts)]


def _allow_writes(patch: pytest.MonkeyPatch, count: int) -> None:
    """Let only the first transactions succeed, as if the process was killed before the next one."""
    store, left = Writer._store, count

    def store_few(writer: Writer, group: Sequence[Job]) -> None:
        nonlocal left
        if not left:
            raise UnavailableError("killed")
        store(writer, group)
        left -= 1

    patch.setattr(Writer, "_store", store_few)


@pytest.mark.slow
@pytest.mark.parametrize("act", COMMANDS)
def test_a_killed_command_stores_its_act_with_its_record_or_neither(
    act: Act,
    world: tuple[Path, dict[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    original, ids = world
    database = tmp_path / "tables.sqlite"
    monkeypatch.setenv("FACEUP_DATABASE", str(database))
    words = [ids.get(word, word) for word in COMMANDS[act].split()]
    before = on_database(original, _contents)
    count, status = 0, -1
    while status:
        shutil.copy(original, database)
        with monkeypatch.context() as patch:
            _allow_writes(patch, count)
            status = InProcessCli(patch, capsys)("admin", *words).status
        after = on_database(database, _contents)
        new_acts = after[1][: len(after[1]) - len(before[1])]
        assert (after[0] != before[0]) == (new_acts != []), f"after {count} writes"
        count += 1
    assert act in new_acts
    assert count > 1


def test_all_acts_of_the_operator_are_tested() -> None:
    assert COMMANDS.keys() | OTHERS == set(get_args(Act))

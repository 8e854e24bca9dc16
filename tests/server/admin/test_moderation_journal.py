"""What a restore of an older backup repeats: bans, their ends, deletions and erasures that were done after it."""

import asyncio
import json
import re
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from tests.cli.in_process import Done, InProcessCli
from tests.server.admin.deletion_worlds import a_guest, seated
from tests.server.admin.on_database import on_database
from tests.server.live.players import hub_at
from tests.server.migrated import create_file

from faceup.core.record import Terms
from faceup.server.accounts.schema import players, server_state, sessions
from faceup.server.admin.backup_targets import Folder
from faceup.server.admin.deletion import erase_players, start_erasures
from faceup.server.admin.moderation_journal import (
    COPY,
    copy_journal,
    journal_text,
    parse_journal,
    read_journal,
)
from faceup.server.admin.retention import sweep
from faceup.server.audit.schema import audit_log
from faceup.server.player_data import merge
from faceup.server.rooms import TableConfig
from faceup.server.rooms.names import handle_of
from faceup.server.store import Store
from faceup.server.store.schema import rooms, server_clock

DAY = 86_400_000
NAMES = ("Ann", "Bo", "Cy", "Di")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tables.sqlite"
    monkeypatch.setenv("FACEUP_DATABASE", str(path))
    create_file(f"sqlite:///{path}")
    return path


@pytest.fixture
def admin(
    database: Path,  # noqa: ARG001 -- used through the environment
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Done]:
    run = InProcessCli(monkeypatch, capsys)

    def ok(*arguments: object) -> Done:
        done = run("admin", *arguments)
        assert done.status == 0, done.err
        return done

    return ok


def journal_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.moderation.jsonl")


def guests(database: Path, *names: str) -> list[str]:
    async def work(store: Store) -> list[str]:
        return [await a_guest(store, name) for name in names]

    return on_database(database, work)


def tables(database: Path, people: list[str], count: int) -> list[str]:
    """Create tables at which Ann and Bo sit, and return their codes."""
    config = TableConfig(game="nimmt", options={"seats": 3}, terms=Terms())

    async def work() -> list[str]:
        async with hub_at(f"sqlite:///{database}") as hub:
            ids = [await seated(hub, config, tuple(people[:2]), NAMES[:2]) for _ in range(count)]
            return [room.code for room in await hub.store.rooms() if room.id in ids]

    return asyncio.run(work())


def names_in(admin: Callable[..., Done]) -> dict[str, bool]:
    """Return the names of all players, and whether they are banned."""
    return {row["name"]: row["banned"] is not None for row in json.loads(admin("people", "list", "--json").out)}


def codes_in(admin: Callable[..., Done]) -> set[str]:
    return {row["code"] for row in json.loads(admin("tables", "list", "--json").out)}


def addresses_in(admin: Callable[..., Done]) -> set[str]:
    return {row["address"] for row in json.loads(admin("bans", "list", "--json").out) if row["address"]}


def restored(admin: Callable[..., Done], backup: Path, *options: object) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(admin("restore", backup, *options, "--json").out)["moderation"]
    return result


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the files of `world`, which the first test creates."""
    return tmp_path_factory.mktemp("template")


@pytest.fixture
def world(database: Path, admin: Callable[..., Done], tmp_path: Path, template: Path) -> Path:
    """A backup, after which Ann was banned, Bo's ban was removed, Cy was erased, and a table was deleted."""
    if not any(template.iterdir()):
        create_world(database, admin, tmp_path)
        shutil.copytree(tmp_path, template, dirs_exist_ok=True)
    else:
        shutil.copytree(template, tmp_path, dirs_exist_ok=True)
    return tmp_path / "kept" / "backup.sqlite"


def create_world(database: Path, admin: Callable[..., Done], folder: Path) -> None:
    people = guests(database, *NAMES)
    first, _ = sorted(tables(database, people, 2))
    admin("bans", "add", "Bo")
    admin("bans", "add", "--address", "192.0.2.7")
    backup = folder / "kept" / "backup.sqlite"
    backup.parent.mkdir()
    admin("backup", backup)
    admin("bans", "add", "Ann", "--for", "7d", "--reason", "cheating, says Di")
    admin("bans", "add", "--address", "198.51.100.0/24")
    admin("bans", "remove", "Bo")
    admin("bans", "remove", "192.0.2.7")
    admin("people", "erase", "Cy")
    admin("tables", "delete", first)


def assert_known_until_the_last_act(moderation: dict[str, Any]) -> None:
    """Assert that all acts are known, but not whether there were later ones."""
    assert not moderation["complete"]
    assert moderation["known_until"] >= max(act["at"] for act in moderation["acts"])


def assert_repeated(admin: Callable[..., Done]) -> None:
    assert names_in(admin) == {"Ann": True, "Bo": False, "Di": False}
    assert addresses_in(admin) == {"198.51.100.0/24"}
    assert len(codes_in(admin)) == 1


def test_bans_deletions_erasures_and_ends_of_bans_hold_after_a_restore(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    moderation = restored(admin, world)
    assert_repeated(admin)
    shown = sorted((act["act"], act["what"] if act["act"] != "delete_table" else "") for act in moderation["acts"])
    assert shown == [
        *(("ban", "198.51.100.0/24"), ("ban", "Ann"), ("delete_table", ""), ("erase", "")),
        *(("unban", "192.0.2.7"), ("unban", "Bo")),
    ]
    assert all(act["repeated"] for act in moderation["acts"])
    assert (moderation["complete"], moderation["warnings"]) == (True, [])
    restored(admin, world)
    assert_repeated(admin)
    newer = database.with_name("newer.sqlite")
    admin("backup", newer)
    assert restored(admin, newer)["acts"] == []
    assert "are known: there are none after the backup was made." in admin("restore", newer).out
    assert_repeated(admin)


def test_the_journal_alone_is_enough_if_the_database_is_lost(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    for path in database.parent.glob("tables.sqlite*"):
        if path != journal_of(database):
            path.unlink()
    moderation = restored(admin, world)
    assert_known_until_the_last_act(moderation)
    assert len(moderation["acts"]) == 6
    assert_repeated(admin)


def test_a_database_that_cannot_be_read_is_replaced_too(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    database.write_bytes(b"damage" * 5_000)
    assert_known_until_the_last_act(restored(admin, world))
    assert_repeated(admin)


def test_an_entry_that_a_crash_has_cut_is_reported_and_read_from_the_database(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    journal = journal_of(database)
    content = journal.read_bytes()
    journal.write_bytes(content[:-20])
    number = len(content.splitlines())
    output = admin("restore", world).out
    assert f"Note: {journal} is damaged (line {number}), and was read without that. Another copy is complete." in output
    assert_repeated(admin)
    assert journal.with_name(f"{journal.name}.damaged").read_bytes() == content[:-20]
    assert not read_journal(journal).damaged  # type: ignore[union-attr]  # there is a file


def test_a_damaged_journal_without_the_database_is_reported_and_the_rest_is_repeated(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    journal = journal_of(database)
    content = journal.read_bytes()
    journal.write_bytes(content[:-20])
    database.unlink()
    moderation = restored(admin, world)
    assert not moderation["complete"]
    assert moderation["warnings"][0].startswith(f"{journal} is damaged (line ")
    assert names_in(admin) == {"Ann": True, "Bo": False, "Di": False}
    assert len(codes_in(admin)) == 2  # its deletion was in the damaged line


def test_damage_in_the_middle_leaves_the_other_lines(database: Path, admin: Callable[..., Done], world: Path) -> None:
    journal = journal_of(database)
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[3] = b"\xff\xfe{}\n"
    journal.write_bytes(b"".join(lines))
    database.unlink()
    output = admin("restore", world).out
    assert "WARNING" in output
    assert "is damaged (line 4)" in output
    assert len(parse_journal(journal.read_bytes()).acts) >= 6


def test_without_a_journal_a_restore_says_that_it_cannot_know(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    journal = journal_of(database)
    journal.unlink()
    database.unlink()
    output = admin("restore", world).out
    assert "WARNING: bans, deletions and erasures are known until " in output
    assert f"{journal} is missing or cannot be read" in output
    assert names_in(admin) == {"Ann": False, "Bo": True, "Cy": False, "Di": False}
    # What it did not know stays unknown: no later restore of this backup claims to know it.
    assert not restored(admin, world)["complete"]


def test_without_a_journal_the_previous_database_is_enough(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    journal_of(database).unlink()
    assert restored(admin, world)["complete"]
    assert_repeated(admin)


def test_a_restore_without_the_acts_lists_them(admin: Callable[..., Done], world: Path) -> None:
    output = admin("restore", world, "--without-journal").out
    assert "NOT repeated: 6 acts after the backup was made." in output
    assert "ban Ann until" in output
    assert names_in(admin) == {"Ann": False, "Bo": True, "Cy": False, "Di": False}
    assert addresses_in(admin) == {"192.0.2.7"}


def test_a_database_that_was_created_after_the_loss_does_not_seem_to_know(
    database: Path, admin: Callable[..., Done], world: Path
) -> None:
    journal = journal_of(database)
    content = journal.read_bytes()
    database.unlink()
    guests(database, "Eve")  # a service was started again by itself
    admin("bans", "add", "Eve")
    [renamed] = database.parent.glob(f"{journal.name}.*")
    assert renamed.read_bytes() == content
    assert_known_until_the_last_act(restored(admin, world))
    assert_repeated(admin)
    database.unlink()
    journal.unlink()
    renamed.unlink()
    guests(database, "Eve")
    admin("bans", "add", "Eve")
    admin("bans", "add", "--address", "203.0.113.7")
    output = admin("restore", world).out
    assert "WARNING" in output
    assert f"{journal} is about another database; " in output
    assert "the previous database is about another database" in output
    assert addresses_in(admin) == {"192.0.2.7"}


def test_a_machine_that_was_not_in_use_does_not_seem_to_know(
    database: Path, admin: Callable[..., Done], world: Path, tmp_path: Path
) -> None:
    standby = tmp_path / "standby" / "tables.sqlite"
    restored(admin, world, "--database", standby, "--journal", journal_of(database))
    hour = int(time.time() - 3600) * 1000
    on_database(standby, partial(_move_back, at=hour))
    parsed = parse_journal(journal_of(standby).read_bytes())
    journal_of(standby).write_bytes(journal_text(parsed.database, hour - 1, hour, parsed.acts.values()))
    newer = tmp_path / "newer.sqlite"
    admin("backup", newer)
    moderation = restored(admin, newer, "--database", standby)
    assert not moderation["complete"]
    assert [warning.endswith("ends before the backup was made") for warning in moderation["warnings"]] == [True, True]


async def _move_back(store: Store, at: int) -> None:
    """Set all times of changes in a database to an earlier time."""

    def move(connection: Connection) -> None:
        connection.execute(server_state.delete().where(server_state.c.key.startswith("moderation_")))
        for column in (players.c.created_at, sessions.c.seen_at, rooms.c.changed_at, audit_log.c.at):
            connection.execute(column.table.update().values({column.name: at}))
        connection.execute(server_clock.update().values(last_heartbeat=at))

    await store.write(move)


def test_the_journal_of_another_machine_can_be_given(
    database: Path, admin: Callable[..., Done], world: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "new" / "tables.sqlite"
    assert not restored(admin, world, "--database", elsewhere)["complete"]
    again = restored(admin, world, "--database", elsewhere, "--journal", journal_of(database))
    assert_known_until_the_last_act(again)
    listed = json.loads(admin("people", "list", "--json", "--database", elsewhere).out)
    assert {row["name"] for row in listed} == {"Ann", "Bo", "Di"}


def test_the_copy_in_the_folder_of_backups_is_read_too(database: Path, admin: Callable[..., Done], world: Path) -> None:
    admin("backup", f"{world.parent}/")
    assert list(world.parent.glob(f"{COPY}*.jsonl"))
    journal_of(database).unlink()
    database.unlink()
    assert_known_until_the_last_act(restored(admin, world))
    assert_repeated(admin)


def test_a_copy_that_no_one_renews_does_not_seem_to_know_later_acts(
    database: Path, admin: Callable[..., Done], tmp_path: Path
) -> None:
    """The machine is lost with its database and journal, after a ban, a deletion and an erasure."""
    people = guests(database, *NAMES)
    [code] = tables(database, people, 1)
    admin("bans", "add", "Di")
    kept = tmp_path / "kept"
    backup = Path(json.loads(admin("backup", f"{kept}/", "--json").out)["file"])
    [copy] = kept.glob(f"{COPY}*.jsonl")
    copied = copy.read_bytes()
    until = parse_journal(copied).until
    assert until is not None
    admin("bans", "add", "Ann")
    admin("people", "erase", "Cy")
    admin("tables", "delete", code)
    later = min(act.at for act in parse_journal(journal_of(database).read_bytes()).acts.values() if act.at > until)
    new_machine = ("--database", tmp_path / "new" / "tables.sqlite")
    moderation = restored(admin, backup, *new_machine)
    assert (moderation["complete"], moderation["acts"]) == (False, [])
    assert until <= moderation["known_until"] < later
    copy.write_bytes(copied.replace(f',"journal_until":{until}'.encode(), b""))  # as an older version wrote it
    moderation = restored(admin, backup, "--database", tmp_path / "other" / "tables.sqlite")
    assert moderation["known_until"] < later
    assert f"{copy} has no time until which it is complete" in moderation["warnings"]
    copy_journal(journal_of(database), Folder(kept))  # as a server with automatic backups does
    moderation = restored(admin, backup, "--database", tmp_path / "third" / "tables.sqlite")
    assert_known_until_the_last_act(moderation)
    assert {act["act"] for act in moderation["acts"]} == {"ban", "erase", "delete_table"}


def test_repeated_acts_keep_their_times(database: Path, admin: Callable[..., Done], world: Path) -> None:
    before = _times(database)
    started = int(time.time() * 1000)
    restored(admin, world)
    after = _times(database)
    for times in (before, after):  # entries have the time at which the work started, and here it took a moment
        assert all(opened_at + at < started for opened_at, at in times.pop("entries"))
        assert all(changed_at < started for (changed_at,) in times.pop("changes of tables"))
    assert after == before
    acts = parse_journal(journal_of(database).read_bytes()).acts.values()
    assert len(acts) == len(before["acts"])  # none is there twice


def _times(database: Path) -> dict[str, list[Any]]:
    """Return what users and admins see of acts in a database, with its times."""
    queries = {
        "acts": "SELECT id, at, act, by, player IS NULL, place FROM audit_log WHERE restore IS NOT NULL ORDER BY id",
        "bans": "SELECT player, address, since, until FROM bans ORDER BY since",
        "deleted tables": "SELECT id, at FROM deleted_tables ORDER BY id",
        "erased": "SELECT created_at, erased_at FROM players WHERE erased_at IS NOT NULL ORDER BY erased_at",
        "tables": "SELECT id, ended_at FROM rooms ORDER BY id",
        "changes of tables": "SELECT changed_at FROM rooms",
        "entries": "SELECT opened_at, at FROM log JOIN rooms ON rooms.id = log.room",
    }
    with closing(sqlite3.connect(database)) as connection:
        return {name: connection.execute(query).fetchall() for name, query in queries.items()}


@pytest.mark.usefixtures("world")
def test_the_journal_names_no_one(database: Path, admin: Callable[..., Done]) -> None:
    ann = next(row["id"] for row in json.loads(admin("people", "list", "--json").out) if row["name"] == "Ann")
    text = journal_of(database).read_text("utf-8")
    for personal in (*(f'"{name}"' for name in NAMES), "cheating", ann, handle_of(ann)):
        assert personal not in text
    assert journal_of(database).stat().st_mode & 0o077 == 0
    members = {name for line in text.splitlines()[1:] for name in json.loads(line)}
    assert members <= {"id", "at", "act", "targets", "address", "until", "by"}


def test_the_newest_act_wins(database: Path, admin: Callable[..., Done], tmp_path: Path) -> None:
    guests(database, *NAMES)
    backup = tmp_path / "backup.sqlite"
    admin("backup", backup)
    for name in ("Ann", "Bo"):
        admin("bans", "add", name)
        admin("bans", "remove", name)
    admin("bans", "add", "Bo", "--for", "7d")
    admin("bans", "add", "Cy")
    admin("people", "erase", "Cy")
    moderation = restored(admin, backup)
    assert names_in(admin) == {"Ann": False, "Bo": True, "Di": False}
    # The name of an erased player is not shown; it may be part of a random id.
    assert not re.search(r"\bCy\b", json.dumps(moderation))
    [ban] = json.loads(admin("bans", "list", "--json").out)
    assert ban["until"] is not None


def test_a_ban_that_is_over_does_not_leave_an_older_one_in_force(
    database: Path, admin: Callable[..., Done], tmp_path: Path
) -> None:
    guests(database, "Ann")
    admin("bans", "add", "Ann")
    backup = tmp_path / "backup.sqlite"
    admin("backup", backup)
    admin("bans", "add", "Ann", "--for", "1s")
    time.sleep(1.1)
    restored(admin, backup)
    assert names_in(admin) == {"Ann": False}


def test_people_who_are_not_in_the_backup_are_listed_as_such(
    database: Path, admin: Callable[..., Done], tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite"
    admin("backup", backup)
    guests(database, "Ann")
    admin("bans", "add", "Ann")
    [act] = restored(admin, backup)["acts"]
    assert (act["in_backup"], act["repeated"]) == (False, False)
    assert "(not in the backup)" in admin("restore", backup).out


def test_a_player_who_was_merged_after_the_backup_is_erased_with_both_ids(
    database: Path, admin: Callable[..., Done], tmp_path: Path
) -> None:
    guest, person = guests(database, "Ann", "Bo")
    backup = tmp_path / "backup.sqlite"
    admin("backup", backup)
    on_database(database, lambda store: store.write(lambda c: merge(c, guest, person)))
    admin("people", "erase", "Bo")
    restored(admin, backup)
    assert names_in(admin) == {}


def test_an_erasure_by_the_player_is_repeated_and_expired_data_is_not_recorded(
    database: Path, admin: Callable[..., Done], tmp_path: Path
) -> None:
    ann, bo = guests(database, "Ann", "Bo")
    backup = tmp_path / "backup.sqlite"
    admin("backup", backup)

    async def work(store: Store) -> None:
        await erase_players(store, [ann], by="player")
        await start_erasures(store, [bo], by="server")
        await sweep(store)

    on_database(database, work)
    moderation = restored(admin, backup)
    assert [act["act"] for act in moderation["acts"]] == ["erase"]
    assert names_in(admin) == {"Bo": False}


def test_a_journal_that_cannot_be_written_is_reported_after_the_act(
    database: Path, admin: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guests(database, "Ann")
    journal_of(database).mkdir()
    done = InProcessCli(monkeypatch, capsys)("admin", "bans", "add", "Ann")
    assert done.status != 0
    assert "the moderation journal" in done.err
    assert names_in(admin) == {"Ann": True}

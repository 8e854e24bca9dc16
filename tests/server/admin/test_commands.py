"""`faceup admin` on a database without a running server: output, effects and errors."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from pyotp import TOTP
from tests.cli.in_process import Done, InProcessCli
from tests.server.admin.on_database import on_database

from faceup.core import SeededGenerator
from faceup.server.accounts.login import create_account
from faceup.server.accounts.players import create_guest
from faceup.server.accounts.revocations import revoked_since, subject_of
from faceup.server.accounts.second_factor import confirm_totp, second_factor_state, start_totp
from faceup.server.accounts.server_state import announcement
from faceup.server.accounts.sessions import create_session
from faceup.server.moderation.reports import ReportReason, add_report
from faceup.server.rooms import TableConfig, create_entries, dumps
from faceup.server.store import LogRow, Store

DAY = 86_400_000
REASONS = get_args(ReportReason)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tables.sqlite"
    monkeypatch.setenv("FACEUP_DATABASE", str(path))
    on_database(path, lambda store: store.rooms())
    return path


@pytest.fixture
def admin(
    database: Path,  # noqa: ARG001 -- used through the environment
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Done]:
    run = InProcessCli(monkeypatch, capsys)
    return lambda *arguments: run("admin", *arguments)


def _guest(path: Path, name: str, *, days_ago: int = 0) -> str:
    async def work(store: Store) -> str:
        now = store.now() - days_ago * DAY
        player = await store.write(lambda c: create_guest(c, now, name))
        await store.write(lambda c: create_session(c, now, player.id, "phone"))
        return player.id

    return on_database(path, work)


def _table(path: Path, player: str, code: str = "KTRWX", *, days_ago: int = 0) -> str:
    """Create a started table with one player and one bot."""

    async def work(store: Store) -> str:
        opening = TableConfig(game="nimmt", options={"seats": 2, "hand": 2})
        entries = create_entries(opening, player, "Ann", SeededGenerator(1))
        append = LogRow(table=f"table-{code}", seq=0, at=0, entries=dumps(entries), status="pending")
        at = store.now() - days_ago * DAY
        await store.create(append, opened_at=at, listed=True, code=code, summary=b"{}")
        return append.table

    return on_database(path, work)


def test_players_are_listed_found_and_renamed(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    _guest(database, "Bo\u0301 Derek")
    assert admin("people", "rename", "Ann", "Anna").out == "Ann was renamed to Anna.\n"
    [row] = json.loads(admin("people", "list", "--find", "ANN", "--json").out)
    assert (row["id"], row["name"], row["account"], row["banned"]) == (ann, "Anna", False, None)
    lines = admin("people", "list").out.splitlines()
    assert lines[0].split() == ["ID", "NAME", "KIND", "LOGIN", "SINCE", "SEEN", "BANNED"]
    assert len(lines) == 3


def test_a_list_says_that_there_is_more(database: Path, admin: Callable[..., Done]) -> None:
    ann, bo = _guest(database, "Ann"), _guest(database, "Bo")
    for number, code in enumerate(("KTRWX", "MMPQA")):
        table = _table(database, ann, code)
        report = partial(add_report, now=number, place=table, reporter=ann, reported=bo, name="Bo", reason="name")
        on_database(database, lambda store, report=report: store.write(report))  # type: ignore[misc]  # mypy infers no type
    for name, narrow in (
        ("people", ", or narrow the list with --find"),
        ("tables", ", or narrow the list with --status"),
        ("reports", ""),
    ):
        for limit, rows, message in ((1, 1, f"There are more: raise --limit 1{narrow}.\n"), (2, 2, "")):
            done = admin(name, "list", "--limit", str(limit))
            assert (len(done.out.splitlines()), done.err) == (rows + 1, message), name
        assert len(json.loads(admin(name, "list", "--limit", "1", "--json").out)) == 1
        assert "the limit must be 1 or more; got -1" in admin(name, "list", "--limit", "-1").err


def test_bans_are_added_listed_and_removed(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    done = admin("bans", "add", "Ann", "--for", "7d", "--reason", "cheating").out
    assert re.fullmatch(r"Ann was banned until \d{4}-\d\d-\d\d \d\d:\d\d\.\n", done)
    admin("bans", "add", "--address", "2001:db8:1:2::7")
    revocations = on_database(database, lambda store: store.query(lambda c: revoked_since(c, 0)))
    subjects = [subject_of("player", ann), subject_of("bans"), "address:2001:db8:1:2::/64"]
    assert [subject for _, subject in revocations] == subjects
    assert json.loads(admin("people", "list", "--json").out)[0]["banned"] is not None
    network, player = json.loads(admin("bans", "list", "--json").out)
    assert (network["address"], network["until"]) == ("2001:db8:1:2::/64", None)
    assert (player["player"], player["reason"], player["until"] - player["since"]) == (ann, "cheating", 7 * DAY)
    assert "Ann" in admin("bans", "list").out
    admin("bans", "remove", "Ann")
    assert admin("bans", "remove", "2001:db8:1:2:ffff::1").out == "The ban of 2001:db8:1:2:ffff::1 was removed.\n"
    assert admin("bans", "list").out == "No bans.\n"
    assert json.loads(admin("people", "list", "--json").out)[0]["banned"] is None


def test_a_ban_needs_one_player_or_one_address(database: Path, admin: Callable[..., Done]) -> None:
    _guest(database, "Ann")
    for arguments in ((), ("Ann", "--address", "192.0.2.7")):
        assert "name either a player or, with --address, an address" in admin("bans", "add", *arguments).err
    assert "an address must be an IP address" in admin("bans", "add", "--address", "example.org").err
    assert "a duration is 1 to 6 digits" in admin("bans", "add", "Ann", "--for", "soon").err
    assert "'Ann' is not banned" in admin("bans", "remove", "Ann").err
    assert "there is no player 'Cy'" in admin("bans", "remove", "Cy").err


def test_reports_are_listed_and_closed(database: Path, admin: Callable[..., Done]) -> None:
    ann, bo = _guest(database, "Ann"), _guest(database, "Bo")
    table = _table(database, ann)

    async def work(store: Store) -> None:
        now = store.now()
        for reason in REASONS[:2]:
            report = partial(add_report, place=table, reporter=bo, reported=ann, name="Ann at the table", reason=reason)
            await store.write(lambda c, report=report: report(c, now))  # type: ignore[misc]  # no default in its type

    on_database(database, work)
    listed = json.loads(admin("reports", "list", "--json").out)
    assert {(report["name"], report["by"], report["code"], report["reporters"]) for report in listed} == {
        ("Ann at the table", "Bo", "KTRWX", 1)
    }
    assert "Ann at the table" in admin("reports", "list").out
    ids = [report["id"] for report in listed]
    assert "there is no open report 'nothing'" in admin("reports", "close", ids[0], "nothing").err
    assert len(json.loads(admin("reports", "list", "--json").out)) == 2, "all or none"
    assert admin("reports", "close", *ids).out == "Closed 2 reports.\n"
    assert admin("reports", "list").out == "No reports.\n"
    assert [report["closed"] > report["at"] for report in json.loads(admin("reports", "list", "--all", "--json").out)]
    admin("keep", "--reports", "0d", "--sweep")
    assert admin("reports", "list", "--all").out == "No reports.\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize("missing", ["table", "Ann", "Bo"])
def test_reports_are_deleted_with_their_table_and_both_players(
    database: Path, admin: Callable[..., Done], missing: str
) -> None:
    ann, bo = _guest(database, "Ann"), _guest(database, "Bo")
    table = _table(database, ann)
    report = partial(add_report, place=table, reporter=bo, reported=ann, name="Ann", reason="name")
    on_database(database, lambda store: store.write(lambda c: report(c, 0)))
    assert len(json.loads(admin("reports", "list", "--json").out)) == 1
    admin(*(("tables", "delete", table) if missing == "table" else ("people", "erase", missing)))
    assert admin("reports", "list", "--all").out == "No reports.\n"


def test_an_ambiguous_name_is_rejected_with_the_ids(database: Path, admin: Callable[..., Done]) -> None:
    ids = {_guest(database, "Ann") for _ in range(2)}
    done = admin("people", "erase", "Ann")
    assert done.status == 2
    assert "2 players match 'Ann'" in done.err
    assert all(identifier in done.err for identifier in ids)
    assert "there is no player 'Cy'" in admin("people", "erase", "Cy").err


def test_a_removed_player_leaves_all_seats_and_is_logged_out(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    _table(database, ann)
    assert "was logged out everywhere and removed from 1 seat." in admin("people", "remove", "Ann").out
    assert json.loads(admin("tables", "show", "KTRWX", "--json").out)["seats"] == [None, None]
    assert json.loads(admin("people", "list", "--json").out)[0]["seen"] is None
    acts = {(act["act"], act["player"], act["place"]) for act in json.loads(admin("log", "--json").out)}
    assert acts == {("log_out", ann, ""), ("remove_player", ann, "table:table-KTRWX")}
    assert "was logged out everywhere and removed from 0 seats." in admin("people", "remove", "Ann").out


def test_two_players_are_merged(database: Path, admin: Callable[..., Done]) -> None:
    _guest(database, "Ann")
    _guest(database, "Guest 1")
    assert admin("people", "merge", "Guest 1", "Ann").out == "Guest 1 was merged into Ann.\n"
    assert [person["name"] for person in json.loads(admin("people", "list", "--json").out)] == ["Ann"]


def test_a_link_for_a_new_password_is_printed_once(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    assert "Ann has no login" in admin("people", "reset-password", "Ann").err

    async def work(store: Store) -> None:
        await store.write(lambda c: create_account(c, 0, ann, "ann", "hash"))

    on_database(database, work)
    first, second = (json.loads(admin("people", "reset-password", "ann", "--json").out)["link"] for _ in range(2))
    assert first != second
    assert len(first.partition("#")[2]) == 43  # after the #, which browsers do not send
    stored = b"".join(path.read_bytes() for path in database.parent.iterdir())
    assert first.partition("#")[2].encode() not in stored


def test_a_second_factor_is_removed_for_a_player_who_has_lost_it(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    assert "Ann has no second factor" in admin("people", "remove-second-factor", "Ann").err
    now = 1_700_000_000_000

    async def work(store: Store) -> None:
        secret = (await store.write(lambda c: start_totp(c, ann, "ann"))).secret
        await store.write(lambda c: confirm_totp(c, now, ann, TOTP(secret).at(now // 1000)))

    on_database(database, work)
    exported = admin("people", "export", "Ann").out
    assert json.loads(exported)["second_factor"] == {"totp": True, "recovery_codes": 0}
    assert "Ann can log in without a second factor." in admin("people", "remove-second-factor", "Ann").out
    assert not on_database(database, lambda store: store.query(lambda c: second_factor_state(c, ann))).totp


def test_the_data_of_a_player_is_exported_and_erased(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    exported = json.loads(admin("people", "export", "Ann").out)
    assert exported["player"]["name"] == "Ann"
    assert len(exported["sessions"]) == 1
    admin("people", "erase", ann)
    assert admin("people", "list").out == "No players.\n"
    assert "there is no player" in admin("people", "export", ann).err


def test_tables_are_listed_shown_and_closed(database: Path, admin: Callable[..., Done]) -> None:
    table = _table(database, _guest(database, "Ann"))
    assert json.loads(admin("tables", "list", "--json").out)[0]["id"] == table
    shown = json.loads(admin("tables", "show", "ktrwx", "--json").out)
    assert (shown["status"], shown["seats"]) == ("pending", ["Ann", None])
    assert "Ann (" in admin("tables", "show", "KTRWX").out
    assert "SEATS" in admin("tables", "list").out
    assert admin("tables", "close", "KTRWX").out == f"{table}: closed.\n"
    assert "closed" in admin("tables", "list", "--status", "closed").out
    assert admin("tables", "list", "--status", "pending").out == "No tables.\n"
    assert admin("tables", "close", table).status == 2
    assert "there is no table 'NONE'" in admin("tables", "pause", "NONE").err


def test_registration_is_overridden_until_it_is_reset(admin: Callable[..., Done]) -> None:
    assert admin("registration").out == "Everyone may register.\n"
    assert admin("registration", "closed").out == "Registration is closed.\n"
    assert admin("registration").out == "Registration is closed.\n"
    assert "`registration code` must be used with --code WORD" in admin("registration", "code").err
    assert json.loads(admin("registration", "code", "--code", "sesame", "--json").out) == {"registration": "code"}
    assert admin("registration", "default").out == "Everyone may register.\n"


def test_an_announcement_is_shown_until_it_is_withdrawn(database: Path, admin: Callable[..., Done]) -> None:
    admin("announce", "The server restarts.", "--in", "10m")
    expected = on_database(database, lambda store: store.query(announcement))
    assert expected is not None
    assert expected.text == "The server restarts."
    assert expected.at is not None
    admin("announce", "--off")
    assert on_database(database, lambda store: store.query(announcement)) is None
    assert "name either TEXT or, to withdraw a message, --off" in admin("announce").err
    assert (
        "a duration is 1 to 6 digits followed by s, m, h or d, such as 10m; got 'soon'"
        in admin("announce", "Soon.", "--in", "soon").err
    )
    assert "printable" in admin("announce", "a\x1b[2Jb").err


def test_expired_data_is_deleted(database: Path, admin: Callable[..., Done]) -> None:
    old = _guest(database, "Old", days_ago=100)
    _guest(database, "New", days_ago=1)
    _table(database, old, "AAAAA", days_ago=100)
    _table(database, old, "BBBBB")
    for code in ("AAAAA", "BBBBB"):
        admin("tables", "close", code)
    assert admin("keep").out.splitlines() == [
        "Finished tables are kept for 365 days.",
        "Unfinished tables are kept for 7 days.",
        "Inactive guests are kept for 365 days.",
        "Inactive guests without games are kept for 30 days.",
        "Reports are kept for 90 days.",
        "Acts of operators and hosts are kept for 365 days.",
    ]
    swept = json.loads(admin("keep", "--finished", "forever", "--unfinished", "0d", "--sweep", "--json").out)
    assert swept["deleted"] == {
        "finished": 0,
        "unfinished": 2,
        "guests": 0,
        "guests_without_games": 1,
        "reports": 0,
        "log": 0,
        "sessions": 0,
    }
    assert swept["keep"] == {
        "finished": None,
        "unfinished": 0,
        "guests": 365 * DAY,
        "guests_without_games": 30 * DAY,
        "reports": 90 * DAY,
        "log": 365 * DAY,
    }
    assert [person["name"] for person in json.loads(admin("people", "list", "--json").out)] == ["New"]


def test_backups_in_a_folder_are_named_by_time_and_the_oldest_are_deleted(
    database: Path, admin: Callable[..., Done], tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    _table(database, _guest(database, "Ann"))
    first = json.loads(admin("backup", f"{folder}/", "--json").out)
    assert first["tables"] == 1
    assert re.fullmatch(r"faceup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite", Path(first["file"]).name)
    assert folder.stat().st_mode & 0o077 == 0
    older = [folder / f"faceup-2026-03-0{day}T04-30-00Z.sqlite" for day in (1, 2, 3)]
    others = [folder / "before-the-upgrade.sqlite", folder / "faceup-2026-03-01.sqlite"]
    for path in (*older, *others):
        path.write_bytes(b"")
    Path(first["file"]).rename(folder / "faceup-2026-03-04T04-30-00Z.sqlite")
    last = json.loads(admin("backup", folder, "--keep", "2", "--json").out)
    assert last["deleted"] == [str(path) for path in older]
    kept = {*others, folder / "faceup-2026-03-04T04-30-00Z.sqlite", Path(last["file"])}
    assert set(folder.iterdir()) == kept
    for wrong in ((folder / "new.sqlite", "--keep", "2"), (folder, "--keep", "0")):
        refused = admin("backup", *wrong)
        assert (refused.status, "--keep must be a number from 1, and needs a folder" in refused.err) == (2, True)
    assert set(folder.iterdir()) == kept


def test_a_target_that_cannot_keep_a_backup_is_refused_in_one_sentence(
    admin: Callable[..., Done], tmp_path: Path
) -> None:
    file, folder = tmp_path / "file", tmp_path / "backups"
    file.touch()
    newest = json.loads(admin("backup", f"{folder}/", "--json").out)["file"]
    for words, expected in (
        (("backup", f"{file}/"), f"{file} is a file, and not a folder"),
        (("backup", f"{file}/inside/"), f"the folder {file}/inside cannot be used: Not a directory"),
        (("backup", file), f"{file} exists already: choose a new file name"),
        (("backup", tmp_path / "none" / "x.sqlite"), "cannot be written: No such file or directory"),
        (("backup", ""), "backups need a folder or a URL such as s3://bucket/path"),
        (("backup", "ftp://host/path"), "ftp://host/path cannot keep backups: use a folder or s3://bucket/path"),
        (("restore", f"{folder}/"), f"{folder}/ is not a backup: name a backup; its newest backup is {newest}"),
        (("restore", tmp_path / "none"), f"there is no database {tmp_path / 'none'}"),
    ):
        refused = admin(*words)
        assert (refused.status, expected in refused.err, refused.err.count("\n")) == (2, True, 1), refused
    assert [str(path) for path in folder.iterdir()] == [newest]


@pytest.mark.long
def test_a_backup_is_restored_from_standard_input(database: Path, tmp_path: Path) -> None:
    _table(database, _guest(database, "Ann"))
    copy, elsewhere = tmp_path / "copy.sqlite", tmp_path / "new" / "tables.sqlite"
    command = [sys.executable, "-m", "faceup", "admin"]
    subprocess.run([*command, "backup", copy], check=True, capture_output=True)
    with copy.open("rb") as stream:
        subprocess.run([*command, "restore", "-", "--database", elsewhere], stdin=stream, check=True)
    assert sorted(path.name for path in elsewhere.parent.iterdir()) == [
        "tables.sqlite",
        "tables.sqlite.moderation.jsonl",
    ]
    assert elsewhere.stat().st_mode & 0o077 == 0
    listed = subprocess.check_output([*command, "tables", "list", "--json", "--database", elsewhere])
    assert [table["code"] for table in json.loads(listed)] == ["KTRWX"]
    wrong = subprocess.run(
        [*command, "restore", "-", "--database", elsewhere], input=b"", capture_output=True, check=False
    )
    assert (wrong.returncode, wrong.stderr) == (2, b"faceup: standard input is not a faceup database\n")
    assert sorted(path.name for path in elsewhere.parent.iterdir()) == [
        "tables.sqlite",
        "tables.sqlite.moderation.jsonl",
    ]


def test_a_missing_database_is_not_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = InProcessCli(monkeypatch, capsys)("admin", "tables", "list", "--database", tmp_path / "none.sqlite")
    assert done.status == 2
    assert "run `faceup serve` to create it" in done.err
    assert not (tmp_path / "none.sqlite").exists()


def test_push_keys_are_created_kept_and_deleted(admin: Callable[..., Done]) -> None:
    assert admin("push-keys").out == "Web Push is off.\n"
    first = json.loads(admin("push-keys", "--contact", "mailto:ann@example.org", "--json").out)
    assert re.fullmatch(r"[\w-]{87}", first["public"])
    again = json.loads(admin("push-keys", "--contact", "https://example.org", "--json").out)
    assert again == {"public": first["public"], "contact": "https://example.org"}
    assert f"Public key: {first['public']}." in admin("push-keys").out
    refused = admin("push-keys", "--contact", "ann@example.org")
    assert "such as mailto:ann@example.org" in refused.err
    assert admin("push-keys", "--off").out == "Web Push is off.\n"

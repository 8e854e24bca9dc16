"""`faceup admin` on a database that nobody serves: what it prints, what it changes, what it refuses."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.cli.inside import Done, Inside

from faceup.core import Seeded
from faceup.server.people.accounts import make_account
from faceup.server.people.house import announcement
from faceup.server.people.players import make_guest
from faceup.server.people.revocations import announced_since
from faceup.server.people.sessions import open_session
from faceup.server.rooms import Opening, dumps, opened
from faceup.server.store import Append, Store

DAY = 86_400_000
T = TypeVar("T")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tables.sqlite"
    monkeypatch.setenv("FACEUP_DATABASE", str(path))
    _on(path, lambda store: store.now())
    return path


@pytest.fixture
def admin(
    database: Path,  # noqa: ARG001 -- named in the environment
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Done]:
    inside = Inside(monkeypatch, capsys)
    return lambda *words: inside("admin", *words)


def _on(path: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    async def whole() -> T:
        store = await Store.visit(f"sqlite:///{path}")
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


def _guest(path: Path, name: str, *, days_ago: int = 0) -> str:
    async def work(store: Store) -> str:
        now = await store.now() - days_ago * DAY
        player = await store.write(lambda c: make_guest(c, now, name))
        await store.write(lambda c: open_session(c, now, player.id, "phone"))
        return player.id

    return _on(path, work)


def _table(path: Path, player: str, code: str = "KTRWX", *, days_ago: int = 0) -> str:
    """A table of one person and one bot that has begun."""

    async def work(store: Store) -> str:
        opening = Opening(game="nimmt", options={"seats": 2, "hand": 2})
        entries = opened(opening, player, "Ann", Seeded(1))
        append = Append(table=f"table-{code}", seq=0, at=0, entries=dumps(entries), status="pending")
        at = await store.now() - days_ago * DAY
        await store.create(append, opened_at=at, listed=True, code=code, summary=b"{}")
        return append.table

    return _on(path, work)


def test_players_are_listed_found_and_renamed(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    _guest(database, "Bo\u0301 Derek")
    assert admin("people", "rename", "Ann", "Anna").out == "Ann is called Anna from now on.\n"
    [found] = json.loads(admin("people", "list", "--find", "ANN", "--json").out)
    assert (found["id"], found["name"], found["account"], found["banned"]) == (ann, "Anna", False, None)
    lines = admin("people", "list").out.splitlines()
    assert lines[0].split() == ["ID", "NAME", "LOGIN", "SINCE", "SEEN", "BANNED"]
    assert len(lines) == 3


def test_who_is_banned_is_cut_off_and_may_be_let_in_again(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    admin("people", "ban", ann, "--reason", "cheating")
    told = _on(database, lambda store: store.query(lambda c: announced_since(c, 0)))
    assert [subject for _, subject in told] == [f"player:{ann}"]
    assert json.loads(admin("people", "list", "--json").out)[0]["banned"] is not None
    admin("people", "unban", "Ann")
    assert json.loads(admin("people", "list", "--json").out)[0]["banned"] is None


def test_a_name_that_several_have_is_refused_with_their_ids(database: Path, admin: Callable[..., Done]) -> None:
    ids = {_guest(database, "Ann") for _ in range(2)}
    done = admin("people", "erase", "Ann")
    assert done.status == 2
    assert "2 players are called 'Ann'" in done.err
    assert all(each in done.err for each in ids)
    assert "there is no player 'Cy'" in admin("people", "erase", "Cy").err


def test_who_is_removed_leaves_its_seats_and_is_logged_out(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    _table(database, ann)
    assert "has left 1 seat." in admin("people", "remove", "Ann").out
    assert json.loads(admin("tables", "show", "KTRWX", "--json").out)["seats"] == [None, None]
    assert json.loads(admin("people", "list", "--json").out)[0]["seen"] is None
    assert "has left 0 seats." in admin("people", "remove", "Ann").out


def test_two_that_are_one_person_are_merged(database: Path, admin: Callable[..., Done]) -> None:
    _guest(database, "Ann")
    _guest(database, "Guest 1")
    assert admin("people", "merge", "Guest 1", "Ann").out == "Guest 1 is Ann from now on.\n"
    assert [each["name"] for each in json.loads(admin("people", "list", "--json").out)] == ["Ann"]


def test_a_link_for_a_new_password_is_printed_once(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    assert "Ann has no login" in admin("people", "reset-password", "Ann").err

    async def work(store: Store) -> None:
        await store.write(lambda c: make_account(c, 0, ann, "ann", "hash"))

    _on(database, work)
    first, second = (json.loads(admin("people", "reset-password", "ann", "--json").out)["link"] for _ in range(2))
    assert first != second
    assert len(first.partition("#")[2]) == 43  # behind the #, which no browser sends and no proxy logs
    kept = b"".join(path.read_bytes() for path in database.parent.iterdir())
    assert first.partition("#")[2].encode() not in kept


def test_all_that_is_kept_of_a_player_is_exported_and_erased(database: Path, admin: Callable[..., Done]) -> None:
    ann = _guest(database, "Ann")
    exported = json.loads(admin("people", "export", "Ann").out)
    assert exported["player"]["name"] == "Ann"
    assert len(exported["sessions"]) == 1
    admin("people", "erase", ann)
    assert admin("people", "list").out == "There are no players.\n"
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
    assert admin("tables", "list", "--status", "pending").out == "There are no tables.\n"
    assert admin("tables", "close", table).status == 2
    assert "there is no table 'NONE'" in admin("tables", "pause", "NONE").err


def test_registration_is_decided_until_it_is_as_usual_again(admin: Callable[..., Done]) -> None:
    assert admin("registration").out == "Anybody may become a player.\n"
    assert admin("registration", "closed").out == "Nobody new may become a player.\n"
    assert admin("registration").out == "Nobody new may become a player.\n"
    assert "registration by code needs one" in admin("registration", "code").err
    assert json.loads(admin("registration", "code", "--code", "sesame", "--json").out) == {"registration": "code"}
    assert admin("registration", "usual").out == "Anybody may become a player.\n"


def test_an_announcement_stands_until_it_is_taken_back(database: Path, admin: Callable[..., Done]) -> None:
    admin("announce", "The server starts anew.", "--in", "10m")
    said = _on(database, lambda store: store.query(announcement))
    assert said is not None
    assert said.text == "The server starts anew."
    assert said.at is not None
    admin("announce", "--off")
    assert _on(database, lambda store: store.query(announcement)) is None
    assert "say what to announce" in admin("announce").err
    assert "is no time" in admin("announce", "Soon.", "--in", "soon").err
    assert "printable" in admin("announce", "a\x1b[2Jb").err


def test_what_is_older_than_it_is_kept_goes(database: Path, admin: Callable[..., Done]) -> None:
    old = _guest(database, "Old", days_ago=100)
    _guest(database, "New", days_ago=1)
    _table(database, old, "AAAAA", days_ago=100)
    _table(database, old, "BBBBB")
    for code in ("AAAAA", "BBBBB"):
        admin("tables", "close", code)
    assert "Finished tables are kept for ever." in admin("keep").out
    swept = json.loads(admin("keep", "--guests", "90d", "--closed", "0d", "--sweep", "--json").out)
    assert swept["deleted"] == {"finished": 0, "closed": 2, "guests": 1, "sessions": 0}
    assert swept["keep"] == {"finished": None, "closed": 0, "guests": 90 * DAY}
    assert [each["name"] for each in json.loads(admin("people", "list", "--json").out)] == ["New"]


def test_a_database_that_is_not_there_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = Inside(monkeypatch, capsys)("admin", "tables", "list", "--database", tmp_path / "none.sqlite")
    assert done.status == 2
    assert "`faceup serve` makes it" in done.err
    assert not (tmp_path / "none.sqlite").exists()

"""The file of the moderation journal, and its copy at the place of backups."""

import time
from functools import partial
from pathlib import Path

import pytest
from tests.server.admin.deletion_worlds import NAMES, a_guest
from tests.server.admin.on_database import on_database
from tests.server.admin.test_moderation_journal import guests, journal_of
from tests.server.server_process import serving

from faceup.server.admin import moderation_journal
from faceup.server.admin.backup_targets import Folder
from faceup.server.admin.deletion import erase_players
from faceup.server.admin.moderation_journal import COPY, Journal, ModerationJournal, copy_journal, parse_journal
from faceup.server.admin.reapply import ActSource, _coverage
from faceup.server.moderation.bans import ban_player
from faceup.server.process.settings import Settings
from faceup.server.store import Store


async def test_an_act_that_a_crash_has_kept_out_of_the_file_is_appended_once(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"
    settings = Settings(database=str(database))
    store = await Store.attach(settings.database_url)
    people = [await a_guest(store, name) for name in NAMES]
    await erase_players(store, people[:1])
    first, second = ModerationJournal(store, settings), ModerationJournal(store, settings)
    for journal in (first, second, first):
        await journal.update()
        assert len(first.path.read_bytes().splitlines()) == 2
    with first.path.open("ab") as file:
        file.write(b'{"id": "cut')
    await erase_players(store, people[1:2])
    await second.update()
    await first.update()
    content = first.path.read_bytes()
    parsed = parse_journal(content)
    assert (len(parsed.acts), parsed.damaged, content.endswith(b"\n")) == (2, (3,), True)
    first.path.unlink()
    await first.update()
    assert len(parse_journal(first.path.read_bytes()).acts) == 2
    await store.close()


async def test_acts_that_are_no_longer_kept_leave_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite"))
    store = await Store.attach(settings.database_url)
    people = [await a_guest(store, name) for name in NAMES]
    await erase_players(store, people[:2])
    journal = ModerationJournal(store, settings)
    await journal.update()
    lost = journal.path.with_name(f"{journal.path.name}.0123")  # of a database that was lost
    lost.write_bytes(journal.path.read_bytes())
    monkeypatch.setattr(moderation_journal, "kept_since", lambda *_, now: now + 1)
    await journal.prune()
    for path in (journal.path, lost):
        parsed = parse_journal(path.read_bytes())
        assert (len(parsed.acts), (parsed.since or 0) > 0) == (0, True)
    await store.close()


async def test_a_copy_keeps_the_acts_of_another_process(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite"), backup_every="1h", backup_to=str(tmp_path / "kept"))
    target = Folder(tmp_path / "kept")
    store = await Store.attach(settings.database_url)
    people = [await a_guest(store, name) for name in NAMES]
    await erase_players(store, people[:1])
    journal = ModerationJournal(store, settings)
    await journal.update()
    await journal.copy()
    [copy] = (tmp_path / "kept").glob(f"{COPY}*.jsonl")
    foreign = b'{"id":"other","at":5,"act":"unban","address":"192.0.2.7"}\n'
    target.replace(copy.name, copy.read_bytes() + foreign)
    copy_journal(journal.path, target)
    assert len(parse_journal(copy.read_bytes()).acts) == 2
    await store.close()


async def test_a_server_renews_the_time_until_which_a_file_and_its_copy_are_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite"), backup_every="1h", backup_to=str(tmp_path / "kept"))
    store = await Store.attach(settings.database_url)
    now = store.now()
    monkeypatch.setattr(store, "now", lambda: now)
    journal = ModerationJournal(store, settings)

    async def untils() -> list[int | None]:
        await journal.copy()
        [copy] = (tmp_path / "kept").glob(f"{COPY}*.jsonl")
        return [parse_journal(path.read_bytes()).until for path in (journal.path, copy)]

    await journal.update()
    assert await untils() == [now, now]
    first, file = now, journal.path.stat().st_ino
    now += 59_000
    await journal.update()
    assert await untils() == [first, first]
    now += 1_000
    await journal.update()
    assert await untils() == [now, now]
    now += 1_000
    await erase_players(store, [await a_guest(store, "Ann")])
    await journal.update()
    assert await untils() == [now, now]
    now += 1_000
    await journal.update(renew=True)  # as a server does when it stops
    assert await untils() == [now, now]
    assert journal.path.stat().st_ino == file  # other processes append to it meanwhile
    journal.path.write_bytes(journal.path.read_bytes().replace(f',"journal_until":{now}'.encode(), b""))
    now += 1_000
    await journal.update()  # the file of an older version
    assert await untils() == [now, now]
    assert len(parse_journal(journal.path.read_bytes()).acts) == 1
    await store.close()


@pytest.mark.slow
def test_a_server_writes_the_journal_and_its_copy(tmp_path: Path) -> None:
    database, kept = tmp_path / "tables.sqlite", tmp_path / "kept"
    with serving(tmp_path, "--backup-every", "1h", "--backup-to", str(kept), database=str(database)):
        [ann] = guests(database, "Ann")
        on_database(database, lambda store: store.write(partial(ban_player, now=store.now(), player=ann)))
        deadline = time.monotonic() + 60
        for folder, pattern in ((tmp_path, f"{journal_of(database).name}"), (kept, f"{COPY}*.jsonl")):
            while [len(path.read_bytes().splitlines()) for path in folder.glob(pattern)] != [2]:
                assert time.monotonic() < deadline, folder
                time.sleep(0.1)


@pytest.mark.parametrize(
    ("periods", "until"),
    [
        ([(0, 50)], 50),
        ([(40, 70), (0, 50)], 70),  # the second one continues where the first one ends
        ([(0, 50), (60, 90)], 50),
        ([(0, 9)], 10),
        ([(20, 90)], 10),
        ([(0, None)], 10),
        ([], 10),
    ],
)
def test_acts_are_known_as_long_as_journals_follow_each_other(
    periods: list[tuple[int, int | None]], until: int
) -> None:
    """The backup was made at 10."""
    sources = [ActSource(f"journal {since}", Journal("x", since, end, {})) for since, end in periods]
    coverage = _coverage(sources, sources, 10)
    assert (coverage.until, coverage.is_complete) == (until, False)

"""The export of games for research: only games that all people at a public table give, and nothing about the people."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.cli.in_process import Done, InProcessCli
from tests.server.admin.deletion_worlds import a_guest
from tests.server.player_export import export
from tests.server.results.played_games import play_game, store_game
from tests.server.results.test_ingest import open_store
from tests.server.rooms.room_log import IDS, NAMES, Play, nimmt

from faceup.bots import policy
from faceup.core import Malformed
from faceup.core.record import Joined, Record, loads
from faceup.server.accounts.account_deletion import cancel_deletion, request_deletion
from faceup.server.accounts.login import create_account
from faceup.server.admin.backup import create_backup
from faceup.server.admin.deletion import erase_players, start_erasures
from faceup.server.admin.restore import restore_backup
from faceup.server.audit.log import list_acts
from faceup.server.player_data import merge
from faceup.server.research import export as research_export
from faceup.server.research.export import export_games
from faceup.server.research.queries import count_given, give_consent, list_consents, withdraw_consent
from faceup.server.research.schema import research_consents
from faceup.server.results.ingest import ResultsIngest
from faceup.server.results.schema import games, results
from faceup.server.rooms.commands import DeclareProgram
from faceup.server.rooms.names import handle_of
from faceup.server.store import Store
from faceup.table.evolve import table_from

ADA, BO, CY, _ = IDS
LICENCE = "CC-BY-4.0"
FAR = 9_000_000_000_000
"""A time after the end of all games."""


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """Create a store with a few people on each kind of database."""
    async with open_store(url) as opened:
        yield opened


async def add_games(store: Store, *plays: Play, listed: bool = True) -> list[str]:
    tables = [await store_game(store, play, listed=listed) for play in plays]
    await ResultsIngest(store).ingest()
    return tables


async def give(store: Store, *players: str, at: int = 0, earlier: bool = False) -> None:
    for player in players:
        await store.write(partial(give_consent, now=at, player=player, earlier=earlier))


async def exported(store: Store, folder: Path) -> list[Record]:
    """Export the games, and return them; none if there are none."""
    try:
        summary = await export_games(store, folder, licence=LICENCE, allow_few=True)
    except Malformed as error:
        if error.where != "games":
            raise
        return []
    records = [loads(line) for line in (folder / "games.jsonl").read_bytes().splitlines()]
    assert summary.games == len(records)
    return records


def names(record: Record) -> list[str]:
    return [entry.name for entry in record.entries if isinstance(entry, Joined)]


async def test_games_of_two_people_are_written_without_their_names(store: Store, tmp_path: Path) -> None:
    programs = Play(nimmt(hand=2))
    programs.send(DeclareProgram(), ADA)
    plays = (play_game(2, seed=1), play_game(2, seed=2), programs.seated().finish())
    tables = await add_games(store, *plays)
    await give(store, ADA, BO, CY)
    first, second, third = await exported(store, tmp_path / "first")
    for record, play in zip((first, second, third), plays, strict=True):
        assert record.result == play.room.table.record.result
        table_from(record, policy("nimmt", "random"))
    assert names(first) == names(second)
    assert [name.partition("-")[0] for name in names(first)] == ["person", "person", "random"]
    assert [name.partition("-")[0] for name in names(third)] == ["program", "person", "person"]
    assert names(third)[1] == names(first)[1]
    assert names(third)[0].partition("-")[2] not in "".join(names(first))
    again = await exported(store, tmp_path / "second")
    assert set(names(again[0])) & set(names(first)) == {"random"}
    written = b"".join(path.read_bytes() for path in sorted((tmp_path / "first").iterdir())).decode()
    stored = await store.query(
        lambda c: [str(row) for row in c.execute(sa.select(games.c.ended_at, games.c.opened_at))]
    )
    texts = {
        *tables,
        *NAMES[:1],
        *IDS,
        *map(handle_of, IDS),
        *(time for row in stored for time in row.strip("()").split(", ")),
    }
    assert [text for text in sorted(texts) if text in written] == []
    card = (tmp_path / "first" / "README.md").read_text("utf-8")
    assert "license: CC-BY-4.0\n" in card
    assert "| games | 3 |\n| people | 3 |\n" in card
    assert "| `nimmt:cowheadking` | 3 |" in card
    assert sorted(path.name for path in (tmp_path / "first").iterdir()) == ["README.md", "games.jsonl"]


async def test_a_game_is_left_out_if_one_person_does_not_consent(store: Store, tmp_path: Path) -> None:
    await add_games(store, play_game(2, seed=1), play_game(1, seed=2), play_game(3, seed=3))
    assert await exported(store, tmp_path / "none") == []
    await give(store, ADA)
    assert [len(set(names(record))) for record in await exported(store, tmp_path / "ada")] == [3]
    await give(store, CY)
    assert len(await exported(store, tmp_path / "cy")) == 1
    await give(store, BO)
    assert len(await exported(store, tmp_path / "bo")) == 3
    await store.write(lambda c: withdraw_consent(c, BO))
    assert len(await exported(store, tmp_path / "withdrawn")) == 1


async def test_games_that_ended_before_the_consent_are_given_only_on_request(store: Store, tmp_path: Path) -> None:
    await add_games(store, play_game(1))
    await give(store, ADA, at=FAR)
    assert await exported(store, tmp_path / "later") == []
    await give(store, ADA, earlier=True)  # a repeated consent keeps its time
    assert len(await exported(store, tmp_path / "earlier")) == 1
    assert (await store.query(lambda c: export(c, ADA)))["research"] == [{"version": 1, "at": FAR, "earlier": True}]
    await give(store, ADA)
    assert await exported(store, tmp_path / "not") == []


async def test_a_consent_to_another_text_does_not_count(store: Store, tmp_path: Path) -> None:
    await add_games(store, play_game(1))
    await give(store, ADA)
    await store.write(lambda c: c.execute(research_consents.update().values(version=0)).rowcount)
    assert await exported(store, tmp_path / "old") == []
    await give(store, ADA, at=1)
    assert len(await exported(store, tmp_path / "new")) == 1


async def test_a_merge_keeps_the_choice_of_the_account_and_leaves_out_the_games_of_the_guest(
    store: Store, tmp_path: Path
) -> None:
    await add_games(store, play_game(1))
    await give(store, ADA)
    await store.write(lambda c: create_account(c, 0, ADA, "ada", "a hash"))
    assert len(await exported(store, tmp_path / "account")) == 1  # it has the id of the guest
    await store.write(lambda c: merge(c, ADA, BO))
    assert await exported(store, tmp_path / "refused") == []
    assert (await store.query(lambda c: export(c, BO)))["research"] == []
    await give(store, BO, earlier=True)
    assert await exported(store, tmp_path / "of the guest") == []
    await give(store, ADA, CY)  # of a session from before the merge
    assert (await store.query(lambda c: export(c, BO)))["research"][0]["earlier"] is False
    await store.write(lambda c: merge(c, CY, BO))
    assert await store.query(lambda c: c.execute(sa.select(research_consents.c.player)).scalars().all()) == [BO]


async def test_a_person_who_is_erased_gives_no_games(store: Store, tmp_path: Path) -> None:
    await add_games(store, play_game(2), play_game(1))
    await give(store, ADA, BO)
    await store.write(lambda c: request_deletion(c, store.now(), BO))
    assert len(await exported(store, tmp_path / "requested")) == 1
    await store.write(lambda c: cancel_deletion(c, store.now(), BO))
    assert len(await exported(store, tmp_path / "canceled")) == 2
    await start_erasures(store, [BO])  # the logs still name the player
    assert len(await exported(store, tmp_path / "started")) == 1
    await erase_players(store, [BO])
    assert len(await exported(store, tmp_path / "erased")) == 1
    assert await store.query(lambda c: c.execute(sa.select(research_consents.c.player)).scalars().all()) == [ADA]


async def test_private_tables_bots_and_unseen_games_are_left_out(store: Store, tmp_path: Path) -> None:
    bots = play_game(1)
    await add_games(store, play_game(1, seed=1), listed=False)
    await add_games(store, play_game(1, config=nimmt(spectators="nobody", bots=("random",))))
    table, seen = await add_games(store, bots, play_game(1, seed=4))
    await give(store, ADA)
    number = sa.select(games.c.number).where(games.c.room == table).scalar_subquery()
    await store.write(
        lambda c: c.execute(results.update().where(results.c.number == number).values(who="bot random")).rowcount
    )
    assert await store.query(partial(count_given, now=store.now())) == 2  # with the one without spectators
    [record] = await exported(store, tmp_path / "public")
    assert record.result == play_game(1, seed=4).room.table.record.result
    delay = sa.text("UPDATE rooms SET spectator_delay = 600000 WHERE id = :table")
    await store.write(lambda c: c.execute(delay, {"table": seen}).rowcount)
    assert await exported(store, tmp_path / "delayed") == []


async def test_people_who_withdraw_while_games_are_written_are_left_out(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_games(store, play_game(2), play_game(1), play_game(3))
    await give(store, ADA, BO, CY)
    records = research_export._records

    async def then_withdraw(*arguments: Any) -> AsyncIterator[Record]:  # Any: as the original
        async for record in records(*arguments):
            yield record
        await store.write(lambda c: withdraw_consent(c, BO))
        await give(store, BO, at=FAR)
        await erase_players(store, [CY])

    monkeypatch.setattr(research_export, "_records", then_withdraw)
    [record] = await exported(store, tmp_path / "rest")
    assert len(names(record)) == 3
    assert [act.act for act in await store.query(list_acts)] == ["research_export", "erase"]
    assert "| people | 1 |" in (tmp_path / "rest" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("failure", [asyncio.CancelledError, KeyboardInterrupt, OSError])
async def test_an_export_that_is_interrupted_leaves_nothing(
    store: Store, tmp_path: Path, failure: type[BaseException]
) -> None:
    await add_games(store, play_game(1))
    await give(store, ADA)
    folder = tmp_path / "parent" / "games"
    folder.parent.mkdir()

    def fail(_: int) -> None:
        assert list(folder.parent.iterdir())
        raise failure

    with pytest.raises(failure):
        await export_games(store, folder, licence=LICENCE, allow_few=True, progress=fail)
    assert list(folder.parent.iterdir()) == []
    assert await store.query(list_acts) == []


async def test_a_log_that_cannot_be_read_is_left_out(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, _ = await add_games(store, play_game(1), play_game(1, seed=2))
    await give(store, ADA)
    damage = sa.text("UPDATE log SET entries = '[{}]' WHERE room = :table AND seq = 1")
    await store.write(lambda c: c.execute(damage, {"table": table}).rowcount)
    assert len(await exported(store, tmp_path / "rest")) == 1
    assert "left out: malformed" in caplog.text


async def test_a_restored_backup_has_no_consents(tmp_path: Path) -> None:
    database, copy = f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path / "copy.sqlite"
    async with open_store(database) as store:
        await give(store, ADA)
        await asyncio.to_thread(create_backup, database, copy)
        await store.write(lambda c: withdraw_consent(c, ADA))
    await asyncio.to_thread(restore_backup, database, copy)
    store = await Store.attach(database)
    assert await store.query(list_consents) == {}
    await store.close()


def test_the_page_of_the_documentation_reads_an_export(
    admin: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FACEUP_RESEARCH_EXPORT", "true")
    admin("research-export", tmp_path / "games", "--licence", LICENCE, "--allow-few-people")
    page = Path(__file__).parents[3] / "docs/how-to/export-games-for-research.md"
    [program] = re.findall(
        r"^```python\n# read_games.py\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    monkeypatch.chdir(tmp_path / "games")
    exec(program, {})  # noqa: S102 -- an example of the documentation
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert [line for line in lines if not re.fullmatch(r"person-[0-9a-f]{16} .*rows=.* play \d+", line)] == []


@pytest.fixture
def admin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Return a function that runs `faceup admin` on a server at which a person gave a game."""
    database = tmp_path / "tables.sqlite"
    monkeypatch.setenv("FACEUP_DATABASE", str(database))

    async def fill() -> None:
        async with open_store(f"sqlite:///{database}") as store:
            await a_guest(store, "Zoe")
            await add_games(store, play_game(1))
            await give(store, ADA)

    asyncio.run(fill())
    run = InProcessCli(monkeypatch, capsys)
    return lambda *arguments: run("admin", *arguments)


def test_the_command_needs_the_setting_a_licence_and_enough_people(
    admin: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("research-export", tmp_path / "games", "--licence", LICENCE)
    assert "the setting research_export is off" in admin(*words).err
    monkeypatch.setenv("FACEUP_RESEARCH_EXPORT", "true")
    assert "--licence" in admin(*words[:2]).err
    assert "the licence must be an identifier" in admin(*words[:3], "a\nb").err
    assert "the games are of only 1 person, who may be recognized" in admin(*words).err
    assert "is not a folder: name a new folder" in admin(words[0], tmp_path / "no" / "games", *words[2:]).err
    assert not (tmp_path / "games").exists()
    done = admin(*words, "--allow-few-people")
    assert done.out == f"{tmp_path / 'games'}: 1 game of 1 person, with 3 choices. Read its README.md.\n"
    assert "exists already: name a new folder" in admin(*words, "--allow-few-people").err
    done = admin(words[0], tmp_path / "again", *words[2:], "--allow-few-people", "--json")
    summary = json.loads(done.out)["summary"]
    assert summary == {"games": 1, "people": 1, "choices": 3, "by_game": {"nimmt:cowheadking": 1}}
    assert [row["act"] for row in json.loads(admin("log", "--json").out)] == ["research_export"] * 2
    assert not list(tmp_path.glob(".*"))

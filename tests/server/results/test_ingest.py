"""Every finished game is ingested once, even if servers are killed or ingest at the same time."""

import asyncio
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.player_export import export
from tests.server.results.played_games import (
    SETTLING_GAMES,
    niuniu_game,
    owned_by,
    play_game,
    rated_game,
    store_game,
)
from tests.server.rooms.room_log import IDS, NAMES, Play

from faceup.games.niuniu import Hand, score
from faceup.server.accounts.credentials import digest
from faceup.server.accounts.login import log_in_as, mark_account
from faceup.server.accounts.players import StoredPlayer, find_player
from faceup.server.accounts.schema import players
from faceup.server.accounts.sessions import create_session, resolve_session
from faceup.server.admin.deletion import delete_tables, erase_players, resume
from faceup.server.admin.players import list_players
from faceup.server.moderation.bans import ban_player
from faceup.server.player_data import merge
from faceup.server.results import ingest as results_ingest
from faceup.server.results.game_result import GameResult, result_from_log
from faceup.server.results.history import (
    MAX_ROWS,
    MIN_HANDS,
    HandStanding,
    hand_ladder,
    hand_standings,
    history,
    ladder,
    ratings_of,
    totals,
)
from faceup.server.results.ingest import ResultsIngest, recount
from faceup.server.results.schema import games, hand_totals, ratings, results
from faceup.server.results.standing_ids import bot_id
from faceup.server.rooms.entries import EntryBatch
from faceup.server.rooms.names import handle_of
from faceup.server.store import Store


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with open_store(f"sqlite:///{tmp_path / 'tables.db'}") as opened:
        yield opened


@pytest_asyncio.fixture
async def each_database(url: str) -> AsyncIterator[Store]:
    """Create a store on each kind of database."""
    async with open_store(url) as opened:
        yield opened


@asynccontextmanager
async def open_store(url: str) -> AsyncIterator[Store]:
    opened = await Store.open(url)
    await opened.write(_people)
    yield opened
    await opened.close()


def _people(connection: sa.Connection) -> None:
    for player, name in zip(IDS, NAMES, strict=True):
        connection.execute(players.insert().values(id=player, handle=handle_of(player), name=name, created_at=0))


async def store_games(store: Store, number: int, people: int = 1) -> list[str]:
    return [await store_game(store, rated_game(seed, people)) for seed in range(number)]


async def all_rows(store: Store) -> list[list[tuple[object, ...]]]:
    """Return all rows of the results tables."""

    def work(connection: sa.Connection) -> list[list[tuple[object, ...]]]:
        tables = (games, results, ratings, hand_totals)
        return [sorted(tuple(row) for row in connection.execute(sa.select(table))) for table in tables]

    return await store.query(work)


async def player(store: Store, number: int) -> StoredPlayer:
    return await store.query(lambda connection: find_player(connection, IDS[number]))


async def test_only_finished_games_are_ingested_and_only_once(store: Store) -> None:
    play = play_game()
    table = await store_game(store, play, finished=False)
    ingest = ResultsIngest(store)
    assert await ingest.ingest() == 0
    done = await store_game(store, play_game(seed=2))
    assert (await ingest.ingest(), await ingest.ingest(), await ResultsIngest(store).ingest()) == (1, 0, 0)
    await delete_tables(store, [table])
    [game] = await store.query(lambda connection: history(connection, find_player(connection, IDS[0])))
    assert game.table == done


async def test_two_servers_ingest_each_game_once(each_database: Store) -> None:
    store = each_database
    await store_games(store, 12)
    ingested = await asyncio.gather(*(ResultsIngest(store).ingest() for _ in range(4)))
    assert sum(ingested) == 12
    counts = Counter(row[1] for row in (await all_rows(store))[0])
    assert len(counts) == 12
    assert set(counts.values()) == {1}


async def test_concurrent_ingest_calls_share_a_run(store: Store) -> None:
    await store_games(store, 2)
    ingest = ResultsIngest(store)
    ingested = await asyncio.gather(*(ingest.ingest() for _ in range(5)))
    assert sum(ingested) == 2
    assert ingest._runs_started <= 2
    await store_games(store, 1)
    assert await ingest.ingest() == 1


async def test_recomputed_ratings_equal_the_stored_ones(store: Store) -> None:
    await store_games(store, 6)
    await ResultsIngest(store).ingest()
    before = await all_rows(store)
    await recount(store)
    assert await all_rows(store) == before


async def test_history_lists_the_last_game_first(each_database: Store) -> None:
    store = each_database
    tables = await store_games(store, 5, people=2)
    await ResultsIngest(store).ingest()
    ann = await player(store, 0)
    results = await store.query(lambda connection: history(connection, ann, limit=3))
    assert [game.table for game in results] == tables[:1:-1]
    rest = await store.query(lambda connection: history(connection, ann, before=results[-1].number))
    assert [game.table for game in rest] == tables[1::-1]
    assert results[0].seat == 0
    assert [side.who.name for side in results[0].sides] == ["Ada", "Bo"]
    assert results[0].sides[1].who.handle == handle_of(IDS[1])
    [total] = await store.query(lambda connection: totals(connection, ann))
    assert (total.game, total.variant, total.games) == ("nimmt", "cowheadking", 5)
    exported = await store.query(lambda connection: export(connection, IDS[0]))
    assert len(exported["games"]) == 5


@pytest.mark.sample(1)
async def test_a_ladder_gives_places_by_rating_and_lists_provisional_ratings_last(each_database: Store) -> None:
    store = each_database
    ingest = ResultsIngest(store)
    await store_games(store, 2)
    await ingest.ingest()
    ladder_rows = await store.query(lambda connection: ladder(connection, "nimmt", "cowheadking"))
    assert [(row.place, row.provisional) for row in ladder_rows] == [(None, True)] * 2
    ann = await player(store, 0)
    [standing] = await store.query(lambda connection: ratings_of(connection, ann.id))
    assert (standing.games, standing.provisional, standing.place) == (2, True, None)
    await store_games(store, SETTLING_GAMES)
    await store_game(store, owned_by(rated_game(0), IDS[1]))
    await ingest.ingest()
    ladder_rows = await store.query(lambda connection: ladder(connection, "nimmt", "cowheadking"))
    assert [row.place for row in ladder_rows] == [1, 2, None]
    assert [{row.who.name for row in ladder_rows[:2]}, ladder_rows[2].who.name] == [{"Ada", "random"}, "Bo"]
    assert ladder_rows[0].rating > ladder_rows[1].rating
    [first] = await store.query(lambda connection: ratings_of(connection, ann.id))
    [second] = await store.query(lambda connection: ratings_of(connection, bot_id("random")))
    assert {first.place, second.place} == {1, 2}
    for until, names in ((None, {"random", "Bo"}), (store.now() - 1, {"Ada", "random", "Bo"})):
        await store.write(partial(ban_player, now=store.now(), player=ann.id, until=until))
        ladder_rows = await store.query(lambda connection: ladder(connection, "nimmt", "cowheadking"))
        assert {row.who.name for row in ladder_rows} == names  # a ban that has ended no longer counts
        assert [row.banned is None for row in await store.query(partial(list_players, find="Ada"))] == [
            until is not None
        ]


async def test_a_player_with_both_seats_of_a_table_has_one_game(store: Store) -> None:
    await store_games(store, 1, people=2)
    await store.write(lambda connection: merge(connection, IDS[1], IDS[0]))
    await ResultsIngest(store).ingest()
    ann = await player(store, 0)
    [total] = await store.query(lambda connection: totals(connection, ann))
    assert (total.games, total.first) == (1, 1)
    [game] = await store.query(lambda connection: history(connection, ann))
    assert not game.rated
    assert (await all_rows(store))[2] == []


async def test_results_of_a_merged_player_go_to_the_target(store: Store) -> None:
    await store_games(store, 2, people=2)
    await ResultsIngest(store).ingest()
    await store.write(lambda connection: merge(connection, IDS[1], IDS[2]))
    cy = await player(store, 2)
    [first, _] = await store.query(lambda connection: history(connection, cy))
    assert first.sides[1].who.name == "Cy"
    await store_games(store, 1, people=2)
    await ResultsIngest(store).ingest()
    assert [row[2] for row in (await all_rows(store))[2]] == sorted([IDS[0], IDS[2]])
    await recount(store, IDS[2])
    assert [row[2] for row in (await all_rows(store))[2]] == sorted([IDS[0], IDS[2]])


async def log_in(store: Store, guest: int, account: int) -> None:
    """Log in to an account on the device of a guest."""

    def work(connection: sa.Connection) -> None:
        mark_account(connection, 0, IDS[account])
        session = create_session(connection, 0, IDS[guest], "a phone")
        identity = resolve_session(connection, 1, digest(session.key))
        log_in_as(connection, 1, IDS[account], "a phone", identity, merge=merge)

    await store.write(work)


@pytest.mark.sample(1)
async def test_a_guest_who_logs_in_has_games_ratings_and_hands_of_both(each_database: Store) -> None:
    store = each_database
    for seed in range(8):
        await store_game(store, owned_by(rated_game(seed), IDS[1 + seed % 2]))  # Bo is a guest, and Cy has an account
    await store_game(store, niuniu_game(1, throws=5))
    await ResultsIngest(store).ingest()
    [bo] = await store.query(lambda connection: ratings_of(connection, IDS[1]))
    [cy] = await store.query(lambda connection: ratings_of(connection, IDS[2]))
    assert bo.rating != cy.rating
    thrown = await hands(store, 1)
    await log_in(store, 1, 2)
    both = await player(store, 2)
    assert len(await store.query(lambda connection: history(connection, both))) == 9
    [merged] = await store.query(lambda connection: ratings_of(connection, both.id))
    assert (merged.games, merged.wins) == (8, bo.wins + cy.wins)
    assert merged.deviation < min(bo.deviation, cy.deviation)
    assert await hands(store, 2) == thrown
    assert IDS[1] not in {row[2] for table in (await all_rows(store))[2:] for row in table}
    await recount(store)
    [recomputed] = await store.query(lambda connection: ratings_of(connection, both.id))
    assert (recomputed.games, recomputed.wins) == (8, merged.wins)
    assert recomputed.rating == pytest.approx(merged.rating, abs=0.2 * merged.deviation)
    assert recomputed.deviation == pytest.approx(merged.deviation, rel=0.1)
    assert await hands(store, 2) == thrown


async def test_a_guest_who_logs_in_brings_the_ratings_that_the_account_does_not_have(store: Store) -> None:
    await store_games(store, 3)
    await ResultsIngest(store).ingest()
    [guest] = await store.query(lambda connection: ratings_of(connection, IDS[0]))
    await log_in(store, 0, 2)
    assert await store.query(lambda connection: ratings_of(connection, IDS[2])) == [guest]
    before = await all_rows(store)
    await recount(store)
    assert await all_rows(store) == before
    await store_games(store, 1)  # at a table where the guest still sat
    await ResultsIngest(store).ingest()
    [after] = await store.query(lambda connection: ratings_of(connection, IDS[2]))
    assert after.games == 4


async def test_an_erased_player_is_not_on_the_ladder(store: Store) -> None:
    await store_games(store, 2)
    await ResultsIngest(store).ingest()
    await erase_players(store, [IDS[0]])
    ladder_rows = await store.query(lambda connection: ladder(connection, "nimmt", "cowheadking", MAX_ROWS))
    assert [row.who.bot for row in ladder_rows] == ["random"]


async def test_an_unreadable_log_does_not_block_ingestion(store: Store) -> None:
    play = play_game()
    play.log[0] = (b'[{"entry":"left","at":1,"seat":0}]', None)
    await store_game(store, play)
    await store_game(store, play_game(seed=2))
    assert await ResultsIngest(store).ingest() == 2
    assert len((await all_rows(store))[1]) == 3
    assert await store.query(lambda connection: ratings_of(connection, bot_id("random"))) == []


async def test_a_result_that_cannot_be_stored_blocks_no_other_and_is_stored_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = await store_games(store, 3)
    write = results_ingest._write_game

    def fail(connection: sa.Connection, number: int, room: results_ingest.EndedRoom, *, rate_programs: bool) -> None:
        write(connection, number, room, rate_programs=rate_programs)
        if room.room == tables[0]:
            raise RuntimeError("test error")

    monkeypatch.setattr(results_ingest, "_write_game", fail)
    monkeypatch.setattr(results_ingest, "SLACK", 0)
    ingest = ResultsIngest(store)
    assert await ingest.ingest() == 2
    assert await ingest.ingest() == 0
    assert {row[1] for row in (await all_rows(store))[0]} == set(tables[1:])
    monkeypatch.undo()
    async with asyncio.timeout(30):
        while not await ingest.ingest():  # noqa: ASYNC110 -- a delay
            await asyncio.sleep(0.05)
    assert {row[1] for row in (await all_rows(store))[0]} == set(tables)
    assert store.metrics.value("faceup_background_failures_total", task="results ingestion") >= 1


async def test_an_error_while_a_log_is_read_blocks_no_other_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await store_games(store, 2)
    read, calls = result_from_log, [0]

    def fail(log: Iterable[EntryBatch]) -> GameResult:
        calls[0] += 1
        if calls[0] == 1:
            raise IndexError
        return read(log)

    monkeypatch.setattr(results_ingest, "result_from_log", fail)
    assert await ResultsIngest(store).ingest() == 2


def hands_of(play: Play, seat: int) -> list[Hand]:
    """Return the hands of a seat, scored one by one."""
    state: Any = play.room.table.state
    return [score(throw[seat]) for throw in state.log]


async def hands(store: Store, number: int) -> list[HandStanding]:
    return await store.query(lambda connection: hand_standings(connection, find_player(connection, IDS[number]).id))


async def test_every_hand_of_niu_niu_is_in_the_statistics_of_its_player(each_database: Store) -> None:
    store = each_database
    plays = [niuniu_game(seed, throws=20) for seed in range(3)]
    for play in plays:
        await store_game(store, play)
    await ResultsIngest(store).ingest()
    for who, seat in ((0, 0), (1, 1)):
        thrown = [hand for play in plays for hand in hands_of(play, seat)]
        [standing] = await hands(store, who)
        totals = standing.totals
        scores = [hand.statistics for hand in thrown]
        assert (totals.hands, totals.sum, totals.mean) == (60, sum(scores), sum(scores) / 60)
        assert totals.baozi == scores.count(5) > 0
        assert totals.points == tuple([hand.points for hand in thrown].count(points) for points in range(11))
        assert (standing.game, standing.variant, standing.place) == ("niuniu", "battle", None)
    [bot] = await store.query(lambda connection: hand_standings(connection, bot_id("random")))
    assert bot.totals.hands == 60
    [game, *_] = await store.query(lambda connection: history(connection, find_player(connection, IDS[0])))
    for seat, side in enumerate(game.sides):
        assert side.hands is not None
        scores = [hand.statistics for hand in hands_of(plays[-1], seat)]
        assert (side.hands.hands, side.hands.sum, side.hands.baozi) == (20, sum(scores), scores.count(5))
    exported = await store.query(lambda connection: export(connection, IDS[0]))
    assert exported["hands"][0]["totals"]["hands"] == 60
    assert exported["games"][0]["sides"][0]["hands"]["hands"] == 20


@pytest.mark.parametrize("option", [{"faces": 10}, {"baozi": 4}])
async def test_hands_with_other_options_are_in_results_but_not_in_statistics(
    store: Store, option: dict[str, int]
) -> None:
    await store_game(store, niuniu_game(1, throws=2, **option))
    await store_game(store, rated_game(1))
    await ResultsIngest(store).ingest()
    assert await hands(store, 0) == []
    results = await store.query(lambda connection: history(connection, find_player(connection, IDS[0])))
    assert [[side.hands is not None for side in game.sides] for game in results] == [[False] * 2, [True] * 3]


async def test_a_hand_ladder_is_ordered_by_mean_and_needs_a_minimum_of_hands(each_database: Store) -> None:
    store = each_database
    ingest = ResultsIngest(store)
    await store_game(store, niuniu_game(1, throws=MIN_HANDS - 1))
    await ingest.ingest()
    assert await store.query(lambda connection: hand_ladder(connection, "niuniu", "battle")) == []
    await store_game(store, niuniu_game(2, throws=1))
    await ingest.ingest()
    ladder_rows = await store.query(lambda connection: hand_ladder(connection, "niuniu", "battle"))
    assert [row.place for row in ladder_rows] == [1, 2, 3]
    means = [row.totals.mean for row in ladder_rows]
    assert means == sorted(means, reverse=True)
    assert {row.who.name for row in ladder_rows} == {"Ada", "Bo", "random"}
    [ada] = await hands(store, 0)
    assert ada.place == next(row.place for row in ladder_rows if row.who.name == "Ada")


async def test_statistics_of_an_erased_player_are_deleted_permanently(store: Store) -> None:
    ingest = ResultsIngest(store)
    await store_game(store, niuniu_game(1, throws=MIN_HANDS))
    await ingest.ingest()
    await erase_players(store, [IDS[0]])
    others = {IDS[1], bot_id("random")}
    assert {row[2] for row in (await all_rows(store))[3]} == others
    await store_game(store, niuniu_game(3, throws=1))  # a server stored it before it read the erasure
    await ingest.ingest()
    await resume(store)
    assert {row[2] for row in (await all_rows(store))[3]} == others
    await recount(store)
    assert {row[2] for row in (await all_rows(store))[3]} == others
    ladder_rows = await store.query(lambda connection: hand_ladder(connection, "niuniu", "battle"))
    assert {row.who.name for row in ladder_rows} == {"Bo", "random"}


async def test_hand_statistics_are_merged_with_players_and_can_be_recomputed(store: Store) -> None:
    for seed in range(3):
        await store_game(store, niuniu_game(seed, throws=5))
    await ResultsIngest(store).ingest()
    before = await all_rows(store)
    await recount(store)
    assert await all_rows(store) == before
    await store.write(lambda connection: merge(connection, IDS[1], IDS[2]))
    await recount(store, IDS[2])
    assert (await hands(store, 2))[0].totals.hands == 15
    assert {row[2] for row in (await all_rows(store))[3]} == {IDS[0], IDS[2], bot_id("random")}


INGEST_SCRIPT = """
import asyncio, sys
from faceup.server.results import ingest as results_ingest
from faceup.server.results.ingest import ResultsIngest
from faceup.server.store import Store
results_ingest.BATCH = 1
async def main():
    store = await Store.attach(sys.argv[1])
    print("ingest", flush=True)
    await ResultsIngest(store).ingest()
asyncio.run(main())
"""


def _killed(url: str, wait: float) -> None:
    """Ingest in another process, and kill it after some seconds."""
    with subprocess.Popen([sys.executable, "-c", INGEST_SCRIPT, url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ingest\n"
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)


@pytest.mark.parametrize(
    ("number", "waits"),
    [
        pytest.param(40, (0.03,), marks=pytest.mark.slow),
        pytest.param(400, [0.005 * kill for kill in range(40)], marks=pytest.mark.long),
    ],
)
async def test_killing_a_server_during_ingestion_loses_and_repeats_no_game(
    tmp_path: Path, number: int, waits: Sequence[float]
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    store = await Store.open(url)
    await store.write(_people)
    await store_games(store, number)
    for wait in waits:
        await asyncio.to_thread(_killed, url, wait)
    killed = len((await all_rows(store))[0])
    assert await ResultsIngest(store).ingest() == number - killed
    ingested = await all_rows(store)
    assert [row[0] for row in ingested[0]] == list(range(1, number + 1))
    assert len({row[1] for row in ingested[0]}) == number
    await recount(store)
    assert await all_rows(store) == ingested
    await store.close()

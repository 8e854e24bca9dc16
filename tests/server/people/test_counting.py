"""Every finished game is counted once, whenever a server was killed and however many count."""

import asyncio
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.people.games import keep, played, usual
from tests.server.rooms.play import IDS, NAMES

from faceup.server.people import Counting, Player, history, ladder, merge, recount, standings, tallies
from faceup.server.people.erasing import erase, export
from faceup.server.people.finished import bot_id
from faceup.server.people.history import LEAST, MOST, bot_standings
from faceup.server.people.players import find_player
from faceup.server.people.results_schema import games, ratings, results
from faceup.server.people.schema import players
from faceup.server.rooms import handle_of
from faceup.server.store import Store


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with with_people(f"sqlite:///{tmp_path / 'tables.db'}") as opened:
        yield opened


@pytest_asyncio.fixture
async def either(url: str) -> AsyncIterator[Store]:
    """A store of each kind in turn: for what its statements might do otherwise."""
    async with with_people(url) as opened:
        yield opened


@asynccontextmanager
async def with_people(url: str) -> AsyncIterator[Store]:
    opened = await Store.open(url)
    await opened.write(_people)
    yield opened
    await opened.close()


def _people(connection: sa.Connection) -> None:
    for player, name in zip(IDS, NAMES, strict=True):
        connection.execute(players.insert().values(id=player, handle=handle_of(player), name=name, made_at=0))


async def some(store: Store, number: int, people: int = 1) -> list[str]:
    return [await keep(store, usual(seed, people)) for seed in range(number)]


async def everything(store: Store) -> list[list[tuple[object, ...]]]:
    """All that was counted, row by row."""

    def work(connection: sa.Connection) -> list[list[tuple[object, ...]]]:
        tables = (games, results, ratings)
        return [sorted(tuple(row) for row in connection.execute(sa.select(table))) for table in tables]

    return await store.query(work)


async def player(store: Store, number: int) -> Player:
    return await store.query(lambda connection: find_player(connection, IDS[number]))


async def test_finished_games_are_counted_once_and_unfinished_ones_not_yet(store: Store) -> None:
    play = played()
    table = await keep(store, play, finished=False)
    counting = Counting(store)
    assert await counting.count() == 0
    done = await keep(store, played(seed=2))
    assert (await counting.count(), await counting.count(), await Counting(store).count()) == (1, 0, 0)
    await store.forget(table)
    [game] = await store.query(lambda connection: history(connection, find_player(connection, IDS[0])))
    assert game.table == done


async def test_two_servers_that_count_at_once_count_each_game_once(either: Store) -> None:
    store = either
    await some(store, 12)
    counted = await asyncio.gather(*(Counting(store).count() for _ in range(4)))
    assert sum(counted) == 12
    counts = Counter(row[1] for row in (await everything(store))[0])
    assert len(counts) == 12
    assert set(counts.values()) == {1}


async def test_many_who_ask_at_once_are_answered_by_one_count(store: Store) -> None:
    await some(store, 2)
    counting = Counting(store)
    counted = await asyncio.gather(*(counting.count() for _ in range(5)))
    assert sum(counted) == 2
    assert counting._begun <= 2
    await some(store, 1)
    assert await counting.count() == 1


async def test_ratings_are_what_follows_from_the_games_in_the_order_of_their_numbers(store: Store) -> None:
    await some(store, 6)
    await Counting(store).count()
    before = await everything(store)
    await recount(store)
    assert await everything(store) == before


async def test_a_player_has_a_history_with_the_last_game_first(either: Store) -> None:
    store = either
    tables = await some(store, 5, people=2)
    await Counting(store).count()
    ann = await player(store, 0)
    found = await store.query(lambda connection: history(connection, ann, limit=3))
    assert [game.table for game in found] == tables[:1:-1]
    rest = await store.query(lambda connection: history(connection, ann, before=found[-1].number))
    assert [game.table for game in rest] == tables[1::-1]
    assert found[0].seat == 0
    assert [side.who.name for side in found[0].sides] == ["Ada", "Bo"]
    assert found[0].sides[1].who.handle == handle_of(IDS[1])
    [tally] = await store.query(lambda connection: tallies(connection, ann))
    assert (tally.game, tally.variant, tally.games) == ("nimmt", "cowheadking", 5)
    said = await store.query(lambda connection: export(connection, IDS[0]))
    assert len(said["games"]) == 5


async def test_a_ladder_has_those_with_enough_games_the_best_first(either: Store) -> None:
    store = either
    await some(store, LEAST - 1)
    counting = Counting(store)
    await counting.count()
    assert await store.query(lambda connection: ladder(connection, "nimmt", "cowheadking")) == []
    ann = await player(store, 0)
    [standing] = await store.query(lambda connection: standings(connection, ann))
    assert (standing.games, standing.place) == (LEAST - 1, None)
    await some(store, 2)
    await counting.count()
    rungs = await store.query(lambda connection: ladder(connection, "nimmt", "cowheadking"))
    assert [rung.place for rung in rungs] == [1, 2]
    assert {rung.who.name for rung in rungs} == {"Ada", "random"}
    assert rungs[0].rating > rungs[1].rating
    [first] = await store.query(lambda connection: standings(connection, ann))
    [second] = await store.query(lambda connection: bot_standings(connection, "random"))
    assert {first.place, second.place} == {1, 2}


async def test_who_was_merged_goes_on_as_the_other(store: Store) -> None:
    await some(store, 2, people=2)
    await Counting(store).count()
    await store.write(lambda connection: merge(connection, IDS[1], IDS[2]))
    cy = await player(store, 2)
    [first, _] = await store.query(lambda connection: history(connection, cy))
    assert first.sides[1].who.name == "Cy"
    await some(store, 1, people=2)
    await Counting(store).count()
    assert [row[2] for row in (await everything(store))[2]] == sorted([IDS[0], IDS[1], IDS[2]])
    await recount(store, IDS[1])
    assert [row[2] for row in (await everything(store))[2]] == sorted([IDS[0], IDS[2]])


async def test_who_was_erased_has_no_name_and_no_place(store: Store) -> None:
    await some(store, LEAST)
    await Counting(store).count()
    await store.write(lambda connection: erase(connection, 0, IDS[0]))
    rungs = await store.query(lambda connection: ladder(connection, "nimmt", "cowheadking", MOST))
    assert [rung.who.bot for rung in rungs] == ["random"]


async def test_a_log_that_cannot_be_read_holds_up_nobody(store: Store) -> None:
    play = played()
    play.log[0] = (b'[{"entry":"left","at":1,"seat":0}]', None)
    await keep(store, play)
    await keep(store, played(seed=2))
    assert await Counting(store).count() == 2
    assert len((await everything(store))[1]) == 3
    assert await store.query(lambda connection: bot_standings(connection, bot_id("random"))) == []


COUNTER = """
import asyncio, sys
from faceup.server.people import Counting, counting
from faceup.server.store import Store
counting.BATCH = 1
async def main():
    store = await Store.visit(sys.argv[1])
    print("counting", flush=True)
    await Counting(store).count()
asyncio.run(main())
"""


def _killed(url: str, wait: float) -> None:
    """Count in another process, and kill it after some seconds."""
    with subprocess.Popen([sys.executable, "-c", COUNTER, url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"counting\n"
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)


@pytest.mark.parametrize(
    ("number", "waits"),
    [
        pytest.param(40, (0.03,), marks=pytest.mark.slow),
        pytest.param(400, [0.005 * kill for kill in range(40)], marks=pytest.mark.long),
    ],
)
async def test_a_server_that_is_killed_while_it_counts_loses_no_game_and_counts_none_twice(
    tmp_path: Path, number: int, waits: Sequence[float]
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    store = await Store.open(url)
    await store.write(_people)
    await some(store, number)
    for wait in waits:
        await asyncio.to_thread(_killed, url, wait)
    killed = len((await everything(store))[0])
    assert await Counting(store).count() == number - killed
    counted = await everything(store)
    assert [row[0] for row in counted[0]] == list(range(1, number + 1))
    assert len({row[1] for row in counted[0]}) == number
    await recount(store)
    assert await everything(store) == counted
    await store.close()

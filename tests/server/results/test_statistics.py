"""Statistics follow from all finished games of a player, and count each game once."""

import random
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.server.results.played_games import niuniu_game, play_game, rated_game, store_game
from tests.server.results.test_ingest import open_store
from tests.server.rooms.room_log import IDS, nimmt

from faceup.core.record import Terms
from faceup.server.player_data import merge
from faceup.server.results.ingest import ResultsIngest
from faceup.server.results.statistics import (
    MAX_GROUPS,
    MAX_POINTS,
    FinishedGame,
    Statistics,
    finished_games,
    statistics_of,
)
from faceup.server.rooms import TableConfig
from faceup.server.store import Store


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """Create a store on each kind of database."""
    async with open_store(url) as opened:
        yield opened


async def statistics(store: Store, number: int) -> Statistics:
    await ResultsIngest(store).ingest()
    return statistics_of(await store.query(lambda connection: finished_games(connection, IDS[number])))


def a_game(place: int, *, seats: int = 4, score: int = 0, minutes: int = 1, variant: str = "classic") -> FinishedGame:
    """Return a game that one player won alone."""
    win = float(place == 1)
    return FinishedGame("t", "nimmt", variant, True, 0, 60_000 * minutes, seats, 1, place, score, win)


async def test_games_are_grouped_by_variant_seats_and_options(store: Store) -> None:
    for seed in range(3):
        await store_game(store, rated_game(seed))
    await store_game(store, play_game(2, config=nimmt(seats=3, hand=3, bots=("random",))))
    match = await store_game(store, niuniu_game(1, throws=4))
    stored = await statistics(store, 0)
    groups = [(variant.game, variant.seats, variant.default_options, variant.games) for variant in stored.variants]
    assert groups == [("nimmt", 2, True, 3), ("nimmt", 3, False, 1), ("niuniu", 3, False, 1)]
    assert stored.games == 5
    assert stored.expected == pytest.approx(3 / 2 + 2 / 3, abs=1e-3)
    assert stored.wins == pytest.approx(sum(variant.wins for variant in stored.variants))
    last = stored.variants[-1]
    assert last.best == last.worst
    assert last.best is not None
    assert (last.best.table, last.best.value) == (match, last.score)
    two = stored.variants[0]
    assert two.best is not None
    assert two.worst is not None
    assert two.best.value <= two.score <= two.worst.value  # fewer heads are better
    assert (await statistics(store, 1)).games == 2
    assert (await statistics(store, 2)).variants == ()


async def test_a_merged_guest_brings_its_games_and_shared_seats_count_once(store: Store) -> None:
    config = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms())
    await store_game(store, play_game(2, config=config))
    await store.write(lambda connection: merge(connection, IDS[1], IDS[0]))
    stored = await statistics(store, 0)
    assert (stored.games, stored.first, stored.wins, stored.expected) == (1, 1, 1, 1)


def test_streaks_and_records_are_those_of_the_games() -> None:
    places = [1, 1, 2, 1, 1, 1, 4, 1]
    played = [a_game(place, score=3 * place, minutes=9 - at) for at, place in enumerate(places)]
    computed = statistics_of(played)
    assert (computed.games, computed.first, computed.streak, computed.best_streak) == (8, 6, 1, 3)
    [variant] = computed.variants
    assert variant.fastest_win is not None
    assert variant.fastest_win.value == 2 * 60_000
    assert variant.best is not None
    assert variant.worst is not None
    assert (variant.best.value, variant.worst.value) == (3, 12)
    assert statistics_of([]).variants == ()


@pytest.mark.parametrize("count", [1, MAX_POINTS - 1, MAX_POINTS, MAX_POINTS + 1, 5_000])
def test_a_trend_has_all_games_in_a_few_points(count: int) -> None:
    choose = random.Random(count)  # noqa: S311 -- scores in a test
    played = [a_game(choose.randint(1, 4), score=choose.randint(0, 66), minutes=at) for at in range(count)]
    [variant] = statistics_of(played).variants
    points = variant.trend
    assert len(points) == min(count, MAX_POINTS)
    assert sum(point.games for point in points) == count
    assert max(point.games for point in points) - min(point.games for point in points) <= 1
    assert [point.until for point in points] == sorted(point.until for point in points)
    for mean, values in ((variant.score, [p.score for p in points]), (variant.wins / count, [p.wins for p in points])):
        sums = zip(values, points, strict=True)
        assert sum(value * point.games for value, point in sums) / count == pytest.approx(mean, abs=1e-3)


def test_statistics_have_a_maximum_size_and_are_quick() -> None:
    played = [a_game(1 + at % 3, seats=2 + at % 9, variant=f"variant {at % 50}") for at in range(5_000)]
    started = time.process_time()
    computed = statistics_of(played)
    assert time.process_time() - started < 10
    assert len(computed.variants) == MAX_GROUPS
    assert computed.games == 5_000

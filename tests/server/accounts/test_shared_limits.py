"""Token buckets in the database."""

from sqlalchemy import Connection, func, select

from faceup.server.accounts.schema import shared_limits
from faceup.server.accounts.shared_limits import SharedLimit, delete_full, give_back, take, used
from faceup.server.store import Store

THREE = SharedLimit(3, 3_000)


def test_tokens_are_taken_given_back_and_added_with_time(people: Connection) -> None:
    assert [take(people, 0, "a", THREE) for _ in range(4)] == [0, 0, 0, 1000]
    assert take(people, 0, "b", THREE) == 0
    assert (used(people, 0, "a", THREE), used(people, 1_500, "a", THREE), used(people, 9_000, "a", THREE)) == (
        1,
        0.5,
        0,
    )
    assert take(people, 400, "a", THREE) == 600
    assert take(people, 1_000, "a", THREE) == 0
    assert take(people, 1_000, "a", THREE) == 1000
    give_back(people, "a", THREE)
    assert take(people, 1_000, "a", THREE) == 0


def test_a_server_with_a_slow_clock_can_take_the_last_token(people: Connection) -> None:
    assert [take(people, now, "a", THREE) for now in (1_000, 950, 910)] == [0, 0, 0]
    assert take(people, 1_000, "a", THREE) == 1000
    fast = SharedLimit(2, 20)  # it gets a token every 10 ms, so a token is at most 5 ms early
    assert [take(people, now, "b", fast) for now in (100, 95, 95)] == [0, 0, 15]


def test_full_buckets_are_deleted(people: Connection) -> None:
    take(people, 0, "a", THREE)
    take(people, 500, "b", THREE)
    delete_full(people, 1_000)
    assert people.execute(select(func.count()).select_from(shared_limits)).scalar() == 1
    assert used(people, 0, "a", THREE) == 0


def test_a_limit_of_0_is_none(people: Connection) -> None:
    none = SharedLimit(0, 3_000)
    assert [take(people, 0, "a", none) for _ in range(9)] == [0] * 9
    give_back(people, "a", none)
    assert used(people, 0, "a", none) == 0


async def test_both_databases_take_the_same_tokens(url: str) -> None:
    store = await Store.open(url)
    try:
        taken = [await store.write(lambda connection: take(connection, 0, "a", THREE)) for _ in range(5)]
        assert taken == [0, 0, 0, 1000, 1000]
    finally:
        await store.close()

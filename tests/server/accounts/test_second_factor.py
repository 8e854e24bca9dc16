"""One-time passwords: the vectors of RFC 6238, the tolerance for clocks, and no second use. Recovery codes."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio
from pyotp import TOTP
from sqlalchemy import Connection, Table, select

from faceup.server.accounts.errors import NotFoundError, SecondFactorRequiredError, WrongSecondFactorError
from faceup.server.accounts.login import create_account
from faceup.server.accounts.players import create_guest
from faceup.server.accounts.schema import recovery_codes, totp
from faceup.server.accounts.second_factor import (
    STEP,
    confirm_totp,
    has_recovery_code,
    matching_step,
    redeem_recovery_code,
    replace_recovery_codes,
    second_factor_state,
    start_totp,
    use_second_factor,
)
from faceup.server.player_data import merge
from faceup.server.store import Store

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # noqa: S105 -- "12345678901234567890", the secret of the RFC's appendix B


@pytest.mark.parametrize(
    ("seconds", "password"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_the_vectors_of_rfc_6238(seconds: int, password: str) -> None:
    """The RFC's passwords have eight digits; ours are the last six of them."""
    now = seconds * 1000
    assert matching_step(SECRET, password[-6:], now) == now // STEP
    assert matching_step(SECRET, f" {password[2:5]} {password[5:]}", now) == now // STEP
    for shift, matches in ((-2, False), (-1, True), (1, True), (2, False)):
        assert (matching_step(SECRET, password[-6:], now + shift * STEP) == now // STEP) == matches
    for wrong in (password, password[:6], password[-5:], "", "\udce9", "ABCDEF"):
        assert matching_step(SECRET, wrong, now) is None


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = await Store.open(url)
    yield opened
    await opened.close()


async def _account(store: Store) -> str:
    player = await store.write(lambda c: create_guest(c, 0, "Ann"))
    await store.write(lambda c: create_account(c, 0, player.id, "ann", "hash"))
    return player.id


async def test_a_one_time_password_is_used_once(store: Store) -> None:
    player, now = await _account(store), 1_700_000_000_000
    await store.write(lambda c: use_second_factor(c, now, player, None))  # there is none yet
    secret = (await store.write(lambda c: start_totp(c, player, "ann"))).secret
    await store.write(lambda c: use_second_factor(c, now, player, None))  # it is not confirmed yet
    first, later = TOTP(secret).at(now // 1000), TOTP(secret).at((now + STEP) // 1000)
    wrong = "000000" if first != "000000" else "111111"
    with pytest.raises(WrongSecondFactorError):
        await store.write(lambda c: confirm_totp(c, now, player, wrong))
    await store.write(lambda c: confirm_totp(c, now, player, first))
    with pytest.raises(NotFoundError):
        await store.write(lambda c: confirm_totp(c, now, player, first))
    for missing in (None, ""):
        with pytest.raises(SecondFactorRequiredError):
            await store.write(partial(use_second_factor, now=now, player=player, code=missing))
    for code in (first, wrong, TOTP(secret).at((now - STEP) // 1000)):  # used, wrong, older than the one that was used
        with pytest.raises(WrongSecondFactorError):
            await store.write(partial(use_second_factor, now=now, player=player, code=code))
    login = [store.write(lambda c: use_second_factor(c, now + STEP, player, later)) for _ in range(4)]
    outcomes = await asyncio.gather(*login, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [*["NoneType"], *["WrongSecondFactorError"] * 3]
    assert (await store.query(lambda c: second_factor_state(c, player))).totp


async def test_a_recovery_code_is_stored_as_a_hash_and_works_once(store: Store) -> None:
    player, other = await _account(store), await store.write(lambda c: create_guest(c, 0, "Bo"))
    codes = await store.write(lambda c: replace_recovery_codes(c, player))
    assert len(set(codes)) == 10
    stored = await store.query(lambda c: c.execute(select(recovery_codes)).all())
    text = str(stored)
    assert not [code for code in codes if code in text or code.replace("-", "") in text]
    assert not await store.write(lambda c: redeem_recovery_code(c, other.id, codes[0]))
    typed = codes[0].lower().replace("-", " ")
    assert await store.query(lambda c: has_recovery_code(c, player, typed))
    used = await asyncio.gather(*(store.write(lambda c: redeem_recovery_code(c, player, typed)) for _ in range(4)))
    assert sorted(used) == [False, False, False, True]
    assert (await store.query(lambda c: second_factor_state(c, player))).recovery_codes == 9
    await store.write(lambda c: replace_recovery_codes(c, player))
    assert not await store.query(lambda c: has_recovery_code(c, player, codes[1]))


async def test_a_merged_player_keeps_no_second_factor(store: Store) -> None:
    player, other = await _account(store), await store.write(lambda c: create_guest(c, 0, "Bo"))
    await store.write(lambda c: replace_recovery_codes(c, player))
    await store.write(lambda c: start_totp(c, player, "ann"))
    await store.write(lambda c: merge(c, player, other.id))
    for table in (totp, recovery_codes):
        assert await store.query(partial(_rows, table=table)) == []


def _rows(connection: Connection, table: Table) -> list[object]:
    return list(connection.execute(select(table)))

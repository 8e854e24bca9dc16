import asyncio
import os
import sys
import threading

import pytest
from argon2.profiles import CHEAPEST
from sqlalchemy import Connection
from tests.server.player_export import export

from faceup.core import Malformed
from faceup.server.accounts.credentials import digest
from faceup.server.accounts.errors import AlreadyTakenError, NotFoundError
from faceup.server.accounts.login import create_account, find_by_login, set_password
from faceup.server.accounts.passwords import COST, Passwords, hashes_at_once
from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.players import create_guest, find_player
from faceup.server.accounts.sessions import create_session, resolve_session
from faceup.server.accounts.tokens import create_token
from faceup.server.player_data import merge
from faceup.server.process.cores import NICE


def test_a_guest_becomes_an_account_and_keeps_its_id(people: Connection) -> None:
    guest = create_guest(people, 0, "Ann")
    account = create_account(people, 5, guest.id, "Ann", "a hash")
    assert (account.id, account.guest, account.login) == (guest.id, False, "ann")
    assert find_by_login(people, "ANN") == (guest.id, "a hash")


def test_logins_that_differ_only_in_case_or_width_are_the_same(people: Connection) -> None:
    create_account(people, 0, create_guest(people, 0).id, "Ann", "a hash")
    other = create_guest(people, 0)
    with pytest.raises(AlreadyTakenError, match="is taken"):
        create_account(people, 0, other.id, "\uff21nn", "another")
    assert find_player(people, other.id).guest


def test_an_account_has_one_login(people: Connection) -> None:
    ann = create_guest(people, 0)
    create_account(people, 0, ann.id, "Ann", "a hash")
    with pytest.raises(AlreadyTakenError, match="already have the login 'ann'"):
        create_account(people, 0, ann.id, "Annie", "a hash")


def test_a_guest_has_no_password_to_replace(people: Connection) -> None:
    with pytest.raises(NotFoundError):
        set_password(people, create_guest(people, 0).id, "a hash")


async def test_a_password_is_stored_as_an_argon2id_hash() -> None:
    passwords = Passwords(CHEAPEST)
    hashed = await passwords.hash("correct horse")
    assert hashed.startswith("$argon2id$")
    assert "correct" not in hashed
    assert await passwords.check(hashed, "correct horse")
    assert not await passwords.check(hashed, "wrong horse")
    assert not await passwords.check(None, "any password")
    with pytest.raises(Malformed, match="8 to 200 characters"):
        await passwords.hash("short")


def test_a_session_of_a_merged_player_resolves_to_the_target(people: Connection) -> None:
    guest, account = create_guest(people, 0, "Guest"), create_guest(people, 0, "Ann")
    opened = create_session(people, 0, guest.id, "")
    merge(people, guest.id, account.id)
    identity = resolve_session(people, 1, digest(opened.key))
    assert identity is not None
    assert (identity.player, identity.name) == (account.id, "Ann")
    assert ids_of(people, guest.id) == identity.ids == (account.id, guest.id)
    assert find_player(people, guest.id).id == account.id
    with pytest.raises(Malformed, match="must be different, but are the same player"):
        merge(people, account.id, guest.id)


def test_an_export_has_all_data_but_no_credentials(people: Connection) -> None:
    ann = create_guest(people, 0, "Ann")
    opened = create_session(people, 0, ann.id, "a phone")
    token = create_token(people, 0, ann.id, "a bot", ("play",))
    exported = str(export(people, ann.id))
    assert "a phone" in exported
    assert "a bot" in exported
    assert opened.key not in exported
    assert str(token.key) not in exported


@pytest.mark.parametrize(("cores", "at_once"), [(1, 1), (2, 1), (4, 2), (9, 4)])
async def test_passwords_are_hashed_on_at_most_half_of_the_cores(
    cores: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    passwords = Passwords(CHEAPEST)
    hashed = await asyncio.gather(*(passwords.hash("correct horse") for _ in range(20)))
    assert len(set(hashed)) == 20
    names = {thread.name for thread in threading.enumerate() if thread in passwords._threads._threads}
    assert 1 <= len(names) <= at_once == hashes_at_once()
    assert COST.parallelism == 1


async def test_threads_that_hash_have_a_low_priority() -> None:
    passwords = Passwords(CHEAPEST)
    priority = await passwords._run(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert priority == (min(19, own + NICE) if sys.platform == "linux" else own)

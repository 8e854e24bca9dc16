import pytest
from argon2.profiles import CHEAPEST
from sqlalchemy import Connection

from faceup.core import Malformed
from faceup.server.people import Missing, Taken, also_known_as, erase, export, find_player, make_guest, merge
from faceup.server.people.accounts import find_login, make_account, set_password
from faceup.server.people.keys import digest
from faceup.server.people.passwords import Passwords
from faceup.server.people.sessions import open_session, whose_session
from faceup.server.people.tokens import make_token


def test_a_guest_becomes_an_account_and_keeps_its_id(people: Connection) -> None:
    guest = make_guest(people, 0, "Ann")
    account = make_account(people, 5, guest.id, "Ann", "a hash")
    assert (account.id, account.guest, account.login) == (guest.id, False, "ann")
    assert find_login(people, "ANN") == (guest.id, "a hash")


def test_two_cannot_log_in_by_the_same_name_in_other_letters(people: Connection) -> None:
    make_account(people, 0, make_guest(people, 0).id, "Ann", "a hash")
    other = make_guest(people, 0)
    with pytest.raises(Taken, match="somebody else"):
        make_account(people, 0, other.id, "\uff21nn", "another")
    assert find_player(people, other.id).guest


def test_an_account_has_one_login(people: Connection) -> None:
    ann = make_guest(people, 0)
    make_account(people, 0, ann.id, "Ann", "a hash")
    with pytest.raises(Taken, match="you are known as 'ann' already"):
        make_account(people, 0, ann.id, "Annie", "a hash")


def test_a_guest_has_no_password_to_replace(people: Connection) -> None:
    with pytest.raises(Missing):
        set_password(people, make_guest(people, 0).id, "a hash")


async def test_a_password_is_kept_as_an_argon2id_hash_and_checked_by_it() -> None:
    passwords = Passwords(CHEAPEST)
    kept = await passwords.hash("correct horse")
    assert kept.startswith("$argon2id$")
    assert "correct" not in kept
    assert await passwords.check(kept, "correct horse")
    assert not await passwords.check(kept, "wrong horse")
    assert not await passwords.check(None, "nobody's password")
    with pytest.raises(Malformed, match="8 to 200 characters"):
        await passwords.hash("short")


def test_of_two_players_that_are_one_the_first_opens_the_second_and_its_seats_are_found(people: Connection) -> None:
    guest, account = make_guest(people, 0, "Guest"), make_guest(people, 0, "Ann")
    opened = open_session(people, 0, guest.id, "")
    merge(people, guest.id, account.id)
    identity = whose_session(people, 1, digest(opened.key))
    assert identity is not None
    assert (identity.player, identity.name) == (account.id, "Ann")
    assert also_known_as(people, account.id) == identity.also == (guest.id,)
    assert find_player(people, guest.id).id == account.id
    with pytest.raises(Malformed, match="same player already"):
        merge(people, account.id, guest.id)


def test_an_export_has_all_that_is_kept_and_opens_nothing(people: Connection) -> None:
    ann = make_guest(people, 0, "Ann")
    opened = open_session(people, 0, ann.id, "a phone")
    token = make_token(people, 0, ann.id, "a bot", ("play",))
    exported = str(export(people, ann.id))
    assert "a phone" in exported
    assert "a bot" in exported
    assert opened.key not in exported
    assert str(token.key) not in exported


def test_of_an_erased_player_nothing_is_left_that_names_or_opens(people: Connection) -> None:
    ann = make_guest(people, 0, "Ann Unmistakable")
    make_account(people, 0, ann.id, "unmistakable", "a hash")
    opened = open_session(people, 0, ann.id, "a phone")
    erase(people, 1, ann.id)
    assert whose_session(people, 2, digest(opened.key)) is None
    assert find_login(people, "unmistakable") is None
    with pytest.raises(Missing):
        find_player(people, ann.id)
    assert "nmistakable" not in str("".join(map(str, people.connection.driver_connection.iterdump())))  # type: ignore[union-attr]  # SQLite's

import pytest
from sqlalchemy import Connection
from tests.server.accounts.authenticator import Device

from faceup.core import Malformed
from faceup.server.accounts.errors import AlreadyTakenError, NotFoundError, UnauthenticatedError
from faceup.server.accounts.passkeys import (
    RelyingParty,
    delete_passkey,
    list_passkeys,
    log_in,
    login_options,
    register,
    registration_options,
)
from faceup.server.accounts.players import create_guest, find_player

HOME = RelyingParty("https://example.org", "example.org")


def registered(people: Connection) -> tuple[str, Device]:
    ann = create_guest(people, 0, "Ann")
    device = Device(HOME.origin, HOME.host)
    credential = device.create(registration_options(people, 0, ann, HOME))
    register(people, 1, ann.id, HOME, credential=credential, label="my phone")
    return ann.id, device


def test_a_guest_with_a_passkey_is_an_account_and_logs_in_by_it(people: Connection) -> None:
    ann, device = registered(people)
    assert not find_player(people, ann).guest
    assert [passkey.label for passkey in list_passkeys(people, ann)] == ["my phone"]
    assert log_in(people, 2, HOME, credential=device.get(login_options(people, 2, HOME))) == ann


def test_a_signed_challenge_is_valid_once(people: Connection) -> None:
    _, device = registered(people)
    signed = device.get(login_options(people, 2, HOME))
    log_in(people, 3, HOME, credential=signed)
    with pytest.raises(UnauthenticatedError, match="already used"):
        log_in(people, 4, HOME, credential=signed)


def test_a_passkey_of_another_site_or_key_is_rejected(people: Connection) -> None:
    _, device = registered(people)
    elsewhere = Device("https://evil.example", "evil.example")
    elsewhere.id, elsewhere.key = device.id, device.key
    stolen = Device(HOME.origin, HOME.host)
    stolen.id = device.id
    for wrong in (elsewhere, stolen):
        with pytest.raises(UnauthenticatedError, match="could not be verified"):
            log_in(people, 2, HOME, credential=wrong.get(login_options(people, 2, HOME)))


def test_an_unregistered_passkey_is_rejected(people: Connection) -> None:
    stranger = Device(HOME.origin, HOME.host)
    with pytest.raises(UnauthenticatedError, match="not registered"):
        log_in(people, 0, HOME, credential=stranger.get(login_options(people, 0, HOME)))


def test_a_passkey_is_registered_once_by_the_player_who_started(people: Connection) -> None:
    ann, device = registered(people)
    bo = create_guest(people, 0, "Bo")
    with pytest.raises(UnauthenticatedError, match="another player started the registration"):
        register(
            people,
            1,
            bo.id,
            HOME,
            credential=device.create(registration_options(people, 0, find_player(people, ann), HOME)),
            label="x",
        )
    with pytest.raises(AlreadyTakenError):
        register(people, 1, bo.id, HOME, credential=device.create(registration_options(people, 0, bo, HOME)), label="x")


def test_without_its_last_passkey_an_account_without_a_password_is_a_guest_again(people: Connection) -> None:
    ann, _ = registered(people)
    (passkey,) = list_passkeys(people, ann)
    delete_passkey(people, ann, passkey.id)
    assert find_player(people, ann).guest
    with pytest.raises(NotFoundError):
        delete_passkey(people, ann, passkey.id)


@pytest.mark.parametrize(
    "garbage",
    [{}, {"response": 3}, {"response": {"clientDataJSON": "%%"}}, {"id": [], "response": {"clientDataJSON": "e30"}}],
)
def test_an_invalid_credential_is_malformed(people: Connection, garbage: dict[str, object]) -> None:
    with pytest.raises(Malformed, match="navigator"):
        log_in(people, 0, HOME, credential=garbage)

import pytest
from sqlalchemy import Connection
from tests.server.people.authenticator import Device

from faceup.core import Malformed
from faceup.server.people import Missing, Taken, Unknown, find_player, make_guest
from faceup.server.people.passkeys import Site, drop_passkey, list_passkeys, log_in, register, to_log_in, to_register

HOME = Site("https://example.org", "example.org")


def registered(people: Connection) -> tuple[str, Device]:
    ann = make_guest(people, 0, "Ann")
    device = Device(HOME.origin, HOME.host)
    credential = device.create(to_register(people, 0, ann, HOME))
    register(people, 1, ann.id, HOME, credential=credential, label="my phone")
    return ann.id, device


def test_a_guest_with_a_passkey_is_an_account_and_comes_back_in_by_it(people: Connection) -> None:
    ann, device = registered(people)
    assert not find_player(people, ann).guest
    assert [each.label for each in list_passkeys(people, ann)] == ["my phone"]
    assert log_in(people, 2, HOME, credential=device.get(to_log_in(people, 2, HOME))) == ann


def test_what_a_device_has_signed_opens_once(people: Connection) -> None:
    _, device = registered(people)
    signed = device.get(to_log_in(people, 2, HOME))
    log_in(people, 3, HOME, credential=signed)
    with pytest.raises(Unknown, match="used already"):
        log_in(people, 4, HOME, credential=signed)


def test_a_passkey_of_another_page_or_another_key_opens_nothing(people: Connection) -> None:
    _, device = registered(people)
    elsewhere = Device("https://evil.example", "evil.example")
    elsewhere.id, elsewhere.key = device.id, device.key
    stolen = Device(HOME.origin, HOME.host)
    stolen.id = device.id
    for wrong in (elsewhere, stolen):
        with pytest.raises(Unknown, match="does not prove"):
            log_in(people, 2, HOME, credential=wrong.get(to_log_in(people, 2, HOME)))


def test_a_passkey_that_nobody_has_shown_before_opens_nothing(people: Connection) -> None:
    stranger = Device(HOME.origin, HOME.host)
    with pytest.raises(Unknown, match="not known here"):
        log_in(people, 0, HOME, credential=stranger.get(to_log_in(people, 0, HOME)))


def test_a_passkey_is_kept_for_whoever_began_it_and_only_once(people: Connection) -> None:
    ann, device = registered(people)
    bo = make_guest(people, 0, "Bo")
    with pytest.raises(Unknown, match="begun by somebody else"):
        register(
            people,
            1,
            bo.id,
            HOME,
            credential=device.create(to_register(people, 0, find_player(people, ann), HOME)),
            label="x",
        )
    with pytest.raises(Taken):
        register(people, 1, bo.id, HOME, credential=device.create(to_register(people, 0, bo, HOME)), label="x")


def test_without_its_last_passkey_an_account_without_a_password_is_a_guest_again(people: Connection) -> None:
    ann, _ = registered(people)
    (passkey,) = list_passkeys(people, ann)
    drop_passkey(people, ann, passkey.id)
    assert find_player(people, ann).guest
    with pytest.raises(Missing):
        drop_passkey(people, ann, passkey.id)


@pytest.mark.parametrize(
    "garbage",
    [{}, {"response": 3}, {"response": {"clientDataJSON": "%%"}}, {"id": [], "response": {"clientDataJSON": "e30"}}],
)
def test_what_is_no_credential_is_malformed(people: Connection, garbage: dict[str, object]) -> None:
    with pytest.raises(Malformed, match="navigator"):
        log_in(people, 0, HOME, credential=garbage)

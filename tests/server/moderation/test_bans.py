import pytest
from sqlalchemy import Connection, select

from faceup.core import Malformed
from faceup.server.accounts.credentials import digest
from faceup.server.accounts.errors import BannedError, NotFoundError
from faceup.server.accounts.login import log_in_as
from faceup.server.accounts.players import create_guest
from faceup.server.accounts.revocations import revoked_since, subject_of
from faceup.server.accounts.sessions import create_session, resolve_session
from faceup.server.accounts.tokens import create_token, resolve_token
from faceup.server.moderation.bans import (
    MAX_REASON,
    address_bans,
    ban_address,
    ban_player,
    delete_expired_bans,
    list_bans,
    remove_ban,
    require_not_banned,
)
from faceup.server.moderation.schema import bans
from faceup.server.player_data import merge


def test_a_ban_blocks_all_credentials_and_logins_until_it_is_removed(people: Connection) -> None:
    ann = create_guest(people, 0)
    opened = create_session(people, 0, ann.id, "")
    token = create_token(people, 0, ann.id, "a bot", ("play",))
    ban = ban_player(people, 5, ann.id, reason="slow")
    assert [subject for _, subject in revoked_since(people, 5)] == [subject_of("player", ann.id), subject_of("bans")]
    with pytest.raises(BannedError, match="you are banned from this server: slow"):
        resolve_session(people, 6, digest(opened.key))
    with pytest.raises(BannedError):
        resolve_token(people, 6, digest(token.key or ""))
    with pytest.raises(BannedError):
        log_in_as(people, 6, ann.id, "another phone", None, merge=merge)
    remove_ban(people, 7, ban.id)
    assert resolve_session(people, 8, digest(opened.key)) is not None
    with pytest.raises(NotFoundError):
        remove_ban(people, 7, ban.id)


def test_a_ban_ends_with_its_term(people: Connection) -> None:
    ann = create_guest(people, 0)
    ban_player(people, 0, ann.id, until=86_400_000)
    ban_address(people, 0, "192.0.2.7", until=86_400_000)
    with pytest.raises(BannedError, match="until 1970-01-02 00:00 UTC") as error:
        require_not_banned(people, 86_399_999, ann.id)
    assert error.value.until == 86_400_000
    assert len(list_bans(people, 86_399_999)) == 2
    require_not_banned(people, 86_400_000, ann.id)
    assert list_bans(people, 86_400_000) == []
    delete_expired_bans(people, 86_399_999)
    assert len(people.execute(select(bans)).all()) == 2
    delete_expired_bans(people, 86_400_000)
    assert people.execute(select(bans)).all() == []


def test_a_merged_player_stays_banned(people: Connection) -> None:
    guest, ann, bo = (create_guest(people, 0) for _ in range(3))
    ban_player(people, 0, guest.id)
    merge(people, guest.id, ann.id)
    with pytest.raises(BannedError):
        require_not_banned(people, 1, ann.id)
    require_not_banned(people, 1, bo.id)
    merge(people, bo.id, ann.id)
    ban = ban_player(people, 2, bo.id)
    assert ban.player == ann.id


def test_a_later_ban_replaces_only_the_ban_of_the_same_player_or_address(people: Connection) -> None:
    ann, bo = create_guest(people, 0, "Ann"), create_guest(people, 0, "Bo")
    for player in (ann, bo, ann):
        ban_player(people, 1, player.id, reason=" too \n long " * 99)
    for address in ("192.0.2.7", "192.0.2.8", "192.0.2.7"):
        ban_address(people, 2, address)
    bans = list_bans(people, 3)
    assert sorted(ban.name or ban.address or "" for ban in bans) == ["192.0.2.7", "192.0.2.8", "Ann", "Bo"]
    assert {len(ban.reason) for ban in bans if ban.name} == {MAX_REASON}


@pytest.mark.parametrize("address", ["2001:db8:1:2::7", "2001:db8:1:2::/64", "2001:0db8:0001:0002:ffff::1"])
def test_an_ipv6_address_is_banned_with_its_network(people: Connection, address: str) -> None:
    assert ban_address(people, 0, address).address == "2001:db8:1:2::/64"
    assert [subject for _, subject in revoked_since(people, 0)] == ["address:2001:db8:1:2::/64"]


@pytest.mark.parametrize("address", ["", "example.org", "192.0.2", "192.0.2.0/33", "192.0.2.0/x", "1" * 200])
def test_what_is_no_address_cannot_be_banned(people: Connection, address: str) -> None:
    with pytest.raises(Malformed, match="an address must be an IP address such as"):
        ban_address(people, 0, address)
    assert revoked_since(people, 0) == ()


@pytest.mark.parametrize(
    "network", ["0.0.0.0/0", "192.0.0.0/15", "::/0", "2001::/31", "2001:db8:1:2::/96", "::ffff:0:0/96"]
)
def test_a_ban_cannot_shut_out_everyone_by_mistake(people: Connection, network: str) -> None:
    with pytest.raises(Malformed, match="a network must have a prefix from /16 to /32 with IPv4, and from /32 to /64"):
        ban_address(people, 0, network)
    assert list_bans(people, 0) == []


def test_the_ban_of_a_network_is_that_of_all_its_addresses(people: Connection) -> None:
    for network, until in (
        ("192.0.2.9/24", None),
        ("192.0.2.7", 10),
        ("2001:db8:1:2::3/48", None),
        ("10.1.0.0/16", 10),
    ):
        ban_address(people, 0, network, until=until)
    assert {ban.address for ban in list_bans(people, 0)} == {
        *("192.0.2.0/24", "192.0.2.7", "2001:db8:1::/48", "10.1.0.0/16")
    }
    bans = address_bans(people)
    for source, now, expected in (
        ("192.0.2.0", 0, "192.0.2.0/24"),
        ("192.0.2.7", 10, "192.0.2.0/24"),  # the narrower ban has ended
        ("192.0.3.0", 0, None),
        ("2001:db8:1:ffff::/64", 0, "2001:db8:1::/48"),
        ("2001:db8:2::/64", 0, None),
        ("10.1.255.255", 9, "10.1.0.0/16"),
        ("10.1.255.255", 10, None),
        ("unknown", 0, None),  # what a proxy may send
    ):
        ban = bans.find(source, now)
        assert (ban and ban.address) == expected, source

"""Bans of players, addresses and networks, with or without a term.

An address is stored as the operator entered it, so that the operator can recognize it. An IPv6 address means its
/64 network, which a provider gives to one customer.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, select, update

from faceup.core import Malformed
from faceup.server.accounts.errors import BannedError, NotFoundError
from faceup.server.accounts.player_ids import ids_query
from faceup.server.accounts.players import find_player
from faceup.server.accounts.revocations import publish, subject_of
from faceup.server.accounts.schema import players
from faceup.server.audit.log import ActorKind, player_targets, record_lasting
from faceup.server.moderation.bans_in_force import in_force
from faceup.server.moderation.schema import bans
from faceup.server.store import new_id
from faceup.server.store.queries import insert_new

WIDEST: Final = {4: 16, 6: 32}
"""The shortest prefix of a banned network, by the version of IP, so that no one bans everyone by mistake."""

MAX_REASON: Final = 200
"""The maximum number of characters of a reason. The rest is cut off."""


class Ban(msgspec.Struct, frozen=True, kw_only=True):
    """A ban of a player or of an address. Times are milliseconds since 1970.

    Attributes:
        id: the ban's id.
        player: id of the player; None if an address is banned.
        name: name of the player; None if an address is banned.
        address: the banned IPv4 address or network; None if a player is banned.
        reason: the reason that is shown to the player; "" for none.
        since: the start.
        until: the end; None if the ban has no end.
    """

    id: str
    player: str | None
    name: str | None = None
    address: str | None
    reason: str
    since: int
    until: int | None


def source_of(address: str) -> str:
    """Return what limits and bans count as one address: the IPv4 address, or the /64 network of an IPv6 address.

    Raises:
        ValueError: the text is not an IP address.

    >>> source_of("192.0.2.7"), source_of("2001:db8:1:2:3::4"), source_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or ip_network((int(parsed) >> 64 << 64, 64)))
    return str(parsed)


def ban_player(
    connection: Connection,
    now: int,
    player: str,
    *,
    until: int | None = None,
    reason: str = "",
    by: ActorKind = "operator",
) -> Ban:
    """Ban a player and end the player's connections. An earlier ban of the player is replaced.

    Within seconds, the servers of the database remove the player from all tables and tournaments.

    Raises:
        NotFoundError: there is no such player.
    """
    player_row = find_player(connection, player)
    publish(connection, now, subject_of("player", player_row.id))
    publish(connection, now, subject_of("bans"))
    targets = player_targets(connection, player_row.id)
    record_lasting(connection, now, "ban", by=by, player=player_row.id, targets=targets, until=until)
    return _add(connection, Ban(id=new_id(), player=player_row.id, address=None, reason=reason, since=now, until=until))


def ban_address(
    connection: Connection,
    now: int,
    address: str,
    *,
    until: int | None = None,
    reason: str = "",
    by: ActorKind = "operator",
) -> Ban:
    """Ban an address or a network and end its connections. An earlier ban of the same one is replaced.

    Raises:
        Malformed: the text is neither an IP address nor a network, or the network is too wide.
    """
    source = parse_address(address)
    if source is None:
        raise Malformed(
            "an address must be an IP address such as 192.0.2.7 or 2001:db8::1, or a network such as 192.0.2.0/24; "
            f"got {address[:80]!r}",
            what=address[:80],
            where="address",
        )
    publish(connection, now, subject_of("address", source))
    record_lasting(connection, now, "ban", by=by, place=f"address:{source}", address=source, until=until)
    return _add(connection, Ban(id=new_id(), player=None, address=source, reason=reason, since=now, until=until))


def parse_address(text: str) -> str | None:
    """Return the address or network as bans store it; see `source_of`. Return None if the text is neither.

    Raises:
        Malformed: the network is too wide, or smaller than a /64 network of IPv6.

    >>> parse_address("2001:db8:1:2::7"), parse_address(" 192.0.2.7 "), parse_address("192.0.2.7/24")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.0/24')
    """
    text = text.strip()
    try:
        network = ip_network(text if "/" in text else source_of(text), strict=False)
    except ValueError:
        return None
    if not WIDEST[network.version] <= network.prefixlen <= (32 if network.version == 4 else 64):
        raise Malformed(
            f"a network must have a prefix from /{WIDEST[4]} to /32 with IPv4, and from /{WIDEST[6]} to /64 with IPv6; "
            f"got {text[:80]}",
            what=text[:80],
            where="address",
        )
    return str(network).removesuffix("/32") if network.version == 4 else str(network)


def _add(connection: Connection, ban: Ban) -> Ban:
    same = bans.c.player == ban.player if ban.address is None else bans.c.address == ban.address
    row = {name: getattr(ban, name) for name in ("id", "player", "address", "since", "until")}
    row["reason"] = " ".join(ban.reason.split())[:MAX_REASON]
    if not insert_new(connection, bans, **row):
        connection.execute(update(bans).where(same).values(row))
    return ban


def remove_ban(connection: Connection, now: int, identifier: str, *, by: ActorKind = "operator") -> None:
    """Remove a ban. Raises `NotFoundError` if there is no ban with this id."""
    row = connection.execute(select(bans).where(bans.c.id == identifier)).one_or_none()
    if row is None or not connection.execute(delete(bans).where(bans.c.id == identifier)).rowcount:
        raise NotFoundError("there is no ban with this id")
    if row.address is not None:
        publish(connection, now, subject_of("address", row.address))
        record_lasting(connection, now, "unban", by=by, place=f"address:{row.address}", address=row.address)
    else:
        targets = player_targets(connection, row.player)
        record_lasting(connection, now, "unban", by=by, player=row.player, targets=targets)


def list_bans(connection: Connection, now: int) -> list[Ban]:
    """Return all bans that have not expired, the newest first."""
    query = select(bans, players.c.name).join(players, players.c.id == bans.c.player, isouter=True)
    rows = connection.execute(query.where(in_force(now)).order_by(bans.c.since.desc(), bans.c.id)).mappings()
    return [Ban(**row) for row in rows]


def address_bans(connection: Connection) -> "AddressBans":
    """Return the bans of addresses and networks."""
    rows = connection.execute(select(bans).where(bans.c.address.is_not(None))).mappings()
    return AddressBans(Ban(**row) for row in rows)


class AddressBans:
    """Bans of addresses and networks.

    >>> ban = Ban(id="", player=None, address="192.0.2.0/24", reason="", since=0, until=None)
    >>> found = AddressBans([ban])
    >>> found.find("192.0.2.7", 0) is ban, found.find("192.0.3.7", 0)
    (True, None)
    """

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._bans = {ip_network(ban.address): ban for ban in bans if ban.address is not None}
        self._prefixes = sorted({(network.version, network.prefixlen) for network in self._bans})

    def find(self, source: str, now: int) -> Ban | None:
        """Return a ban that is in force for an address, as `source_of` returns it; None if there is none."""
        network = self._prefixes and _network(source)
        if not network:
            return None
        for version, length in self._prefixes:
            if version == network.version:
                ban = self._bans.get(network.supernet(new_prefix=length))
                if ban is not None and (ban.until is None or ban.until > now):
                    return ban
        return None


def _network(source: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(source)
    except ValueError:  # the address that a trusted proxy has sent is none
        return None


def require_not_banned(connection: Connection, now: int, player: str) -> None:
    """Raise `BannedError` if the player, or one who was merged into the player, is banned."""
    query = select(bans).where(bans.c.player.in_(ids_query(player)), in_force(now))
    row = connection.execute(query.limit(1)).mappings().one_or_none()
    if row is not None:
        raise banned(Ban(**row))


def banned(ban: Ban) -> BannedError:
    """Return the error for a ban.

    >>> ban = Ban(id="", player=None, address="192.0.2.7", reason="spam", since=0, until=1_800_000_000_000)
    >>> banned(ban).message
    'your network is banned from this server until 2027-01-15 08:00 UTC: spam'
    """
    who = "you are" if ban.address is None else "your network is"
    end = "" if ban.until is None else f" until {datetime.fromtimestamp(ban.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    why = f": {ban.reason}" if ban.reason else ""
    return BannedError(f"{who} banned from this server{end}{why}", ban.until, ban.reason)


def delete_expired_bans(connection: Connection, now: int) -> None:
    """Delete the bans that have expired."""
    connection.execute(delete(bans).where(bans.c.until <= now))

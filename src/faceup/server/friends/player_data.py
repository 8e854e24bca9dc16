"""Friends and invitations of a player when a guest is merged into an account, and in the export of a player's data."""

from typing import Final

import msgspec
from sqlalchemy import Connection, delete, or_, select, update

from faceup.server.accounts.schema import players
from faceup.server.friends.schema import contact_choices, friendships, invitations, shown_to_friends

_STRENGTH: Final = ("wanted", "blocked")


def merge_friends(connection: Connection, source: str, target: str) -> None:
    """Give the friends, blocked people and invitations of the player `source` to the player `target`.

    Blocked people stay blocked, whichever of the two players blocked them. Whether friends see that the player is
    online, and who may contact the player, remain as they were for `target`.
    """
    is_about = or_(friendships.c.player.in_((source, target)), friendships.c.other.in_((source, target)))
    merged: dict[tuple[str, str], tuple[str, int]] = {}
    for row in connection.execute(select(friendships).where(is_about)):
        player, other = (target if identifier == source else identifier for identifier in (row.player, row.other))
        before = merged.get((player, other), ("wanted", row.at))
        merged[player, other] = max(before, (row.state, row.at), key=lambda state: _STRENGTH.index(state[0]))
    connection.execute(delete(friendships).where(is_about))
    kept = [
        {"player": player, "other": other, "state": state, "at": at}
        for (player, other), (state, at) in merged.items()
        if player != other and (state == "blocked" or merged.get((other, player), ("",))[0] != "blocked")
    ]
    if kept:
        connection.execute(friendships.insert(), kept)
    either = or_(invitations.c.sender == source, invitations.c.receiver == source)
    for row in connection.execute(select(invitations).where(either)).all():
        sender, receiver = (target if identifier == source else identifier for identifier in (row.sender, row.receiver))
        pair = (invitations.c.sender == sender, invitations.c.receiver == receiver)
        if sender == receiver or connection.execute(select(invitations.c.id).where(*pair)).first() is not None:
            connection.execute(delete(invitations).where(invitations.c.id == row.id))
        else:
            moved = update(invitations).where(invitations.c.id == row.id)
            connection.execute(moved.values(sender=sender, receiver=receiver))
    for table in (shown_to_friends, contact_choices):
        connection.execute(delete(table).where(table.c.player == source))


class ExportedFriend(msgspec.Struct, frozen=True, kw_only=True):
    """A friend, a request or a blocked person in the export of a player's data, by the public handle."""

    handle: str
    state: str
    at: int


class ExportedInvitation(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation that the player sent or received, in the export of the player's data."""

    sent: bool
    handle: str
    at: int
    until: int


class ExportedFriends(msgspec.Struct, frozen=True, kw_only=True):
    """What the server knows about a player's friends.

    Attributes:
        friends: people that the player wants as friends ("wanted") or has blocked ("blocked").
        invitations: the invitations that have not expired.
        shows_online: whether friends may see that the player is online.
        contact: who may send the player requests and invitations.
    """

    friends: tuple[ExportedFriend, ...]
    invitations: tuple[ExportedInvitation, ...]
    shows_online: bool
    contact: str


def exported_friends(connection: Connection, player: str) -> ExportedFriends:
    """Return the friends and invitations of a player for the export of the player's data."""
    query = (
        select(players.c.handle, friendships.c.state, friendships.c.at)
        .join(friendships, friendships.c.other == players.c.id)
        .where(friendships.c.player == player)
        .order_by(friendships.c.at)
    )
    sent = (
        select(players.c.handle, invitations.c.at, invitations.c.until)
        .join(invitations, invitations.c.receiver == players.c.id)
        .where(invitations.c.sender == player)
    )
    received = (
        select(players.c.handle, invitations.c.at, invitations.c.until)
        .join(invitations, invitations.c.sender == players.c.id)
        .where(invitations.c.receiver == player)
    )
    chosen = select(contact_choices.c.contact).where(contact_choices.c.player == player)
    shown = connection.execute(select(shown_to_friends).where(shown_to_friends.c.player == player)).first()
    return ExportedFriends(
        friends=tuple([ExportedFriend(**row) for row in connection.execute(query).mappings()]),
        invitations=tuple(
            [
                ExportedInvitation(sent=by_player, **row)
                for by_player, rows in ((True, sent), (False, received))
                for row in connection.execute(rows).mappings()
            ]
        ),
        shows_online=shown is not None,
        contact=connection.execute(chosen).scalar() or "met",
    )

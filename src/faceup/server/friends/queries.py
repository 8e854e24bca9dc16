"""Friends by mutual consent, people that a player has recently played with, blocked people, and who is online.

Blocked people do not learn that they are blocked: their requests and invitations seem to be sent, and no one receives
them.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection, delete, select, update

from faceup.server.accounts.errors import ForbiddenError, LimitReachedError, NotFoundError
from faceup.server.accounts.player_ids import current_id, ids_of, lock_players
from faceup.server.accounts.revocations import publish, subject_of
from faceup.server.accounts.schema import players
from faceup.server.friends.schema import contact_choices, friendships, invitations, shown_to_friends
from faceup.server.moderation.bans_in_force import is_banned
from faceup.server.parties.schema import party_members
from faceup.server.store.heartbeat import live_processes
from faceup.server.store.queries import insert_new
from faceup.server.tables.schema import online_players, player_tables

MAX_PEOPLE: Final = 200
"""The maximum number of friends, requests and blocked people of a player together."""

MAX_RECENT: Final = 20
"""The maximum number of people in the list of those that a player has recently played with."""

MAX_RECEIVED: Final = 50
"""The maximum number of unanswered requests that a player is shown, the last ones first."""

_RECENT_TABLES: Final = 200

State: TypeAlias = Literal["wanted", "blocked"]
"""What a player thinks of another one. Two players are friends if each wants to be the friend of the other."""

Contact: TypeAlias = Literal["met", "friends", "no_one"]
"""Who may send a player requests and invitations: people that the player has met, only friends, or no one."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Another player, as lists show them.

    Attributes:
        handle: the public handle.
        name: the current name.
        face: the chosen animal and colour; null for none.
        guest: whether the player has no account.
        online: whether the player has a page open now; null if this is not shown.
    """

    handle: str
    name: str
    face: str | None
    guest: bool
    online: bool | None = None


class People(msgspec.Struct, frozen=True, kw_only=True):
    """The people that a player knows.

    Attributes:
        friends: the friends. Those who allow it are shown as online or not.
        received: people who want to be friends.
        sent: people that the player asked to be friends, without an answer.
        recent: people that the player recently sat at a table with, the last ones first, without all others here.
        blocked: people that the player has blocked.
        shows_online: whether friends may see that the player is online.
        contact: who may send the player requests and invitations.
    """

    friends: tuple[Person, ...]
    received: tuple[Person, ...]
    sent: tuple[Person, ...]
    recent: tuple[Person, ...]
    blocked: tuple[Person, ...]
    shows_online: bool
    contact: Contact


def people_of(connection: Connection, now: int, ids: Collection[str]) -> People:
    """Return the people that a player knows, given all ids of the player, the current one first."""
    player = next(iter(ids))
    own_states = _states(connection, friendships.c.player == player, friendships.c.other)
    their_states = _states(connection, friendships.c.other == player, friendships.c.player)
    recent = [other for other in _recent(connection, ids) if other not in own_states]
    received = _received(own_states, their_states)
    asked = [other for other, state in own_states.items() if state == "wanted"]
    friends = [other for other in asked if their_states.get(other) == "wanted"]
    shown = _persons(connection, {*own_states, *received, *recent}, _online(connection, now, friends))

    def chosen(ids: Iterable[str]) -> tuple[Person, ...]:
        return tuple(shown[identifier] for identifier in ids if identifier in shown)

    return People(
        friends=chosen(friends),
        received=chosen(received),
        sent=chosen([other for other in asked if other not in friends]),
        recent=chosen([other for other in recent if other not in received][:MAX_RECENT]),
        blocked=chosen([other for other, state in own_states.items() if state == "blocked"]),
        shows_online=_shows_online(connection, player),
        contact=contact_of(connection, player),
    )


def ask_friend(connection: Connection, now: int, ids: Collection[str], other: str) -> None:
    """Ask another player to be friends, or accept the request of this player.

    Raises:
        NotFoundError: the player has not played with the other one.
        ForbiddenError: the other one takes no requests from the player.
        LimitReachedError: the player knows too many people.
    """
    player, other = lock_players(connection, next(iter(ids)), other)
    require_known(connection, ids, other)
    if _state(connection, player, other) == "wanted":
        return
    if _state(connection, other, player) != "wanted":
        require_contact(connection, player, other)
    _require_few(connection, player)
    _set_state(connection, now, player, other, "wanted")
    if not has_blocked(connection, other, player):
        announce_inbox(connection, now, other)


def end_friendship(connection: Connection, now: int, player: str, other: str) -> None:
    """End a friendship, decline a request or withdraw one. Blocked people stay blocked."""
    pairs = ((player, other), (other, player))
    for pair in pairs:
        connection.execute(delete(friendships).where(*_pair(*pair), friendships.c.state != "blocked"))
    announce_inbox(connection, now, other)


def block(connection: Connection, now: int, ids: Collection[str], other: str) -> None:
    """Block another player. Neither of the two receives anything from the other any more, and open invitations end.

    Raises:
        NotFoundError: the player has not played with the other one.
        LimitReachedError: the player knows too many people.
    """
    player, other = lock_players(connection, next(iter(ids)), other)
    if _state(connection, player, other) != "blocked":
        require_known(connection, ids, other)
        _require_few(connection, player)
        _set_state(connection, now, player, other, "blocked")
    connection.execute(delete(friendships).where(*_pair(other, player), friendships.c.state != "blocked"))
    pair = (player, other)
    connection.execute(delete(invitations).where(invitations.c.sender.in_(pair), invitations.c.receiver.in_(pair)))
    for receiver in pair:
        announce_inbox(connection, now, receiver)


def unblock(connection: Connection, _now: int, player: str, other: str) -> None:
    """Unblock another player."""
    connection.execute(delete(friendships).where(*_pair(player, other), friendships.c.state == "blocked"))


def has_blocked(connection: Connection, player: str, other: str) -> bool:
    """Return whether a player has blocked another one."""
    return _state(connection, player, other) == "blocked"


def require_known(connection: Connection, ids: Collection[str], other: str) -> None:
    """Raise `NotFoundError` unless the player knows the other one: a friend, a co-player or a member of a party.

    Someone who wants to be a friend is known, too. Raises `ForbiddenError` if it is the player.
    """
    player = next(iter(ids))
    if other in ids:
        raise ForbiddenError("this is you: choose another player")
    if _state(connection, player, other) is not None or _state(connection, other, player) == "wanted":
        return
    others = ids_of(connection, other)
    tables, mates = player_tables.alias(), party_members.alias()
    together = (
        select(player_tables.c.room)
        .join(tables, tables.c.room == player_tables.c.room)
        .where(player_tables.c.player.in_(ids), tables.c.player.in_(others))
    )
    members = (
        select(party_members.c.party)
        .join(mates, mates.c.party == party_members.c.party)
        .where(party_members.c.player == player, mates.c.player == other)
    )
    if connection.execute(together.limit(1)).first() is None and connection.execute(members.limit(1)).first() is None:
        raise NotFoundError("you have not played with this player: sit down at a table together first")


def knows_anyone(connection: Connection, ids: Collection[str]) -> bool:
    """Return whether anyone can send the player something: a friend, a co-player or a member of a party."""
    player, tables, mates = next(iter(ids)), player_tables.alias(), party_members.alias()
    queries = (
        select(friendships.c.player).where((friendships.c.player == player) | (friendships.c.other == player)),
        select(party_members.c.party)
        .join(mates, mates.c.party == party_members.c.party)
        .where(party_members.c.player == player, mates.c.player != player),
        select(player_tables.c.room)
        .join(tables, tables.c.room == player_tables.c.room)
        .where(player_tables.c.player.in_(ids), tables.c.player.not_in(ids)),
    )
    return any(connection.execute(query.limit(1)).first() is not None for query in queries)


def are_friends(connection: Connection, player: str, other: str) -> bool:
    """Return whether each of two players wants to be the friend of the other."""
    return _state(connection, player, other) == _state(connection, other, player) == "wanted"


def contact_of(connection: Connection, player: str) -> Contact:
    """Return who may send a player requests and invitations."""
    chosen = select(contact_choices.c.contact).where(contact_choices.c.player == player)
    contact: Contact | None = connection.execute(chosen).scalar()
    return contact or "met"


def require_contact(connection: Connection, player: str, other: str) -> None:
    """Raise `ForbiddenError` if the other player takes no requests and invitations from the player.

    Check this before a block, so that blocked people get the same error as all others.
    """
    contact = contact_of(connection, other)
    if contact == "no_one" or (contact == "friends" and not are_friends(connection, player, other)):
        raise ForbiddenError("this player accepts no requests and invitations from you: play together by a link")


def choose_contact(connection: Connection, _now: int, player: str, contact: Contact) -> None:
    """Set who may send a player requests and invitations."""
    row = contact_choices.c.player == player
    if contact == "met":
        connection.execute(delete(contact_choices).where(row))
    elif not insert_new(connection, contact_choices, player=player, contact=contact):
        connection.execute(update(contact_choices).where(row).values(contact=contact))


def show_online(connection: Connection, _now: int, player: str, *, shown: bool) -> None:
    """Set whether friends may see that the player is online."""
    if shown:
        insert_new(connection, shown_to_friends, player=player)
    else:
        connection.execute(delete(shown_to_friends).where(shown_to_friends.c.player == player))


def announce_inbox(connection: Connection, now: int, player: str) -> None:
    """Announce to all server processes that a player has received something, or lost it."""
    publish(connection, now, subject_of("inbox", player))


def find_persons(connection: Connection, ids: Collection[str]) -> Mapping[str, Person]:
    """Return the players with these ids, as lists show them. Erased, merged and banned players are left out."""
    return _persons(connection, ids, {})


def requests_for(connection: Connection, player: str) -> tuple[Person, ...]:
    """Return the people who want to be friends of a player and have no answer."""
    own_states = _states(connection, friendships.c.player == player, friendships.c.other)
    their_states = _states(connection, friendships.c.other == player, friendships.c.player)
    received = _received(own_states, their_states)
    shown = _persons(connection, received, {})
    return tuple(shown[identifier] for identifier in received if identifier in shown)


def _received(own_states: Mapping[str, str], their_states: Mapping[str, str]) -> list[str]:
    """Return the players with unanswered requests, given the states of both sides, the latest first."""
    return [other for other, state in their_states.items() if state == "wanted" and other not in own_states][
        :MAX_RECEIVED
    ]


def _states(connection: Connection, condition: sa.ColumnElement[bool], other: sa.Column[str]) -> dict[str, str]:
    """Return the states of friendships by the id of the other player, the latest first."""
    query = select(other, friendships.c.state).where(condition).order_by(friendships.c.at.desc(), other)
    return {row[0]: row[1] for row in connection.execute(query)}


def _recent(connection: Connection, ids: Collection[str]) -> list[str]:
    tables = (
        select(player_tables.c.room)
        .where(player_tables.c.player.in_(ids))
        .order_by(player_tables.c.at.desc())
        .limit(_RECENT_TABLES)
    )
    who = current_id()
    query = (
        select(who)
        .join(player_tables, player_tables.c.player == players.c.id)
        .where(player_tables.c.room.in_(tables), who.not_in(ids))
        .group_by(who)
        .order_by(sa.func.max(player_tables.c.at).desc(), who)
        .limit(MAX_PEOPLE + MAX_RECENT)
    )
    return list(connection.execute(query).scalars())


def _persons(connection: Connection, ids: Collection[str], online: Mapping[str, bool]) -> dict[str, Person]:
    is_hidden = players.c.erased_at.is_not(None) | players.c.merged_into.is_not(None) | is_banned(players)
    query = select(players).where(players.c.id.in_(ids), ~is_hidden)
    return {
        row.id: Person(
            handle=row.handle,
            name=row.name,
            face=row.face or None,
            guest=row.account_at is None,
            online=online.get(row.id),
        )
        for row in connection.execute(query)
    }


def _online(connection: Connection, now: int, ids: Collection[str]) -> dict[str, bool]:
    """Return for each player who allows it whether the player is online."""
    shown = select(shown_to_friends.c.player).where(shown_to_friends.c.player.in_(ids))
    allowed = list(connection.execute(shown).scalars())
    visible = (
        select(current_id())
        .join(online_players, online_players.c.player == players.c.id)
        .where(current_id().in_(allowed), online_players.c.process.in_(live_processes(now)))
    )
    online = set(connection.execute(visible).scalars())
    return {identifier: identifier in online for identifier in allowed}


def _shows_online(connection: Connection, player: str) -> bool:
    query = select(shown_to_friends.c.player).where(shown_to_friends.c.player == player)
    return connection.execute(query).first() is not None


def _pair(player: str, other: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return friendships.c.player == player, friendships.c.other == other


def _state(connection: Connection, player: str, other: str) -> str | None:
    return connection.execute(select(friendships.c.state).where(*_pair(player, other))).scalar()


def _set_state(connection: Connection, now: int, player: str, other: str, state: State) -> None:
    if not insert_new(connection, friendships, player=player, other=other, state=state, at=now):
        connection.execute(update(friendships).where(*_pair(player, other)).values(state=state, at=now))


def _require_few(connection: Connection, player: str) -> None:
    own_count = select(sa.func.count()).select_from(friendships).where(friendships.c.player == player)
    if connection.execute(own_count).scalar_one() >= MAX_PEOPLE:
        raise LimitReachedError(f"your list has {MAX_PEOPLE} people: remove some of them first")

"""What operators and hosts did: bans, erasures, removals, ended tournaments, and so on.

An act is recorded in the transaction that does it. Acts that a restore of an older backup must not undo have a
`RestorableAct`, which servers copy to a file outside of the database; see `faceup.server.admin.moderation_journal`.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Connection, bindparam, delete, or_, select, update

from faceup.server.accounts.player_ids import current_ids, ids_of, move_rows
from faceup.server.accounts.schema import players
from faceup.server.audit.schema import audit_log
from faceup.server.store import new_id

ActorKind: TypeAlias = Literal["operator", "host", "player", "server"]
"""Who did it: the operator, a host, or the player in question.

The server itself deletes expired data, and a restore repeats acts. That is not recorded: a restore records the acts
as they were.
"""

Lasting: TypeAlias = Literal["ban", "unban", "erase", "delete_table", "request_deletion", "cancel_deletion"]
"""The acts that a restore repeats. The last two are of players, who want their accounts to be deleted in a day."""

Act: TypeAlias = Literal[
    "ban",
    "unban",
    "erase",
    "delete_table",
    "request_deletion",
    "cancel_deletion",
    "rename",
    "log_out",
    "merge",
    "export",
    "research_export",
    "reset_password",
    "remove_second_factor",
    "close_report",
    "pause_table",
    "resume_table",
    "close_table",
    "registration",
    "announce",
    "keep",
    "end_tournament",
    "end_party",
    "hand_over",
    "remove_player",
]
"""What was done. A player can ask for the deletion of the account, and cancel it.

A host, too, can end a tournament or a party, hand over the role, and remove a player.
"""


class RestorableAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The data to repeat an act on a restored backup. It contains no name, and no id of a player.

    Attributes:
        id: the id in the audit log.
        at: when it was done, in milliseconds since 1970.
        act: what was done.
        targets: hashes of the ids of the player or table; see `target_of`.
        address: the banned address or network.
        until: when the ban ends; None if it has no end.
        by: who did it.
    """

    id: str
    at: int
    act: Lasting
    targets: tuple[str, ...] = ()
    address: str | None = None
    until: int | None = None
    by: ActorKind = "operator"


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An act in the audit log.

    Attributes:
        id: the id of the entry.
        at: when it was done, in milliseconds since 1970.
        act: what was done.
        by: who did it.
        actor: the id of the host or player who did it; None for operators, and after the erasure of the player.
        actor_name: the current name of this player.
        player: the id of the player on whom it was done; None for none, and after the erasure of the player.
        name: the current name of this player.
        place: where or on what, as a kind and an id, such as "table:ID"; "" for nothing else.
    """

    id: str
    at: int
    act: str
    by: str
    actor: str | None
    actor_name: str | None
    player: str | None
    name: str | None
    place: str


def target_of(kind: Literal["player", "table"], identifier: str) -> str:
    """Return the hash that identifies a player or table in the moderation journal, also after an erasure.

    >>> target_of("player", "NpWVb1")
    '8cd8454ab459c90137c4073a4b19d866'
    """
    return sha256(f"faceup moderation journal\n{kind}\n{identifier}".encode()).hexdigest()[:32]


def player_targets(connection: Connection, player: str) -> list[str]:
    """Return the hashes of all ids of a player; see `target_of`."""
    return [target_of("player", identifier) for identifier in ids_of(connection, player)]


def record(
    connection: Connection,
    now: int,
    act: Act,
    *,
    by: ActorKind = "operator",
    actor: str | None = None,
    player: str | None = None,
    place: str = "",
) -> None:
    """Record an act that a restore does not repeat.

    Args:
        connection: the connection of the transaction that does it.
        now: milliseconds since 1970.
        act: the act.
        by: who does it.
        actor: the id of the host or player who does it.
        player: the id of the player on whom it is done.
        place: where or on what, as a kind and an id, such as "table:ID".
    """
    _insert(connection, new_id(), now, act, by=by, place=place, restore=None, actor=actor, player=player)


def record_lasting(
    connection: Connection,
    now: int,
    act: Lasting,
    *,
    by: ActorKind,
    player: str | None = None,
    place: str = "",
    targets: Iterable[str] = (),
    address: str | None = None,
    until: int | None = None,
) -> None:
    """Record an act that a restore repeats, unless the server does it by itself. See `record` and `RestorableAct`."""
    if by == "server":
        return
    identifier = new_id()
    restore = RestorableAct(
        id=identifier, at=now, act=act, targets=tuple(sorted(targets)), address=address, until=until, by=by
    )
    text = msgspec.json.encode(restore).decode()
    _insert(connection, identifier, now, act, by=by, place=place, restore=text, player=player)


def _insert(
    connection: Connection,
    identifier: str,
    now: int,
    act: Act,
    *,
    by: ActorKind,
    place: str,
    restore: str | None,
    **people: str | None,
) -> None:
    values = {"id": identifier, "at": now, "act": act, "by": by, "place": place, "restore": restore}
    values |= {name: current_ids(connection, [person])[0] for name, person in people.items() if person}
    connection.execute(audit_log.insert().values(values))


def list_acts(
    connection: Connection, *, player: str | None = None, by: str = "", limit: int = 200, offset: int = 0
) -> list[AuditEntry]:
    """Return acts, the newest first, without the first `offset`; only those by or on a player, or by such actors."""
    host, other = players.alias("host"), players.alias("other")
    query = (
        select(audit_log, host.c.name.label("actor_name"), other.c.name.label("name"))
        .outerjoin(host, host.c.id == audit_log.c.actor)
        .outerjoin(other, other.c.id == audit_log.c.player)
        .order_by(audit_log.c.at.desc(), audit_log.c.id)
        .limit(limit)
        .offset(offset)
    )
    if player is not None:
        query = query.where(or_(audit_log.c.actor == player, audit_log.c.player == player))
    if by:
        query = query.where(audit_log.c.by == by)
    names = AuditEntry.__struct_fields__
    return [AuditEntry(**{name: row[name] for name in names}) for row in connection.execute(query).mappings()]


# This query is built only once, because it runs every second and is executed faster than it is built.
_RESTORABLE: Final = (
    select(audit_log.c.id, audit_log.c.restore)
    .where(audit_log.c.restore.is_not(None), audit_log.c.at >= bindparam("since"))
    .order_by(audit_log.c.at, audit_log.c.id)
)


def restorable_acts(connection: Connection, since: int = 0) -> dict[str, str]:
    """Return the `RestorableAct`s from a time on as JSON, by their ids, the oldest first."""
    return {row.id: row.restore for row in connection.execute(_RESTORABLE, {"since": since})}


def add_restorable_acts(connection: Connection, acts: Iterable[RestorableAct], concerned: Mapping[str, str]) -> None:
    """Record acts of the moderation journal that are not in the database, with their own times.

    Args:
        connection: the connection of the transaction.
        acts: the acts.
        concerned: the players of acts, except those who were erased, by the ids of these acts.
    """
    for act in acts:
        text = msgspec.json.encode(act).decode()
        place = "table" if act.act == "delete_table" else "" if act.address is None else f"address:{act.address}"
        player = concerned.get(act.id)
        _insert(connection, act.id, act.at, act.act, by=act.by, place=place, restore=text, player=player)


def forget_tables(connection: Connection, tables: Iterable[str]) -> None:
    """Remove the ids of deleted tables. The acts remain."""
    places = [f"table:{table}" for table in tables]
    connection.execute(update(audit_log).where(audit_log.c.place.in_(places)).values(place="table"))


def delete_acts(connection: Connection, *, ids: Sequence[str]) -> None:
    """Delete acts."""
    connection.execute(delete(audit_log).where(audit_log.c.id.in_(ids)))


def acts_about(connection: Connection, player: str) -> list[dict[str, object]]:
    """Return the acts on a player and by the player, for the export of the player's data, without other people."""
    log = audit_log.c
    query = select(log.at, log.act, log.by, log.place, (log.actor == player).label("own"))
    rows = connection.execute(query.where(or_(log.actor == player, log.player == player)).order_by(log.at))
    return [{**row, "own": bool(row["own"])} for row in rows.mappings()]


def merge_acts(connection: Connection, source: str, target: str) -> None:
    """Give the acts on and by the player `source` to the player `target`."""
    for column in (audit_log.c.actor, audit_log.c.player):
        move_rows(connection, column, source, target)

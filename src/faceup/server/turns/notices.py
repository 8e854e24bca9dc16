"""Which turns their players have yet to be notified of, as a queue that all processes share.

A process claims a notice for some time before it delivers it. If the process is killed, another one claims it when this
time is over. So no notice is lost, and only one whose delivery was cut off is sent twice.
"""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, func, select, update

from faceup.server.accounts.player_ids import current_id
from faceup.server.accounts.schema import players, sessions
from faceup.server.store.schema import rooms, turns
from faceup.server.turns.schema import mail_addresses, push_subscriptions

AT_ONCE: Final = 100
"""The maximum number of notices that `pending_notices` returns."""

Channel: TypeAlias = Literal["push", "mail"]
"""How players are notified."""

_TOLD: Final = {"push": turns.c.pushed, "mail": turns.c.mailed}
_LEASE: Final = {"push": turns.c.push_lease, "mail": turns.c.mail_lease}


class TurnNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that its player is to be notified of.

    Attributes:
        room: id of the table.
        player: id of the player at the table.
        decision: the number of the open decision.
        since: when the decision was opened, in milliseconds since 1970.
        due: the deadline, in the same unit; None without one.
        summary: the table's entry for lists of tables, as JSON.
    """

    room: str
    player: str
    decision: int
    since: int
    due: int | None
    summary: bytes


def _pending(channel: Channel, only: Collection[str] | None) -> ColumnElement[bool]:
    owner = current_id()
    if channel == "push":
        devices = sessions.join(push_subscriptions, push_subscriptions.c.session == sessions.c.id)
        reached = select(players.c.id).join(devices, sessions.c.player == owner)
    else:
        reached = select(players.c.id).join(mail_addresses, mail_addresses.c.player == owner)
    is_reachable = reached.where(players.c.id == turns.c.player).exists()
    condition = turns.c.waiting & (_TOLD[channel] < turns.c.decision) & is_reachable
    return condition if only is None else condition & turns.c.player.in_(sorted(only))


def pending_notices(
    connection: Connection, now: int, channel: Channel, only: Collection[str] | None
) -> list[TurnNotice]:
    """Return notices that no process is delivering. The players take turns, and the oldest notice of each comes first.

    Args:
        connection: a database connection.
        now: milliseconds since 1970.
        channel: how players are notified.
        only: the players to look at; None for all.
    """
    place = func.row_number().over(partition_by=turns.c.player, order_by=turns.c.since).label("place")
    query = (
        select(turns, rooms.c.summary, place)
        .join(rooms, rooms.c.id == turns.c.room)
        .where(_pending(channel, only), now >= _LEASE[channel])
        .order_by(place, turns.c.since, turns.c.room)
        .limit(AT_ONCE)
    )
    return [
        TurnNotice(
            room=row.room,
            player=row.player,
            decision=row.decision,
            since=row.since,
            due=row.due,
            summary=row.summary.encode(),
        )
        for row in connection.execute(query)
    ]


def next_lease(connection: Connection, now: int, channel: Channel) -> int | None:
    """Return when the next lease of a notice ends, in milliseconds since 1970; None if there is none."""
    lease = _LEASE[channel]
    due: int | None = connection.execute(select(func.min(lease)).where(_pending(channel, None), now < lease)).scalar()
    return due


def claim(connection: Connection, now: int, channel: Channel, notice: TurnNotice, lease: int) -> bool:
    """Reserve a notice for `lease` milliseconds. Return False if it is obsolete or another process has reserved it."""
    free = _open(channel, notice), turns.c.waiting, now >= _LEASE[channel]
    return bool(connection.execute(update(turns).where(*free).values({_LEASE[channel]: now + lease})).rowcount)


def finish(connection: Connection, channel: Channel, notice: TurnNotice) -> None:
    """Record that the player was notified, or cannot be."""
    is_done = update(turns).where(_open(channel, notice))
    connection.execute(is_done.values({_TOLD[channel]: notice.decision, _LEASE[channel]: 0}))


def postpone(connection: Connection, now: int, channel: Channel, notice: TurnNotice, by: int) -> None:
    """Let a notice be delivered again in `by` milliseconds."""
    connection.execute(update(turns).where(_open(channel, notice)).values({_LEASE[channel]: now + by}))


def _open(channel: Channel, notice: TurnNotice) -> ColumnElement[bool]:
    same: ColumnElement[bool] = (turns.c.room == notice.room) & (turns.c.player == notice.player)
    return same & (turns.c.decision == notice.decision) & (_TOLD[channel] < notice.decision)

"""The browsers that are notified by Web Push, one for each session."""

from typing import Final

import msgspec
from sqlalchemy import Connection, delete, select, update

from faceup.server.accounts.player_ids import current_ids, lock_players
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.schema import sessions
from faceup.server.store.queries import insert_new
from faceup.server.store.schema import turns
from faceup.server.turns.schema import push_subscriptions
from faceup.translations import Language

FAILING: Final = 30 * 86_400_000
"""Milliseconds after which a subscription is deleted if every message fails."""


class PushSubscription(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how to send messages to a browser.

    Attributes:
        endpoint: the URL at the push service of the browser.
        p256dh: the public key of the browser, in base64url.
        auth: the secret that the browser shares with the server, in base64url.
        language: the language of the messages.
    """

    endpoint: str
    p256dh: str
    auth: str
    language: Language = "en"


class ExportedSubscription(msgspec.Struct, frozen=True, kw_only=True):
    """A browser in the export of a player's data."""

    endpoint: str
    language: str
    since: int


def session_of(subject: str) -> str:
    """Return the id of a session, given its subject in revocations.

    >>> session_of("session:NpWVb1")
    'NpWVb1'
    """
    return subject.removeprefix(subject_of("session", ""))


def subscribe(
    connection: Connection, now: int, session: str, player_ids: tuple[str, ...], subscription: PushSubscription
) -> None:
    """Notify this session's browser from now on. Turns that already wait are not notified of.

    Args:
        connection: a database connection.
        now: milliseconds since 1970.
        session: the id of the session.
        player_ids: the ids of its player.
        subscription: the browser's subscription, which replaces an earlier one.
    """
    lock_players(connection, player_ids[0])
    same_session = select(push_subscriptions.c.session).where(
        push_subscriptions.c.session == session, push_subscriptions.c.endpoint == subscription.endpoint
    )
    is_subscribed = connection.execute(same_session).first() is not None
    replaced = (push_subscriptions.c.session == session) | (push_subscriptions.c.endpoint == subscription.endpoint)
    connection.execute(delete(push_subscriptions).where(replaced))
    insert_new(connection, push_subscriptions, session=session, created_at=now, **msgspec.structs.asdict(subscription))
    if not is_subscribed:
        waiting = turns.c.player.in_(player_ids), turns.c.waiting, turns.c.pushed < turns.c.decision
        connection.execute(update(turns).where(*waiting).values(pushed=turns.c.decision))


def unsubscribe(connection: Connection, session: str) -> None:
    """Notify this session's browser no longer."""
    connection.execute(delete(push_subscriptions).where(push_subscriptions.c.session == session))


def is_subscribed(connection: Connection, session: str) -> bool:
    """Return whether this session's browser is notified."""
    query = select(push_subscriptions.c.session).where(push_subscriptions.c.session == session)
    return connection.execute(query).first() is not None


def move_subscription(connection: Connection, session: str, to: str) -> None:
    """Give the subscription of a session to the one that replaces it in the same browser."""
    same_session = push_subscriptions.c.session == session
    connection.execute(update(push_subscriptions).where(same_session).values(session=to))


def subscriptions_of(connection: Connection, player: str) -> list[PushSubscription]:
    """Return the browsers of a player, also if the player was merged into another one."""
    query = (
        select(push_subscriptions)
        .join(sessions, sessions.c.id == push_subscriptions.c.session)
        .where(sessions.c.player.in_(current_ids(connection, (player,))))
        .order_by(push_subscriptions.c.created_at)
    )
    return [
        PushSubscription(endpoint=row.endpoint, p256dh=row.p256dh, auth=row.auth, language=row.language)
        for row in connection.execute(query)
    ]


def export_subscriptions(connection: Connection, player: str) -> list[ExportedSubscription]:
    """Return the browsers of a player for the export of the player's data."""
    query = (
        select(push_subscriptions)
        .join(sessions, sessions.c.id == push_subscriptions.c.session)
        .where(sessions.c.player == player)
        .order_by(push_subscriptions.c.created_at)
    )
    return [
        ExportedSubscription(endpoint=row.endpoint, language=row.language, since=row.created_at)
        for row in connection.execute(query)
    ]


def record_gone(connection: Connection, endpoint: str) -> None:
    """Delete a subscription that its push service no longer knows."""
    connection.execute(delete(push_subscriptions).where(push_subscriptions.c.endpoint == endpoint))


def record_result(connection: Connection, now: int, endpoint: str, *, delivered: bool) -> None:
    """Record a success or a failure. If all messages have failed for `FAILING`, the subscription is deleted."""
    same_endpoint = push_subscriptions.c.endpoint == endpoint
    if delivered:
        changed = update(push_subscriptions).where(same_endpoint, push_subscriptions.c.failing_since.is_not(None))
        connection.execute(changed.values(failing_since=None))
        return
    connection.execute(
        delete(push_subscriptions).where(same_endpoint, push_subscriptions.c.failing_since < now - FAILING)
    )
    first = update(push_subscriptions).where(same_endpoint, push_subscriptions.c.failing_since.is_(None))
    connection.execute(first.values(failing_since=now))

"""Database tables of the ways in which players want to be notified of their turns."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Table, Text

from faceup.server.accounts.schema import players, sessions
from faceup.server.store.schema import metadata

push_subscriptions: Final = Table(  # the browsers that get messages by Web Push; deleted with their sessions
    "push_subscriptions",
    metadata,
    Column("session", Text, ForeignKey(sessions.c.id, ondelete="CASCADE"), primary_key=True),
    Column("endpoint", Text, nullable=False, unique=True),  # the URL at the browser's push service
    Column("p256dh", Text, nullable=False),  # the browser's public key, base64url
    Column("auth", Text, nullable=False),  # the shared secret, base64url
    Column("language", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("failing_since", BigInteger),  # when the first of the last failures was; null after a success
)

mail_addresses: Final = Table(  # the mail addresses of players who want notices of their turns
    "mail_addresses",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("rejected_at", BigInteger),  # when the mail server said that it does not exist; null if it accepts mails
)

new_mail_addresses: Final = Table(  # addresses with codes that their players have not entered yet
    "new_mail_addresses",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("since", BigInteger, nullable=False, index=True),
)

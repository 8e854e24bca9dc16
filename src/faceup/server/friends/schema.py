"""Database tables of friends and invitations."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Table, Text, UniqueConstraint

from faceup.server.accounts.schema import players
from faceup.server.parties.schema import parties
from faceup.server.store.schema import metadata

friendships: Final = Table(  # what a player thinks of another; two who want each other are friends
    "friendships",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("other", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True, index=True),
    Column("state", Text, nullable=False),  # "wanted" or "blocked"
    Column("at", BigInteger, nullable=False),
)

shown_to_friends: Final = Table(  # players who let their friends see that they are online
    "shown_to_friends",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
)

contact_choices: Final = Table(  # players who do not let everyone they met send invitations and requests
    "contact_choices",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("contact", Text, nullable=False),  # a `friends.Contact`
)

invitations: Final = Table(  # the last invitation of each sender to each receiver, until it expires
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("sender", Text, ForeignKey(players.c.id, ondelete="CASCADE"), nullable=False),
    Column("receiver", Text, ForeignKey(players.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("room", Text),  # the table; null if it is an invitation to a party
    Column("party", Text, ForeignKey(parties.c.id, ondelete="CASCADE"), index=True),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False, index=True),
    Column("state", Text, nullable=False),  # "open", "accepted" or "declined"
    UniqueConstraint("sender", "receiver"),
)

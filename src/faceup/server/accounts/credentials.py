"""Random keys, and the lookup of identities by keys.

The keys of sessions, tokens and one-time codes come from the system's random generator. Only their SHA-256 hashes are
stored. Hashes without salt or key stretching are enough, because long keys have 256 random bits, and short codes expire
in minutes and their use is rate limited.
"""

import hashlib
import secrets
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Table, select

from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.schema import players
from faceup.server.moderation.bans import require_not_banned

Scope: TypeAlias = Literal["read", "play"]
"""The scopes of a token. A program with "read" sees what the player sees. With "play", it can sit down and choose."""

ALL_SCOPES: Final = frozenset({"read", "play", "self"})
"""The scopes of a session. "self" allows access to the account. Tokens never have the scope "self"."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """An authenticated player, and the permissions of the session or token.

    Attributes:
        player: id of the player.
        name: name of the player.
        face: the face that the player chose; "" for none.
        subject: the name of the session or token in revocations.
        scopes: the permissions.
        seen: when the last use of the session was recorded, in milliseconds since 1970; 0 for tokens.
        merged_ids: ids of the players who were merged into this player. These ids may still own seats.
        declared: whether the player is a guest who has declared to be a program.
    """

    player: str
    name: str
    subject: str
    scopes: frozenset[str]
    face: str = ""
    seen: int = 0
    merged_ids: tuple[str, ...] = ()
    declared: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids of the player, the current one first."""
        return self.player, *self.merged_ids

    @property
    def program(self) -> bool:
        """Whether this is a token, which only programs use, or a guest who has declared to be a program."""
        return self.declared or self.subject.startswith(subject_of("token"))

    @property
    def subjects(self) -> tuple[str, str]:
        """The subjects that, when revoked, end this session or token."""
        return self.subject, subject_of("player", self.player)


ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of codes. These capital letters and digits are not easily confused."""


def new_key(prefix: str = "") -> str:
    """Return a URL-safe key of 32 random bytes.

    >>> len(new_key()), new_key("faceup_")[:7]
    (43, 'faceup_')
    """
    return prefix + secrets.token_urlsafe(32)


def new_code(length: int = 8) -> str:
    """Return a random code for people to type. There are 30**8 different codes of eight characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def digest(key: str) -> str:
    """Return the stored hash of a key.

    >>> digest("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


class FoundCredential(NamedTuple):
    """A valid session or token, and its player.

    Attributes:
        key: the database row of the session or token.
        player: id of the player. If the player was merged, it is the id of the player that remains.
        name: name of the player.
        face: the face that the player chose; "" for none.
        merged_ids: ids of the players merged into this player.
        declared: whether the player is a guest who has declared to be a program.
    """

    key: Row[Any]  # Any: SQLAlchemy does not know the types of the columns
    player: str
    name: str
    face: str
    merged_ids: tuple[str, ...]
    declared: bool

    def identity(self, subject: str, scopes: frozenset[str], *, seen: int = 0) -> Identity:
        """Return the identity with these scopes."""
        return Identity(
            player=self.player,
            name=self.name,
            face=self.face,
            subject=subject,
            scopes=scopes,
            seen=seen,
            merged_ids=self.merged_ids,
            declared=self.declared,
        )


def find_credential(
    connection: Connection, now: int, keys: Table, key_digest: str, *holds: ColumnElement[bool]
) -> FoundCredential | None:
    """Return the session or token with this hash that fulfills all conditions, or None.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        keys: the table of sessions or of tokens.
        key_digest: the hash of the key.
        *holds: further conditions on the row.

    Raises:
        BannedError: the player is banned.
    """
    declared = players.c.program & players.c.account_at.is_(None)
    row = connection.execute(
        select(keys, players.c.name, players.c.face, declared.label("declared"))
        .join(players, players.c.id == keys.c.player)
        .where(keys.c.digest == key_digest, players.c.erased_at.is_(None), *holds)
    ).one_or_none()
    if row is None:
        return None
    player, *merged = ids_of(connection, row.player)
    require_not_banned(connection, now, player)
    return FoundCredential(row, player, row.name, row.face, tuple(merged), bool(row.declared))

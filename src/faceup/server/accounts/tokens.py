"""Bearer tokens for programs. A token allows only what its scopes allow, and never gives access to the account."""

from typing import Annotated, Final

import msgspec
from sqlalchemy import Connection, func, insert, select

from faceup.server.accounts.credentials import Identity, Scope, digest, find_credential, new_key
from faceup.server.accounts.errors import ForbiddenError
from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.schema import tokens
from faceup.server.store import new_id

PREFIX: Final = "faceup_"
"""The prefix of the keys of all tokens. Secret scanners recognize tokens by it."""

MAX_TOKENS: Final = 50
"""The maximum number of tokens that a player can have."""

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token in the list of a player's tokens. It contains its `key` only when it is created."""

    id: str
    label: str
    scopes: tuple[Scope, ...]
    since: int
    key: str | None = None


def create_token(connection: Connection, now: int, player: str, label: str, scopes: tuple[Scope, ...]) -> Token:
    """Create a token and return it with its key. Raises `ForbiddenError` if the player has the maximum number."""
    (player,) = lock_players(connection, player)
    count = connection.execute(select(func.count()).where(tokens.c.player == player)).scalar_one()
    if count >= MAX_TOKENS:
        raise ForbiddenError(f"you already have {MAX_TOKENS} tokens, which is the maximum: revoke a token first")
    token = Token(id=new_id(), label=label, scopes=tuple(sorted(set(scopes))), since=now, key=new_key(PREFIX))
    connection.execute(
        insert(tokens).values(
            digest=digest(token.key or ""),
            id=token.id,
            player=player,
            label=label,
            scopes=" ".join(token.scopes),
            created_at=now,
        )
    )
    return token


def resolve_token(connection: Connection, now: int, key_digest: str) -> Identity | None:
    """Return the identity for the hash of a token; None if there is no such token.

    Raises:
        BannedError: the player is banned.
    """
    credential = find_credential(connection, now, tokens, key_digest)
    return credential and credential.identity(
        subject_of("token", credential.key.id), frozenset(credential.key.scopes.split())
    )


def list_tokens(connection: Connection, player: str) -> list[Token]:
    """Return the player's tokens without their keys. The newest token comes first."""
    rows = connection.execute(select(tokens).where(tokens.c.player == player).order_by(tokens.c.created_at.desc()))
    return [Token(id=row.id, label=row.label, scopes=tuple(row.scopes.split()), since=row.created_at) for row in rows]

"""Bearer tokens: what a program shows. They open no more than their scopes say, and never the account."""

from hashlib import sha256
from typing import Annotated, Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from faceup.server.people.identity import Identity, Scope
from faceup.server.people.keys import digest, new_key
from faceup.server.people.refusals import Forbidden, Missing
from faceup.server.people.revocations import announce, token_subject
from faceup.server.people.schema import tokens
from faceup.server.people.showing import shown
from faceup.server.store import new_id

PREFIX: Final = "faceup_"
"""What every token begins with, so that programs that look for leaked keys know one."""

MOST: Final = 50
"""Tokens of one player."""

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token in the list of a player's own; its `key` is told once, when it is made."""

    id: str
    label: str
    scopes: tuple[Scope, ...]
    since: int
    key: str | None = None


def make_token(
    connection: Connection, now: int, player: str, label: str, scopes: tuple[Scope, ...], *, request: str | None = None
) -> Token:
    """A new token, with its key; the one that was made for the same request, whose key was not heard, ends.

    Raises:
        Forbidden: one too many.
    """
    identifier = new_id()
    if request is not None:
        # The same beginning for the same request, and another end, since the one before is revoked by its name.
        begins = sha256(f"faceup token\n{player}\n{request}".encode()).hexdigest()[:16]
        for before in list_tokens(connection, player):
            if before.id.startswith(begins):
                revoke_token(connection, now, player, before.id)
        identifier = begins + identifier[len(begins) :]
    count = connection.execute(select(func.count()).where(tokens.c.player == player)).scalar_one()
    if count >= MOST:
        raise Forbidden(f"a player has {MOST} tokens at most: revoke one first")
    token = Token(id=identifier, label=label, scopes=tuple(sorted(set(scopes))), since=now, key=new_key(PREFIX))
    connection.execute(
        insert(tokens).values(
            digest=digest(token.key or ""),
            id=token.id,
            player=player,
            label=label,
            scopes=" ".join(token.scopes),
            made_at=now,
        )
    )
    return token


def whose_token(connection: Connection, key_digest: str) -> Identity | None:
    """Who shows this token; None if it opens nothing (any more). Raises `Forbidden` for a ban."""
    found = shown(connection, tokens, key_digest)
    return found and found.identity(token_subject(found.key.id), frozenset(found.key.scopes.split()))


def list_tokens(connection: Connection, player: str) -> list[Token]:
    """The player's tokens without their keys, the newest first."""
    rows = connection.execute(select(tokens).where(tokens.c.player == player).order_by(tokens.c.made_at.desc()))
    return [Token(id=row.id, label=row.label, scopes=tuple(row.scopes.split()), since=row.made_at) for row in rows]


def revoke_token(connection: Connection, now: int, player: str, identifier: str) -> None:
    """End a token, wherever it is connected. Raises `Missing`."""
    gone = connection.execute(delete(tokens).where(tokens.c.player == player, tokens.c.id == identifier))
    if not gone.rowcount:
        raise Missing("there is no such token of yours")
    announce(connection, now, token_subject(identifier))

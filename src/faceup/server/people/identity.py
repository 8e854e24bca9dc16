"""Who asks: what a session's cookie or a bearer token says."""

from typing import Final, Literal, TypeAlias

import msgspec

Scope: TypeAlias = Literal["read", "play"]
"""See what the player sees; sit down and choose."""

EVERYTHING: Final = frozenset({"read", "play", "self"})
"""What a person's own session opens: "self" is the account, which no token reaches."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, and what may be asked.

    Attributes:
        player: the id; every seat is owned by one.
        name: of the player.
        subject: under which it is revoked: of a session, or of a token.
        scopes: what it opens.
        seen: when it was last noted as used, in milliseconds since 1970.
        also: the ids of those who were merged into the player, under which it may still own seats.
    """

    player: str
    name: str
    subject: str
    scopes: frozenset[str]
    seen: int = 0
    also: tuple[str, ...] = ()

"""Conditions for queries: which bans are in force, and which players are banned."""

import time
from typing import Final

from sqlalchemy import ColumnElement, FromClause, exists, or_

from faceup.server.accounts.player_ids import current_id
from faceup.server.accounts.schema import players
from faceup.server.moderation.schema import bans

_PLAYER: Final = players.alias("banned")
_BANNED: Final = bans.join(_PLAYER, _PLAYER.c.id == bans.c.player)


def is_banned(someone: FromClause) -> ColumnElement[bool]:
    """Return the condition that a row of `players` has a ban that is in force."""
    return exists().select_from(_BANNED).where(someone.c.id == current_id(_PLAYER), in_force())


def in_force(now: int | None = None) -> ColumnElement[bool]:
    """Return the condition that a ban is in force at a time; by default now, on the clock of this machine."""
    now = time.time_ns() // 1_000_000 if now is None else now
    return or_(bans.c.until.is_(None), bans.c.until > now)

"""How long the server keeps data."""

from collections.abc import Mapping
from typing import Final

from faceup.extras import needs

with needs("server", __name__):
    import sqlalchemy as sa

    from faceup.server.accounts.server_state import get_all, set_value

_DAY: Final = 86_400_000

DEFAULTS: Final[Mapping[str, int | None]] = {
    "finished": 365 * _DAY,
    "unfinished": 7 * _DAY,
    "guests": 365 * _DAY,
    "guests_without_games": 30 * _DAY,
    "reports": 90 * _DAY,
    "log": 365 * _DAY,
}
"""Default retention periods in milliseconds; None means forever.

- `finished`: tables with a finished game, and tournaments, from their end.
- `unfinished`: all other tables, from their closing. No table is deleted before it is closed, so that a slow clock or a
  pause never counts. A table that everyone has left is closed by `live.room_actor.RoomActor.close_if_abandoned`.
- `guests`: guests who have played, from their last visit. Accounts are kept until they are erased.
- `guests_without_games`: all other guests, from their last visit.

  Outages do not count for guests, because no one can visit the server then. They count for all other periods, which are
  promises to delete data.
- `reports`: reports about players. They are deleted with their table and with both players, too.
- `log`: what operators and hosts did, in the audit log and in the moderation journal.
"""


def retention_periods(connection: sa.Connection) -> dict[str, int | None]:
    """Return the current retention periods in milliseconds; None means forever."""
    stored = get_all(connection)
    return {
        name: _read(stored[f"keep_{name}"]) if f"keep_{name}" in stored else default
        for name, default in DEFAULTS.items()
    }


def change(connection: sa.Connection, periods: Mapping[str, int | None]) -> None:
    """Change the given retention periods, in milliseconds; None means forever."""
    for name, time in periods.items():
        set_value(connection, f"keep_{name}", "" if time is None else str(time))


def _read(text: str) -> int | None:
    return int(text) if text else None

"""The store: the logs of all tables, in SQLite or PostgreSQL."""

from faceup.extras import needs

with needs("server", __name__):
    from faceup.server.store.errors import (
        ConflictError,
        LogMissingError,
        LogRewrittenError,
        StaleHeartbeatError,
        StoreError,
        TableDeletedError,
        UnavailableError,
        UnsupportedDatabaseError,
    )
    from faceup.server.store.integrity import IntegrityReport
    from faceup.server.store.models import (
        HeartbeatResult,
        LogRow,
        Outage,
        PublicTable,
        TableOrigin,
        TableRow,
        Turn,
        new_code,
        new_id,
    )
    from faceup.server.store.schema import metadata
    from faceup.server.store.store import Store

__all__ = [
    "ConflictError",
    "HeartbeatResult",
    "IntegrityReport",
    "LogMissingError",
    "LogRewrittenError",
    "LogRow",
    "Outage",
    "PublicTable",
    "StaleHeartbeatError",
    "Store",
    "StoreError",
    "TableDeletedError",
    "TableOrigin",
    "TableRow",
    "Turn",
    "UnavailableError",
    "UnsupportedDatabaseError",
    "metadata",
    "new_code",
    "new_id",
]

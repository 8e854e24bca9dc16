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
        CorrespondenceTurn,
        HeartbeatResult,
        LogRow,
        NewRow,
        Outage,
        PublicTableRow,
        TableOrigin,
        TableRow,
        new_code,
        new_id,
    )
    from faceup.server.store.schema import metadata
    from faceup.server.store.store import Store

__all__ = [
    "ConflictError",
    "CorrespondenceTurn",
    "HeartbeatResult",
    "IntegrityReport",
    "LogMissingError",
    "LogRewrittenError",
    "LogRow",
    "NewRow",
    "Outage",
    "PublicTableRow",
    "StaleHeartbeatError",
    "Store",
    "StoreError",
    "TableDeletedError",
    "TableOrigin",
    "TableRow",
    "UnavailableError",
    "UnsupportedDatabaseError",
    "metadata",
    "new_code",
    "new_id",
]

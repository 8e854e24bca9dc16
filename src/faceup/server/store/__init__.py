"""What is kept: the logs of all tables, in SQLite or PostgreSQL."""

from faceup.server.store.failures import Collision, Frozen, Missing, StoreError, Unavailable, Unfit
from faceup.server.store.schema import metadata
from faceup.server.store.store import Store
from faceup.server.store.values import Append, Beat, Outage, Row, new_code, new_id

__all__ = [
    "Append",
    "Beat",
    "Collision",
    "Frozen",
    "Missing",
    "Outage",
    "Row",
    "Store",
    "StoreError",
    "Unavailable",
    "Unfit",
    "metadata",
    "new_code",
    "new_id",
]

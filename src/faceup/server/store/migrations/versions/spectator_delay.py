"""Add the spectator delay of tables, so that lists do not show the end of a game before spectators see it."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the column, which is 0 for the tables of earlier versions."""
    op.add_column("rooms", sa.Column("spectator_delay", sa.BigInteger(), server_default="0", nullable=False))
    late = sa.text("spectator_delay > 0")
    op.create_index(
        "ix_rooms_delayed", "rooms", ["ended_at", "spectator_delay"], sqlite_where=late, postgresql_where=late
    )

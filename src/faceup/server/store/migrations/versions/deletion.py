"""Add tables for deletions, and delete what earlier deletions left behind.

Before, only the row in `rooms` was deleted, and the logs of tables kept the ids and names of erased players.
"""

import time

import sqlalchemy as sa
from alembic import op

from faceup.server.store.models import new_id

revision = "0002"
down_revision = "0001"

_ORPHANS = (
    "DELETE FROM log WHERE NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.id = log.room)",
    "DELETE FROM connections WHERE NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.id = connections.room)",
    """
    DELETE FROM games WHERE NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.id = games.room) AND (
        EXISTS (SELECT 1 FROM daily_attempts WHERE daily_attempts.room = games.room)
        OR NOT EXISTS (
            SELECT 1 FROM results JOIN players ON players.id = results.who
            WHERE results.number = games.number AND players.erased_at IS NULL
        )
    )
    """,
    "DELETE FROM daily_attempts WHERE NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.id = daily_attempts.room)",
    # Before, this was a separate retention period.
    "DELETE FROM server_state WHERE key = 'keep_closed'",
)


def upgrade() -> None:
    """Create the tables, delete orphans, and let the servers erase the players with names that are still in logs."""
    op.create_table(
        "deleted_tables",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("purged", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deleted_tables")),
    )
    op.create_index(op.f("ix_deleted_tables_at"), "deleted_tables", ["at"], unique=False)
    op.create_index(
        "ix_deleted_tables_purged",
        "deleted_tables",
        ["id"],
        unique=False,
        sqlite_where=sa.text("NOT purged"),
        postgresql_where=sa.text("NOT purged"),
    )
    op.create_table(
        "erasures",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("pseudonym", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_erasures")),
    )
    for orphans in _ORPHANS:
        op.execute(orphans)
    connection, now = op.get_bind(), time.time_ns() // 1_000_000
    erased = connection.execute(sa.text("SELECT id, merged_into FROM players WHERE erased_at IS NOT NULL")).all()
    roots = {row.merged_into or row.id for row in erased}
    pseudonyms = {root: new_id() for root in sorted(roots)}
    for row in erased:
        connection.execute(
            sa.text("INSERT INTO erasures (player, pseudonym, at) VALUES (:player, :pseudonym, :at)"),
            {"player": row.id, "pseudonym": pseudonyms[row.merged_into or row.id], "at": now},
        )

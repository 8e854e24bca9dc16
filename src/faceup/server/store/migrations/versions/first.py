"""Every table of the server, as it was first. Written by `script/migration`."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables of an empty database."""
    op.create_table(
        "outages",
        sa.Column("start", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("end", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("start", name=op.f("pk_outages")),
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("ahead", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pulse")),
    )
    op.create_table(
        "rooms",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("wake", sa.BigInteger(), nullable=True),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rooms")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rooms_ended_at", "rooms", ["ended_at"], unique=False)
    op.create_index(
        "ix_rooms_listed",
        "rooms",
        ["opened_at"],
        unique=False,
        sqlite_where=sa.text("listed AND ended_at IS NULL"),
        postgresql_where=sa.text("listed AND ended_at IS NULL"),
    )
    op.create_index(
        "ix_rooms_wake",
        "rooms",
        ["wake"],
        unique=False,
        sqlite_where=sa.text("wake IS NOT NULL"),
        postgresql_where=sa.text("wake IS NOT NULL"),
    )
    op.create_index(
        "uq_rooms_code",
        "rooms",
        ["code"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "log",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("command", sa.Text(), nullable=True),
        sa.Column("entries", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name=op.f("fk_log_room"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "seq", name=op.f("pk_log")),
    )
    op.create_index(
        "uq_log_command",
        "log",
        ["room", "command"],
        unique=True,
        sqlite_where=sa.text("command IS NOT NULL"),
        postgresql_where=sa.text("command IS NOT NULL"),
    )
    op.execute("INSERT INTO pulse (id, last, ahead) VALUES (1, 0, 0)")

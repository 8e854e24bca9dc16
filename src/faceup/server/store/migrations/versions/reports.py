"""Add reports of players about each other."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("reporter", sa.Text(), nullable=False),
        sa.Column("reported", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name=op.f("fk_reports_room"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reporter"], ["players.id"], name=op.f("fk_reports_reporter"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reported"], ["players.id"], name=op.f("fk_reports_reported"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        sa.UniqueConstraint(
            "room", "reporter", "reported", "reason", name=op.f("uq_reports_room_reporter_reported_reason")
        ),
    )
    for column in ("at", "reported", "reporter"):
        op.create_index(op.f(f"ix_reports_{column}"), "reports", [column], unique=False)

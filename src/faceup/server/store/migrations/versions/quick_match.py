"""Add the tables of quick matches."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "quick_tables",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_quick_tables")),
    )
    op.create_table(
        "quick_seats",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_quick_seats_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_quick_seats")),
    )
    op.create_index(op.f("ix_quick_seats_at"), "quick_seats", ["at"], unique=False)

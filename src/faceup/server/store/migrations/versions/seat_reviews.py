"""Add what the coach found in finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "seat_reviews",
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("reserved_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("findings", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["number"], ["games.number"], name=op.f("fk_seat_reviews_number"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", "seat", name=op.f("pk_seat_reviews")),
    )

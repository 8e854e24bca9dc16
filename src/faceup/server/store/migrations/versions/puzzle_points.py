"""Add by how much each answer changed the rating of its puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column."""
    op.add_column("puzzle_answers", sa.Column("puzzle_points", sa.Double(), server_default="0", nullable=False))

"""Add what correspondence games need."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Mark correspondence games, which earlier versions did not have."""
    op.add_column("rooms", sa.Column("correspondence", sa.Boolean(), server_default=sa.false(), nullable=False))

"""Add the players who are online, and those who do not want to be listed."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "online_players",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_online_players_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", "process", "room", name=op.f("pk_online_players")),
    )
    op.create_index(op.f("ix_online_players_process"), "online_players", ["process"], unique=False)
    op.create_table(
        "unlisted_players",
        sa.Column("player", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name=op.f("fk_unlisted_players_player"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_unlisted_players")),
    )

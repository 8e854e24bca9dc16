"""Add bans with a term, of players and addresses. Before, a ban was a part of a player and had no end."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table, and move the bans of players to it."""
    op.create_table(
        "bans",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_bans_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bans")),
        sa.UniqueConstraint("address", name=op.f("uq_bans_address")),
        sa.UniqueConstraint("player", name=op.f("uq_bans_player")),
    )
    op.create_index(op.f("ix_bans_until"), "bans", ["until"], unique=False)
    if "banned_at" not in {column["name"] for column in sa.inspect(op.get_bind()).get_columns("players")}:
        return  # the initial migration of this version no longer creates it
    op.execute(
        """
        INSERT INTO bans (id, player, reason, since)
        SELECT handle, id, COALESCE(ban_reason, ''), banned_at FROM players
        WHERE banned_at IS NOT NULL AND erased_at IS NULL
        """
    )
    op.drop_column("players", "banned_at")
    op.drop_column("players", "ban_reason")

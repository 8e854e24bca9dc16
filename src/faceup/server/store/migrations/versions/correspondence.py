"""Add what correspondence games need."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Mark correspondence games, which earlier versions did not have, and create the table of turns."""
    op.add_column("rooms", sa.Column("correspondence", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "turns",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("waiting", sa.Boolean(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("pushed", sa.Integer(), server_default="-1", nullable=False),
        sa.Column("push_lease", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("mailed", sa.Integer(), server_default="-1", nullable=False),
        sa.Column("mail_lease", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name=op.f("fk_turns_room"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "player", name=op.f("pk_turns")),
    )
    op.create_index(op.f("ix_turns_player"), "turns", ["player"], unique=False)
    op.create_table(
        "push_subscriptions",
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.id"], name=op.f("fk_push_subscriptions_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", name=op.f("pk_push_subscriptions")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_push_subscriptions_endpoint")),
    )
    op.create_table(
        "mail_addresses",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_mail_addresses_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_mail_addresses")),
    )

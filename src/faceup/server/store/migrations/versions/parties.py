"""Add the tables of parties, friends and invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "parties",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("room", sa.Text(), nullable=True),
        sa.Column("config", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_parties")),
        sa.UniqueConstraint("key", name=op.f("uq_parties_key")),
    )
    op.create_table(
        "party_members",
        *_party_and_player("party_members"),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
    )
    op.create_index(op.f("ix_party_members_player"), "party_members", ["player"], unique=False)
    op.create_table("party_removals", *_party_and_player("party_removals"))
    op.create_index(op.f("ix_party_removals_player"), "party_removals", ["player"], unique=False)
    op.create_table(
        "party_tables",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("party", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["party"], ["parties.id"], name=op.f("fk_party_tables_party"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", name=op.f("pk_party_tables")),
    )
    op.create_index(op.f("ix_party_tables_party"), "party_tables", ["party"], unique=False)
    _create_friends()


def _create_friends() -> None:
    op.create_table(
        "friendships",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("other", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["other"], ["players.id"], name=op.f("fk_friendships_other"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_friendships_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", "other", name=op.f("pk_friendships")),
    )
    op.create_index(op.f("ix_friendships_other"), "friendships", ["other"], unique=False)
    op.create_table(
        "shown_to_friends",
        sa.Column("player", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name=op.f("fk_shown_to_friends_player"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_shown_to_friends")),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("receiver", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=True),
        sa.Column("party", sa.Text(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["party"], ["parties.id"], name=op.f("fk_invitations_party"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["receiver"], ["players.id"], name=op.f("fk_invitations_receiver"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["sender"], ["players.id"], name=op.f("fk_invitations_sender"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("sender", "receiver", name=op.f("uq_invitations_sender_receiver")),
    )
    for column in ("party", "receiver", "until"):
        op.create_index(op.f(f"ix_invitations_{column}"), "invitations", [column], unique=False)


def _party_and_player(table: str) -> tuple[sa.schema.SchemaItem, ...]:
    """Return the columns of a table that has one row for each player of a party."""
    return (
        sa.Column("party", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["party"], ["parties.id"], name=op.f(f"fk_{table}_party"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f(f"fk_{table}_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("party", "player", name=op.f(f"pk_{table}")),
    )

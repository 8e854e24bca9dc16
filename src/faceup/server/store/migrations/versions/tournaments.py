"""Add the tables of tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("wake", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["host"], ["players.id"], name=op.f("fk_tournaments_host"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    for column in ("host", "wake", "ended_at"):
        op.create_index(op.f(f"ix_tournaments_{column}"), "tournaments", [column], unique=False)
    op.create_table(
        "tournament_players",
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("face", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name=op.f("fk_tournament_players_player"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_tournament_players_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_tournament_players")),
        sa.UniqueConstraint("tournament", "player", name=op.f("uq_tournament_players_tournament_player")),
    )
    op.create_index(op.f("ix_tournament_players_player"), "tournament_players", ["player"], unique=False)
    op.create_table(
        "tournament_tables",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_tournament_tables_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("room", name=op.f("pk_tournament_tables")),
    )
    op.create_index(op.f("ix_tournament_tables_tournament"), "tournament_tables", ["tournament"], unique=False)

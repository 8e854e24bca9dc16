"""Add who may contact a player, reports of other names, and removals from tournaments. Reports of tables remain."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the tables, and create the table of reports anew, because SQLite cannot change its constraints."""
    op.create_table(
        "contact_choices",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("contact", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_contact_choices_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_contact_choices")),
    )
    op.create_table(
        "tournament_removals",
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name=op.f("fk_tournament_removals_player"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_tournament_removals_tournament"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "player", name=op.f("pk_tournament_removals")),
    )
    op.create_index(op.f("ix_tournament_removals_player"), "tournament_removals", ["player"], unique=False)
    query = sa.text("SELECT id, room, reporter, reported, name, reason, at, closed_at FROM reports")
    rows = op.get_bind().execute(query).mappings().all()
    op.drop_table("reports")
    reports = op.create_table(
        "reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=True),
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
            "place", "reporter", "reported", "reason", name=op.f("uq_reports_place_reporter_reported_reason")
        ),
    )
    for column in ("at", "reported", "reporter"):
        op.create_index(op.f(f"ix_reports_{column}"), "reports", [column], unique=False)
    if rows:
        op.bulk_insert(reports, [{**row, "kind": "player", "place": row["room"]} for row in rows])

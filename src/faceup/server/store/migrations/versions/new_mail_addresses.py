"""Keep the addresses apart that their players have not confirmed yet."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table, and leave only confirmed addresses in the other one."""
    op.create_table(
        "new_mail_addresses",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name=op.f("fk_new_mail_addresses_player"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_new_mail_addresses")),
    )
    op.create_index(op.f("ix_new_mail_addresses_since"), "new_mail_addresses", ["since"], unique=False)
    op.execute("DELETE FROM mail_addresses WHERE NOT confirmed")
    op.drop_column("mail_addresses", "confirmed")
    op.add_column("mail_addresses", sa.Column("rejected_at", sa.BigInteger(), nullable=True))

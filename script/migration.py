"""Write the first step of the server's database anew from the tables as they are. See `script/migration`."""

import importlib
import subprocess
from typing import Final, cast

import sqlalchemy as sa
from alembic.autogenerate import api
from alembic.operations.ops import UpgradeOps
from alembic.runtime.migration import MigrationContext

from faceup.server.store import metadata
from faceup.server.store.migrating import HEAD, SCHEMAS, SCRIPTS

PATH: Final = SCRIPTS / "versions" / "first.py"

TEXT: Final = '''"""Every table of the server, as it was first. Written by `script/migration`."""

import sqlalchemy as sa
from alembic import op

revision = "{head}"
down_revision = None


def upgrade() -> None:
    """Make all tables of an empty database."""
    {steps}
    op.execute("INSERT INTO pulse (id, last, ahead) VALUES (1, 0, 0)")
'''


def written() -> str:
    """The step, laid out as all our code is."""
    for schema in SCHEMAS:
        importlib.import_module(schema)
    with sa.create_engine("sqlite://").connect() as connection:
        context = MigrationContext.configure(connection)
        steps = api.produce_migrations(context, metadata).upgrade_ops
    code = api.render_python_code(cast("UpgradeOps", steps))  # what tables were compared for is there
    lines = [line for line in code.splitlines() if not line.strip().startswith("# ###")]
    text = TEXT.format(head=HEAD, steps="\n".join(lines).strip())
    command = ("ruff", "format", "--stdin-filename", str(PATH), "-")
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    PATH.write_text(written())
    print(f"{PATH} is written")

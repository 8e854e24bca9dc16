"""`faceup admin compact`: give the space of deleted data back, and remove its remains from the files."""

from argparse import Namespace
from typing import TYPE_CHECKING

from faceup.cli.admin.database import add_options, with_database
from faceup.cli.options import Commands, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from faceup.server.store import Store


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "compact",
        "give the space of deleted data back to the system, and remove its remains from the files",
        compact,
        examples=(
            "faceup admin compact                          while servers run",
            "faceup admin compact --full                   rewrite all tables; choices wait until it ends",
        ),
    )
    parser.add_argument(
        "--full", action="store_true", help="rewrite the whole database, for which choices have to wait"
    )
    add_options(parser)


def compact(arguments: Namespace) -> None:
    """Compact the database."""

    async def work(store: "Store") -> tuple[int, bool, int]:
        return await store.size(), await store.compact(full=arguments.full), await store.size()

    before, done, after = with_database(arguments, work)
    if arguments.json:
        print_json({"before": before, "after": after, "done": done})
        return
    print(f"The database had {before / 1e6:,.1f} MB, and has {after / 1e6:,.1f} MB now.")
    if not done:
        print("Its write-ahead log still has old data, because it is being read. Run this again later.")

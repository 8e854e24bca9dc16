"""`faceup admin push-keys`: turn Web Push on or off for all servers of a database."""

from argparse import Namespace
from typing import TYPE_CHECKING

from faceup.cli.admin.database import add_options, with_database
from faceup.cli.options import Commands, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from faceup.server.store import Store
    from faceup.server.turns.push_keys import PushKeys


def register(commands: Commands) -> None:
    """Add the command."""
    keys = command(
        commands,
        "push-keys",
        "turn Web Push on or off: notices to browsers that it is a player's turn",
        push_keys,
        examples=(
            "faceup admin push-keys                        show the current state",
            "faceup admin push-keys --contact mailto:ann@example.org",
            "faceup admin push-keys --off                  delete the keys",
        ),
    )
    keys.add_argument(
        "--contact",
        metavar="ADDRESS",
        help="create the keys, if there are none; push services can reach you at this mailto: or https: address",
    )
    keys.add_argument("--off", action="store_true", help="delete the keys; browsers must subscribe again with others")
    add_options(keys)


def push_keys(arguments: Namespace) -> None:
    """Create, show or delete the keys of Web Push."""
    from faceup.core import Malformed
    from faceup.server.turns.push_keys import create_push_keys, delete_push_keys, find_push_keys

    if arguments.contact and arguments.off:
        raise Malformed("use either --contact or --off", where="off")

    async def work(store: "Store") -> "PushKeys | None":
        if arguments.contact:
            return await store.write(lambda c: create_push_keys(c, arguments.contact))
        if arguments.off:
            await store.write(delete_push_keys)
        return await store.query(find_push_keys)

    keys = with_database(arguments, work)
    if arguments.json:
        print_json({"public": keys and keys.public, "contact": keys and keys.contact})
    elif keys is None:
        print("Web Push is off.")
    else:
        print(f"Web Push is on. Public key: {keys.public}. Contact: {keys.contact}")

"""`faceup admin bans`: ban players and addresses."""

from argparse import Namespace
from typing import TYPE_CHECKING

from faceup.cli.admin.database import add_options, with_database
from faceup.cli.options import Commands, command, group
from faceup.cli.output import format_time, print_answer, print_json, print_rows

if TYPE_CHECKING:
    from faceup.server.moderation.bans import Ban
    from faceup.server.store import Store


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "bans", "ban players and addresses, for a time or until you remove the ban")
    adding = command(
        inner,
        "add",
        "ban a player or an address, and close its connections",
        add,
        examples=(
            "faceup admin bans add Mallory --for 7d --reason cheating",
            "faceup admin bans add --address 203.0.113.7 --for 1d",
            "faceup admin bans add --address 2001:db8:1:2::7   the whole /64 network",
            "faceup admin bans add --address 198.51.100.0/24   a wider network",
        ),
    )
    adding.add_argument("person", nargs="?", metavar="PERSON", help="the player's ID, login or unique name")
    adding.add_argument(
        "--address", metavar="ADDRESS", help="an IP address or network; an IPv6 address means its /64 network"
    )
    adding.add_argument("--for", dest="term", metavar="TIME", help="the term, such as 12h or 7d (default: no end)")
    adding.add_argument("--reason", default="", metavar="TEXT", help="the reason shown to the player")
    add_options(adding)
    listing = command(inner, "list", "list the bans", list_bans, examples=("faceup admin bans list",))
    add_options(listing)
    removing = command(
        inner,
        "remove",
        "remove a ban",
        remove,
        examples=("faceup admin bans remove Mallory", "faceup admin bans remove 203.0.113.7"),
    )
    removing.add_argument("ban", metavar="BAN", help="the ban's ID, the player or the address")
    add_options(removing)


def add(arguments: Namespace) -> None:
    """Ban a player or an address.

    Raises:
        Malformed: neither a player nor an address is given, or both are, or one of them is unknown.
    """
    from faceup.core import Malformed
    from faceup.server.admin.players import ban, find_one_player
    from faceup.server.moderation.bans import ban_address
    from faceup.server.process.settings import parse_duration

    if (arguments.person is None) == (arguments.address is None):
        raise Malformed("name either a player or, with --address, an address", where="person")
    term = parse_duration(arguments.term) if arguments.term else None

    async def work(store: "Store") -> "Ban":
        if arguments.person is None:
            now = store.now()
            until = None if term is None else now + term
            return await store.write(
                lambda c: ban_address(c, now, arguments.address, until=until, reason=arguments.reason)
            )
        player = await store.query(lambda c: find_one_player(c, arguments.person))
        return await ban(store, player, term=term, reason=arguments.reason)

    made = with_database(arguments, work)
    if arguments.json:
        print_json(made)
        return
    end = "" if made.until is None else f" until {format_time(made.until)}"
    print(f"{made.address or arguments.person} was banned{end}.")


def list_bans(arguments: Namespace) -> None:
    """List the bans."""
    from faceup.server.moderation.bans import list_bans as query_bans

    async def work(store: "Store") -> "list[Ban]":
        now = store.now()
        return await store.query(lambda c: query_bans(c, now))

    rows = with_database(arguments, work)
    heads = ("ID", "PLAYER", "ADDRESS", "SINCE", "UNTIL", "REASON")
    lines = [
        (*(row.id, row.name or "", row.address or ""), format_time(row.since), format_time(row.until), row.reason)
        for row in rows
    ]
    print_rows(arguments, rows, heads, lines, "No bans.")


def remove(arguments: Namespace) -> None:
    """Remove a ban."""
    from faceup.server.admin.players import remove_ban as work

    async def inside(store: "Store") -> None:
        now = store.now()
        await store.write(lambda c: work(c, now, arguments.ban))

    with_database(arguments, inside)
    print_answer(arguments, {"ban": arguments.ban, "done": "remove"}, f"The ban of {arguments.ban} was removed.")

"""`faceup admin people`: who plays here, and who may not."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from faceup.cli.admin.database import add_options, settings_of, visit
from faceup.cli.admin.printing import moment, print_columns, print_json
from faceup.cli.options import Commands, command, group

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from faceup.server.store import Store

T = TypeVar("T")


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "people", "list, rename, ban, merge, export and erase players")
    listing = command(
        inner,
        "list",
        "list the players, the last seen first",
        list_people,
        examples=("faceup admin people list", "faceup admin people list --find ann --json"),
    )
    listing.add_argument("--find", default="", metavar="TEXT", help="only those with this in their name or login")
    listing.add_argument("--limit", type=int, default=200, metavar="N", help="at most so many (200)")
    add_options(listing)
    renaming = _one(inner, "rename", "give a player another name", rename, "'Guest 4711' Ann")
    renaming.add_argument("name", metavar="NAME", help="the new name")
    banning = _one(inner, "ban", "let a player in no more, and cut its connections", ban, "Mallory --reason cheating")
    banning.add_argument("--reason", default="", metavar="TEXT", help="what the player is told")
    _one(inner, "unban", "let a banned player in again", unban, "Mallory")
    _one(inner, "remove", "take a player from its seats, and log it out everywhere", remove, "Mallory")
    merging = _one(inner, "merge", "let one player be another from now on", merge, "'Guest 4711' Ann")
    merging.add_argument("into", metavar="INTO", help="the one that stays")
    _one(inner, "reset-password", "print a link for a new password, good once and for a day", reset_password, "Ann")
    _one(inner, "export", "print all that is kept of a player, as JSON", export, "Ann > ann.json")
    _one(inner, "erase", "forget who a player is; its games stay, without its name", erase, "Ann")


def _one(commands: Commands, name: str, summary: str, run: Callable[[Namespace], None], example: str) -> ArgumentParser:
    parser = command(commands, name, summary, run, examples=(f"faceup admin people {name} {example}",))
    parser.add_argument("person", metavar="PERSON", help="its id, its login, or its name if only one has it")
    add_options(parser)
    parser.set_defaults(done=name)
    return parser


def list_people(arguments: Namespace) -> None:
    """The players."""
    from faceup.server.admin.people import list_people as found

    people = visit(arguments, lambda store: store.query(lambda c: found(c, arguments.find, arguments.limit)))
    if arguments.json:
        print_json(people)
        return
    heads = ("ID", "NAME", "LOGIN", "SINCE", "SEEN", "BANNED")
    lines = [
        (each.id, each.name, each.login or "", moment(each.since), moment(each.seen), moment(each.banned))
        for each in people
    ]
    print_columns(heads, lines, "There are no players.")


def rename(arguments: Namespace) -> None:
    """Another name."""
    from faceup.server.admin.people import the_one
    from faceup.server.people.players import rename as work

    name = _write(arguments, lambda c, _: work(c, the_one(c, arguments.person), arguments.name)).name
    _say(arguments, f"is called {name} from now on")


def ban(arguments: Namespace) -> None:
    """No more of this player."""
    from faceup.server.admin.people import the_one
    from faceup.server.people.players import ban as work

    _write(arguments, lambda c, now: work(c, now, the_one(c, arguments.person), arguments.reason))
    _say(arguments, "may not play here any more")


def unban(arguments: Namespace) -> None:
    """All is forgiven."""
    from faceup.server.admin.people import the_one
    from faceup.server.people.players import unban as work

    _write(arguments, lambda c, _: work(c, the_one(c, arguments.person)))
    _say(arguments, "may play here again")


def remove(arguments: Namespace) -> None:
    """Out of its seats, and out of the door; it may come back by it."""
    from faceup.server.admin.people import remove as work

    left = visit(arguments, lambda store: work(store, arguments.person))
    seats = f"{len(left)} seat{'' if len(left) == 1 else 's'}"
    _say(arguments, f"is logged out everywhere, and has left {seats}")


def merge(arguments: Namespace) -> None:
    """Two that are one person."""
    from faceup.server.admin.people import the_one
    from faceup.server.people.counting import recount
    from faceup.server.people.merging import merge as work

    def merged(connection: "Connection", _: int) -> str:
        gone = the_one(connection, arguments.person)
        work(connection, gone, the_one(connection, arguments.into))
        return gone

    gone = _write(arguments, merged)
    visit(arguments, lambda store: recount(store, gone))
    _say(arguments, f"is {arguments.into} from now on")


def reset_password(arguments: Namespace) -> None:
    """The link; whoever has it sets the password, so it is printed here alone."""
    from faceup.server.admin.people import password_key, the_one

    settings = settings_of(arguments)
    key = _write(arguments, lambda c, now: password_key(c, now, the_one(c, arguments.person)))
    link = f"{settings.address(settings.port)}/password#{key}"
    if arguments.json:
        print_json({"person": arguments.person, "link": link})
        return
    print(link)
    if not settings.public_url:
        print("(the address is a guess: give --public-url as to the server, in the environment or the file)")


def export(arguments: Namespace) -> None:
    """All that is kept; JSON whether asked for or not."""
    from faceup.server.admin.people import the_one
    from faceup.server.people.erasing import export as work

    print_json(visit(arguments, lambda store: store.query(lambda c: work(c, the_one(c, arguments.person)))))


def erase(arguments: Namespace) -> None:
    """Nothing but an id is left, which the logs of tables have."""
    from faceup.server.admin.people import the_one
    from faceup.server.people.erasing import erase as work

    _write(arguments, lambda c, now: work(c, now, the_one(c, arguments.person)))
    _say(arguments, "is forgotten")


def _write(arguments: Namespace, work: "Callable[[Connection, int], T]") -> "T":
    """Do something that changes the database; it is handed the time."""

    async def inside(store: "Store") -> "T":
        now = await store.now()
        return await store.write(lambda connection: work(connection, now))

    return visit(arguments, inside)


def _say(arguments: Namespace, done: str) -> None:
    if arguments.json:
        print_json({"person": arguments.person, "done": arguments.done})
    else:
        print(f"{arguments.person} {done}.")

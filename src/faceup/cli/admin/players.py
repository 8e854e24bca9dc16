"""`faceup admin people`: manage players."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from faceup.cli.admin.database import add_limit, add_options, list_rows, settings_of, with_database
from faceup.cli.options import Commands, command, group
from faceup.cli.output import format_time, print_answer, print_json, print_rows

if TYPE_CHECKING:
    from typing import IO

    from sqlalchemy import Connection

    from faceup.server.store import Store

T = TypeVar("T")


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "people", "list, rename, merge, export and erase players")
    listing = command(
        inner,
        "list",
        "list players, most recently seen first",
        list_players,
        examples=("faceup admin people list", "faceup admin people list --find ann --json"),
    )
    listing.add_argument(
        "--find", default="", metavar="TEXT", help="only players with this text in their name or login"
    )
    add_limit(listing, 200, "players")
    add_options(listing)
    renaming = _one(inner, "rename", "change a player's name", rename, "v0opqzLxmIBw Ann")
    renaming.add_argument("name", metavar="NAME", help="the new name")
    _one(inner, "remove", "remove a player from all seats and log the player out everywhere", remove, "Mallory")
    merging = _one(inner, "merge", "merge a player into another one", merge, "v0opqzLxmIBw Ann")
    merging.add_argument("into", metavar="INTO", help="the player to keep")
    _one(inner, "reset-password", "print a password reset link, valid once within a day", reset_password, "Ann")
    _one(
        inner,
        "remove-second-factor",
        "let a player who has lost the authenticator and all recovery codes log in with the password alone",
        remove_second_factor,
        "Ann",
    )
    _one(inner, "export", "export a player's data as JSON", export, "Ann > ann.json")
    _one(inner, "erase", "erase a player; the games of others are kept without the name", erase, "Ann")


def _one(commands: Commands, name: str, summary: str, run: Callable[[Namespace], None], example: str) -> ArgumentParser:
    parser = command(commands, name, summary, run, examples=(f"faceup admin people {name} {example}",))
    parser.add_argument("person", metavar="PERSON", help="the player's ID, login or unique name")
    add_options(parser)
    parser.set_defaults(done=name)
    return parser


def list_players(arguments: Namespace) -> None:
    """List the players."""
    from faceup.server.admin.players import list_players as query_players

    people = list_rows(
        arguments, lambda store, limit: store.query(lambda c: query_players(c, arguments.find, limit)), narrow="--find"
    )
    heads = ("ID", "NAME", "KIND", "LOGIN", "SINCE", "SEEN", "BANNED")
    lines = [
        (
            player.id,
            player.name,
            "program" if player.program else "account" if player.account else "guest",
            player.login or "",
            format_time(player.since),
            format_time(player.seen),
            format_time(player.banned),
        )
        for player in people
    ]
    print_rows(arguments, people, heads, lines, "No players.")


def rename(arguments: Namespace) -> None:
    """Rename a player."""
    from faceup.server.accounts.players import update_profile
    from faceup.server.admin.players import find_one_player
    from faceup.server.audit.log import record

    def renamed(connection: "Connection", now: int) -> str:
        player = find_one_player(connection, arguments.person)
        record(connection, now, "rename", player=player)
        return update_profile(connection, player, name=arguments.name).name

    name = _write(arguments, renamed)
    _report(arguments, f"was renamed to {name}")


def remove(arguments: Namespace) -> None:
    """Remove a player from all seats and log the player out everywhere; the player may log in again."""
    from faceup.core import plural
    from faceup.server.admin.players import remove as work

    left = with_database(arguments, lambda store: work(store, arguments.person))
    seats = plural(len(left), "seat")
    _report(arguments, f"was logged out everywhere and removed from {seats}")


def merge(arguments: Namespace) -> None:
    """Merge one player into another."""
    from faceup.server.admin.players import find_one_player
    from faceup.server.audit.log import record
    from faceup.server.player_data import merge as work
    from faceup.server.results.ingest import recount

    def merged(connection: "Connection", now: int) -> str:
        target = find_one_player(connection, arguments.into)
        work(connection, find_one_player(connection, arguments.person), target)
        record(connection, now, "merge", player=target)
        return target

    target = _write(arguments, merged)
    with_database(arguments, lambda store: recount(store, target))
    _report(arguments, f"was merged into {arguments.into}")


def reset_password(arguments: Namespace) -> None:
    """Create a password reset link and print it; it is shown only here, because it grants access to the account."""
    from faceup.server.admin.players import create_password_reset, find_one_player

    settings = settings_of(arguments)
    key = _write(arguments, lambda c, now: create_password_reset(c, now, find_one_player(c, arguments.person)))
    link = f"{settings.address(settings.port)}/password#{key}"
    if arguments.json:
        print_json({"person": arguments.person, "link": link})
        return
    print(link)
    if not settings.public_url:
        print("(The address is a guess. Set the server's public URL in the environment or the configuration file.)")


def remove_second_factor(arguments: Namespace) -> None:
    """Remove a player's second factor."""
    from faceup.server.admin.players import find_one_player
    from faceup.server.admin.players import remove_second_factor as work

    _write(arguments, lambda c, now: work(c, now, find_one_player(c, arguments.person)))
    _report(arguments, "can log in without a second factor")


def export(arguments: Namespace) -> None:
    """Print the player's data as JSON."""
    from faceup.server.admin.players import find_one_player
    from faceup.server.audit.log import record
    from faceup.server.player_data import export as work

    async def exported(store: "Store") -> "IO[bytes]":
        now = store.now()

        def recorded(connection: "Connection") -> str:
            player = find_one_player(connection, arguments.person)
            record(connection, now, "export", player=player)
            return player

        player = await store.write(recorded)  # a long export, which follows, holds no write lock
        return await store.query(lambda connection: work(connection, player))

    with with_database(arguments, exported) as file:
        for line in file:
            print(line.decode(), end="")


def erase(arguments: Namespace) -> None:
    """Erase the player's data; other players keep their games, in which the name and ID are replaced."""
    from faceup.server.admin.players import erase as work

    with_database(arguments, lambda store: work(store, arguments.person))
    _report(arguments, "was erased")


def _write(arguments: Namespace, work: "Callable[[Connection, int], T]") -> "T":
    """Run `work` in a write transaction, passing it the connection and the current time, and return its result."""

    async def inside(store: "Store") -> "T":
        now = store.now()
        return await store.write(lambda connection: work(connection, now))

    return with_database(arguments, inside)


def _report(arguments: Namespace, done: str) -> None:
    print_answer(arguments, {"person": arguments.person, "done": arguments.done}, f"{arguments.person} {done}.")

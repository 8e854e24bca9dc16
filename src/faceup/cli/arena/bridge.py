"""`faceup arena bridge`: a program of the arena at tables online."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any, Final

from faceup.cli.arena.printable import printable
from faceup.cli.arena.terms import add_limits
from faceup.cli.options import Commands, add_program, command
from faceup.cli.visitors import add_visitor

if TYPE_CHECKING:
    from faceup.arena import Bot, Terms
    from faceup.server.client import Address, Client, Place

_LOOK: Final = 3.0
"""Seconds between looks at the list of open tables."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "bridge",
        "seat a program at a table online, or at one open table after another",
        bridge,
        examples=(
            "faceup arena bridge http://192.168.1.7:8000/KMRTW -- ./mine",
            "faceup arena bridge https://cards.example --open --games 100 --token faceup_... -- python3 mine.py",
            "faceup arena bridge http://localhost:8000/KMRTW --protocol json --time 5000+2000 -- node any_game.js",
        ),
    )
    parser.add_argument("url", metavar="URL", help="a table's link or code; with --open, a server")
    parser.add_argument("--open", action="store_true", help="sit down wherever a seat at an open table is free")
    parser.add_argument(
        "--games", type=int, default=1, metavar="N", help="how many; at one table, rematches (1); 0 is without end"
    )
    add_visitor(parser)
    parser.add_argument(
        "--protocol", metavar="NAME", help="json, for any game; or the game's own, which is usual where there is one"
    )
    parser.add_argument("--phase-last", action="store_true", help="the program reads the phase last")
    add_limits(parser)
    add_program(parser, "the program and its arguments")


def bridge(arguments: Namespace) -> None:
    """Let it play."""
    import shlex
    from pathlib import Path
    from tempfile import TemporaryDirectory

    import msgspec

    from faceup.arena import Terms
    from faceup.arena.identity import settle
    from faceup.arena.roster import Roster, enrol
    from faceup.cli.arena.terms import limits_of
    from faceup.cli.visitors import client_of, run
    from faceup.core import Malformed
    from faceup.server.client import read_address

    address = read_address(arguments.url)
    if not arguments.open and not (address.table or address.code):
        raise Malformed(
            f"{arguments.url} is a server, not a table: write its link or its code, or --open for any table",
            what=arguments.url,
            where="URL",
        )
    if not arguments.program:
        raise Malformed("name the program behind two dashes, such as `-- ./mine`", where="PROGRAM")
    terms = msgspec.structs.replace(Terms(), **limits_of(arguments))
    [entrant] = enrol((shlex.join(arguments.program),), Roster(Path()), "nimmt", phase_last=arguments.phase_last)
    client = client_of(arguments, address.server)
    with TemporaryDirectory(prefix="faceup-") as folder:
        bot = settle(entrant, Path(folder))
        if not bot.command:
            raise Malformed(
                f"{bot.name} is a player of ours: `faceup bot {bot.name} --table URL` seats it", where="PROGRAM"
            )
        run(_visit(arguments, client, address, terms, bot), client, shlex.join(["faceup", *sys.argv[1:]]))


async def _visit(arguments: Namespace, client: "Client", address: "Address", terms: "Terms", bot: "Bot") -> None:
    from faceup.arena.bridging import Bridge

    name = arguments.name or bot.name.rpartition("/")[2]
    played = 0
    async with client, Bridge(terms, bot, arguments.protocol) as program:
        await client.arrive(name)
        place = None if arguments.open else await client.find(address)
        while True:
            found = place or await _find_open(arguments, client, program, name)
            again = await _play(arguments, client, program, found, name)
            played += 1
            if played == arguments.games:
                return
            if not arguments.open:
                if again is None:
                    print("There is no rematch.")
                    return
                place = await client.find(_table(address, again))


def _table(address: "Address", table: str) -> "Address":
    return address._replace(table=table, code="")


async def _play(arguments: Namespace, client: "Client", program: Any, place: "Place", name: str) -> str | None:  # noqa: ANN401 -- a `Bridge`
    """One game; gives back the table at which play goes on, if it does and more games are wanted."""
    from faceup.cli.visitors import said
    from faceup.server.client import play, rules_of
    from faceup.server.client.seating import seated
    from faceup.server.rooms import Leave

    async with seated(client, place.id, seat=None if arguments.open else arguments.seat, name=name) as live:
        seat = live.seat or 0
        program.begin(rules_of(live), seat)
        print(f"{name} sits in seat {seat} at {place.link}", flush=True)
        try:
            whole = await play(live, program.choose)
            if not whole and program.faults:
                await live.do(Leave(seat))
                fault = program.faults[0]
                print(f"{name} is out ({fault.cause}): {fault.words}", file=sys.stderr)
            else:
                print(said(live), flush=True)
        finally:
            log = await program.end()
            if log:
                print(printable(log.decode("utf-8", "replace")).rstrip(), file=sys.stderr)
        if whole and arguments.games != 1 and not arguments.open:
            await live.until(lambda: live.sight.get("rematch") is not None)
            found: str | None = live.sight.get("rematch")
            return found
    return None


async def _find_open(arguments: Namespace, client: "Client", program: Any, name: str) -> "Place":  # noqa: ANN401 -- a `Bridge`
    """A free seat at an open table whose game the program can be told of; waits for one."""
    import asyncio

    from faceup.core import RulesError, make
    from faceup.server.client import Place, Refused
    from faceup.server.rooms import Sit

    waiting = False
    while True:
        for table in await client.listed():
            summary = table["summary"]
            try:
                rules = make(f"{summary['game']}:{summary['variant']}", **summary["options"])
                program.begin(rules, 0)
            except RulesError:
                continue
            if table["status"] != "pending" or None not in summary["seats"]:
                continue
            try:
                await client.do(table["id"], Sit(name, arguments.seat))
            except Refused:
                continue  # somebody was first
            return Place(table["id"], table["code"], table["link"])
        if not waiting:
            print("Waiting for an open table ...", file=sys.stderr)
            waiting = True
        await asyncio.sleep(_LOOK)

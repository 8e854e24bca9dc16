"""`faceup arena bridge`: connect a program to online tables."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any, Final

from faceup.cli.arena.options import add_limit_options
from faceup.cli.online import add_client_options
from faceup.cli.options import Commands, add_program, command

if TYPE_CHECKING:
    from faceup.arena import Bot, MatchTerms
    from faceup.server.client import Address, Client, TableLink

_POLL_INTERVAL: Final = 3.0
"""Seconds between requests for the list of open tables."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "bridge",
        "connect a program to an online table, or to one open table after another",
        bridge,
        examples=(
            "faceup arena bridge http://192.168.1.7:8000/KMRTW -- ./mine",
            "faceup arena bridge https://cards.example --open --games 100 --token faceup_... -- python3 mine.py",
            "faceup arena bridge http://localhost:8000/KMRTW --protocol json --time 5000+2000 -- node any_game.js",
        ),
    )
    parser.add_argument("url", metavar="URL", help="a table's link or code, or a server's address with --open")
    parser.add_argument("--open", action="store_true", help="join any open table that has a free seat")
    parser.add_argument(
        "--games",
        type=int,
        default=1,
        metavar="N",
        help="number of games, rematches included (default 1; 0 means no limit)",
    )
    add_client_options(parser)
    parser.add_argument(
        "--protocol", metavar="NAME", help="json, or the game's own protocol (the default if it has one)"
    )
    parser.add_argument("--phase-last", action="store_true", help="send the phase line last")
    add_limit_options(parser)
    add_program(parser, "the program and its arguments")


def bridge(arguments: Namespace) -> None:
    """Connect the program to one online table after another, and let it play."""
    import shlex
    from pathlib import Path
    from tempfile import TemporaryDirectory

    import msgspec

    from faceup.arena import MatchTerms
    from faceup.arena.process.spawn import require_posix
    from faceup.arena.run.identity import install_bot
    from faceup.arena.run.roster import Roster, resolve_bots
    from faceup.cli.arena.options import environment_of, limits_of
    from faceup.cli.online import create_client, run
    from faceup.core import Malformed
    from faceup.extras import needs

    require_posix()
    with needs("arena", arguments.command):
        from faceup.server.client import parse_address

    address = parse_address(arguments.url)
    if not arguments.open and not (address.table or address.code):
        raise Malformed(
            f"URL must be a table's link, unless --open is given; got the address of a server, {arguments.url}",
            what=arguments.url,
            where="URL",
        )
    if not arguments.program:
        raise Malformed("the program is missing; add it after two dashes, such as `-- ./mine`", where="PROGRAM")
    terms = msgspec.structs.replace(MatchTerms(), **limits_of(arguments))
    [entrant] = resolve_bots(
        (shlex.join(arguments.program),),
        Roster(Path()),
        "nimmt",
        phase_last=arguments.phase_last,
        environment=environment_of(arguments),
    )
    client = create_client(arguments, address.server)
    with TemporaryDirectory(prefix="faceup-") as folder:
        bot = install_bot(entrant, Path(folder))
        if not bot.command:
            raise Malformed(f"{bot.name} is a built-in bot; run `faceup bot {bot.name} --table URL`", where="PROGRAM")
        run(_visit(arguments, client, address, terms, bot), client, shlex.join(["faceup", *sys.argv[1:]]))


async def _visit(arguments: Namespace, client: "Client", address: "Address", terms: "MatchTerms", bot: "Bot") -> None:
    from faceup.arena.match.bridge import Bridge

    name = arguments.name or bot.name.rpartition("/")[2]
    played = 0
    async with client, Bridge(terms, bot, arguments.protocol) as program:
        await client.join(name)
        place = None if arguments.open else await client.find(address)
        while True:
            table = place or await _find_open(arguments, client, program, name)
            again = await _play(arguments, client, program, table, name)
            played += 1
            if played == arguments.games:
                return
            if not arguments.open:
                if again is None:
                    print("No rematch.")
                    return
                place = await client.find(_table(address, again))


def _table(address: "Address", table: str) -> "Address":
    return address._replace(table=table, code="")


async def _play(arguments: Namespace, client: "Client", program: Any, place: "TableLink", name: str) -> str | None:  # noqa: ANN401 -- a `Bridge`
    """Play one game, and return the table of its rematch, or None if there is none or no more games are wanted."""
    from faceup.cli.online import describe_result, seated_text
    from faceup.formatting import strip_control_characters
    from faceup.server.client import play, rules_of
    from faceup.server.client.player import seated
    from faceup.table.commands import Leave

    async with seated(client, place.id, seat=None if arguments.open else arguments.seat, name=name) as live:
        seat = live.seat or 0
        program.start_game(rules_of(live), seat)
        print(seated_text(name, live, place.link), flush=True)
        try:
            finished = await play(live, program.choose)
            if not finished and program.faults:
                await live.do(Leave(seat))
                fault = program.faults[0]
                print(f"{name} was disqualified ({fault.cause}): {fault.message}", file=sys.stderr)
            else:
                print(describe_result(live), flush=True)
        finally:
            log = await program.end()
            if log:
                print(strip_control_characters(log.decode("utf-8", "replace"), keep="\n\t").rstrip(), file=sys.stderr)
        if finished and arguments.games != 1 and not arguments.open:
            await live.until(lambda: live.room.get("rematch") is not None)
            rematch: str | None = live.room.get("rematch")
            return rematch
    return None


async def _find_open(arguments: Namespace, client: "Client", program: Any, name: str) -> "TableLink":  # noqa: ANN401 -- a `Bridge`
    """Wait for an open table with a free seat and a game that the program supports."""
    import asyncio

    from faceup.core import RulesError, make
    from faceup.server.client import RequestRefusedError, TableLink
    from faceup.server.rooms import Sit

    waiting = False
    while True:
        for table in await client.listed():
            summary = table["summary"]
            try:
                rules = make(f"{summary['game']}:{summary['variant']}", **summary["options"])
                program.start_game(rules, 0)
            except RulesError:
                continue
            if table["status"] != "pending" or None not in summary["seats"]:
                continue
            try:
                await client.do(table["id"], Sit(name, arguments.seat))
            except RequestRefusedError:
                continue  # another player took the seat
            return TableLink(table["id"], table["code"], table["link"])
        if not waiting:
            print("Waiting for an open table ...", file=sys.stderr)
            waiting = True
        await asyncio.sleep(_POLL_INTERVAL)

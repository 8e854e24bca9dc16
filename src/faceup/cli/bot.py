"""`faceup bot` and `faceup export`: our players at tables online, and as programs that others' arenas run."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_json, command
from faceup.cli.visitors import add_visitor

if TYPE_CHECKING:
    from faceup.games.nimmt.codingame import Protocol

GAME: Final = "nimmt"
"""The game of CodinGame's arena."""

MOST_CHARACTERS: Final = 100_000
"""What the site's editor takes."""


def register(commands: Commands) -> None:
    """Add the commands."""
    parser = command(
        commands,
        "bot",
        "let a player of ours play: at a table online, or as a program on standard input and output",
        bot,
        examples=(
            "faceup bot greedy --table http://192.168.1.7:8000/KMRTW",
            "faceup bot mc --table https://cards.example/t/0rWq1TI0EHCpz1rKzVyXfw --seat 2 --name Otto",
            "faceup bot greedy --codingame",
            "faceup bot mc@50ms --codingame",
        ),
    )
    parser.add_argument("bot", metavar="NAME", help="which player: lowest, highest, greedy, random, mc or deep")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--codingame", action="store_true", help="in the protocol of CodinGame's 6 nimmt!, phase first or last"
    )
    where.add_argument("--table", metavar="URL", help="at the table of this link, or with a code behind the address")
    add_visitor(parser)

    parser = command(
        commands,
        "export",
        "write a player as one file of plain Python, to paste into CodinGame's editor",
        export,
        examples=("faceup export mc -o mc.py", "faceup export greedy | wc -c"),
    )
    parser.add_argument("name", metavar="NAME", help="which player: lowest, highest, greedy, random or mc")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="where to; standard output if not given")
    add_json(parser)


def bot(arguments: Namespace) -> None:
    """Play a match."""
    if arguments.table is None:
        _as_program(arguments)
    else:
        _at_table(arguments)


def _at_table(arguments: Namespace) -> None:
    """Take a seat online, and play."""
    import shlex

    from faceup.cli.visitors import client_of, run, said
    from faceup.server.client import by_policy, play, read_address
    from faceup.server.client.seating import seated

    address = read_address(arguments.table)
    if not (address.table or address.code):
        from faceup.core import Malformed

        raise Malformed(
            f"{arguments.table} is no table: its link ends in /t/TABLE, or write the five letters behind the address",
            what=arguments.table,
            where="--table",
        )
    client = client_of(arguments, address.server)
    name = arguments.name or arguments.bot.capitalize()

    async def visit() -> None:
        async with client:
            await client.arrive(name)
            place = await client.find(address)
            async with seated(client, place.id, seat=arguments.seat, name=name) as live:
                print(f"{name} sits in seat {live.seat} at {place.link}", flush=True)
                await play(live, by_policy(arguments.bot))
                print(said(live))

    run(visit(), client, shlex.join(["faceup", "bot", arguments.bot, "--table", arguments.table]))


def _as_program(arguments: Namespace) -> None:
    """Play what is asked on standard input."""
    from contextlib import closing

    from faceup.bots import policy, searches
    from faceup.bots.programs import Quick, play_match
    from faceup.bots.programs.players import unpredictable
    from faceup.bots.thinking import thinker
    from faceup.core import Malformed, find_game, make

    if not arguments.codingame:
        raise Malformed(
            "say where the bot is to play: --table URL, or --codingame on standard input and output", where="--table"
        )
    game = find_game(GAME)
    protocol: Protocol = game.formats["codingame"]  # type: ignore[assignment]  # formats are of any type
    name, at, _ = arguments.bot.partition("@")
    chosen = policy(GAME, arguments.bot)
    rules, rng = make(protocol.spec), unpredictable()
    if name not in searches(GAME):
        sys.exit(play_match(protocol.converse, Quick(chosen, rules, rng, protocol.as_view), "faceup bot"))
    from faceup.bots.programs.loading import Loading

    stand_in = Quick(policy(GAME, game.stand_in), rules, rng, protocol.as_view)
    thought = thinker(arguments.bot)
    player = Loading(
        name,
        plain=protocol.plain,
        stand_in=stand_in,
        samples=protocol.samples,
        as_view=protocol.as_view,
        worlds=thought.worlds,
    )
    with closing(player):
        most = thought.seconds if at else None
        sys.exit(play_match(protocol.converse, player, "faceup bot", most))


def export(arguments: Namespace) -> None:
    """Write the file."""
    from faceup.bots.programs.export import exported
    from faceup.core import find_game

    source = exported(find_game(GAME), arguments.name)
    if arguments.out is not None:
        arguments.out.write_text(source, "utf-8")
    if arguments.json:
        import msgspec

        told = {"player": arguments.name, "characters": len(source)}
        told |= {"source": source} if arguments.out is None else {"file": str(arguments.out)}
        print(msgspec.json.encode(told).decode())
    elif arguments.out is None:
        print(source, end="")
    else:
        print(f"{arguments.out}: {len(source):,} of {MOST_CHARACTERS:,} characters")

"""`faceup bot` and `faceup export`: our players as programs that others' arenas run."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_json, command

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
        "play as a program, on standard input and output",
        bot,
        examples=("faceup bot greedy --codingame", "faceup bot mc --codingame", "faceup bot mc@50ms --codingame"),
    )
    parser.add_argument("name", metavar="NAME", help="which player: lowest, highest, greedy, random, mc or deep")
    parser.add_argument(
        "--codingame", action="store_true", help="in the protocol of CodinGame's 6 nimmt!, phase first or last"
    )

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
    from contextlib import closing

    from faceup.bots import policy, searches
    from faceup.bots.programs import Quick, play_match
    from faceup.bots.programs.players import unpredictable
    from faceup.bots.thinking import thinker
    from faceup.core import Malformed, find_game, make

    if not arguments.codingame:
        raise Malformed("say in which protocol the bot is to play: --codingame", where="--codingame")
    game = find_game(GAME)
    protocol: Protocol = game.formats["codingame"]  # type: ignore[assignment]  # formats are of any type
    name, at, _ = arguments.name.partition("@")
    chosen = policy(GAME, arguments.name)
    rules, rng = make(protocol.spec), unpredictable()
    if name not in searches(GAME):
        sys.exit(play_match(protocol.converse, Quick(chosen, rules, rng, protocol.as_view), "faceup bot"))
    from faceup.bots.programs.loading import Loading

    stand_in = Quick(policy(GAME, game.stand_in), rules, rng, protocol.as_view)
    thought = thinker(arguments.name)
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

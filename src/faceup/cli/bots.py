"""`faceup bot`, `faceup bots` and `faceup export`: run, list, compare and export bots."""

import sys
from argparse import Namespace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.schedules import add_compare
from faceup.cli.online import add_client_options
from faceup.cli.options import Commands, add_json, add_language, add_listing, command
from faceup.cli.output import print_json, write_text

if TYPE_CHECKING:
    from faceup.bots import BotDescription, GameBots
    from faceup.games.nimmt.codingame import TextProtocol
    from faceup.translations import Language

GAME: Final = "nimmt"
"""The game that CodinGame's arena plays."""


def register_bot(commands: Commands) -> None:
    """Add the commands `bot` and `export`."""
    parser = command(
        commands,
        "bot",
        "run a bot at an online table, or as a program on standard input and output",
        bot,
        examples=(
            "faceup bot greedy --table http://192.168.1.7:8000/KMRTW",
            "faceup bot mc --table https://cards.example/t/0rWq1TI0EHCpz1rKzVyXfw --seat 2 --name Otto",
            "faceup bot greedy --codingame",
            "faceup bot mc@50ms --codingame",
        ),
    )
    parser.add_argument("bot", metavar="NAME", help="the bot: one of those listed below")
    add_listing(parser, _bots)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--codingame", action="store_true", help="speak the protocol of CodinGame's 6 nimmt! (phase line first or last)"
    )
    where.add_argument(
        "--table", metavar="URL", help="join this table: its link, or the server's address followed by the table code"
    )
    add_client_options(parser)
    add_language(parser)

    parser = command(
        commands,
        "export",
        "export a bot as a single Python file for CodinGame's editor",
        export,
        examples=("faceup export mc -o mc.py", "faceup export greedy | wc -c"),
    )
    parser.add_argument("name", metavar="NAME", help="the bot: lowest, highest, greedy, random or mc")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="output file (default: standard output)")
    add_json(parser)


def _bots() -> str:
    """Return the list of bots of every game that has decisions to make."""
    from faceup.bots import describe
    from faceup.core import list_games

    return "\n\n".join(format_bots(bots, "en") for bots in map(describe, list_games()) if bots.chooses)


def bot(arguments: Namespace) -> None:
    """Run the bot at a table or as a program."""
    if arguments.table is None:
        _as_program(arguments)
    else:
        _at_table(arguments)


def _at_table(arguments: Namespace) -> None:
    """Take a seat at an online table and play."""
    import shlex

    from faceup.cli.online import create_client, describe_result, run, seated_text
    from faceup.extras import needs

    with needs("server", "faceup bot --table"):
        from faceup.server.client import parse_address, play, policy_chooser
        from faceup.server.client.player import seated

    address = parse_address(arguments.table)
    if not (address.table or address.code):
        from faceup.core import Malformed

        raise Malformed(
            "--table must be a link that ends in /t/TABLE, or a server's address followed by the five-letter table "
            f"code; got {arguments.table}",
            what=arguments.table,
            where="--table",
        )
    client = create_client(arguments, address.server)
    name = arguments.name or arguments.bot.capitalize()

    async def visit() -> None:
        async with client:
            await client.join(name)
            place = await client.find(address)
            async with seated(client, place.id, seat=arguments.seat, name=name) as live:
                print(seated_text(name, live, place.link), flush=True)
                await play(live, policy_chooser(arguments.bot))
                print(describe_result(live))

    run(visit(), client, shlex.join(["faceup", "bot", arguments.bot, "--table", arguments.table]))


def _as_program(arguments: Namespace) -> None:
    """Play as a program that reads standard input and writes standard output."""
    from contextlib import closing

    from faceup.bots import policy, searches
    from faceup.bots.programs import PolicyPlayer, play_match
    from faceup.bots.programs.players import os_seeded_generator
    from faceup.bots.search_policies import parse_search_policy
    from faceup.core import Malformed, find_game, make
    from faceup.extras import require

    if not arguments.codingame:
        raise Malformed(
            "use --table URL to join a table, or --codingame to play over standard input and output", where="--table"
        )
    game = find_game(GAME)
    protocol: TextProtocol = game.formats["codingame"]  # type: ignore[assignment]  # the registry is untyped
    name, at, _ = arguments.bot.partition("@")
    chosen = policy(GAME, arguments.bot, files=True)
    rules, rng = make(protocol.spec), os_seeded_generator()
    if name not in searches(GAME):
        sys.exit(play_match(protocol.run_client, PolicyPlayer(chosen, rules, rng, protocol.as_view), "faceup bot"))
    require("fast", f"faceup bot {arguments.bot} --codingame")
    from faceup.bots.programs.compiled_search import FallbackSearchPlayer

    fallback = PolicyPlayer(policy(GAME, game.autoplay), rules, rng, protocol.as_view)
    thought = parse_search_policy(arguments.bot)
    player = FallbackSearchPlayer(
        name,
        plain=protocol.plain,
        fallback=fallback,
        samples=protocol.samples,
        as_view=protocol.as_view,
        worlds=thought.worlds,
    )
    with closing(player):
        most = thought.seconds if at else None
        sys.exit(play_match(protocol.run_client, player, "faceup bot", most))


def export(arguments: Namespace) -> None:
    """Write the bot as a single Python file."""
    from faceup.bots.programs.export import MOST_CHARACTERS, export_player
    from faceup.core import find_game

    source = export_player(find_game(GAME), arguments.name)
    if arguments.out is not None:
        write_text(arguments.out, source, "--out")
    if arguments.json:
        result = {"player": arguments.name, "characters": len(source)}
        result |= {"source": source} if arguments.out is None else {"file": str(arguments.out)}
        print_json(result)
    elif arguments.out is None:
        print(source, end="")
    else:
        print(f"{arguments.out}: {len(source):,} of {MOST_CHARACTERS:,} characters")


def register(commands: Commands) -> None:
    """Add the command `bots`."""
    parser = command(
        commands,
        "bots",
        "list the bots that play a game, or compare two of them",
        list_bots,
        examples=(
            "faceup bots",
            "faceup bots --game war",
            "faceup bots compare greedy lowest --against random --game nimmt --unit deal",
        ),
    )
    parser.add_argument("--game", dest="listed", metavar="GAME", help="such as nimmt (default: all games)")
    add_language(parser)
    add_json(parser)
    add_compare(
        parser.add_subparsers(title="commands", metavar="COMMAND"),
        "test whether one bot is better than another (the same command as `faceup arena compare`)",
        (
            "faceup bots compare greedy lowest --against random --game nimmt --unit deal",
            "faceup bots compare deep@500 mc@5000 --game nimmt --unit deal --blocks 400",
        ),
    )


def list_bots(arguments: Namespace) -> None:
    """Print the bots of one game or of all games."""
    from faceup.bots import describe
    from faceup.core import find_game, list_games

    games = list_games() if arguments.listed is None else [find_game(arguments.listed)]
    result = [describe(game) for game in games]
    if arguments.json:
        print_json(result)
    else:
        from faceup.translations.environment import environment_language

        print("\n\n".join(format_bots(bots, environment_language()) for bots in result))


def format_bots(game: "GameBots", language: "Language") -> str:
    """Return the bots of a game as text: what each bot does and, in English, how long it thinks."""
    from faceup.terminal.text import wrap
    from faceup.translations import translate, translate_or

    title = translate_or(language, f"table.game.{game.game}", game.title)
    heading = "title" if game.chooses else "chance"
    lines = wrap(translate(language, f"cli.bots.{heading}", title=title, game=game.game), 80)
    width = max((len(bot.name) for bot in game.bots), default=0)
    for bot in game.bots:
        about = wrap(_about(game.game, bot, language), 80 - width - 4)
        lines += [f"  {name:<{width}}  {line}" for name, line in zip_longest([bot.name], about, fillvalue="")]
    return "\n".join(lines)


def _about(game: str, bot: "BotDescription", language: "Language") -> str:
    """Return the description of a bot. The English one, which `--json` also has, is the most precise."""
    from faceup.bots import is_playable
    from faceup.translations import translate_or

    english = f"{bot.description} {bot.think_time}"
    is_english = language == "en" or not is_playable(game, bot.name)  # the error names the missing extra
    return english if is_english else translate_or(language, f"terminal.bot.{bot.name}", english)

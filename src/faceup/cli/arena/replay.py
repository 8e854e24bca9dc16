"""`faceup arena replay`: a match of a log once more, byte by byte as the bots saw it."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.options import Commands, add_json, add_program, add_record, command

if TYPE_CHECKING:
    from rich.text import Text

    from faceup.arena import Bot
    from faceup.arena.matches import Match
    from faceup.arena.replay import Moment, Watched
    from faceup.core import AnyRules


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "replay",
        "show what each bot of a match was sent, what it answered and what it logged",
        replay,
        examples=(
            "faceup arena replay arena.sqlite 12",
            "faceup arena replay arena.sqlite 12 --bot greedy --raw | ./mybot",
            "faceup arena replay arena.sqlite 12 --record match.json && faceup review match.json",
            "faceup arena replay arena.sqlite 12 --to-bot mybot",
            "faceup arena replay arena.sqlite 12 --to-bot 1 -- python3 mybot.py --verbose",
        ),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the log of a run")
    parser.add_argument("match", type=int, metavar="ID", help="the number of the match, from 0")
    parser.add_argument("--bot", metavar="N", help="this bot alone: a number of the lineup, or a name")
    parser.add_argument("--raw", action="store_true", help="with --bot, write exactly the bytes that it was sent")
    add_record(parser)
    add_json(parser)
    parser.add_argument(
        "--to-bot",
        metavar="N",
        help="feed what bot N was sent to a program, without a clock, and mark where it answers otherwise than then",
    )
    add_program(parser, "with --to-bot: which program; the bot's own, as the log keeps it, if none is given")


def replay(arguments: Namespace) -> None:
    """Show the match as it was asked for."""
    from faceup.arena.identity import placed
    from faceup.arena.log import files_of, read_log
    from faceup.arena.replay import Watched
    from faceup.arena.replay import replay as play_again
    from faceup.core import Malformed, make

    if arguments.raw and arguments.bot is None:
        raise Malformed("--raw writes what one bot was sent: say which with --bot", where="--raw")
    if arguments.json and arguments.to_bot is not None:
        raise Malformed("--to-bot shows a program to people, and has no JSON", where="--json")
    if arguments.program and arguments.to_bot is None:
        raise Malformed("a program is fed what one bot was sent: say which with --to-bot", where="--to-bot")
    with read_log(arguments.log) as log:
        terms, seed = log.contest.terms, log.contest.seed
        bots = {name: placed(bot, files_of(arguments.log)) for name, bot in log.bots.items()}
        watched = Watched(log.result(arguments.match), log.transcript(arguments.match), terms, seed, bots)
    rules = make(terms.game)
    moments = list(play_again(watched))
    if arguments.record is not None:
        _record(arguments.record, watched, moments, rules)
    if arguments.to_bot is not None:
        _to_bot(arguments.to_bot, arguments.program, watched, moments, rules)
    elif arguments.record is None or arguments.bot is not None or arguments.json:
        _show(arguments, watched, moments, rules)


def _record(path: Path, watched: "Watched", moments: "list[Moment]", rules: "AnyRules") -> None:
    from faceup.arena.replay import as_record
    from faceup.terminal import save_record

    save_record(as_record(watched.result.match, moments, rules, watched.bots), path)
    print(f"{path}: the record of match {watched.result.match.number}", file=sys.stderr)


def _show(arguments: Namespace, watched: "Watched", moments: "list[Moment]", rules: "AnyRules") -> None:
    from faceup.arena.replay import names_by_seat, sent_to
    from faceup.arena.replay_words import as_json, head, logs, moment_words, player_of

    result, match = watched.result, watched.result.match
    only = None if arguments.bot is None else player_of(match, arguments.bot)
    if arguments.raw and only is not None:
        sys.stdout.buffer.write(sent_to(moments, only))
    elif arguments.json:
        import msgspec

        told = as_json(result, watched.transcript, moments, watched.bots, rules=rules, only=only)
        print(msgspec.json.encode(told).decode())
    else:
        _print(head(result, watched.terms, watched.seed))
        names = names_by_seat(match)
        for number, moment in enumerate(moments):
            _print(moment_words(number, moment, rules, names, only))
        _print(logs(match, watched.transcript, only))


def _to_bot(number: str, program: list[str], watched: "Watched", moments: "list[Moment]", rules: "AnyRules") -> None:
    """Feed a program; the exit status is 1 if it answers otherwise than then."""
    from faceup.arena import protocol
    from faceup.arena.replay_words import heard_words, player_of
    from faceup.arena.rerun import Answers, Ended, rerun

    match = watched.result.match
    player = player_of(match, number)
    bot = watched.bots.get(match.lineup[player])
    asked = [each for moment in moments for each in moment.asked if each.player == player]
    command, folder, environment = _program(program, bot, match)
    others = left = 0
    for heard in rerun(
        command, asked, rules, protocol(rules, watched.terms.protocol), folder=folder, environment=environment
    ):
        _print(heard_words(heard))
        others += isinstance(heard, Answers) and not heard.same
        left += heard.left if isinstance(heard, Ended) else 0
    print(f"{len(asked) - left} of {len(asked)} decisions asked, {others} answered otherwise than then")
    if others or left:
        sys.exit(1)


def _program(program: list[str], bot: "Bot | None", match: "Match") -> "tuple[list[str], str, dict[str, str]]":
    """What is run, where, and with which variables."""
    from faceup.core import Malformed

    if program:
        return program, "", {}
    if bot is None or not bot.command:
        name = bot.name if bot else match.lineup
        raise Malformed(f"{name} is a player of ours and no program: give one after two dashes", where="--to-bot")
    return list(bot.command), bot.folder, dict(bot.environment)


def _print(lines: "Iterable[Text]") -> None:
    """To standard output: in colour where that is a terminal that has any, and never broken into lines of our own."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(line)

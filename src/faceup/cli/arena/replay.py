"""`faceup arena replay`: replay a logged match byte by byte as the bots saw it."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.arena.options import add_environment_option, environment_of
from faceup.cli.options import Commands, add_json, add_program, add_record, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from rich.text import Text

    from faceup.arena import Bot
    from faceup.arena.match.replay import RecordedMatch, ReplayStep
    from faceup.arena.match.result import Match
    from faceup.core import AnyRules


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "replay",
        "show the input, output and log of each bot of a match",
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
    parser.add_argument("match", type=int, metavar="ID", help="the match number, from 0")
    parser.add_argument("--bot", metavar="N", help="only this bot: its player number (from 0) or its name")
    parser.add_argument("--raw", action="store_true", help="with --bot, write the exact bytes the bot was sent")
    add_record(parser)
    add_json(parser)
    parser.add_argument(
        "--to-bot",
        metavar="N",
        help="send bot N's input to a program without time limits, and mark answers that differ",
    )
    add_environment_option(parser)
    add_program(parser, "with --to-bot: the program (default: the bot's own, as stored in the log)")


def replay(arguments: Namespace) -> None:
    """Show a match of a log, or replay it with a program."""
    from faceup.arena.match.replay import RecordedMatch
    from faceup.arena.match.replay import replay as play_again
    from faceup.arena.run.identity import installed_bot
    from faceup.arena.run.log import programs_folder, read_log
    from faceup.core import Malformed, make

    if arguments.raw and arguments.bot is None:
        raise Malformed("--raw must be used with --bot", where="--raw")
    if arguments.json and arguments.to_bot is not None:
        raise Malformed("--to-bot and --json cannot be used together", where="--json")
    if arguments.program and arguments.to_bot is None:
        raise Malformed("a program must be used with --to-bot", where="--to-bot")
    with read_log(arguments.log) as log:
        terms, seed = log.contest.terms, log.contest.seed
        bots = {name: installed_bot(bot, programs_folder(arguments.log)) for name, bot in log.bots.items()}
        watched = RecordedMatch(log.result(arguments.match), log.transcript(arguments.match), terms, seed, bots)
    rules = make(terms.game)
    moments = list(play_again(watched))
    if arguments.record is not None:
        _record(arguments.record, watched, moments, rules)
    if arguments.to_bot is not None:
        _to_bot(arguments, watched, moments, rules)
    elif arguments.record is None or arguments.bot is not None or arguments.json:
        _show(arguments, watched, moments, rules)


def _record(path: Path, watched: "RecordedMatch", moments: "list[ReplayStep]", rules: "AnyRules") -> None:
    from faceup.arena.match.replay import to_record
    from faceup.terminal import save_record

    save_record(to_record(watched.result.match, moments, rules, watched.bots), path)
    print(f"{path}: the record of match {watched.result.match.number}", file=sys.stderr)


def _show(arguments: Namespace, watched: "RecordedMatch", moments: "list[ReplayStep]", rules: "AnyRules") -> None:
    from faceup.arena.match.replay import names_by_seat, sent_to
    from faceup.arena.report.replay_text import as_json, format_heading, format_logs, format_step, player_of

    result, match = watched.result, watched.result.match
    only = None if arguments.bot is None else player_of(match, arguments.bot)
    if arguments.raw and only is not None:
        sys.stdout.buffer.write(sent_to(moments, only))
    elif arguments.json:
        answer = as_json(result, watched.transcript, moments, watched.bots, rules=rules, only=only)
        print_json(answer)
    else:
        _print(format_heading(result, watched.terms, watched.seed))
        names = names_by_seat(match)
        for number, moment in enumerate(moments):
            _print(format_step(number, moment, rules, names, only))
        _print(format_logs(match, watched.transcript, only))


def _to_bot(arguments: Namespace, watched: "RecordedMatch", moments: "list[ReplayStep]", rules: "AnyRules") -> None:
    """Send the bot's logged input to a program, and exit with status 1 if an answer differs from the logged one."""
    from faceup.arena import protocol
    from faceup.arena.match.rerun import AnswerReceived, ProgramExited, rerun
    from faceup.arena.report.replay_text import format_rerun_event, player_of
    from faceup.core import plural

    match = watched.result.match
    player = player_of(match, arguments.to_bot)
    bot = watched.bots.get(match.lineup[player])
    asked = [decision for moment in moments for decision in moment.decisions if decision.player == player]
    command, folder, environment = _program(arguments.program, bot, match)
    environment |= environment_of(arguments)
    others = left = 0
    for event in rerun(command, asked, protocol(rules, watched.terms.protocol), folder=folder, environment=environment):
        _print(format_rerun_event(event))
        others += isinstance(event, AnswerReceived) and not event.same
        left += event.left if isinstance(event, ProgramExited) else 0
    print(f"{len(asked) - left} of {plural(len(asked), 'decision')} replayed, {others} answered differently")
    if others or left:
        sys.exit(1)


def _program(program: list[str], bot: "Bot | None", match: "Match") -> "tuple[list[str], str, dict[str, str]]":
    """Return the program's command, working directory and environment variables."""
    from faceup.arena.process.spawn import own_environment
    from faceup.core import Malformed

    if program:
        return program, "", {}
    if bot is None or not bot.command:
        name = bot.name if bot else match.lineup
        raise Malformed(f"{name} is a built-in bot, so a program is needed; add it after two dashes", where="--to-bot")
    return list(bot.command), bot.folder, own_environment(bot)


def _print(lines: "Iterable[Text]") -> None:
    """Print lines to standard output, in color if it is a terminal, and without wrapping them."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(line)

"""`faceup play`, `resume`, `watch` and `replay`: the terminal app on a terminal, plain text elsewhere."""

import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.options import (
    Commands,
    add_game,
    add_json,
    add_language,
    add_plain,
    add_record,
    add_seed,
    command,
    interrupt_on,
    rules_of,
)
from faceup.cli.output import is_terminal, write_text
from faceup.cli.words import text

if TYPE_CHECKING:
    from faceup.core import AnyRules
    from faceup.core.record import Terms
    from faceup.terminal import TerminalSession
    from faceup.terminal.session import TimedEvent


def register(commands: Commands) -> None:
    """Add the commands."""
    parser = command(
        commands,
        "play",
        "play a game",
        play,
        examples=(
            "faceup play nimmt --bots steady",
            "faceup play nimmt:classic --seats 5 --bots champion,gentle,greedy",
            "faceup play nimmt -p Ann -p Bo --clock none",
            "faceup play war --plain",
        ),
    )
    add_game(parser)
    parser.add_argument(
        "-p", "--player", action="append", metavar="NAME", help="name of a human player at this terminal; repeatable"
    )
    _add_bot_options(parser)
    parser.add_argument(
        "--clock",
        metavar="SECONDS",
        help="seconds for each choice, or none (default: the variant's; none with one human player)",
    )
    parser.add_argument("--at-deadline", action="store_true", help="reveal choices only when the time is up")
    parser.add_argument(
        "--hints",
        action=BooleanOptionalAction,
        help="allow the coach's hints (default: only with one human player)",
    )
    _add_output_options(parser)

    parser = command(
        commands, "resume", "resume a saved game", resume, examples=("faceup resume", "faceup resume GAME.json")
    )
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="the saved game (default: the last one played)"
    )
    _add_output_options(parser)

    parser = command(
        commands,
        "watch",
        "watch bots play",
        watch,
        examples=("faceup watch nimmt --bots greedy,lowest,random --seats 3", "faceup watch war --seed 7 --json"),
    )
    add_game(parser)
    _add_bot_options(parser)
    _add_output_options(parser)

    parser = command(
        commands,
        "replay",
        "step through a record",
        replay,
        examples=(
            "faceup replay GAME.json",
            "faceup replay GAME.json --seat 0 --plain",
            "faceup replay GAME.json --html game.html",
            "faceup replay GAME.json --lines > game.ndjson",
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a record")
    parser.add_argument("--seat", type=int, help="point of view, counted from 0 (default: a spectator)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--html", type=Path, metavar="PAGE", help="write the replay as a single HTML page")
    how.add_argument(
        "--lines", action="store_true", help="print the frames for the <faceup-replay> element, one line per step"
    )
    add_plain(parser)
    add_language(parser)
    add_json(parser)


def _add_bot_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--bots",
        metavar="POLICY,...",
        help="bots for the other seats: gentle, steady, sharp, champion or another (`faceup bots` lists them); the "
        "last one fills the remaining seats",
    )


def _add_output_options(parser: ArgumentParser) -> None:
    add_seed(parser)
    add_record(parser)
    add_plain(parser)
    add_language(parser)
    add_json(parser)


def start(arguments: Namespace, *, parser: ArgumentParser) -> None:
    """Run `faceup` without a command, which opens the menu on a terminal, and plays a game as plain text elsewhere."""
    if arguments.version:
        from importlib.metadata import version

        print(f"faceup {version('faceup')}")
    elif is_terminal():
        from faceup.terminal.app import run_menu

        run_menu()
    else:
        words = ["watch", "--bots", "random,lowest,highest,greedy"] if _stdin_is_empty() else ["play"]
        command_line = parser.parse_args(words)
        command_line.run(command_line)


def play(arguments: Namespace) -> None:
    """Seat humans and bots, and play the game."""
    from faceup.core import generator
    from faceup.terminal import TerminalSession, seat_kinds

    rules = rules_of(arguments, arguments.game, arguments.seats)
    people = arguments.player or [text("player")]
    players = seat_kinds(rules, people, _bots(arguments, rules, len(people)))
    session, events = TerminalSession.start(rules, players, generator(arguments.seed), terms=_terms(arguments, rules))
    _run(session, events, arguments)


def resume(arguments: Namespace) -> None:
    """Resume the saved game."""
    from faceup.core import Malformed, generator
    from faceup.terminal import TerminalSession, list_saved, load_record

    path = arguments.file or next(iter(list_saved()), None)
    if path is None:
        raise Malformed(text("saved.none_to_resume"))
    session, events = TerminalSession.resume(load_record(path), generator(arguments.seed), path=path)
    _run(session, events, arguments)


def watch(arguments: Namespace) -> None:
    """Let bots play without a clock."""
    from faceup.core import generator
    from faceup.core.record import Terms
    from faceup.terminal import TerminalSession, seat_kinds

    rules = rules_of(arguments, arguments.game, arguments.seats)
    players = seat_kinds(rules, [], _bots(arguments, rules, 0))
    session, events = TerminalSession.start(rules, players, generator(arguments.seed), terms=Terms(), keep=False)
    _run(session, events, arguments)


def replay(arguments: Namespace) -> None:
    """Show the record step by step on a terminal, or print the whole record elsewhere."""
    from faceup.core import Malformed
    from faceup.terminal import load_record
    from faceup.terminal.replay_frames import replay_frames

    record = load_record(arguments.file)
    frames = replay_frames(record)
    seat, seats = arguments.seat, frames.rules.seats
    if seat is not None and not 0 <= seat < seats:
        raise Malformed(f"--seat must be 0 to {seats - 1}; got {seat}", what=seat, where="--seat")
    if arguments.lines:
        from faceup.server.rooms import replay_lines

        for line in replay_lines(record, seat):
            print(line.decode(), end="")
        return
    if arguments.html is not None:
        from faceup.server.rooms.replay_page import replay_page
        from faceup.translations.environment import environment_language

        write_text(arguments.html, replay_page(record, seat, environment_language()), "--html")
        print(text("replay.written", file=arguments.html))
        return
    if is_terminal() and not (arguments.plain or arguments.json):
        from faceup.terminal.app import run_replay

        run_replay(frames, seat)
    else:
        from faceup.terminal.line_mode import replay_text

        replay_text(frames, seat, json=arguments.json)


def _stdin_is_empty() -> bool:
    """Return whether standard input has no input left, so that no one can answer prompts."""
    try:
        return not (isinstance(sys.stdin.buffer, BufferedReader) and sys.stdin.buffer.peek(1))
    except (OSError, ValueError):
        return True


def _bots(arguments: Namespace, rules: "AnyRules", people: int) -> list[str]:
    """Return the bots that the options name; if they name none and seats are left, return the default bot."""
    from faceup.bots import default_policy
    from faceup.cli import lists

    if arguments.bots:
        return lists.words(arguments.bots)
    return [default_policy(rules.game)] if people < rules.seats else []


def _terms(arguments: Namespace, rules: "AnyRules") -> "Terms":
    import msgspec

    from faceup.core import Malformed
    from faceup.core.record import LONGEST_CLOCK, Terms
    from faceup.table.table import default_terms

    people = len(arguments.player or [""])
    hints = people == 1 if arguments.hints is None else arguments.hints
    changes: dict[str, object] = {"hints": hints}
    changes |= {"reveal": "at_deadline"} if arguments.at_deadline else {}
    if arguments.clock:
        try:
            clock = None if arguments.clock.lower() == "none" else round(1000 * float(arguments.clock))
            Terms(clock=clock)
        except (ValueError, OverflowError):
            raise Malformed(
                f"--clock must be none, or a number of seconds from 0.001 to {LONGEST_CLOCK // 1000}; "
                f"got {arguments.clock!r}",
                where="--clock",
            ) from None
        changes["clock"] = clock
    return msgspec.structs.replace(default_terms(rules, people), **changes)


def _run(session: "TerminalSession", events: "list[TimedEvent]", arguments: Namespace) -> None:
    """Play the session in the app or as plain text, then save it and print the file's path."""
    from faceup.coach import chance_analysis_for, has_coach
    from faceup.terminal import save_record

    interrupt_on("SIGTERM", "SIGHUP")  # so that the game is saved when such a signal stops this process
    try:
        if is_terminal() and not (arguments.plain or arguments.json):
            from faceup.terminal.app import run_game

            run_game(session, events)
        else:
            from faceup.terminal import line_mode

            line_mode.play(session, events, line_mode.JsonOutput() if arguments.json else line_mode.TextOutput())
    finally:
        path = session.save()
    stream = sys.stderr if arguments.json else sys.stdout
    if session.diverged:
        print(f"\n{text('saved.twice')}", file=stream)
    if path is not None and session.over:
        print(f"\n{text('replay.command', path=path)}", file=stream)
        if has_coach(session.table.rules.game) or chance_analysis_for(session.table.rules):
            print(text("review.command", path=path), file=stream)
    elif path is not None:
        print(f"\n{text('saved.resume', path=path)}", file=stream)
    if arguments.record is not None:
        save_record(session.table.record, arguments.record)

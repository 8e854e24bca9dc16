"""`faceup play`, `resume`, `watch` and `replay`: the application on a terminal, lines of text elsewhere."""

import os
import signal
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.options import Commands, add_game, add_json, add_plain, add_record, add_seed, command

if TYPE_CHECKING:
    from faceup.core import AnyRules
    from faceup.core.record import Record, Terms
    from faceup.terminal import Session
    from faceup.terminal.session import Told


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
    parser.add_argument("-p", "--player", action="append", metavar="NAME", help="a person at this terminal; repeatable")
    _add_bots(parser)
    parser.add_argument("--clock", metavar="SECONDS", help="for a choice, or none; the variant's usual if not given")
    parser.add_argument("--at-deadline", action="store_true", help="turn the cards up only when the time is up")
    parser.add_argument(
        "--hints",
        action=BooleanOptionalAction,
        help="whether h asks the coach what to play; allowed to one who plays against bots alone if not given",
    )
    _add_telling(parser)

    parser = command(
        commands, "resume", "go on with a saved game", resume, examples=("faceup resume", "faceup resume GAME.json")
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the last game played if not given")
    _add_telling(parser)

    parser = command(
        commands,
        "watch",
        "let bots play, and look on",
        watch,
        examples=("faceup watch nimmt --bots greedy,lowest,random --seats 3", "faceup watch war --seed 7 --json"),
    )
    add_game(parser)
    _add_bots(parser)
    _add_telling(parser)

    parser = command(
        commands,
        "replay",
        "step through a record, forwards and backwards",
        replay,
        examples=(
            "faceup replay GAME.json",
            "faceup replay GAME.json --seat 0 --plain",
            "faceup replay GAME.json --html game.html",
            "faceup replay GAME.json --lines > game.ndjson",
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a record")
    parser.add_argument("--seat", type=int, help="look on from this seat instead of as a spectator")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--html", type=Path, metavar="PAGE", help="write it as one page that plays in any browser, without a server"
    )
    how.add_argument("--lines", action="store_true", help="print what the element <faceup-replay> plays, a line a step")
    add_plain(parser)
    add_json(parser)


def _add_bots(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--bots",
        metavar="POLICY,...",
        help="for the other seats: gentle, steady, sharp, champion or another (`faceup bots` lists them); the last one "
        "named fills what is left",
    )


def _add_telling(parser: ArgumentParser) -> None:
    add_seed(parser)
    add_record(parser)
    add_plain(parser)
    add_json(parser)


def start(arguments: Namespace) -> None:
    """What `faceup` alone does: the menu on a terminal; without one, a game with the input, or of bots without any."""
    if arguments.version:
        from importlib.metadata import version

        print(f"faceup {version('faceup')}")
    elif is_terminal():
        from faceup.terminal.app import run_menu

        run_menu()
    else:
        from faceup.cli.main import parser

        words = ["watch", "--bots", "random,lowest,highest,greedy"] if _no_input() else ["play"]
        command_line = parser().parse_args(words)
        command_line.run(command_line)


def play(arguments: Namespace) -> None:
    """Seat people and bots, and play."""
    from faceup.core import generator
    from faceup.terminal import Session, seat_kinds

    rules = _rules(arguments)
    people = arguments.player or ["Player"]
    players = seat_kinds(rules, people, _bots(arguments, rules, len(people)))
    session, told = Session.start(rules, players, generator(arguments.seed), terms=_terms(arguments, rules))
    _run(session, told, arguments)


def resume(arguments: Namespace) -> None:
    """Go on with the saved game."""
    from faceup.core import Malformed, generator
    from faceup.terminal import Session, list_saved, load_record

    path = arguments.file or next(iter(list_saved()), None)
    if path is None:
        raise Malformed("there is no saved game: `faceup play` begins one")
    session, told = Session.resume(load_record(path), generator(arguments.seed), path=path)
    _run(session, told, arguments)


def watch(arguments: Namespace) -> None:
    """Let bots play, without a clock."""
    from faceup.core import generator
    from faceup.core.record import Terms
    from faceup.terminal import Session, seat_kinds

    rules = _rules(arguments)
    players = seat_kinds(rules, [], _bots(arguments, rules, 0))
    session, told = Session.start(rules, players, generator(arguments.seed), terms=Terms(), keep=False)
    _run(session, told, arguments)


def replay(arguments: Namespace) -> None:
    """Show the record, on a terminal step by step, elsewhere from end to end."""
    from faceup.core import Malformed
    from faceup.terminal import load_record
    from faceup.terminal.story import story

    record = load_record(arguments.file)
    told = story(record)
    seat, seats = arguments.seat, told.rules.seats
    if seat is not None and not 0 <= seat < seats:
        raise Malformed(f"there is no seat {seat}: seats are 0 to {seats - 1}", what=seat, where="--seat")
    if arguments.lines:
        from faceup.server.rooms import replayed

        for line in replayed(record, seat):
            print(line.decode(), end="")
        return
    if arguments.html is not None:
        _write_page(record, seat, arguments.html)
        return
    if is_terminal() and not (arguments.plain or arguments.json):
        from faceup.terminal.app import run_replay

        run_replay(told, seat)
    else:
        from faceup.terminal.plain import retell

        retell(told, seat, json=arguments.json)


def _write_page(record: "Record", seat: int | None, path: Path) -> None:
    """The replay as a page of its own."""
    from faceup.core import Malformed
    from faceup.server.offline import replay_page

    try:
        path.write_text(replay_page(record, seat), encoding="utf-8", newline="\n")
    except OSError as error:
        raise Malformed(f"{path} cannot be written: {error.strerror}", where="--html") from None
    print(f"The replay is in {path}: open it in a browser")


def is_terminal() -> bool:
    """Whether there is a terminal that the application can draw on."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # textual draws on standard error
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def _no_input() -> bool:
    """Whether standard input has ended before it began."""
    try:
        return not (isinstance(sys.stdin.buffer, BufferedReader) and sys.stdin.buffer.peek(1))
    except (OSError, ValueError):
        return True


def _rules(arguments: Namespace) -> "AnyRules":
    from faceup.core import make

    spec = " ".join([arguments.game, *arguments.option])
    return make(spec) if arguments.seats is None else make(spec, seats=arguments.seats)


def _bots(arguments: Namespace, rules: "AnyRules", people: int) -> list[str]:
    """The policies named; else, where seats are left, the usual one."""
    from faceup.bots import usual_policy

    if arguments.bots:
        return list(arguments.bots.split(","))
    return [usual_policy(rules.game)] if people < rules.seats else []


def _terms(arguments: Namespace, rules: "AnyRules") -> "Terms":
    import msgspec

    from faceup.core import Malformed
    from faceup.table import usual_terms

    hints = len(arguments.player or []) <= 1 if arguments.hints is None else arguments.hints
    changes: dict[str, object] = {"hints": hints}
    changes |= {"reveal": "at_deadline"} if arguments.at_deadline else {}
    if arguments.clock:
        try:
            changes["clock"] = None if arguments.clock.lower() == "none" else round(1000 * float(arguments.clock))
        except (ValueError, OverflowError):
            raise Malformed(
                f"a clock is a number of seconds, or none, not {arguments.clock!r}", where="--clock"
            ) from None
    return msgspec.structs.replace(usual_terms(rules), **changes)


def _run(session: "Session", told: "list[Told]", arguments: Namespace) -> None:
    """Play the session on what face there is; then keep it, and say where."""
    from faceup.terminal import save_record

    for name in ("SIGTERM", "SIGHUP"):  # as Ctrl-C: the game is kept
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        if is_terminal() and not (arguments.plain or arguments.json):
            from faceup.terminal.app import run_game

            run_game(session, told)
        else:
            from faceup.terminal import plain

            plain.play(session, told, plain.Json() if arguments.json else plain.Words())
    finally:
        path = session.save()
    say = sys.stderr if arguments.json else sys.stdout
    if session.apart:
        print("\nSomebody else went on with this game too. Theirs is kept, and yours beside it.", file=say)
    if path is not None and session.over:
        print(f"\nSee it again: faceup replay {path}", file=say)
        print(f"Learn from it: faceup review {path}", file=say)
    elif path is not None:
        print(f"\nSaved. Go on with: faceup resume {path}", file=say)
    if arguments.record is not None:
        save_record(session.table.record, arguments.record)

"""`faceup draw`: draw a position, or a step of a record, as SVG."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.options import Commands, add_json, add_language, command
from faceup.cli.output import print_json, write_text

if TYPE_CHECKING:
    from faceup.core import AnyRules, State, View


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "draw",
        "draw a position, or a step of a record, as SVG",
        draw,
        examples=(
            'faceup draw "nimmt:cowheadking seats=2 | hands=3/45 rows=5/6,7/88/29" -o table.svg',
            "faceup draw GAME.json --at 12 --seat 0 > table.svg",
        ),
    )
    parser.add_argument("what", metavar="POSITION|FILE", help="a position in text notation, or a record")
    parser.add_argument(
        "--at", type=int, metavar="N", help="draw the position after the record's first N moves (default: its end)"
    )
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        help="point of view: a seat (from 0), none (a spectator; the default for a record) or all (every hand open; "
        "the default for a position)",
    )
    parser.add_argument("--names", metavar="NAME,...", help="player names by seat (a record has its own)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="output file (default: standard output)")
    add_language(parser)
    add_json(parser)


def draw(arguments: Namespace) -> None:
    """Write the drawing to the file or to standard output."""
    from faceup.core import Malformed, find_game, write
    from faceup.translations.drawings import translate_drawing
    from faceup.translations.environment import environment_language

    rules, what, names = _position(arguments) if "|" in arguments.what else _step(arguments)
    game = find_game(rules.game)
    if "svg" not in game.drawings:
        raise Malformed(f"{game.title} has no SVG drawing, only {', '.join(game.drawings)}", where="drawings")
    picture = translate_drawing(game.drawings["svg"], environment_language())(what, names=names, rules=rules)
    if arguments.output is not None:
        write_text(arguments.output, picture, "--output")
    if arguments.json:
        print_json({"position": write(rules, what), "svg": picture})
    elif arguments.output is None:
        sys.stdout.write(picture)


def _position(arguments: Namespace) -> "tuple[AnyRules, State | View, tuple[str, ...]]":
    from faceup.cli.lists import names
    from faceup.core import Malformed, State, read

    rules, what = read(arguments.what)
    if arguments.at is not None:
        raise Malformed("--at must be used with a record; got a position", where="--at")
    if arguments.seat is not None:
        if not isinstance(what, State):
            raise Malformed("the position is a view, which already has a point of view; remove --seat", where="--seat")
        what = _seen(rules, what, arguments.seat)
    return rules, what, tuple(names(arguments.names)) if arguments.names else ()


def _step(arguments: Namespace) -> "tuple[AnyRules, State | View, tuple[str, ...]]":
    from faceup.cli.lists import names
    from faceup.core import Malformed, plural
    from faceup.terminal import load_record
    from faceup.terminal.replay_frames import replay_frames

    replay = replay_frames(load_record(Path(arguments.what)))
    last = len(replay.frames) - 1
    at = last if arguments.at is None else arguments.at
    if not 0 <= at <= last:
        raise Malformed(
            f"the record has {plural(last, 'move')}, so --at must be 0 to {last}; got {at}", what=at, where="--at"
        )
    called = tuple(names(arguments.names)) if arguments.names else replay.names
    return replay.rules, _seen(replay.rules, replay.frames[at].state, arguments.seat or "none"), called


def _seen(rules: "AnyRules", state: "State", seat: str) -> "State | View":
    from faceup.core import Malformed

    if seat == "all":
        return state
    if seat != "none" and not (seat.isascii() and seat.isdecimal() and len(seat) < 4 and int(seat) < rules.seats):
        raise Malformed(f"--seat must be 0 to {rules.seats - 1}, none or all; got {seat!r}", what=seat, where="--seat")
    view: View = rules.view(state, None if seat == "none" else int(seat))
    return view

"""`faceup draw`: a position, or a step of a record, as a picture."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.options import Commands, add_json, command

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
    parser.add_argument("--at", type=int, metavar="N", help="after the record's first N moves; its end if not given")
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        help="whose eyes it is seen with: a seat, none (a spectator; what a record shows) or all (every hand open; "
        "what a position shows)",
    )
    parser.add_argument("--names", metavar="NAME,...", help="of the seats; a record has its own")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the picture here")
    add_json(parser)


def draw(arguments: Namespace) -> None:
    """Draw what is asked for, to the file or to standard output."""
    import msgspec

    from faceup.core import Malformed, find_game, write

    rules, what, names = _position(arguments) if "|" in arguments.what else _step(arguments)
    game = find_game(rules.game)
    if "svg" not in game.drawings:
        raise Malformed(f"{game.title} has no picture: there are {', '.join(game.drawings)}", where="drawings")
    picture = game.drawings["svg"](what, names=names, rules=rules)
    if arguments.output is not None:
        try:
            arguments.output.write_text(picture, encoding="utf-8", newline="\n")
        except OSError as error:
            raise Malformed(f"{arguments.output} cannot be written: {error.strerror}", where="--output") from None
    if arguments.json:
        print(msgspec.json.encode({"position": write(rules, what), "svg": picture}).decode())
    elif arguments.output is None:
        sys.stdout.write(picture)


def _position(arguments: Namespace) -> "tuple[AnyRules, State | View, tuple[str, ...]]":
    from faceup.core import Malformed, State, read

    rules, what = read(arguments.what)
    if arguments.at is not None:
        raise Malformed("--at is for records: a position is where it is", where="--at")
    if arguments.seat is not None:
        if not isinstance(what, State):
            raise Malformed("a view is seen with the eyes that it names: leave --seat out", where="--seat")
        what = _seen(rules, what, arguments.seat)
    return rules, what, tuple((arguments.names or "").split(","))


def _step(arguments: Namespace) -> "tuple[AnyRules, State | View, tuple[str, ...]]":
    from faceup.core import Malformed
    from faceup.terminal import load_record
    from faceup.terminal.story import story

    told = story(load_record(Path(arguments.what)))
    last = len(told.frames) - 1
    at = last if arguments.at is None else arguments.at
    if not 0 <= at <= last:
        raise Malformed(f"the record has {last} moves: --at is 0 to {last}, not {at}", what=at, where="--at")
    names = tuple(arguments.names.split(",")) if arguments.names else told.names
    return told.rules, _seen(told.rules, told.frames[at].state, arguments.seat or "none"), names


def _seen(rules: "AnyRules", state: "State", seat: str) -> "State | View":
    from faceup.core import Malformed

    if seat == "all":
        return state
    if seat != "none" and not (seat.isascii() and seat.isdecimal() and len(seat) < 4 and int(seat) < rules.seats):
        raise Malformed(
            f"{seat!r} is not a seat: seats are 0 to {rules.seats - 1}, or none, or all", what=seat, where="--seat"
        )
    view: View = rules.view(state, None if seat == "none" else int(seat))
    return view

"""The options of the arena's commands that say on which terms programs play."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.options import add_game_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faceup.arena import Bot, Terms


def add_terms(parser: ArgumentParser) -> None:
    """What is played, how programs are talked to, and what they may use."""
    parser.add_argument(
        "--game", default="nimmt:arena", metavar="GAME[:VARIANT]", help="nimmt:arena if not given; any game will do"
    )
    add_game_options(parser)
    parser.add_argument(
        "--protocol", metavar="NAME", help="json, for any game; or the game's own, which is usual where there is one"
    )
    parser.add_argument("--bots", type=Path, metavar="FILE", help="where bots are written down; bots.toml if not given")
    parser.add_argument(
        "--phase-last", action="store_true", help="programs named here by their command read the phase last"
    )
    parser.add_argument(
        "--alive",
        action="store_true",
        help="keep programs from match to match, those of bots.toml that say they are willing",
    )
    add_limits(parser)


def add_limits(parser: ArgumentParser) -> None:
    """What programs may use."""
    limits = parser.add_argument_group("limits")
    limits.add_argument(
        "--time",
        metavar="FIRST+TURN",
        help="milliseconds for a program's first answer and for every other; 1000+100 if not given",
    )
    limits.add_argument("--startup", type=float, metavar="MS", help="let programs start so long before the time runs")
    limits.add_argument(
        "--grace", type=float, metavar="MS", help="allow so much beyond each limit; the platform's is 50"
    )
    limits.add_argument("--strict", action="store_true", help="put no delay down to the machine")
    limits.add_argument("--stopped", action="store_true", help="stop programs between their turns")
    limits.add_argument(
        "--sandbox", action="store_true", help="keep programs from the network and from files that are not theirs"
    )
    limits.add_argument("--memory", type=int, metavar="MB", help="the most memory of a program; 0 is no limit")
    limits.add_argument("--processes", type=int, metavar="N", help="the most processes of a program; 0 is no limit")


def terms_of(arguments: Namespace) -> "Terms":
    """The terms that the options say.

    Raises:
        Malformed: an unknown game, option or protocol, or a limit that is none.
    """
    import msgspec

    from faceup.arena import Terms, protocol, usual_protocol
    from faceup.core import make, spec

    words = " ".join([arguments.game, *arguments.option])
    rules = make(words) if arguments.seats is None else make(words, seats=arguments.seats)
    name = arguments.protocol or usual_protocol(rules)
    protocol(rules, name)
    return msgspec.structs.replace(Terms(spec(rules), name, alive=arguments.alive), **limits_of(arguments))


def limits_of(arguments: Namespace) -> dict[str, object]:
    """The limits among the terms that the options say. Raises `Malformed` for one that is none."""
    from faceup.core import Malformed

    said: dict[str, object] = {each: True for each in ("strict", "stopped", "sandbox") if getattr(arguments, each)}
    if arguments.time is not None:
        said["first"], said["turn"] = _times(arguments.time)
    for option, unit in (("startup", 1 / 1000), ("grace", 1 / 1000), ("memory", 1 << 20), ("processes", 1)):
        value = getattr(arguments, option)
        if value is not None:
            if not 0 <= value < 10**7:
                raise Malformed(f"--{option} is 0 or more, not {value:g}", what=value, where=f"--{option}")
            said[option] = value * unit
    return said


def say_what_holds(terms: "Terms", bots: "Iterable[Bot]") -> None:
    """In a line beside the answer: what holds the programs among the bots, and what does not."""
    from faceup.arena.confining import tell

    if any(bot.command for bot in bots):
        print(tell(terms), file=sys.stderr)


def _times(text: str) -> tuple[float, float]:
    from faceup.core import Malformed

    words = text.split("+")
    if len(words) != 2 or not all(word.isascii() and word.isdecimal() and 0 < int(word) < 10**7 for word in words):
        raise Malformed(
            f"a time is FIRST+TURN in milliseconds, such as 1000+100, not {text!r}", what=text, where="--time"
        )
    return int(words[0]) / 1000, int(words[1]) / 1000

"""`faceup arena round-robin`, `gauntlet`, `ladder` and `compare`: schedules of matches, kept in a log."""

import re
import shlex
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.engines import add_engines, engine
from faceup.cli.arena.table import show
from faceup.cli.arena.terms import add_terms, say_what_holds, terms_of
from faceup.cli.options import Commands, add_json, command

if TYPE_CHECKING:
    from faceup.arena.contests import Contest, Kind
    from faceup.arena.identity import Entrant
    from faceup.arena.log import Log
    from faceup.arena.run import Engine
    from faceup.arena.schedule import Share
    from faceup.statistics.sequential import Sequential

_BLOCKS: Final = 100
"""How many are played where nobody says how many and no test does."""


def register(commands: Commands) -> None:
    """Add the commands."""
    parser = _add(
        commands,
        "compare",
        "play until it is clear whether one program is better than another",
        (
            "faceup arena compare ./new ./old",
            "faceup arena compare ./new ./old --against greedy,mc@200",
            "faceup arena compare new='python3 bot.py --fast' old='python3 bot.py' --unit deal --blocks 500",
        ),
    )
    parser.add_argument("new", metavar="NEW", help=f"the program that may be better: {_WHO}")
    parser.add_argument("base", metavar="BASE", help="the program that it is compared with")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="BOT,...",
        help="who sits in the other seats; the last one named fills what is left. Without: the two in all seatings",
    )
    parser.add_argument(
        "--least",
        type=float,
        metavar="SIZE",
        help="the least difference worth finding, in standard deviations of a block; 0.2 if not given",
    )
    parser.add_argument(
        "--error", type=float, metavar="SHARE", help="how often it may be called better though it is not; 0.05"
    )
    parser.add_argument(
        "--miss", type=float, metavar="SHARE", help="how often a difference of SIZE may be missed; 0.05"
    )
    parser = _add(
        commands,
        "round-robin",
        "let all bots play each other",
        (
            "faceup arena round-robin",
            "faceup arena round-robin ./mine 'python3 other.py' greedy mc@200 --blocks 50",
            "faceup arena round-robin greedy lowest random --game nimmt --seats 3 --seed 7 --json",
        ),
    )
    parser.add_argument("named", nargs="*", metavar="BOT", help=f"{_WHO}; all of bots.toml if none is named")
    parser = _add(
        commands,
        "gauntlet",
        "let one bot play all others",
        ("faceup arena gauntlet ./mine greedy lowest mc@200",),
    )
    parser.add_argument("named", nargs="+", metavar="BOT", help=f"the one first, then the others: {_WHO}")
    parser = _add(
        commands,
        "ladder",
        "let many bots play those that are about as good",
        ("faceup arena ladder --blocks 1000", "faceup arena ladder ./a ./b ./c ./d ./e greedy"),
    )
    parser.add_argument("named", nargs="*", metavar="BOT", help=f"{_WHO}; all of bots.toml if none is named")


_WHO: Final = "a command as one word, NAME=COMMAND, a bot of bots.toml, or a player of ours such as greedy"


def _add(commands: Commands, kind: "Kind", summary: str, examples: Sequence[str]) -> ArgumentParser:
    parser = command(commands, kind, summary, partial(_run, kind), examples=examples)
    parser.add_argument(
        "--blocks",
        type=int,
        metavar="N",
        help="how many different deals, or matches of deals, each in all rotations and lineups; "
        + ("as many as it takes if not given" if kind == "compare" else f"{_BLOCKS} if not given"),
    )
    parser.add_argument(
        "--unit",
        choices=("match", "deal"),
        default="match",
        help="play whole matches, or single deals; match if not given",
    )
    parser.add_argument(
        "--seed", type=int, help="the same seed deals the same; drawn, and kept in the log, if not given"
    )
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="where results are kept; the same command again goes on where it stopped. Named for the bots if not given",
    )
    parser.add_argument(
        "--shard", metavar="I/N", help="play only share I of N, from 1; `faceup arena merge` joins their logs"
    )
    add_json(parser)
    add_engines(parser)
    add_terms(parser)
    return parser


def _run(kind: "Kind", arguments: Namespace) -> None:
    """Play what is missing in the log, and show what it all says."""
    from faceup.arena.log import Full, files_of
    from faceup.arena.log_writing import open_log

    path, entrants, contest, given = _plan(kind, arguments)
    share = _share(arguments.shard)
    test = _test(arguments) if kind == "compare" and arguments.blocks is None and share.whole else None
    blocks = _BLOCKS if arguments.blocks is None and test is None else arguments.blocks
    stopped = False
    if hasattr(signal, "SIGTERM"):  # how a cluster takes a machine back
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    bots = [(name, each.bot) for name, each in zip(given, entrants, strict=True)]
    with open_log(path, contest, bots, share=share, blocks=blocks, test=test) as log:
        begun = len(log.numbers())
        said = f"Going on after {_matches(begun)} in {path}." if begun else f"Results are kept in {path}."
        print(said, file=sys.stderr)
        say_what_holds(contest.terms, [bot for _, bot in bots])
        try:
            with engine(contest, entrants, files_of(path), arguments) as plays:
                _play(log, plays, blocks, quiet=arguments.json)
        except KeyboardInterrupt:
            stopped = True
        except Full:
            _say_how_to_go_on(log)
            raise
        show(log, json=arguments.json)
        if stopped:
            _say_how_to_go_on(log)
            sys.exit(130)


def _plan(kind: "Kind", arguments: Namespace) -> "tuple[Path, tuple[Entrant, ...], Contest, tuple[str, ...]]":
    """The log, the bots as they are called in it, what is played, and how the bots were called here."""
    import msgspec

    from faceup.arena.contests import Named, contest
    from faceup.arena.log import last_contest, rename_changed
    from faceup.arena.roster import enrol, read_roster
    from faceup.cli.sim import random_seed
    from faceup.core import find_game

    terms = terms_of(arguments)
    game = find_game(terms.game.partition(":")[0]).name
    roster = read_roster(arguments.bots)
    against = [name for names in getattr(arguments, "against", []) for name in names.split(",") if name]
    first = [arguments.new, arguments.base] if kind == "compare" else arguments.named or [*roster.bots]
    words = (*first, *against)
    entrants = enrol(words, roster, game, phase_last=arguments.phase_last, alive=arguments.alive)
    given = tuple(each.bot.name for each in entrants)
    path = arguments.log or Path(_log_name(kind, given))
    renamed = rename_changed(path, [each.bot for each in entrants])
    for name, bot in zip(given, renamed, strict=True):
        if bot.name != name:
            print(
                f"{name} is another program than the first of that name in {path}: here it is {bot.name}.",
                file=sys.stderr,
            )
    field = [bot.name for bot in renamed[len(first) :]]
    entrants = tuple(msgspec.structs.replace(each, bot=bot) for each, bot in zip(entrants, renamed, strict=True))
    taking_part = [
        *range(len(first)),
        *(index for index, bot in enumerate(renamed) if renamed.index(bot) == index >= len(first)),
    ]
    seed = arguments.seed
    if seed is None:
        before = last_contest(path)
        seed = random_seed() if before is None else before.seed
    bots = [Named(bot.name, bot.digest, bot.player) for bot in (renamed[index] for index in taking_part)]
    wanted = contest(kind, terms, bots, seed=seed, field=field, unit=arguments.unit)
    return path, tuple(entrants[index] for index in taking_part), wanted, tuple(given[index] for index in taking_part)


def _log_name(kind: str, names: Sequence[str]) -> str:
    """The log of a command that names none, in this folder."""
    told = [kind, *names[: {"compare": 2, "gauntlet": 1}.get(kind, 0)]]
    return f"{re.sub(r'[^A-Za-z0-9._@-]+', '-', '-'.join(told))}.sqlite"


def _share(word: str | None) -> "Share":
    from faceup.arena.schedule import Share
    from faceup.cli.sim import share_number

    return Share() if word is None else Share(*share_number(word))


def _test(arguments: Namespace) -> "Sequential":
    from faceup.arena.verdict import sequential

    said = {name: getattr(arguments, name) for name in ("least", "error", "miss")}
    return sequential(**{name: value for name, value in said.items() if value is not None})


def _play(log: "Log", plays: "Engine", blocks: int | None, *, quiet: bool) -> None:
    """Play to the end, or until the test of a comparison has an answer."""
    from faceup.arena.comparing import compared
    from faceup.arena.live import live
    from faceup.arena.run import play
    from faceup.arena.schedule import width_of
    from faceup.arena.verdict import Judge

    total = None if blocks is None else width_of(log.contest) * sum(1 for _ in log.share.blocks(blocks))
    judge = None if log.test is None else Judge(compared(log.contest), log.test)
    watched = live(
        log.contest, total, len(log.numbers()), progress=lambda: None if judge is None else judge.progress, quiet=quiet
    )
    with watched as show, closing(play(log, plays, blocks)) as results:
        for result in results:
            show(result)
            if judge is not None:
                judge.add(result)
                if judge.ended:
                    return


def _say_how_to_go_on(log: "Log") -> None:
    print(
        f"Stopped with {_matches(len(log.numbers()))} in {log.path}. Go on with:\n"
        f"{shlex.join(['faceup', *sys.argv[1:]])}",
        file=sys.stderr,
    )


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count:,} matches"

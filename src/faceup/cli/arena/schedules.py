"""`faceup arena compare`, `round-robin`, `gauntlet` and `ladder`: play schedules of matches into a log."""

import re
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.options import (
    add_engine_options,
    add_terms_options,
    engine,
    environment_of,
    print_isolation,
    terms_of,
)
from faceup.cli.arena.report import show
from faceup.cli.options import Commands, add_json, command, interrupt_on, random_seed

if TYPE_CHECKING:
    from faceup.arena.run.engine import MatchEngine
    from faceup.arena.run.identity import BotFiles
    from faceup.arena.run.log import Log
    from faceup.arena.run.pairings import Contest, Kind
    from faceup.statistics.sequential import Progress, SequentialTest

_LONGEST_NAME: Final = 200
"""The most bytes of a log's default name. File systems allow 255, also for the files that SQLite adds."""

_BLOCKS: Final = 100
"""The default number of blocks for schedules that no test ends."""


def add_compare(commands: Commands, summary: str, examples: Sequence[str]) -> None:
    """Add the command `compare`, which `faceup arena` and `faceup bots` share."""
    parser = _add(commands, "compare", summary, examples)
    parser.add_argument("new", metavar="NEW", help=f"the new bot: {_WHO}")
    parser.add_argument("base", metavar="BASE", help="the bot to compare it with")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="BOT,...",
        help="bots for the other seats; the last one fills the rest (default: NEW and BASE in all seatings)",
    )
    parser.add_argument(
        "--least",
        type=float,
        metavar="SIZE",
        help="the smallest relevant difference, in standard deviations of a block (default 0.2)",
    )
    parser.add_argument("--error", type=float, metavar="SHARE", help="the accepted false positive rate (default 0.05)")
    parser.add_argument(
        "--miss",
        type=float,
        metavar="SHARE",
        help="the accepted false negative rate for a difference of SIZE (default 0.05)",
    )


def register(commands: Commands) -> None:
    """Add the commands."""
    add_compare(
        commands,
        "test whether one program is better than another",
        (
            "faceup arena compare ./new ./old",
            "faceup arena compare ./new ./old --against greedy,mc@200",
            "faceup arena compare new='python3 bot.py --fast' old='python3 bot.py' --unit deal --blocks 500",
            "faceup arena compare ./new 'python3 old.py@phase-last'",
        ),
    )
    parser = _add(
        commands,
        "round-robin",
        "play every bot against every other",
        (
            "faceup arena round-robin",
            "faceup arena round-robin ./mine 'python3 other.py' greedy mc@200 --blocks 50",
            "faceup arena round-robin greedy lowest random --game nimmt --seats 3 --seed 7 --json",
        ),
    )
    parser.add_argument("named", nargs="*", metavar="BOT", help=f"{_WHO}; default: all of bots.toml")
    parser = _add(
        commands,
        "gauntlet",
        "play one bot against all others",
        ("faceup arena gauntlet ./mine greedy lowest mc@200",),
    )
    parser.add_argument("named", nargs="+", metavar="BOT", help=f"the bot to test, then its opponents: {_WHO}")
    parser = _add(
        commands,
        "ladder",
        "play each bot against bots of similar rating",
        ("faceup arena ladder --blocks 1000", "faceup arena ladder ./a ./b ./c ./d ./e greedy"),
    )
    parser.add_argument("named", nargs="*", metavar="BOT", help=f"{_WHO}; default: all of bots.toml")


_WHO: Final = (
    "a command as one argument, NAME=COMMAND, a bot of bots.toml, or a built-in bot such as greedy; "
    "COMMAND@phase-last for a program that reads the phase line last"
)


def _add(commands: Commands, kind: "Kind", summary: str, examples: Sequence[str]) -> ArgumentParser:
    parser = command(commands, kind, summary, partial(_run, kind), examples=examples)
    parser.add_argument(
        "--blocks",
        type=int,
        metavar="N",
        help="number of deals or matches, each played in all rotations and lineups; "
        + ("default: until the test ends" if kind == "compare" else f"default {_BLOCKS}"),
    )
    add_schedule_options(parser, log="a name made from the bots")
    add_json(parser)
    add_engine_options(parser)
    add_terms_options(parser)
    return parser


def add_schedule_options(parser: ArgumentParser, *, log: str) -> None:
    """Add the options for the unit, the seed and the log; `log` describes the default name of the log."""
    parser.add_argument(
        "--unit",
        choices=("match", "deal"),
        default="match",
        help="play complete matches or single deals (default match)",
    )
    parser.add_argument("--seed", type=int, help="seed of the deals (default: random, and stored in the log)")
    parser.add_argument("--log", type=Path, metavar="FILE", help=f"the log to write or resume (default: {log})")


def _run(kind: "Kind", arguments: Namespace) -> None:
    """Play the matches missing in the log, and print the standings."""
    from faceup.arena.process.pause import PAUSE
    from faceup.arena.process.spawn import require_posix
    from faceup.arena.run.log import LogWriteError, open_log, programs_folder
    from faceup.extras import require

    require_posix()
    require("arena", arguments.command)
    path, entrants, contest, original_names = _plan(kind, arguments)
    test = _test(arguments) if kind == "compare" and arguments.blocks is None else None
    blocks = _BLOCKS if arguments.blocks is None and test is None else arguments.blocks
    stopped = False
    interrupt_on("SIGTERM")  # a cluster sends it to a job before taking away the job's machine
    PAUSE.install()
    bots = [(name, entrant.bot) for name, entrant in zip(original_names, entrants, strict=True)]
    with open_log(path, contest, bots, blocks=blocks, test=test) as log:
        finished = len(log.numbers())
        message = f"Resuming after {_matches(finished)} in {path}." if finished else f"Writing results to {path}."
        print(message, file=sys.stderr)
        print_isolation(contest.terms, [bot for _, bot in bots])
        if kind == "compare":
            print(_describe_length(contest, blocks, test), file=sys.stderr)
        pace = _Pace(perf_counter())
        try:
            with engine(contest, entrants, programs_folder(path), arguments) as plays:
                _play(log, plays, blocks, pace, quiet=arguments.json)
        except KeyboardInterrupt:
            stopped = True
        except LogWriteError:
            print_resume_command(log)
            raise
        show(log, json=arguments.json, run=pace.to_json() if arguments.json else None)
        if stopped:
            print_resume_command(log)
            sys.exit(130)


def _plan(kind: "Kind", arguments: Namespace) -> "tuple[Path, tuple[BotFiles, ...], Contest, tuple[str, ...]]":
    """Return the log's path, the entrants, the contest, and the entrants' names as given on the command line."""
    import msgspec

    from faceup.arena.run.log import last_contest, rename_changed_bots
    from faceup.arena.run.pairings import ContestBot, contest
    from faceup.arena.run.roster import read_roster, resolve_bots
    from faceup.bots import is_pure_chance
    from faceup.cli import lists
    from faceup.core import Malformed, find_game

    terms = terms_of(arguments)
    game = find_game(terms.game.partition(":")[0])
    if kind == "compare" and is_pure_chance(game.name):
        message = f"{game.title} has no decisions, so there is nothing to compare"
        raise Malformed(message, what=game.name, where="--game")
    roster = read_roster(arguments.bots)
    against = [name for names in getattr(arguments, "against", []) for name in lists.names(names) if name]
    first = [arguments.new, arguments.base] if kind == "compare" else arguments.named or [*roster.bots]
    words = (*first, *against)
    entrants = resolve_bots(
        words,
        roster,
        game.name,
        phase_last=arguments.phase_last,
        alive=arguments.alive,
        environment=environment_of(arguments),
    )
    original_names = tuple(entrant.bot.name for entrant in entrants)
    path = arguments.log or Path(_log_name(kind, original_names))
    renamed = rename_changed_bots(path, [entrant.bot for entrant in entrants])
    for name, bot in zip(original_names, renamed, strict=True):
        if bot.name != name:
            print(
                f"{name} differs from the program with this name in {path}, so {name} is renamed to {bot.name}.",
                file=sys.stderr,
            )
    field = [bot.name for bot in renamed[len(first) :]]
    entrants = tuple(msgspec.structs.replace(entrant, bot=bot) for entrant, bot in zip(entrants, renamed, strict=True))
    taking_part = [
        *range(len(first)),
        *(index for index, bot in enumerate(renamed) if renamed.index(bot) == index >= len(first)),
    ]
    seed = arguments.seed
    if seed is None:
        before = last_contest(path)
        seed = random_seed() if before is None else before.seed
    bots = [ContestBot(bot.name, bot.digest, bot.player) for bot in (renamed[index] for index in taking_part)]
    planned = contest(kind, terms, bots, seed=seed, field=field, unit=arguments.unit)
    return (
        path,
        tuple(entrants[index] for index in taking_part),
        planned,
        tuple(original_names[index] for index in taking_part),
    )


def _log_name(kind: str, names: Sequence[str]) -> str:
    """Return the default file name of a log; the file is in the current folder."""
    parts = [kind, *names[: {"compare": 2, "gauntlet": 1}.get(kind, 0)]]
    name = re.sub(r"[/+]+", "-", "-".join(parts))
    encoded = name.encode()
    if len(encoded) > _LONGEST_NAME:
        name = f"{encoded[:_LONGEST_NAME].decode(errors='ignore')}-{sha256(encoded).hexdigest()[:8]}"
    return f"{name}.sqlite"


def _test(arguments: Namespace) -> "SequentialTest":
    from faceup.arena.stats.verdict import sequential

    parameters = {name: getattr(arguments, name) for name in ("least", "error", "miss")}
    return sequential(**{name: value for name, value in parameters.items() if value is not None})


def _describe_length(contest: "Contest", blocks: int | None, test: "SequentialTest | None") -> str:
    """Describe how long a comparison may take, before it starts."""
    from faceup.arena.run.schedule import matches_per_block
    from faceup.core import plural

    width = matches_per_block(contest)
    units = (contest.unit, "matches" if contest.unit == "match" else "deals")
    if test is None:
        count = blocks or 0
        return f"This takes {plural(count, 'block')} of {plural(width, *units)} ({plural(count * width, *units)})."
    return (
        f"This takes {test.fewest:,} to {test.most:,} blocks of {plural(width, *units)} "
        f"(at most {plural(test.most * width, *units)}). It ends as soon as the result is clear."
    )


class _Pace:
    """How fast a run plays matches, and how long it may still take."""

    def __init__(self, start: float) -> None:
        self._start = start
        self.played = 0
        self.block = 0
        self.progress: Progress | None = None

    def to_json(self) -> dict[str, float | None]:
        """Return the matches of this run, its seconds, and the estimated seconds left, as JSON data.

        The seconds left are None if no test runs, or if it has no complete block to estimate from.
        """
        seconds = perf_counter() - self._start
        answer: dict[str, float | None] = {"matches": self.played, "seconds": round(seconds, 3)}
        for name in ("expected", "most"):
            left = None
            if self.progress is not None and self.played:
                left = round(getattr(self.progress, name) * self.block * seconds / self.played, 1)
            answer[f"seconds_left_{name}"] = left
        return answer


def _play(log: "Log", plays: "MatchEngine", blocks: int | None, pace: _Pace, *, quiet: bool) -> None:
    """Play the remaining matches; stop earlier if the test of a comparison ends."""
    from faceup.arena.report.progress import show_progress
    from faceup.arena.run.engine import play
    from faceup.arena.run.schedule import matches_per_block
    from faceup.arena.stats.verdict import Judge, comparison_of

    pace.block = matches_per_block(log.contest)
    total = None if blocks is None else pace.block * blocks
    judge = None if log.test is None else Judge(comparison_of(log.contest), log.test)
    before = len(log.numbers())
    watched = show_progress(
        log.contest, total, before, progress=lambda: None if judge is None else judge.progress, quiet=quiet
    )
    with watched as show, closing(play(log, plays, blocks)) as results:
        for number, result in enumerate(results, 1):
            pace.played = max(number - before, 0)
            if judge is not None:
                judge.add(result)
                pace.progress = judge.progress
            show(result)
            if judge is not None and judge.ended:
                return


def print_resume_command(log: "Log") -> None:
    """Print how many matches are in the log, and the command that resumes the run."""
    print(
        f"Stopped with {_matches(len(log.numbers()))} in {log.path}. Resume with:\n"
        f"{shlex.join(['faceup', *sys.argv[1:]])}",
        file=sys.stderr,
    )


def _matches(count: int) -> str:
    from faceup.core import plural

    return plural(count, "match", "matches")

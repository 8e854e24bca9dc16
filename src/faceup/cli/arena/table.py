"""`faceup arena table`: who stands where in a log, and what a comparison came to."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from faceup.cli.options import Commands, command

if TYPE_CHECKING:
    from faceup.arena.log import Log

DRAWINGS: Final = 500
"""Enough for the ends of an interval to be known to two digits of its length."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "table",
        "show who stands where: ratings, places, wins, faults, times, and who is ahead of whom",
        table,
        examples=("faceup arena table arena.sqlite", "faceup arena table arena.sqlite --csv > bots.csv"),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="of a contest, finished or not")
    parser.add_argument(
        "--drawings",
        type=int,
        default=DRAWINGS,
        metavar="N",
        help=f"how often blocks are drawn again for the intervals of ratings; {DRAWINGS} if not given, 0 for none",
    )
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--csv", action="store_true", help="answer in comma-separated values, for spreadsheets")
    answer.add_argument("--json", action="store_true", help="answer in JSON, for programs")


def table(arguments: Namespace) -> None:
    """Count what is in the log, and print it."""
    from faceup.arena.log import read_log
    from faceup.core import Malformed

    if not 0 <= arguments.drawings <= 100_000:
        raise Malformed(
            f"drawings is 0 to 100,000, not {arguments.drawings}", what=arguments.drawings, where="--drawings"
        )
    with read_log(arguments.log) as log:
        show(log, drawings=arguments.drawings, json=arguments.json, csv=arguments.csv)


def show(log: "Log", *, drawings: int = DRAWINGS, json: bool = False, csv: bool = False) -> None:
    """Print the table of the bots of a log, and of a comparison the verdict."""
    from textwrap import fill

    from faceup.arena.comparing import verdict_of
    from faceup.arena.sentences import report as verdict_report
    from faceup.arena.sentences import sentences
    from faceup.arena.standings import standings
    from faceup.arena.tables import as_csv, report, words

    contest = log.contest
    found = standings(log.results(), drawings=drawings, seed=contest.seed)
    verdict = verdict_of(log) if contest.kind == "compare" else None
    if json:
        import msgspec

        told: dict[str, Any] = report(found, points=contest.measures.score)  # Any: JSON
        told["verdict"] = None if verdict is None else verdict_report(verdict)
        print(msgspec.json.encode(told).decode())
    elif csv:
        print(as_csv(found), end="")
    else:
        print(words(found, points=contest.measures.score))
        for sentence in [] if verdict is None else sentences(verdict):
            print(f"\n{fill(sentence, 80, break_on_hyphens=False)}")

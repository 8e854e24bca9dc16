"""`faceup arena table`, `report` and `view`: print standings, write the HTML report, and serve it."""

import shlex
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from faceup.cli.options import Commands, command
from faceup.cli.output import check_folder, print_json, write_text

if TYPE_CHECKING:
    from faceup.arena.run.log import Log

DRAWINGS: Final = 500
"""The default number of bootstrap resamples."""


def register_table(commands: Commands) -> None:
    """Add the command `table`."""
    parser = command(
        commands,
        "table",
        "print the standings: ratings, places, wins, faults and times",
        table,
        examples=("faceup arena table arena.sqlite", "faceup arena table arena.sqlite --csv > bots.csv"),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the log of a run, finished or not")
    parser.add_argument(
        "--drawings",
        type=int,
        default=DRAWINGS,
        metavar="N",
        help=f"number of bootstrap resamples for the rating intervals (default {DRAWINGS}, 0 for none)",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME,...",
        help="show only these bots, also by patterns such as 'mine*'; their figures count all matches",
    )
    parser.add_argument("--playing", action="store_true", help="show only the bots that play in a league now")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--csv", action="store_true", help="print comma-separated values")
    answer.add_argument("--json", action="store_true", help="print JSON")


def table(arguments: Namespace) -> None:
    """Print the standings of a log."""
    import fnmatch

    from faceup.arena.report.data import bot_filter
    from faceup.arena.run.log import read_log
    from faceup.cli import lists
    from faceup.core import Malformed
    from faceup.core.registry import nearest
    from faceup.extras import require

    require("arena", arguments.command)
    if not 0 <= arguments.drawings <= 100_000:
        raise Malformed(
            f"--drawings must be 0 to 100,000; got {arguments.drawings}", what=arguments.drawings, where="--drawings"
        )
    patterns = [name for names in arguments.only for name in lists.names(names) if name]
    with read_log(arguments.log) as log:
        if arguments.playing and log.contest.kind != "league":
            raise Malformed(f"{arguments.log} is not the log of a league", what="--playing", where="--playing")
        names = [bot.name for bot in log.contest.bots]
        for pattern in patterns:
            if not fnmatch.filter(names, pattern):
                message = f"no bot of {arguments.log} is named {pattern!r}{nearest(pattern, names)}"
                raise Malformed(message, what=pattern, where="--only")
        keep = bot_filter(log.contest, patterns, playing=arguments.playing)
        show(log, drawings=arguments.drawings, json=arguments.json, csv=arguments.csv, keep=keep)


def show(
    log: "Log",
    *,
    drawings: int = DRAWINGS,
    json: bool = False,
    csv: bool = False,
    run: Mapping[str, float | None] | None = None,
    keep: Callable[[str], bool] = lambda _: True,
) -> None:
    """Print the standings of a log and, if it is the log of a comparison or gauntlet, the verdict.

    `run` is the data about the run that has just ended, which JSON output includes. `keep` accepts the names of the
    bots that are shown.
    """
    from textwrap import fill

    from faceup.arena.report.text import as_csv, describe_verdict, format_standings, standings_json
    from faceup.arena.report.text import verdict_json as verdict_report
    from faceup.arena.stats.standings import select_bots, standings
    from faceup.arena.stats.verdict import verdict_of

    contest = log.contest
    table = select_bots(standings(log.results(), drawings=drawings, seed=contest.seed), keep)
    verdict = verdict_of(log, log.results())
    if json:
        answer: dict[str, Any] = standings_json(table, points=contest.measures.score)  # Any: JSON
        answer["verdict"] = None if verdict is None else verdict_report(verdict)
        if run is not None:
            answer["run"] = run
        print_json(answer)
    elif csv:
        print(as_csv(table), end="")
    else:
        print(format_standings(table, points=contest.measures.score))
        for sentence in [] if verdict is None else describe_verdict(verdict):
            print(f"\n{fill(sentence, 80, break_on_hyphens=False)}")
        if verdict is not None and verdict.first_out:
            name, first = next(iter(verdict.first_out.items()))
            words = ["faceup", "arena", "replay", str(log.path), str(first.match), "--bot", str(first.player)]
            print(f"\nTo see what {name} read and wrote:\n{shlex.join(words)}")


def register(commands: Commands) -> None:
    """Add the command `report`."""
    parser = command(
        commands,
        "report",
        "write an HTML report: standings, pairwise results, times, faults and replays",
        report,
        examples=("faceup arena report arena.sqlite", "faceup arena report arena.sqlite -o monday.html"),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the log of a run, finished or not")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        default=Path("report.html"),
        help="output file (default report.html)",
    )


def report(arguments: Namespace) -> None:
    """Write the report."""
    from faceup.arena.report.data import load_report_data
    from faceup.arena.report.html import report as report_page
    from faceup.arena.run.log import read_log

    path: Path = arguments.output
    check_folder(path, "--output")
    with read_log(arguments.log) as log:
        written = report_page(load_report_data(log))
    write_text(path, written, "--output")
    print(f"{path}: {len(written.encode()) / 1e6:.1f} MB")


_PORT: Final = 8042


def register_view(commands: Commands) -> None:
    """Add the command `view`."""
    parser = command(
        commands,
        "view",
        "serve a log's report and matches to a browser on this machine",
        view,
        examples=("faceup arena view arena.sqlite", "faceup arena view arena.sqlite --port 0"),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the log of a run, finished or not")
    parser.add_argument(
        "--port", type=int, default=_PORT, help=f"port to listen on (default {_PORT}; 0 means any free port)"
    )


def view(arguments: Namespace) -> None:
    """Serve the report until Ctrl-C."""
    from faceup.arena.report.web_server import LogServer
    from faceup.arena.run.log import read_log

    with read_log(arguments.log):
        pass  # opening raises an error now if the file is not a log
    with LogServer(arguments.log, arguments.port) as server:
        print(f"{server.address} (only on this machine; press Ctrl-C to stop)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()

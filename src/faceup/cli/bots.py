"""`faceup bots`: who plays a game, and who plays it better."""

import signal
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_game_options, add_json, command
from faceup.cli.sim import add_jobs, processors, random_seed

if TYPE_CHECKING:
    from collections.abc import Callable

    from faceup.bots import Bots
    from faceup.compare import Contest, Result

_MOST_DEALS: Final = 10**9
"""More would take years on any machine."""


def register(commands: Commands) -> None:
    """Add the commands."""
    parser = command(
        commands,
        "bots",
        "list the bots that play a game, or compare them",
        list_bots,
        examples=("faceup bots", "faceup bots --game war", "faceup bots compare greedy --against random"),
    )
    parser.add_argument("--game", dest="listed", metavar="GAME", help="such as nimmt; all games if not given")
    add_json(parser)
    inner: Commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    parser = command(
        inner,
        "compare",
        "let bots play the same deals in all rotations of the seats, and say who is better and how sure that is",
        compare,
        examples=(
            "faceup bots compare greedy --against random --deals 200 --seed 7",
            "faceup bots compare greedy lowest --against random,random,highest --against highest --json",
            "faceup bots compare greedy --against lowest --seats 6 --deals 5000 --log greedy.jsonl",
        ),
    )
    parser.add_argument(
        "bots", nargs="+", metavar="BOT", help="who is compared, each on its own (`faceup bots` lists them)"
    )
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="BOT,...",
        help="who sits in the other seats; the last one named fills what is left; repeatable",
    )
    parser.add_argument("--game", default="nimmt", metavar="GAME[:VARIANT]", help="such as nimmt:tactical")
    add_game_options(parser)
    parser.add_argument(
        "--deals", type=int, default=100, metavar="N", help="how many deals, each in all rotations; 100 if not given"
    )
    parser.add_argument("--matches", action="store_true", help="play whole matches, N of them, instead of single deals")
    parser.add_argument("--seed", type=int, help="the same seed deals the same; drawn, and said, if not given")
    add_jobs(parser)
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="keep every result here as it comes; the same command again goes on where it stopped",
    )
    add_json(parser)


def list_bots(arguments: Namespace) -> None:
    """The bots, game by game."""
    from faceup.bots import describe
    from faceup.core import find_game, list_games

    told = [describe(game) for game in (list_games() if arguments.listed is None else [find_game(arguments.listed)])]
    if arguments.json:
        import msgspec

        print(msgspec.json.encode(told).decode())
    else:
        print("\n\n".join(_told(bots) for bots in told))


def _told(game: "Bots") -> str:
    if not game.chooses:
        return f"{game.title} ({game.game}): nobody ever has anything to decide, so that no bot is needed."
    from textwrap import fill

    width = max(len(bot.name) for bot in game.bots)
    lines = [f"{game.title} ({game.game}): each sees what a person in its seat would see, and nothing else."]
    for bot in game.bots:
        begin = f"  {bot.name:<{width}}  "
        lines.append(fill(f"{begin}{bot.does} {bot.thinks}", 80, subsequent_indent=" " * len(begin)))
    return "\n".join(lines)


def compare(arguments: Namespace) -> None:
    """Play, and say what it shows."""
    from faceup.compare import Journal, contest, read_contest
    from faceup.core import Malformed, make

    if not 1 <= arguments.deals <= _MOST_DEALS:
        raise Malformed(f"deals is 1 to {_MOST_DEALS}, not {arguments.deals}", what=arguments.deals, where="--deals")
    before = None if arguments.log is None else read_contest(arguments.log)
    seed = arguments.seed
    if seed is None:
        seed = random_seed() if before is None else before.seed
    words = " ".join([arguments.game, *arguments.option])
    rules = make(words) if arguments.seats is None else make(words, seats=arguments.seats)
    fields = [field.split(",") for field in arguments.against]
    wanted = contest(rules, arguments.bots, fields, seed=seed, matches=arguments.matches)
    if arguments.log is None:
        results: list[Result] = []
        stopped = _play(wanted, results, results.append, arguments)
    else:
        with Journal.open(arguments.log, wanted) as journal:
            results = journal.results
            stopped = _play(wanted, results, journal.add, arguments)
    _show(wanted, results, arguments)
    if stopped:
        _say_how_to_go_on(wanted, results, arguments)
        sys.exit(130)


def _play(contest: "Contest", results: "list[Result]", add: "Callable[[Result], None]", arguments: Namespace) -> bool:
    """Play what is left, and whether that was stopped. `add` also puts a result into `results`."""
    from itertools import islice

    from faceup.cli.progress import progress
    from faceup.compare import play, schedule

    if hasattr(signal, "SIGTERM"):  # how a cluster takes a machine back
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    whole = arguments.deals * contest.games_a_deal
    left = islice(schedule(contest, arguments.deals), len(results), None)
    try:
        with progress("playing", whole, len(results)) as show:
            for result in play(contest, left, processors() if arguments.jobs is None else arguments.jobs):
                add(result)
                show(len(results))
    except KeyboardInterrupt:
        return True
    return False


def _show(contest: "Contest", results: "list[Result]", arguments: Namespace) -> None:
    """What the deals that are finished show."""
    from faceup.compare import report, standings, words

    counted = results[: arguments.deals * contest.games_a_deal]
    if len(counted) < contest.games_a_deal:
        return
    found = standings(contest, counted)
    if arguments.json:
        import msgspec

        print(msgspec.json.encode(report(contest, found, asked=arguments.deals)).decode())
    else:
        print(words(contest, found, asked=arguments.deals))


def _say_how_to_go_on(contest: "Contest", results: "list[Result]", arguments: Namespace) -> None:
    """The command that goes on, after keeping what was played if that has no file yet."""
    from faceup.compare import Journal
    from faceup.terminal.saves import folder

    path = arguments.log
    if path is None:
        path = folder("compare") / f"{contest.game.partition(' ')[0].replace(':', '-')}-{contest.seed}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with Journal.open(path, contest) as journal:
            for result in results:
                journal.add(result)
    deals = len(results) // contest.games_a_deal
    print(
        f"Stopped after {deals:,} of {arguments.deals:,}. Go on with:\n{go_on(contest, path, arguments)}",
        file=sys.stderr,
    )


def go_on(contest: "Contest", path: Path, arguments: Namespace) -> str:
    """The command that plays what is left of a contest and shows the whole."""
    import shlex

    game, *options = contest.game.split()
    words = ["faceup", "bots", "compare", *arguments.bots]
    for field in arguments.against:
        words += ["--against", field]
    words += ["--game", game]
    for option in options:
        words += ["-o", option]
    words += ["--deals", str(arguments.deals), "--seed", str(contest.seed)]
    words += [*(["--matches"] if contest.matches else []), "--log", str(path)]
    return shlex.join(words)

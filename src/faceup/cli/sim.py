"""`faceup sim` and `warm`: play many games and count the results, and compile the batch engines in advance."""

import sys
from argparse import Namespace
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from faceup.cli.options import (
    Commands,
    add_engine,
    add_jobs,
    add_json,
    add_option,
    add_plot,
    check_plot,
    command,
    interrupt_on,
    jobs_of,
    random_seed,
    rules_of,
)
from faceup.cli.output import print_json, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faceup.sim import Run
    from faceup.sim.counts import Counts


def register(commands: Commands) -> None:
    """Add the command `sim`."""
    parser = command(
        commands,
        "sim",
        "play many games and count the results",
        sim,
        examples=(
            "faceup sim nimmt --policies greedy,lowest,random,random --deals 1000000 --seed 7",
            "faceup sim nimmt:classic --matches --policies greedy --plot heads.svg",
            "faceup sim war --deals 5000000 --seed 7 --json",
        ),
    )
    parser.add_argument("game", metavar="GAME[:VARIANT]", help="such as nimmt, nimmt:classic or war")
    parser.add_argument(
        "--policies",
        metavar="POLICY,...",
        default="random",
        help="one for each seat, or one for all; default: random (`faceup bots` lists them)",
    )
    parser.add_argument(
        "--seats", type=int, help="number of seats; default: the number of policies, or the variant's default"
    )
    add_option(parser, "set an option of the game, such as hand=5 (`faceup games` lists them); repeatable")
    parser.add_argument("--deals", type=int, default=100_000, metavar="N", help="number of deals; default: 100,000")
    parser.add_argument("--matches", action="store_true", help="play whole matches, N of them, instead of single deals")
    parser.add_argument(
        "--seed", type=int, help="the same seed gives the same counts; default: a random seed, which is printed"
    )
    add_jobs(parser)
    add_engine(parser)
    add_plot(parser)
    add_json(parser)


def sim(arguments: Namespace) -> None:
    """Play the games and print the results."""
    from faceup.sim import Counts, add

    check_plot(arguments)
    run = _run(arguments)
    interrupt_on("SIGTERM")
    counts, stopped = Counts(), False
    seconds, last = 0.0, perf_counter()
    try:
        with _parts(run, arguments) as parts, progress("playing", run.deals) as show:
            last = perf_counter()
            for part in parts:
                now = perf_counter()
                counts, seconds, last = add(counts, part), seconds + now - last, now
                show(counts.games)
    except KeyboardInterrupt:
        stopped = True
    if counts.games:
        _show(run, counts, seconds, arguments)
    if stopped:
        print(f"Stopped after {counts.games:,} of {run.deals:,}.", file=sys.stderr)
        sys.exit(130)


def _run(arguments: Namespace) -> "Run":
    from faceup.cli import lists
    from faceup.sim import plan

    policies = lists.words(arguments.policies)
    seats = arguments.seats if arguments.seats is not None or len(policies) == 1 else len(policies)
    rules = rules_of(arguments, arguments.game, seats)
    seed = random_seed() if arguments.seed is None else arguments.seed
    run = plan(rules, policies, deals=arguments.deals, seed=seed, matches=arguments.matches)
    if run.engine == "scalar":
        print(
            f"No compiled kernel plays {rules.game} with {', '.join(sorted(set(run.policies)))}, "
            "so the slower scalar rules are used.",
            file=sys.stderr,
        )
    return run


@contextmanager
def _parts(run: "Run", arguments: Namespace) -> "Iterator[Iterator[Counts]]":
    """Start the run on this machine or on a cluster; the block gets an iterator of the counts of the run's parts."""
    from faceup.sim import play, warm

    jobs = jobs_of(arguments)
    if arguments.engine == "dask":
        from faceup.cluster import connect
        from faceup.sim.run import play_on_cluster

        with connect(arguments.scheduler, jobs) as cluster:
            yield play_on_cluster(cluster, run, 0, run.deals)
        return
    warm(run)
    yield play(run, 0, run.deals, jobs)


def _show(run: "Run", counts: "Counts", seconds: float, arguments: Namespace) -> None:
    """Print the results, and write the chart if `--plot` is given."""
    from faceup.sim import format_report, report

    if arguments.json:
        print_json(report(run, counts, seconds))
    else:
        print(format_report(run, counts))
        if sys.stderr.isatty() and seconds:
            print(f"\n{seconds:.2f} s, {counts.games / seconds:,.0f} per second", file=sys.stderr)
    if arguments.plot is not None:
        from faceup.charts import save
        from faceup.sim.plot import plot
        from faceup.sim.report import title

        save(plot(run, counts), title(run, counts), arguments.plot)


def register_warm(commands: Commands) -> None:
    """Add the command `warm`."""
    parser = command(
        commands,
        "warm",
        "compile the batch engines for this version and processor",
        warm,
        examples=["faceup warm"],
    )
    add_json(parser)


def warm(arguments: Namespace) -> None:
    """Compile the kernels that are not compiled yet, and print the progress."""
    from faceup.core import list_games
    from faceup.games.batch_engines import has_batch_engine, load_batch_engine
    from faceup.games.lanes import cache_folder
    from faceup.sim import histograms

    start = perf_counter()
    for game in list_games():
        if has_batch_engine(game):
            for part in load_batch_engine(game).warm():
                print(f"{perf_counter() - start:6.1f} s  {game.title}: {part}", file=sys.stderr, flush=True)
    print(f"{perf_counter() - start:6.1f} s  counting", file=sys.stderr, flush=True)
    histograms.warm()
    cached = cache_folder()
    seconds = perf_counter() - start
    if arguments.json:
        print_json({"seconds": seconds, "cache": cached and str(cached)})
        return
    where = f"cached in {cached}" if cached else "but the cache folder is not writable"
    print(f"Compiled in {seconds:.1f} s, {where}.")

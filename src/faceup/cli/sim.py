"""`faceup sim`: play a game many times over, and say what becomes of it."""

import signal
import sys
from argparse import ArgumentParser, Namespace
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_json, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faceup.sim import Run, Share
    from faceup.sim.counts import Counts

_KEEP: Final = 30.0
"""Seconds between two writings of a share's file, so that little is lost when a machine goes down."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "sim",
        "play a game many times over, and count what becomes of it",
        sim,
        examples=(
            "faceup sim nimmt --policies greedy,lowest,random,random --deals 1000000 --seed 7",
            "faceup sim nimmt:classic --matches --policies greedy --plot heads.svg",
            "faceup sim war --deals 5000000 --seed 7 --shard 2/10 share-2.json",
            "faceup sim merge share-*.json --json",
        ),
    )
    parser.add_argument(
        "game", metavar="GAME[:VARIANT]|merge", help="such as nimmt, nimmt:classic or war; or merge, to join shares"
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="with merge: the shares of one run")
    parser.add_argument(
        "--policies",
        metavar="POLICY,...",
        default="random",
        help="one for each seat, or one for all; random if not given (`faceup bots` lists them)",
    )
    parser.add_argument("--seats", type=int, help="how many; as many as policies, or the variant's usual number")
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the game, such as hand=5 (`faceup games` lists them); repeatable",
    )
    parser.add_argument("--deals", type=int, default=100_000, metavar="N", help="how many; 100,000 if not given")
    parser.add_argument("--matches", action="store_true", help="play whole matches, N of them, instead of single deals")
    parser.add_argument("--seed", type=int, help="the same seed counts the same; drawn, and said, if not given")
    add_jobs(parser)
    add_engine(parser)
    add_plot(parser)
    parser.add_argument(
        "--shard",
        nargs=2,
        metavar=("I/N", "FILE"),
        help="play only share I of N, from 1, into a file; the same command again goes on where it stopped",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="with merge: write the joined shares as one share")
    add_json(parser)


def add_jobs(parser: ArgumentParser) -> None:
    """How many threads."""
    parser.add_argument("--jobs", type=int, metavar="N", help="how many at a time; as many as there are processors")


def add_engine(parser: ArgumentParser) -> None:
    """On which machines."""
    parser.add_argument(
        "--engine",
        choices=("local", "dask"),
        default="local",
        help="processes here, or Dask Distributed; the results are the same",
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="with dask: whose workers play; processes here if not given"
    )


def add_plot(parser: ArgumentParser) -> None:
    """A picture."""
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it, as .svg, .png or .html")


def processors() -> int:
    """How many processors this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def random_seed() -> int:
    """A seed for a run that was given none: short enough to be typed."""
    from faceup.core import generator

    return generator(None).below(10**9)


def sim(arguments: Namespace) -> None:
    """Play, or join what was played."""
    from faceup.charts import check_target
    from faceup.core import Malformed

    if arguments.plot is not None:
        check_target(arguments.plot)
    if arguments.game == "merge":
        _merge(arguments)
        return
    for given, name in ((arguments.files, "files are"), (arguments.out, "--out is")):
        if given:
            raise Malformed(f"{name} for `faceup sim merge` only", what=str(given), where="sim")
    run = _run(arguments)
    if arguments.shard is None:
        _play_whole(run, arguments)
    else:
        _play_share(run, arguments)


def _run(arguments: Namespace) -> "Run":
    from faceup.core import make
    from faceup.sim import plan

    policies = arguments.policies.split(",")
    seats = arguments.seats if arguments.seats is not None or len(policies) == 1 else len(policies)
    spec = " ".join([arguments.game, *arguments.option])
    rules = make(spec) if seats is None else make(spec, seats=seats)
    seed = random_seed() if arguments.seed is None else arguments.seed
    run = plan(rules, policies, deals=arguments.deals, seed=seed, matches=arguments.matches)
    if run.engine == "scalar":
        print(
            f"No kernel plays {rules.game} with {', '.join(sorted(set(run.policies)))}: "
            "it is played by the readable rules, one game after the other.",
            file=sys.stderr,
        )
    return run


def _play_whole(run: "Run", arguments: Namespace) -> None:
    from faceup.sim import new_share, write_share
    from faceup.terminal.saves import folder

    share, stopped = _play(new_share(run, 1, 1), arguments, None)
    if share.counts.games:
        _show(share, arguments)
    if stopped:
        name = f"{run.game.partition(' ')[0].replace(':', '-')}-{run.seed}-{run.deals}.json"
        path = folder("sim") / name
        write_share(share, path)
        again = go_on(run, path)
        print(f"Stopped after {share.counts.games:,} of {run.deals:,}. Go on with:\n{again}", file=sys.stderr)
        sys.exit(130)


def go_on(run: "Run", path: Path) -> str:
    """The command that plays what is left of a run and shows the whole."""
    import shlex

    game, *options = run.game.split()
    words = ["faceup", "sim", game]
    for option in options:
        words += ["-o", option]
    words += ["--policies", ",".join(run.policies), "--deals", str(run.deals), "--seed", str(run.seed)]
    words += [*(["--matches"] if run.matches else []), "--shard", "1/1", str(path)]
    return f"{shlex.join(words)} && {shlex.join(['faceup', 'sim', 'merge', str(path)])}"


def _play_share(run: "Run", arguments: Namespace) -> None:
    from faceup.core import Malformed
    from faceup.sim import new_share, read_share, write_share

    if arguments.plot:
        raise Malformed("a share alone is not drawn: give --plot to `faceup sim merge`", where="--plot")
    word, file = arguments.shard
    path = Path(file)
    share = new_share(run, *share_number(word))
    if path.exists():
        before = read_share(path)
        if (before.run, before.number, before.shares) != (share.run, share.number, share.shares):
            raise Malformed(f"{path} holds another share, or one of another run: it is left as it is", where="--shard")
        share = before
    share, stopped = _play(share, arguments, path)
    write_share(share, path)
    games = share.end - share.begin
    if arguments.json:
        import msgspec

        told = {"file": str(path), "share": [share.number, share.shares], "deals": games, "counted": share.counts.games}
        print(msgspec.json.encode(told).decode())
    else:
        print(f"share {share.number}/{share.shares} in {path}: {share.counts.games:,} of {games:,} counted")
    if stopped:
        print("Stopped. The same command goes on where it stopped.", file=sys.stderr)
        sys.exit(130)


def share_number(word: str) -> tuple[int, int]:
    """A share as it is written: 2/10. Raises `Malformed` if it is written otherwise."""
    from faceup.core import Malformed

    number, slash, shares = word.partition("/")
    if not (slash and all(part.isascii() and part.isdecimal() and len(part) < 10 for part in (number, shares))):
        raise Malformed(f"a share is written as 2/10, not {word!r}", what=word, where="--shard")
    return int(number), int(shares)


def _play(share: "Share", arguments: Namespace, path: Path | None) -> "tuple[Share, bool]":
    """Play what is left of the share, and whether that was stopped; what was counted until then is kept."""
    from faceup.cli.progress import progress
    from faceup.sim import write_share

    if hasattr(signal, "SIGTERM"):  # how a cluster takes a machine back
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    games = share.end - share.begin
    try:
        with (
            _parts(share, arguments) as parts,
            progress("playing", games, share.counts.games) as show,
        ):
            last = kept = perf_counter()
            for counts in parts:
                now = perf_counter()
                share, last = share.more(counts, now - last), now
                show(share.counts.games)
                if path is not None and now - kept > _KEEP:
                    write_share(share, path)
                    kept = now
    except KeyboardInterrupt:
        return share, True
    return share, False


@contextmanager
def _parts(share: "Share", arguments: Namespace) -> "Iterator[Iterator[Counts]]":
    """What is left of the share, played here or on a cluster, part by part."""
    from faceup.sim import play, warm

    begin = share.begin + share.counts.games
    jobs = processors() if arguments.jobs is None else arguments.jobs
    if arguments.engine == "dask":
        from faceup.cluster import connect
        from faceup.sim.cluster import play_on

        with connect(arguments.scheduler, jobs) as cluster:
            yield play_on(cluster, share.run, begin, share.end)
        return
    warm(share.run)
    yield play(share.run, begin, share.end, jobs)


def _merge(arguments: Namespace) -> None:
    from faceup.core import Malformed
    from faceup.sim import merge, read_share, write_share

    if not arguments.files:
        raise Malformed("which shares? faceup sim merge FILE...", where="files")
    if arguments.shard:
        raise Malformed("--shard is for playing a share, not for merging", where="--shard")
    whole = merge([(str(path), read_share(path)) for path in arguments.files])
    if arguments.out:
        write_share(whole, arguments.out)
    _show(whole, arguments)


def _show(share: "Share", arguments: Namespace) -> None:
    """The results, and the picture if one is asked for."""
    import msgspec

    from faceup.sim import report, words

    if arguments.json:
        print(msgspec.json.encode(report(share.run, share.counts, share.seconds)).decode())
    else:
        print(words(share.run, share.counts))
        if sys.stderr.isatty() and share.seconds:
            speed = share.counts.games / share.seconds
            print(f"\n{share.seconds:.2f} s, {speed:,.0f} a second", file=sys.stderr)
    if arguments.plot is not None:
        from faceup.charts import save
        from faceup.sim.plot import plot
        from faceup.sim.report import title

        save(plot(share.run, share.counts), title(share.run, share.counts), arguments.plot)

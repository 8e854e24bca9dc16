"""The options of the arena's commands for terms, limits and engines, and functions that read their values."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.options import add_engine, add_game_options, add_jobs, jobs_of, rules_of
from faceup.processors import processors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faceup.arena import Bot, MatchTerms
    from faceup.arena.run.engine import MatchEngine
    from faceup.arena.run.identity import BotFiles
    from faceup.arena.run.pairings import Contest


def add_terms_options(parser: ArgumentParser) -> None:
    """Add the options for the game, the protocol and the limits of programs."""
    parser.add_argument(
        "--game", default="nimmt:arena", metavar="GAME[:VARIANT]", help="the game (default nimmt:arena)"
    )
    add_game_options(parser)
    parser.add_argument(
        "--protocol", metavar="NAME", help="json, or the game's own protocol (the default if it has one)"
    )
    parser.add_argument("--bots", type=Path, metavar="FILE", help="the roster (default bots.toml)")
    parser.add_argument(
        "--phase-last",
        action="store_true",
        help="send the phase line last to all programs named by their command; for one program: COMMAND@phase-last",
    )
    parser.add_argument(
        "--alive",
        action="store_true",
        help="reuse processes between matches, for programs that declare support in bots.toml",
    )
    add_limit_options(parser)


def add_limit_options(parser: ArgumentParser) -> None:
    """Add the options for the environment of programs, and for their time, memory and processes."""
    add_environment_option(parser)
    limits = parser.add_argument_group("limits")
    limits.add_argument(
        "--time",
        metavar="FIRST+TURN",
        help="milliseconds for the first answer and for every other one (default 1000+100)",
    )
    limits.add_argument("--startup", type=float, metavar="MS", help="startup time before the clock runs")
    limits.add_argument("--grace", type=float, metavar="MS", help="tolerance added to each time limit (CodinGame: 50)")
    limits.add_argument("--strict", action="store_true", help="do not compensate for delays caused by the machine")
    limits.add_argument("--stopped", action="store_true", help="stop programs between their turns")
    limits.add_argument("--sandbox", action="store_true", help="isolate programs from the network and from other files")
    limits.add_argument(
        "--bubblewrap", action="store_true", help="as --sandbox, with bubblewrap, which also hides all other files"
    )
    limits.add_argument("--memory", type=int, metavar="MB", help="memory limit of a program; 0 means no limit")
    limits.add_argument("--processes", type=int, metavar="N", help="process limit of a program; 0 means no limit")


def add_environment_option(parser: ArgumentParser) -> None:
    """Add the option for environment variables of programs."""
    parser.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="give programs an environment variable, by default with its current value; repeatable",
    )


def environment_of(arguments: Namespace) -> dict[str, str]:
    """Return the variables given by `--env`. Raises `Malformed` for an invalid name, or if there is no value."""
    import os

    from faceup.core import Malformed

    variables: dict[str, str] = {}
    for word in arguments.env:
        name, equals, value = word.partition("=")
        if not name:
            raise Malformed(f"--env must be NAME or NAME=VALUE; got {word!r}", what=word, where="--env")
        if not equals and name not in os.environ:
            raise Malformed(f"there is no variable {name}; write --env {name}=VALUE", what=word, where="--env")
        variables[name] = value if equals else os.environ[name]
    return variables


def terms_of(arguments: Namespace) -> "MatchTerms":
    """Return the terms given by the options.

    Raises:
        Malformed: an unknown game, option or protocol, or an invalid limit.
    """
    import msgspec

    from faceup.arena import MatchTerms, default_protocol, protocol
    from faceup.core import spec

    rules = rules_of(arguments, arguments.game, arguments.seats)
    name = arguments.protocol or default_protocol(rules)
    protocol(rules, name)
    return msgspec.structs.replace(MatchTerms(spec(rules), name, alive=arguments.alive), **limits_of(arguments))


def limits_of(arguments: Namespace) -> dict[str, object]:
    """Return the limits given by the options, by name. Raises `Malformed` for an invalid limit."""
    from faceup.core import Malformed

    limits: dict[str, object] = {
        flag: True for flag in ("strict", "stopped", "sandbox", "bubblewrap") if getattr(arguments, flag)
    }
    if arguments.time is not None:
        limits["first"], limits["turn"] = _times(arguments.time)
    for option, unit in (("startup", 1 / 1000), ("grace", 1 / 1000), ("memory", 1 << 20), ("processes", 1)):
        value = getattr(arguments, option)
        if value is not None:
            if not 0 <= value < 10**7:
                raise Malformed(f"--{option} must be 0 or more; got {value:g}", what=value, where=f"--{option}")
            limits[option] = value * unit
    return limits


def print_isolation(terms: "MatchTerms", bots: "Iterable[Bot]") -> None:
    """Print how the programs are isolated, and which protections are missing."""
    from faceup.arena.process.isolation import describe_isolation

    if any(bot.command for bot in bots):
        print(describe_isolation(terms), file=sys.stderr)


def _times(text: str) -> tuple[float, float]:
    from faceup.core import Malformed

    words = text.split("+")
    if len(words) != 2 or not all(word.isascii() and word.isdecimal() and 0 < int(word) < 10**7 for word in words):
        raise Malformed(
            f"--time must be FIRST+TURN in milliseconds, such as 1000+100; got {text!r}", what=text, where="--time"
        )
    return int(words[0]) / 1000, int(words[1]) / 1000


def add_engine_options(parser: ArgumentParser) -> None:
    """Add the options for parallelism, CPU pinning and clusters."""
    add_jobs(parser)
    parser.add_argument("--pin", action="store_true", help="pin each match and its programs to a separate core")
    add_engine(parser)


@contextmanager
def engine(
    contest: "Contest", entrants: "Sequence[BotFiles]", store: Path, arguments: Namespace
) -> "Iterator[MatchEngine]":
    """Start the engine that plays matches, on this machine or on a cluster, and stop it when the block exits."""
    from faceup.arena.run.identity import install_bot
    from faceup.arena.run.workers import WorkerConfig, WorkerEngine
    from faceup.core import plural

    jobs = jobs_of(arguments)
    bots = {entrant.bot.name: install_bot(entrant, store) for entrant in entrants}
    if arguments.engine == "dask":
        from faceup.arena.run.cluster import ClusterEngine, create_payload
        from faceup.cluster import connect

        with connect(arguments.scheduler, jobs) as cluster:
            yield ClusterEngine(cluster, create_payload(contest.terms, entrants, contest.seed, store))
        return
    if jobs > processors():
        print(
            f"This run plays {plural(jobs, 'match', 'matches')} in parallel on {plural(processors(), 'core')}, "
            "so programs compete for the processor and may "
            f"exceed their time limit. Use at most --jobs {processors()}.",
            file=sys.stderr,
        )
    with WorkerEngine(
        WorkerConfig(contest.terms, bots, contest.seed), jobs, _cores() if arguments.pin else ()
    ) as workers:
        yield workers


def _cores() -> Sequence[int]:
    import os

    from faceup.core import Malformed

    if not hasattr(os, "sched_getaffinity"):
        raise Malformed("this system does not support CPU pinning", where="--pin")
    return sorted(os.sched_getaffinity(0))

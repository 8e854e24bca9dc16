"""Functions that add commands, add options that several commands share, and read the values of these options."""

import os
import signal
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from faceup.processors import processors
from faceup.server.process.setting import DATABASE
from faceup.translations import LANGUAGES
from faceup.translations.environment import VARIABLE

if TYPE_CHECKING:
    from faceup.core import AnyRules

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"

ROWS: Final = "rows joined by slashes, or each in brackets: 5/6,7/88/29 or '[[5], [6, 7], [88], [29]]'"
"""Help text for rows of 6 nimmt!."""


def command(
    commands: Commands,
    name: str,
    summary: str,
    run: Callable[[Namespace], None],
    *,
    examples: Sequence[str],
) -> ArgumentParser:
    """Add a command that calls `run`, and return its parser; `command` is its full name in the parsed arguments."""
    parser: ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog="examples:\n" + "\n".join(f"  {example}" for example in examples),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, command=parser.prog)
    return parser


def group(commands: Commands, name: str, summary: str) -> Commands:
    """Add a command that has subcommands, and return the object to which they are added."""
    return add_subcommands(add_group(commands, name, summary))


def add_group(commands: Commands, name: str, summary: str) -> ArgumentParser:
    """Add a command that prints its help, and return its parser."""
    parser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.set_defaults(run=lambda _: parser.print_help())
    return parser


def add_subcommands(parser: ArgumentParser) -> Commands:
    """Return the object to which the subcommands of a command are added."""
    commands: Commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    return commands


def add_listing(parser: ArgumentParser, listing: Callable[[], str]) -> None:
    """Append the text that `listing` returns to the help; it is called only when help is shown, because it is slow."""
    help_ = parser.format_help
    parser.format_help = lambda: f"{help_()}\n{listing()}\n"  # type: ignore[method-assign]


def add_json(parser: ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_ndjson(parser: ArgumentParser) -> None:
    """Add `--ndjson`."""
    parser.add_argument(
        "--ndjson",
        action="store_true",
        help="read one JSON object per line and print one per line; flags set the defaults",
    )


def prints_json(words: Sequence[str]) -> bool:
    """Return whether a command line asks for JSON, which programs read. It may be one that cannot be parsed.

    >>> prints_json(["sim", "--json"]), prints_json(["arena", "match", "--format=json"]), prints_json(["games"])
    (True, True, False)
    >>> prints_json(["arena", "match", "--format", "json", "--format", "words", "--", "./mine --json", "--json"])
    False
    """
    chosen = False
    options = [*takewhile(lambda word: word != "--", words), ""]
    for word, following in pairwise(options):
        name, _, value = word.partition("=")
        if word in {"--json", "--ndjson"}:
            chosen = True
        elif name == "--format":
            chosen = (value or following) == "json"
    return chosen


def add_plain(parser: ArgumentParser) -> None:
    """Add `--plain`."""
    parser.add_argument(
        "--plain", action="store_true", help="plain text output, for pipes, screen readers and dumb terminals"
    )


def add_language(parser: ArgumentParser) -> None:
    """Add `--language`, which is valid before the command, too."""
    parser.add_argument(
        "--language",
        dest="text_language",
        choices=LANGUAGES,
        default=SUPPRESS,
        help="language of the text (default: the system's, or FACEUP_LANGUAGE)",
    )


def set_language(arguments: Namespace, *, json: bool) -> None:
    """Set the language for this process: that of `--language`, and English for JSON, which programs read."""
    language = "en" if json else getattr(arguments, "text_language", None)
    if language is not None:
        os.environ[VARIABLE] = language


def add_seed(parser: ArgumentParser) -> None:
    """Add `--seed`."""
    parser.add_argument(
        "--seed", type=int, help="make the game reproducible (default: unpredictable system randomness)"
    )


def add_game(parser: ArgumentParser) -> None:
    """Add the game, its seats and its options."""
    parser.add_argument(
        "game", nargs="?", default="nimmt", metavar="GAME[:VARIANT]", help="such as nimmt, nimmt:classic or war"
    )
    add_game_options(parser)


def add_game_options(parser: ArgumentParser) -> None:
    """Add `--seats` and `--option`."""
    parser.add_argument("--seats", type=int, help="number of seats (default: the variant's)")
    add_option(parser, "set an option of the game, such as hand=5 (`faceup games` lists them); repeatable")


def add_option(parser: ArgumentParser, help: str) -> None:  # noqa: A002 -- as argparse calls it
    """Add `--option`."""
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help=help)


def rules_of(arguments: Namespace, game: str, seats: int | None) -> "AnyRules":
    """Return the rules of a game with the given options; if `seats` is None, the variant decides their number."""
    from faceup.core import make

    spec = " ".join([game, *arguments.option])
    return make(spec) if seats is None else make(spec, seats=seats)


def add_record(parser: ArgumentParser) -> None:
    """Add `--record`."""
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the game's record to this file")


def add_database(parser: ArgumentParser) -> None:
    """Add `--database` and `--config`."""
    parser.add_argument("--database", metavar=DATABASE.metavar, help=DATABASE.help)
    add_config(parser)


def add_config(parser: ArgumentParser) -> None:
    """Add `--config`."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="a TOML file with settings: port = 9000, public_url = ..."
    )


def add_jobs(parser: ArgumentParser) -> None:
    """Add `--jobs`."""
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="games or tasks in parallel (default: the number of processors)"
    )


def jobs_of(arguments: Namespace) -> int:
    """Return the number of parallel jobs."""
    return processors() if arguments.jobs is None else int(arguments.jobs)


def random_seed() -> int:
    """Return a random seed that is short enough to type."""
    from faceup.core import generator

    return generator(None).below(10**9)


def add_engine(parser: ArgumentParser) -> None:
    """Add `--engine` and `--scheduler`."""
    parser.add_argument(
        "--engine",
        choices=("local", "dask"),
        default="local",
        help="local processes, or Dask Distributed; the results are the same",
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of the Dask scheduler (default: local processes)"
    )


def add_plot(parser: ArgumentParser) -> None:
    """Add `--plot`."""
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write a chart as .svg, .png or .html")


def check_plot(arguments: Namespace) -> None:
    """Reject the file of `--plot` if a chart cannot be written to it, before any work is done."""
    from faceup.charts import check_target

    if arguments.plot is not None:
        check_target(arguments.plot)


def interrupt_on(*names: str) -> None:
    """Make these signals raise `KeyboardInterrupt`, as Ctrl-C does; skip signals that the system does not have."""
    for name in names:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)


def add_program(parser: ArgumentParser, help: str) -> None:  # noqa: A002 -- as argparse calls it
    """Add a program and its arguments after `--`, so that none of its words is read as an option of this command.

    Argparse alone cannot do this after other options, because it then gives no words to an argument that may be empty.
    """
    parser.add_argument("program", nargs="*", metavar="-- PROGRAM", help=help)
    parse = parser.parse_known_args

    def parse_known_args(
        args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        words = list(args or ())
        end = words.index("--") if "--" in words else len(words)
        parsed, unknown = parse(words[:end], namespace or Namespace())
        parsed.program += words[end + 1 :]
        return parsed, unknown

    parser.parse_known_args = parse_known_args  # type: ignore[method-assign, assignment]  # argparse allows any namespace type

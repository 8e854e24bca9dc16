"""How commands are added, and the options that several share, under one name and one sentence each."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"


def command(
    commands: Commands,
    name: str,
    summary: str,
    run: Callable[[Namespace], None],
    *,
    examples: Sequence[str],
) -> ArgumentParser:
    """Add a command that runs `run`, and give back its parser for its options."""
    parser: ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog="examples:\n" + "\n".join(f"  {example}" for example in examples),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def group(commands: Commands, name: str, summary: str) -> Commands:
    """Add a command that has commands of its own."""
    parser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.set_defaults(run=lambda _: parser.print_help())
    inner: Commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    return inner


def add_json(parser: ArgumentParser) -> None:
    """Answer in JSON."""
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")


def add_ndjson(parser: ArgumentParser) -> None:
    """Answer line by line."""
    parser.add_argument("--ndjson", action="store_true", help="read one JSON object a line, answer one a line")


def add_plain(parser: ArgumentParser) -> None:
    """Line by line."""
    parser.add_argument(
        "--plain", action="store_true", help="line by line: for pipes, screen readers and dumb terminals"
    )


def add_seed(parser: ArgumentParser) -> None:
    """A seed."""
    parser.add_argument("--seed", type=int, help="make it reproducible; without one, nobody can know the cards")


def add_game(parser: ArgumentParser) -> None:
    """Which game, for how many, with which options."""
    parser.add_argument(
        "game", nargs="?", default="nimmt", metavar="GAME[:VARIANT]", help="such as nimmt, nimmt:classic or war"
    )
    add_game_options(parser)


def add_game_options(parser: ArgumentParser) -> None:
    """For how many, with which options."""
    parser.add_argument("--seats", type=int, help="how many; the variant's usual number if not given")
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the game, such as hand=5 (`faceup games` lists them); repeatable",
    )


def add_record(parser: ArgumentParser) -> None:
    """Where to write the record."""
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the record here at the end")


def add_database(parser: ArgumentParser) -> None:
    """A server's database, and the file that may name it."""
    parser.add_argument(
        "--database",
        metavar="FILE|URL",
        help="a file (SQLite), or postgresql://...; without it, a file in your data folder",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="a TOML file with settings: port = 9000, public_url = ..."
    )


def add_program(parser: ArgumentParser, help: str) -> None:  # noqa: A002 -- as argparse calls it
    """A program with its arguments, behind two dashes: none of its words is an option of ours.

    Argparse by itself gives words that stand behind options to no positional that may be empty.
    """
    parser.add_argument("program", nargs="*", metavar="-- PROGRAM", help=help)
    parse = parser.parse_known_args

    def parse_known_args(
        args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        words = list(args or ())
        end = words.index("--") if "--" in words else len(words)
        found, unknown = parse(words[:end], namespace or Namespace())
        found.program += words[end + 1 :]
        return found, unknown

    parser.parse_known_args = parse_known_args  # type: ignore[method-assign, assignment]  # what is parsed is one command line

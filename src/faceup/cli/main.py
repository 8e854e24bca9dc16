"""The `faceup` command: its sub-commands, and what becomes of an error.

Exit status: 0 done (a game that was saved and can be resumed included), 1 a failure of ours, 2 bad input.
"""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from faceup.cli import (
    admin,
    arena,
    bot,
    bots,
    completion,
    draw,
    ladder,
    listing,
    odds,
    page,
    playing,
    review,
    scripts,
    serve,
    sim,
    verify,
    warm,
)

_GROUPS = (
    playing,
    page,
    serve,
    admin,
    review,
    verify,
    ladder,
    listing,
    bots,
    draw,
    sim,
    odds,
    bot,
    arena,
    scripts,
    warm,
    completion,
)
"""The modules that add commands, in the order in which help shows them."""


def parser() -> ArgumentParser:
    """The whole command line. Nothing is imported for it that a command needs only when it runs."""
    top: ArgumentParser = _Parser(
        prog="faceup",
        description="Table games in which everyone chooses in secret and everything is turned face up at once.\n"
        "Without a command: the menu.",
        epilog="examples:\n"
        "  faceup play nimmt                    Cow Head King against bots\n"
        "  faceup play nimmt -p Ann -p Bo       two people at one terminal\n"
        "  faceup watch war --seed 7 --plain    let the computer play, line by line\n"
        "  faceup resume                        go on with the last saved game\n"
        "  faceup page                          play in a browser on this machine",
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="store_true", help="say which version this is")
    top.set_defaults(run=playing.start)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for group in _GROUPS:
        group.register(commands)
    return top


class _Parser(ArgumentParser):
    """Says what is wrong with a command line as the command itself would: in JSON, where JSON was asked for."""

    def error(self, message: str) -> NoReturn:
        """Bad usage."""
        if "--json" in sys.argv:
            _print_refusal("malformed", f"{message}; `{self.prog} --help` says what is right")
            sys.exit(2)
        super().error(message)


def main() -> None:
    """Run the command line."""
    _open_streams()
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # whoever read our output has seen enough
            where = f"{error.filename}: " if error.filename else ""
            print(f"faceup: {where}{error.strerror or error}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:  # keep the interpreter from trying again, and complaining, when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _run() -> None:
    """Do what the command line says; bad input gets one message, as JSON where JSON was asked for."""
    arguments = parser().parse_args()
    from faceup.core import RulesError

    json = getattr(arguments, "json", False)
    if json and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        arguments.run(arguments)
    except RulesError as error:
        if json:
            _print_refusal(error.kind, str(error))
        else:
            print(f"faceup: {error}", file=sys.stderr)
        sys.exit(2)


def _print_refusal(kind: str, message: str) -> None:
    """One line of JSON on standard output."""
    import msgspec

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print(msgspec.json.encode({"error": {"kind": kind, "message": message}}).decode())


def _open_streams() -> None:
    """Let every stream be there, and let no character be one that it cannot take.

    A stream that whoever started us has closed is None, and its number would go to the next file that is opened.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 -- open to the end
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)

"""The `faceup` command: its sub-commands, and what becomes of an error.

Exit status: 0 done (a game that was saved and can be resumed included), 1 a failure of ours, 2 bad input.
"""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter

from faceup.cli import completion, draw, listing, playing, scripts


def parser() -> ArgumentParser:
    """The whole command line. Nothing is imported for it that a command needs only when it runs."""
    top = ArgumentParser(
        prog="faceup",
        description="Table games in which everyone chooses in secret and everything is turned face up at once.\n"
        "Without a command: the menu.",
        epilog="examples:\n"
        "  faceup play nimmt                    Cow Head King against bots\n"
        "  faceup play nimmt -p Ann -p Bo       two people at one terminal\n"
        "  faceup watch war --seed 7 --plain    let the computer play, line by line\n"
        "  faceup resume                        go on with the last saved game",
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="store_true", help="say which version this is")
    top.set_defaults(run=playing.start)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for group in (playing, listing, draw, scripts, completion):
        group.register(commands)
    return top


def main() -> None:
    """Run the command line."""
    arguments = parser().parse_args()
    from faceup.core import RulesError

    try:
        arguments.run(arguments)
    except RulesError as error:
        print(f"faceup: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has seen enough; keep the interpreter from complaining when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)

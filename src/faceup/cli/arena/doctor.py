"""`faceup arena doctor`: check whether matches are fair on this machine."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_json, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from faceup.arena.doctor import Examination

_COLOURS: Final = {"good": "green", "note": "yellow", "bad": "red"}


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "doctor",
        "check whether matches are fair on this machine, and how many can run in parallel",
        doctor,
        examples=("faceup arena doctor", "faceup arena doctor --json"),
    )
    add_json(parser)


def doctor(arguments: Namespace) -> None:
    """Examine the machine, print the report, and exit with status 1 if matches cannot be fair."""
    from faceup.arena.doctor import examine

    examination = examine()
    if arguments.json:
        answer = {
            "fair": examination.fair,
            "against": examination.problems,
            "parallel_matches": examination.parallel_matches,
            "why": examination.why,
            "checks": examination.checks,
        }
        print_json(answer)
    else:
        _print_report(examination)
    if not examination.fair:
        sys.exit(1)


def _print_report(examination: "Examination") -> None:
    """Print the checks and the verdict."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for check in examination.checks:
        verdict = Text(check.verdict, style=_COLOURS[check.verdict])
        table.add_row(verdict, Text(check.name, style="bold"), Text(check.message))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    if not examination.fair:
        console.print(Text(f"Matches cannot be fair on this machine: {'; '.join(examination.problems)}."))
        return
    matches = "one match" if examination.parallel_matches == 1 else f"{examination.parallel_matches} matches"
    console.print(
        Text(
            f"Matches are fair here. Run {matches} in parallel (--jobs {examination.parallel_matches}): "
            f"{examination.why}."
        )
    )

"""`faceup arena doctor`: whether matches are fair on this machine."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_json, command

if TYPE_CHECKING:
    from faceup.arena.doctor import Examination

_COLOURS: Final = {"good": "green", "note": "yellow", "bad": "red"}


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "doctor",
        "check this machine: whether matches are fair on it, and how many to run at once",
        doctor,
        examples=("faceup arena doctor", "faceup arena doctor --json"),
    )
    add_json(parser)


def doctor(arguments: Namespace) -> None:
    """Examine, tell, and end with 1 if matches cannot be fair."""
    from faceup.arena.doctor import examine

    found = examine()
    if arguments.json:
        import msgspec

        told = {
            "fair": found.fair,
            "against": found.against,
            "at_once": found.at_once,
            "why": found.why,
            "checks": found.checks,
        }
        print(msgspec.json.encode(told).decode())
    else:
        _tell(found)
    if not found.fair:
        sys.exit(1)


def _tell(found: "Examination") -> None:
    """Line by line: the verdict, what it is of, and what was found."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for check in found.checks:
        verdict = Text(check.verdict, style=_COLOURS[check.verdict])
        table.add_row(verdict, Text(check.name, style="bold"), Text(check.words))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    if not found.fair:
        console.print(Text(f"Matches cannot be fair here: {'; '.join(found.against)}."))
        return
    matches = "one match" if found.at_once == 1 else f"{found.at_once} matches"
    console.print(Text(f"Matches are fair here. Run {matches} at once (--jobs {found.at_once}): {found.why}."))

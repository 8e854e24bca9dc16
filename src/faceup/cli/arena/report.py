"""`faceup arena report`: a run as one page."""

from argparse import Namespace
from pathlib import Path

from faceup.cli.options import Commands, command


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "report",
        "write a run as one page: ladder, who beats whom, times, who went out and why, replays",
        report,
        examples=("faceup arena report arena.sqlite", "faceup arena report arena.sqlite -o monday.html"),
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="the log of a run, which may still be going on")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", default=Path("report.html"), help="report.html if not given"
    )


def report(arguments: Namespace) -> None:
    """Write the page."""
    from faceup.arena.log import read_log
    from faceup.arena.logged import told
    from faceup.arena.pages import report as page
    from faceup.core import Malformed

    path: Path = arguments.output
    if not path.absolute().parent.is_dir():
        raise Malformed(f"there is no folder {path.absolute().parent} for the page", where="--output")
    with read_log(arguments.log) as log:
        written = page(told(log))
    try:
        path.write_text(written, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Malformed(f"{path} cannot be written: {error.strerror}", where="--output") from None
    print(f"{path}: {len(written.encode()) / 1e6:.1f} MB")

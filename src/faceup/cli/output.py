"""Terminal output: progress bar, escaping of untrusted text, columns and JSON."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path


@contextmanager
def progress(what: str, total: int | None, done: int = 0) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error while the block runs, if standard error is a terminal.

    Yields a function to call with the number of finished items. If `total` is None, the bar shows no share of the work.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}" if total is None else "{task.completed:,.0f} / {task.total:,.0f}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda now: bar.update(task, completed=now)


def is_terminal() -> bool:
    """Return whether standard input, output and error are a terminal that can show the app."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual writes to standard error
    is_tty = all(stream is not None and stream.isatty() for stream in streams)
    return is_tty and os.environ.get("TERM") != "dumb" and _can_draw(sys.stderr.encoding)


def _can_draw(encoding: str) -> bool:
    """Return whether text in this encoding can hold the frames and signs of the app; without, it shows escapes."""
    try:
        "╭─╮∀".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    import msgspec

    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # a file name that is not UTF-8
        import json

        text = json.dumps(msgspec.to_builtins(value), separators=(",", ":"))
    print(text, flush=True)


def check_folder(path: Path, option: str) -> None:
    """Reject an output file in a folder that does not exist, before any work is done."""
    from faceup.core import Malformed

    if not path.absolute().parent.is_dir():
        raise Malformed(f"{path.absolute().parent} is not a folder", where=option)


def check_kept_file(path: Path, option: str) -> None:
    """Reject a file that cannot be both read and written, such as a folder or a device, before any work is done."""
    from faceup.core import Malformed

    check_folder(path, option)
    if path.exists() and not path.is_file():
        raise Malformed(f"{path} is not a file", what=str(path), where=option)


def write_text(path: Path, text: str, option: str) -> None:
    """Write text to the file that `option` names. Raises `Malformed` if the file cannot be written."""
    from faceup.core import Malformed

    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Malformed(f"{path} cannot be written: {error.strerror}", where=option) from None


def print_answer(arguments: Namespace, answer: object, text: str) -> None:
    """Print an answer as JSON if `--json` is given, else as text."""
    if arguments.json:
        print_json(answer)
    else:
        print(text)


def print_rows(
    arguments: Namespace, answer: object, heads: Sequence[str], rows: Sequence[Sequence[object]], none: str
) -> None:
    """Print an answer as JSON if `--json` is given, else as rows below their headings; without rows, print `none`."""
    from faceup.formatting import cell_width, pad, strip_control_characters

    if arguments.json or not rows:
        print_answer(arguments, answer, none)
        return
    cells = [[strip_control_characters(str(cell)) for cell in row] for row in (heads, *rows)]
    widths = [max(map(cell_width, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        print("  ".join(pad(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip())


def format_time(milliseconds: int | None) -> str:
    """Return a Unix time in milliseconds as text in local time, or "" for None."""
    if milliseconds is None:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")

"""A bar on standard error with the time to go, where that is a terminal; elsewhere nothing."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, total: int | None, done: int = 0) -> Iterator[Callable[[int], None]]:
    """Show a bar while the block runs; the block calls what it is given with how many are done.

    Without a total it shows that something goes on.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}" if total is None else "{task.completed:,.0f} of {task.total:,.0f}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda now: bar.update(task, completed=now)

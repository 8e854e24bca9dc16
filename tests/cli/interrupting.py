"""Commands that are interrupted as soon as they show on a terminal that they are at work."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from tests.cli.inside import Done

PATIENCE = 60
"""Seconds in which a command is to show something, and to end: far longer than it takes on a busy machine."""


def interrupted(*words: str, at: str, data: Path) -> Done:
    """Run `faceup` with standard error at a terminal; when what that shows matches `at`, press Ctrl-C: what came."""
    terminal, end = pty.openpty()
    environ = {**os.environ, "FACEUP_DATA": str(data), "TERM": "xterm", "COLUMNS": "120", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "faceup", *words], stdout=subprocess.PIPE, stderr=end, text=True, env=environ
    ) as process:
        os.close(end)
        assert process.stdout is not None
        said = ""
        try:
            for part in _read(terminal):
                waited = not re.search(at, said)
                said += part
                if waited and re.search(at, said):
                    process.send_signal(signal.SIGINT)
            out = process.stdout.read()
            return Done(process.wait(PATIENCE), out, said)
        finally:
            os.close(terminal)
            process.kill()


def _read(terminal: int) -> Iterator[str]:
    """What is written to a terminal until nobody holds its other end."""
    last = monotonic() + PATIENCE
    while monotonic() < last:
        if select.select([terminal], [], [], 1)[0]:
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:  # as Linux says that there is nobody
                return
            if not part:
                return
            yield part.decode(errors="replace")
    raise AssertionError("the command does not end")

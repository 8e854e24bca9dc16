"""Interrupt commands with Ctrl-C on a pseudo-terminal."""

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

from tests.cli.in_process import Done

GIVE_UP_AFTER = 60
"""The timeout in seconds for a command's output and exit, generous for busy machines."""


def interrupted(*words: str, at: str, data: Path) -> Done:
    """Run `faceup` with standard error on a terminal, press Ctrl-C when its output matches `at`; return the result."""
    terminal, end = pty.openpty()
    environ = {**os.environ, "FACEUP_DATA": str(data), "TERM": "xterm", "COLUMNS": "120", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "faceup", *words], stdout=subprocess.PIPE, stderr=end, text=True, env=environ
    ) as process:
        os.close(end)
        assert process.stdout is not None
        output = ""
        try:
            for part in _read(terminal):
                waited = not re.search(at, output)
                output += part
                if waited and re.search(at, output):
                    process.send_signal(signal.SIGINT)
            out = process.stdout.read()
            return Done(process.wait(GIVE_UP_AFTER), out, output)
        finally:
            os.close(terminal)
            process.kill()


def _read(terminal: int) -> Iterator[str]:
    """Yield terminal output until the other end is closed."""
    last = monotonic() + GIVE_UP_AFTER
    while monotonic() < last:
        if select.select([terminal], [], [], 1)[0]:
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:  # Linux raises this when the other end is closed
                return
            if not part:
                return
            yield part.decode(errors="replace")
    raise AssertionError("the command does not end")

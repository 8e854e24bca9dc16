"""A watchdog that kills the bot programs of this process if this process itself is killed.

The watchdog is a shell. It reads from a pipe which programs have started and ended. Only this process has the other end
of the pipe, so the pipe closes when this process ends for any reason. The shell then kills the process groups that
still run. If this process ends normally, it has killed its programs before.
"""

import os
import signal
from contextlib import suppress
from typing import Final

_SHELL: Final = "/bin/sh"

_SCRIPT: Final = """
running=
while read -r what process; do
  case $what in
    started) running="$running $process " ;;
    ended) before=${running%%" $process "*} after=${running#*" $process "} running="$before$after" ;;
  esac
done
for process in $running; do kill -s KILL -- "-$process"; done
"""


class Watchdog:
    """The watchdog shell and the pipe to the shell.

    Attributes:
        process: process ID of the shell.
    """

    def __init__(self) -> None:
        read, self._to = os.pipe()
        nothing = os.open(os.devnull, os.O_WRONLY)
        try:
            self.process = os.posix_spawn(
                _SHELL,
                [_SHELL, "-c", _SCRIPT],
                {},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, read, 0),
                    (os.POSIX_SPAWN_DUP2, nothing, 1),
                    (os.POSIX_SPAWN_DUP2, nothing, 2),
                ],
                setpgroup=0,  # so that the shell survives if the whole process group of this process is killed
                setsigmask=(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM),
            )
        finally:
            os.close(read)
            os.close(nothing)

    def add(self, program: int) -> None:
        """Report a program that has started. Its process ID must also be the ID of its process group."""
        self._notify("started", program)

    def remove(self, program: int) -> None:
        """Report a program that has ended."""
        self._notify("ended", program)

    def close(self) -> None:
        """End the watchdog. No program may be running any more."""
        os.close(self._to)
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)

    def _notify(self, what: str, program: int) -> None:
        with suppress(BrokenPipeError):  # the watchdog was killed
            os.write(self._to, f"{what} {program}\n".encode())

"""Who ends the programs of a process that is killed, and so can end nothing itself.

It is a shell that reads which programs run from a pipe whose other end this process alone has. However this process
ends, the pipe does, too; and what runs then is killed, each with its process group. A process that is only told to end
ends its programs itself, and leaves nothing to do.
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
    began) running="$running $process " ;;
    ended) before=${running%%" $process "*} after=${running#*" $process "} running="$before$after" ;;
  esac
done
for process in $running; do kill -s KILL -- "-$process"; done
"""


class Guard:
    """The shell, and the end of the pipe to it.

    Attributes:
        process: its number.
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
                setpgroup=0,  # so that it outlives us also where our whole group is killed
                setsigmask=(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM),
            )
        finally:
            os.close(read)
            os.close(nothing)

    def began(self, program: int) -> None:
        """A program runs from now on, in a process group of its own number."""
        self._say("began", program)

    def ended(self, program: int) -> None:
        """It does not run any more."""
        self._say("ended", program)

    def close(self) -> None:
        """Nothing runs any more: let it end."""
        os.close(self._to)
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)

    def _say(self, what: str, program: int) -> None:
        with suppress(BrokenPipeError):  # somebody has killed it
            os.write(self._to, f"{what} {program}\n".encode())

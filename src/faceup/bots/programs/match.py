"""The main function of a bot program, which plays one match on standard input and output."""

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from faceup.bots.programs.time_control import TimeControl, process_start

LONGEST: Final = 10_000
"""The greatest length of a line in bytes. A longer line is cut, which makes it invalid."""


class StandardStreams:
    """Unbuffered line-based standard input, output and error.

    Args:
        started: when the program started, in the time of `time.perf_counter`.
        name: the prefix of each line on standard error.
        source: the input file descriptor, by default that of standard input.
        target: the output file descriptor, by default that of standard output.

    Attributes:
        since: the earliest possible arrival time of the current input.
    """

    def __init__(self, started: float, name: str, source: int = 0, target: int = 1) -> None:
        self.since, self.name = started, name
        self._source, self._target = source, target
        self._unread = b""

    def readline(self) -> str:
        """Return the next line with its line end; "" at the end of the input."""
        while b"\n" not in self._unread and len(self._unread) < LONGEST:
            ready = _ready(self._source)
            more = os.read(self._source, 1 << 16)
            if not ready:
                self.since = time.perf_counter()  # if input was ready, it arrived earlier, at an unknown time
            if not more:
                break
            self._unread += more
        end = self._unread.find(b"\n", 0, LONGEST)
        size = end + 1 if end >= 0 else LONGEST
        line, self._unread = self._unread[:size], self._unread[size:]
        return line.decode("utf-8", "replace")

    def write(self, text: str) -> None:
        """Send a line immediately, then collect garbage while the other players think."""
        os.write(self._target, text.encode() + b"\n")
        self.since = time.perf_counter()
        gc.collect()
        gc.freeze()  # later collections skip the surviving objects

    def log(self, text: str) -> None:
        """Write a line to standard error, and ignore errors."""
        try:
            sys.stderr.write(f"{self.name}: {text}\n")
            sys.stderr.flush()
        except OSError:
            pass


def _ready(file: int) -> bool:
    """Return whether input is available; False if this cannot be determined."""
    try:
        return bool(select.select([file], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def configure_process() -> None:
    """Disable automatic garbage collection, and exit cleanly on SIGTERM."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    gc.disable()


class ClientPlayer(Protocol):
    """A player of a match. Each protocol has its own type for `known`, which is therefore `Any` here and below."""

    def decide(self, observation: Any, pace: TimeControl) -> int:  # noqa: ANN401 -- see above
        """Return one of `known.legal`."""
        ...

    def use_idle_time(self, log: Callable[[str], None]) -> None:
        """Do work while the other players think. `log` writes a line to standard error."""
        ...


def play_match(run_client: Callable[..., int], player: ClientPlayer, name: str, most: float | None = None) -> int:
    """Play on standard input and output until the input ends.

    Args:
        run_client: the function that runs the protocol, such as `faceup.games.nimmt.codingame.run_client`.
        player: the player that chooses.
        name: the player's name on standard error.
        most: the greatest number of seconds for a decision, if it is less than the protocol allows.

    Returns:
        The exit status: 0 at the end of the input, 1 if the output is closed, 2 for invalid input, 130 after Ctrl-C.
    """
    pace = TimeControl(process_start(), most)
    streams = StandardStreams(pace.started, name)
    configure_process()

    def choose(observation: Any) -> int:  # noqa: ANN401 -- see above
        pace.start_decision(streams.since)
        return player.decide(observation, pace)

    def write(text: str) -> None:
        streams.write(text)
        pace.finish_decision(streams.since)
        player.use_idle_time(streams.log)

    try:
        return run_client(streams.readline, write, streams.log, choose)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130

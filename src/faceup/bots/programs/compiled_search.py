"""The compiled search in a worker process, with a plain Python search as the fallback.

Loading or compiling kernels must not delay a move, so it happens in other processes while the fallback plays.
"""

import os
import select
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, Final, Literal

from faceup.bots.programs.players import PolicyPlayer, SearchPlayer
from faceup.bots.programs.time_control import LEAST, TimeControl
from faceup.core import AnyRules, Generator, View, write
from faceup.interpreter import PYTHON

ROUND_TRIP: Final = 0.004
"""Seconds reserved for sending a request to the worker and receiving its answer."""

DECAY: Final = 0.95
"""The factor by which the measured lateness of answers decays with each decision."""

MOST_LATE: Final = 0.03
"""The greatest number of seconds by which the worker's thinking time is reduced because its answers were late."""


class CompiledSearch:
    """The client of a worker process that runs a compiled search policy.

    The worker loads the policy by deciding in each of the positions `samples`.

    Args:
        name: the name of the policy, without a budget.
        samples: one position of each kind of decision, in text notation.

    Attributes:
        state: "loading" at first, then "ready", or "cold" if the kernels are not compiled, or "gone" if the worker
            failed.
        cache: the cache folder of compiled code; "" if there is none.
    """

    def __init__(self, name: str, samples: Sequence[str]) -> None:
        self.name = name
        self.state: Literal["loading", "ready", "cold", "gone"] = "loading"
        self.cache = ""
        self._lateness = 0.0
        self._number = 0
        self._unread = b""
        self._process = subprocess.Popen(  # noqa: S603 -- this Python, and our own module
            [*PYTHON, "-m", "faceup.bots.programs.worker", name, *samples],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # if the worker inherited it, it would stay open after this process has ended
            bufsize=0,
        )

    def ready(self) -> bool:
        """Return whether the worker can search; never blocks."""
        while self.state == "loading" and (line := self._line(time.perf_counter())) is not None:
            word, _, self.cache = line.partition(" ")
            self.state = "ready" if word == "ready" else "cold" if word == "cold" else "gone"
        return self.state == "ready"

    def decide(self, position: str, worlds: int | None, pace: TimeControl) -> int | None:
        """Return the worker's choice for a view in text notation; None if no choice arrives in time.

        If `worlds` is None, the worker searches for as long as time permits. `faceup.bots.evaluate` explains worlds.
        """
        seconds = max(LEAST, pace.remaining() - ROUND_TRIP - self._lateness)
        budget = f"{max(1, int(seconds * 1000))}ms" if worlds is None else worlds
        self._number += 1
        if not self._send(f"{self._number} {self.name}@{budget} {position}\n"):
            return None
        sent = time.perf_counter()
        while (line := self._line(pace.deadline)) is not None:
            number, answer = line.split()
            if number == str(self._number):
                self._lateness = max(self._lateness * DECAY, time.perf_counter() - sent - seconds - ROUND_TRIP)
                return int(answer) if answer.isdecimal() else None
        self._lateness = min(self._lateness + ROUND_TRIP, MOST_LATE)
        return None

    def close(self) -> None:
        """Kill the worker process."""
        self._process.kill()
        self._process.wait()

    def _send(self, text: str) -> bool:
        pipe: Any = self._process.stdin  # Any: not None, because of stdin=PIPE
        try:
            pipe.write(text.encode())
        except OSError:
            self.state = "gone"
            return False
        return True

    def _line(self, deadline: float) -> str | None:
        """Return the next line from the worker; None if no line arrives before the deadline."""
        pipe: Any = self._process.stdout  # as above
        while b"\n" not in self._unread:
            left = max(0.0, deadline - time.perf_counter())
            if not select.select([pipe], [], [], left)[0]:
                return None
            more = os.read(pipe.fileno(), 1 << 16)
            if not more:
                self.state = "gone"
                return None
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode()


def compile_in_background(folder: str) -> Literal["started", "running", "impossible"]:
    """Start `faceup warm` as a low-priority background process, unless one is already running for this cache folder.

    Return "impossible" if there is no cache folder (""), because compiled code would then be lost.
    """
    try:
        import fcntl  # noqa: PLC0415 -- not on Windows
    except ImportError:
        return "impossible"
    if not folder:
        return "impossible"
    try:
        with (Path(folder) / "warm.lock").open("a", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The new process inherits the lock and holds it until the process ends.
            process = subprocess.Popen(  # noqa: S603 -- as above
                [*PYTHON, "-m", "faceup", "warm"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[lock.fileno()],
                start_new_session=True,
            )
            lock.truncate(0)
            lock.write(f"{process.pid}\n")  # for diagnostics
    except BlockingIOError:
        return "running"
    except OSError:
        return "impossible"
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process.pid, 19)
        os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
    return "started"


PLAIN_ONLY_BELOW: Final = 0.015
"""If fewer seconds than this remain, the plain search is used, because it is faster than a request to the worker."""


class FallbackSearchPlayer:
    """A player that uses the best method that is ready: at first a policy, then the plain and then the compiled search.

    Before each request to the compiled search, the plain search makes a quick choice, which the player uses if the
    worker answers too late.

    Args:
        name: the name of the search policy, without a budget.
        plain: the plain search, in the form module:name.
        fallback: the policy that plays until the plain search is loaded.
        samples: one position of each kind of decision, in text notation.
        as_view: converts the protocol's knowledge to a view.
        worlds: the number of worlds to search for each decision; None for as many as time permits.
    """

    def __init__(
        self,
        name: str,
        *,
        plain: str,
        fallback: PolicyPlayer,
        samples: Sequence[str],
        as_view: Callable[[Any], View],
        worlds: int | None = None,
    ) -> None:
        self.name, self.fallback, self.samples, self.as_view, self.worlds = name, fallback, samples, as_view, worlds
        self.rules: AnyRules = fallback.rules
        self.rng: Generator = fallback.rng
        self.plain: SearchPlayer | None = None
        self.compiled: CompiledSearch | None = None
        self._reported = False
        self._import = Thread(target=self._load, args=plain.split(":"), daemon=True)
        self._import.start()

    def _load(self, module: str, search: str) -> None:
        self.plain = SearchPlayer(getattr(import_module(module), search), self.rules, self.rng, self.worlds)

    def decide(self, observation: Any, pace: TimeControl) -> int:  # noqa: ANN401 -- each protocol has its own type
        """Return the best action found in time."""
        if len(observation.legal) == 1:
            only: int = observation.legal[0]
            return only
        if self.plain is None:
            self._import.join(max(0.0, pace.remaining()))
        if self.compiled is None:
            self.compiled = CompiledSearch(self.name, self.samples)
        pace.start_measuring()
        if self.plain is None:
            return self.fallback.decide(observation, pace)
        if not self.compiled.ready() or pace.remaining() < PLAIN_ONLY_BELOW:
            return self.plain.decide(observation, pace)
        quick = self.plain.search(self.rules, observation, over=_is_over, seed=self.rng.below(2**63))
        compiled_choice = self.compiled.decide(write(self.rules, self.as_view(observation)), self.worlds, pace)
        return quick if compiled_choice is None else compiled_choice

    def use_idle_time(self, log: Callable[[str], None]) -> None:
        """Start compiling missing kernels for the next match, and log once that the plain search plays this match."""
        compiled = self.compiled
        if compiled is None or self._reported or compiled.ready() or compiled.state == "loading":
            return
        self._reported = True
        if compiled.state == "cold":
            reason, next_match = "the search is not compiled yet", _NEXT_MATCH[compile_in_background(compiled.cache)]
        else:
            reason, next_match = "the compiled search has failed", ""
        log(f"{reason}: the plain search plays this match{next_match}")

    def close(self) -> None:
        """Kill the worker process, if it was started."""
        if self.compiled is not None:
            self.compiled.close()


_NEXT_MATCH: Final = {
    "started": "; compiling it for the next match",
    "running": "; another process is compiling it for the next match",
    "impossible": "; compiled code cannot be cached here",
}


def _is_over() -> bool:
    return True

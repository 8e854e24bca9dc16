"""A compiled search in a process of its own, so that loading it, or waiting for it, makes nobody late."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any, Final, Literal

from faceup.bots.programs.pace import LEAST, Pace

WAY: Final = 0.004
"""Seconds kept for a question's way there and an answer's way back."""

FORGETTING: Final = 0.95
"""What is left, after another decision, of how late it was."""

MOST_LATE: Final = 0.03
"""Seconds that are taken off what it is given to think, at most, for having been late."""


class Compiled:
    """The searching player of that name, as far as its process answers.

    Args:
        name: of a policy that searches, without a budget.
        samples: positions in text notation, a decision of each kind.

    Attributes:
        state: "loading" until its process says otherwise; "cold" if what it needs is not compiled; "gone" if it failed.
        cache: where compiled code is kept; "" if it cannot be.
    """

    def __init__(self, name: str, samples: Sequence[str]) -> None:
        self.name = name
        self.state: Literal["loading", "ready", "cold", "gone"] = "loading"
        self.cache = ""
        self._late = 0.0
        self._number = 0
        self._read = b""
        self._process = subprocess.Popen(  # noqa: S603 -- this Python, and our own module
            [sys.executable, "-P", "-m", "faceup.bots.programs.worker", name, *samples],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # else it would hold ours open a moment longer than we do
            bufsize=0,
        )

    def ready(self) -> bool:
        """Whether it can be asked; never waits."""
        while self.state == "loading" and (line := self._line(time.perf_counter())) is not None:
            self._told(line)
        return self.state == "ready"

    def decide(self, position: str, worlds: int | None, pace: Pace) -> int | None:
        """Its choice; None if there is none in time.

        Args:
            position: a view in text notation.
            worlds: the work for each decision, as for `faceup.bots.judge`; None for all that there is time for.
            pace: the clock.
        """
        seconds = max(LEAST, pace.left() - WAY - self._late)
        budget = f"{max(1, int(seconds * 1000))}ms" if worlds is None else worlds
        self._number += 1
        if not self._send(f"{self._number} {self.name}@{budget} {position}\n"):
            return None
        sent = time.perf_counter()
        while (line := self._line(pace.deadline)) is not None:
            number, answer = line.split()
            if number == str(self._number):
                self._late = max(self._late * FORGETTING, time.perf_counter() - sent - seconds - WAY)
                return int(answer) if answer.isdecimal() else None
        self._late = min(self._late + WAY, MOST_LATE)
        return None

    def close(self) -> None:
        """End its process."""
        self._process.kill()
        self._process.wait()

    def _told(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        self.state = "ready" if word == "ready" else "cold" if word == "cold" else "gone"
        self.cache = rest

    def _send(self, text: str) -> bool:
        pipe: Any = self._process.stdin  # Any: it is there, since it was asked for
        try:
            pipe.write(text.encode())
        except OSError:
            self.state = "gone"
            return False
        return True

    def _line(self, deadline: float) -> str | None:
        """The next line from the process, if it comes before the deadline."""
        pipe: Any = self._process.stdout  # as above
        while b"\n" not in self._read:
            left = max(0.0, deadline - time.perf_counter())
            if not select.select([pipe], [], [], left)[0]:
                return None
            more = os.read(pipe.fileno(), 1 << 16)
            if not more:
                self.state = "gone"
                return None
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.decode()

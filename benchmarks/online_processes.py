"""Servers as processes: started, watched by what the kernel counts, ended."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import perf_counter, sleep
from typing import Final, Self

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Server:
    """A process, and all that it starts, on one core. A context manager: it is killed at the end.

    Args:
        command: the program and its arguments.
        port: that it will listen on.
        core: which of this machine's; None for all.
        folder: where it runs.
        environment: variables beside ours.
    """

    def __init__(
        self, command: Sequence[str], port: int, core: int | None, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self.port = port
        self._said = (folder / f"server-{port}.log").open("ab")
        before = os.sched_getaffinity(0)
        if core is not None:
            os.sched_setaffinity(0, {core})  # what is started inherits it
        try:
            self._process = subprocess.Popen(
                command, cwd=folder, env={**os.environ, **environment}, stdout=self._said, stderr=self._said
            )
        finally:
            os.sched_setaffinity(0, before)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """Of the process that was started."""
        return self._process.pid

    def ready(self, path: str, seconds: float = 120) -> None:
        """Wait until it answers a request for the path."""
        start = perf_counter()
        while not self._answers(path):
            if self._process.poll() is not None or perf_counter() - start > seconds:
                self._said.flush()
                raise RuntimeError(Path(self._said.name).read_text("utf-8")[-2000:])
            sleep(0.005)

    def _answers(self, path: str) -> bool:
        wire = HTTPConnection("127.0.0.1", self.port, timeout=1)
        try:
            wire.request("GET", path)
            return wire.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            wire.close()

    def kill(self) -> None:
        """As `kill -9` does."""
        self._process.kill()
        self._process.wait()
        self._said.close()

    def cpu(self) -> float:
        """Seconds of processor that all of its threads have had so far, those that have ended included."""
        return cpu(self.pid)

    def memory(self) -> int:
        """Bytes that it holds."""
        return int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1]) * _PAGE


def cpu(pid: int) -> float:
    """Seconds of processor that a process has had, to the nanosecond where the kernel says it of each thread."""
    told = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            told += int((task / "schedstat").read_text("ascii").split()[0])
        except OSError:  # the thread has ended meanwhile
            continue
    return told / 1e9

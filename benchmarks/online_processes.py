"""Start, measure and kill server processes. Measurements are the kernel's counters."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import perf_counter, sleep
from typing import Final, Self

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Server:
    """A process and its children on one core; a context manager that kills it at the end.

    Args:
        command: the program and its arguments.
        port: the port it listens on.
        core: the number of the core; None for all cores.
        folder: its working directory.
        environment: additional environment variables.
    """

    def __init__(
        self, command: Sequence[str], port: int, core: int | None, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self.port = port
        self._output = (folder / f"server-{port}.log").open("ab")
        before = os.sched_getaffinity(0)
        if core is not None:
            os.sched_setaffinity(0, {core})  # inherited by child processes
        try:
            self._process = subprocess.Popen(
                command, cwd=folder, env={**os.environ, **environment}, stdout=self._output, stderr=self._output
            )
        finally:
            os.sched_setaffinity(0, before)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """Return the process ID."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Return whether it has not exited."""
        return self._process.poll() is None

    def ready(self, path: str, seconds: float = 120) -> None:
        """Wait until it answers a request for the path."""
        start = perf_counter()
        while not self._answers(path):
            if self._process.poll() is not None or perf_counter() - start > seconds:
                self._output.flush()
                raise RuntimeError(Path(self._output.name).read_text("utf-8")[-2000:])
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
        """Kill it as `kill -9` does."""
        self._process.kill()
        self._process.wait()
        self._output.close()

    def stop(self) -> None:
        """End it as a service manager does, and wait."""
        self._process.terminate()
        self._process.wait(60)

    def cpu(self) -> float:
        """Return the CPU seconds of all its threads so far, including ended ones."""
        return cpu(self.pid)

    def settle(self) -> None:
        """Wait until its child processes have used no CPU time for a second.

        Ours loads the coach's search once, five seconds after someone has connected to the first game.
        """
        for _ in range(120):
            before = _children_cpu(self.pid)
            sleep(1)
            if _children_cpu(self.pid) - before < 0.01:
                return
        raise RuntimeError("the server's child processes do not settle")

    def memory(self) -> int:
        """Return its resident bytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1]) * _PAGE


def _children_cpu(pid: int) -> float:
    """Return the CPU seconds of all running child processes so far."""
    children = (task / "children" for task in Path(f"/proc/{pid}/task").iterdir())
    return sum(cpu(int(child)) for numbers in children for child in numbers.read_text("ascii").split())


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process, with nanosecond precision where the kernel has it."""
    nanoseconds = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            nanoseconds += int((task / "schedstat").read_text("ascii").split()[0])
        except OSError:  # the thread has just ended
            continue
    return nanoseconds / 1e9

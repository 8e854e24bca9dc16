"""Worker processes that play matches. Each has its own referee and, if requested, its own core."""

import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import current_thread, main_thread
from time import monotonic, sleep
from traceback import format_exc
from typing import Final, Self

import msgspec

from faceup.arena.match.result import Match
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.process.linux import SET_DEATH_SIGNAL, prctl
from faceup.arena.process.pause import PAUSE
from faceup.arena.process.reaper import Reaper
from faceup.arena.run.log import StoredMatch, pack
from faceup.core import Malformed
from faceup.spawn import SafeContext

MOST_JOBS: Final = 1024

_MOST_QUEUED: Final = 32
"""The most matches in a worker's queue, which are as many as the fastest bots play between two checks."""

_QUEUED_SECONDS: Final = 0.03
"""Seconds that the matches in a worker's queue should last, so that the worker is never idle.

A queue has at least two matches.
"""

_POLL_INTERVAL: Final = 0.01
"""Seconds between two checks for finished matches.

Fewer checks leave more CPU time to the bots. For short matches, this interval costs two thirds less CPU time than
handling each match on its own. A finished match may be missing from the log for this long.
"""

_EXIT_SECONDS: Final = 3.0
"""Seconds that workers have to end their bots before they are killed."""

_PAUSE_INTERVAL: Final = 0.02
"""Seconds between two checks whether workers have finished their turns and stopped."""

_MOST_DEATHS: Final = 5
"""The number of workers that may be killed from outside before the run is aborted."""


class WorkerConfig(msgspec.Struct, frozen=True):
    """The data that a worker needs in addition to the matches.

    Attributes:
        terms: the terms of the matches.
        bots: the installed bots by name.
        seed: the seed of the schedule.
    """

    terms: MatchTerms
    bots: Mapping[str, Bot]
    seed: int


class WorkerFailure(msgspec.Struct, frozen=True):
    """A message from a worker that its referee raised an exception, with the traceback."""

    trace: str


class WorkerEngine:
    """An engine of worker processes. See `faceup.arena.run.engine.MatchEngine`. A context manager that ends them all.

    Args:
        config: what the workers play.
        jobs: the number of workers.
        cores: the cores to which the workers are pinned in turn; empty to let the system schedule the workers.

    Raises:
        Malformed: `jobs` is out of range.
    """

    def __init__(self, config: WorkerConfig, jobs: int, cores: Sequence[int] = ()) -> None:
        if not 1 <= jobs <= MOST_JOBS:
            raise Malformed(f"jobs must be 1 to {MOST_JOBS}; got {jobs}", what=jobs, where="--jobs")
        self.room = jobs * _MOST_QUEUED
        self._config = config
        self._workers: dict[Connection, _Worker] = {}
        self._deaths = 0
        self._checked_at = 0.0
        self._seconds = 1.0
        self._waiting: deque[Match] = deque()
        self._reaper: Reaper | None = None
        self._cores = [cores[index % len(cores)] if cores else None for index in range(jobs)]

    def __enter__(self) -> Self:
        self._reaper = Reaper()  # adopts the bots of workers that are killed
        for core in self._cores:
            self._start(core)
        PAUSE.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop immediately. The workers end their bots and exit."""
        PAUSE.remove(self)
        for worker in self._workers.values():
            worker.process.terminate()
        for connection, worker in self._workers.items():
            worker.process.join(_EXIT_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            connection.close()
            worker.process.close()
        self._workers.clear()
        if self._reaper is not None:
            self._reaper.kill_orphans()
            self._reaper.close()

    def submit(self, matches: Sequence[Match]) -> None:
        """Submit matches, and send as many of them to the workers as fit into the workers' queues."""
        self._waiting.extend(matches)
        self._distribute()

    def wait(self) -> list[StoredMatch]:
        """Wait until at least one match is finished, and return all finished matches that were not returned before."""
        while True:
            sleep(max(0.0, self._checked_at + _POLL_INTERVAL - monotonic()))
            matches: list[StoredMatch] = []
            for connection in wait(list(self._workers)):
                assert isinstance(connection, Connection)  # noqa: S101 -- for the type checker: `wait` got connections
                matches += self._receive(connection)
            self._measure_match(len(matches))
            self._distribute()
            if matches:
                return matches

    def pause(self) -> None:
        """Ask all workers to stop after their current turns, and wait until they have stopped or ended."""
        # Asked again and again: a worker that is just starting may ignore the signal.
        while running := [worker for worker in self._workers.values() if not _has_stopped(worker.process)]:
            for worker in running:
                _signal(worker.process, signal.SIGTSTP)
            sleep(_PAUSE_INTERVAL)

    def resume(self) -> None:
        """Continue all workers. The shell has continued them already, unless only this process got a signal."""
        for worker in self._workers.values():
            _signal(worker.process, signal.SIGCONT)

    def _measure_match(self, count: int) -> None:
        """Update the running mean of the time that a worker needs for a match, after `count` matches have finished."""
        now = monotonic()
        if count and self._checked_at:
            self._seconds += 0.2 * ((now - self._checked_at) * len(self._cores) / count - self._seconds)
        self._checked_at = now

    def _start(self, core: int | None) -> None:
        context = SafeContext()
        ours, remote = context.Pipe()
        process = context.Process(target=serve, args=(remote, self._config, core, os.getpid()), daemon=True)
        with _ignore_interrupts():
            process.start()
        remote.close()
        self._workers[ours] = _Worker(process, core, deque())

    def _distribute(self) -> None:
        """Send matches to workers until all queues are long enough. The shortest queue gets the next match."""
        ahead = min(_MOST_QUEUED, max(2, round(_QUEUED_SECONDS / self._seconds)))
        while self._waiting:
            connection, worker = min(self._workers.items(), key=lambda pair: len(pair[1].playing))
            if len(worker.playing) >= ahead:
                return
            match = self._waiting.popleft()
            worker.playing.append(match)
            with suppress(OSError):  # if the worker has died, `wait` notices it
                connection.send_bytes(msgspec.msgpack.encode(match))

    def _receive(self, connection: Connection) -> list[StoredMatch]:
        worker = self._workers[connection]
        matches: list[StoredMatch] = []
        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                self._replace(connection)
                return matches
            if isinstance(message, WorkerFailure):
                number = worker.playing[0].number
                raise RuntimeError(f"the referee failed in match {number}:\n{message.trace}")  # noqa: TRY004 -- not a type error
            worker.playing.popleft()
            assert isinstance(message, StoredMatch)  # noqa: S101 -- `serve` sends nothing else
            matches.append(message)
            if not worker.playing or not connection.poll():
                return matches

    def _replace(self, connection: Connection) -> None:
        """Start a new worker in place of one that has died, and put that worker's matches back into the queue."""
        worker = self._workers.pop(connection)
        connection.close()
        worker.process.join(_EXIT_SECONDS)
        status = worker.process.exitcode
        worker.process.close()
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise Malformed(
                f"{self._deaths} workers were killed from outside, the last with status {status}; the machine may be "
                "short of memory; run fewer matches in parallel with --jobs",
                what=status,
                where="--jobs",
            )
        if self._reaper is not None:
            self._reaper.kill_orphans()
        self._waiting.extendleft(reversed(worker.playing))
        self._start(worker.core)


class _Worker:
    """A worker process and its queue of matches."""

    def __init__(self, process: SpawnProcess, core: int | None, playing: deque[Match]) -> None:
        self.process = process
        self.core = core
        self.playing = playing


def serve(connection: Connection, config: WorkerConfig, core: int | None, parent: int) -> None:
    """Play the matches that arrive until the connection closes. This is the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C and terminates the workers
    signal.signal(signal.SIGTERM, _end)
    PAUSE.install()
    _exit_with_parent(parent)
    set_close_on_exec()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})  # every bot inherits this
    from faceup.arena.match.referee import Referee  # noqa: PLC0415 -- only workers need it

    with suppress(EOFError, OSError), Referee(config.terms, config.bots) as referee:
        while True:
            match = msgspec.msgpack.decode(connection.recv_bytes(), type=Match)
            try:
                played = pack(*referee.play(match, config.seed))
            except Exception:  # noqa: BLE001 -- the main process reports it
                connection.send(WorkerFailure(format_exc()))
                return
            connection.send(played)


def _signal(process: SpawnProcess, number: signal.Signals) -> None:
    if process.pid is not None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)


def _has_stopped(process: SpawnProcess) -> bool:
    """Return whether a worker has stopped or ended; True if the system cannot say."""
    if not hasattr(os, "waitid") or process.pid is None:
        return True
    try:
        return os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C in the `with` block, so that processes started in it ignore Ctrl-C from their first moment."""
    if current_thread() is not main_thread():  # only the main thread can set signal handlers
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def set_close_on_exec() -> None:
    """Make all files that this process inherited non-inheritable.

    Otherwise a bot could inherit the pipe to the main process. It would keep the pipe open after the worker has died,
    and could write results into it.
    """
    if sys.platform == "win32":
        return
    for name in os.listdir("/dev/fd"):  # noqa: PTH208 -- numbers, not files
        with suppress(OSError):  # the folder's own descriptor is closed by now
            if int(name) > 2:
                os.set_inheritable(int(name), False)


def _end(_number: int, _frame: object) -> None:
    """Exit at the first signal and ignore later ones, so that the referee can end its bots undisturbed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


def _exit_with_parent(parent: int) -> None:
    """Ask the system to send SIGTERM to this process when the main process ends, so that bots do not keep playing."""
    if sys.platform != "linux":
        return
    prctl(SET_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:  # the main process has ended already
        sys.exit(0)

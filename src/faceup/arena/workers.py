"""Processes that play matches, each with a referee of its own, and each perhaps on a core of its own."""

import os
import signal
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import current_thread, main_thread
from time import monotonic, sleep
from traceback import format_exc
from typing import Final, Self

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.log import Played, pack
from faceup.arena.matches import Match
from faceup.arena.programs.ending import Watch
from faceup.arena.terms import Terms
from faceup.core import Malformed

MOST_JOBS: Final = 1024

_ROOM: Final = 32
"""Matches for each worker that are scheduled ahead: as many as the quickest bots play while nobody looks."""

_AHEAD: Final = 0.03
"""Seconds' worth of matches that a worker has in its queue, and two matches at least, so that it never waits."""

_PAUSE: Final = 0.01
"""Seconds between two looks at what is finished: quick matches are taken and written many at a time, which costs the
cores of the bots a third as much. So long may a match be finished and not yet be in the log."""

_PATIENCE: Final = 3.0
"""Seconds that workers have to end their bots before they are killed."""

_DEATHS: Final = 5
"""Workers that may be killed from outside in one run before it is given up."""


class Table(msgspec.Struct, frozen=True):
    """What a worker must know besides the matches.

    Attributes:
        terms: on which programs play.
        bots: those that may be named in a lineup, ready to be run.
        seed: from which the cards follow.
    """

    terms: Terms
    bots: Mapping[str, Bot]
    seed: int


class Failure(msgspec.Struct, frozen=True):
    """A fault of the referee itself, as a worker saw it."""

    trace: str


class Workers:
    """An engine of worker processes: see `faceup.arena.run.Engine`. A context manager; nothing runs when it is left.

    Args:
        table: what is played.
        jobs: how many workers.
        cores: to which they are pinned, one after the other; none to let the system move them.

    Raises:
        Malformed: no jobs, or too many.
    """

    def __init__(self, table: Table, jobs: int, cores: Sequence[int] = ()) -> None:
        if not 1 <= jobs <= MOST_JOBS:
            raise Malformed(f"jobs is 1 to {MOST_JOBS}, not {jobs}", what=jobs, where="--jobs")
        self.room = jobs * _ROOM
        self._table = table
        self._workers: dict[Connection, _Worker] = {}
        self._deaths = 0
        self._looked = 0.0
        self._seconds = 1.0
        self._waiting: deque[Match] = deque()
        self._watch: Watch | None = None
        self._cores = [cores[index % len(cores)] if cores else None for index in range(jobs)]

    def __enter__(self) -> Self:
        self._watch = Watch()  # what a worker that is killed leaves behind comes to this process
        for core in self._cores:
            self._start(core)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop everything at once: the workers end their bots and then themselves."""
        for worker in self._workers.values():
            worker.process.terminate()
        for connection, worker in self._workers.items():
            worker.process.join(_PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            connection.close()
            worker.process.close()
        self._workers.clear()
        if self._watch is not None:
            self._watch.kill_strays()
            self._watch.close()

    def submit(self, matches: Sequence[Match]) -> None:
        """Have matches played."""
        self._waiting.extend(matches)
        self._hand_out()

    def wait(self) -> list[Played]:
        """Wait until at least one match is finished, and give all that are."""
        while True:
            sleep(max(0.0, self._looked + _PAUSE - monotonic()))
            found: list[Played] = []
            for connection in wait(list(self._workers)):
                assert isinstance(connection, Connection)  # noqa: S101 -- what was put in
                found += self._receive(connection)
            self._take_time(len(found))
            self._hand_out()
            if found:
                return found

    def _take_time(self, count: int) -> None:
        """Learn how long a match takes a worker."""
        now = monotonic()
        if count and self._looked:
            self._seconds += 0.2 * ((now - self._looked) * len(self._cores) / count - self._seconds)
        self._looked = now

    def _start(self, core: int | None) -> None:
        context = get_context("spawn")  # a process forked beside other threads can hang
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, self._table, core, os.getpid()), daemon=True)
        with _deaf():
            process.start()
        theirs.close()
        self._workers[ours] = _Worker(process, core, deque())

    def _hand_out(self) -> None:
        """Give every worker what it has room for, those with the least first."""
        ahead = min(_ROOM, max(2, round(_AHEAD / self._seconds)))
        while self._waiting:
            connection, worker = min(self._workers.items(), key=lambda pair: len(pair[1].playing))
            if len(worker.playing) >= ahead:
                return
            match = self._waiting.popleft()
            worker.playing.append(match)
            with suppress(OSError):  # a worker that is gone is found by `wait`
                connection.send_bytes(msgspec.msgpack.encode(match))

    def _receive(self, connection: Connection) -> list[Played]:
        worker = self._workers[connection]
        found: list[Played] = []
        while True:
            try:
                told = connection.recv()
            except (EOFError, OSError):
                self._replace(connection)
                return found
            if isinstance(told, Failure):
                number = worker.playing[0].number
                raise RuntimeError(f"the referee failed in match {number}:\n{told.trace}")  # noqa: TRY004 -- nobody gave a wrong type
            worker.playing.popleft()
            assert isinstance(told, Played)  # noqa: S101 -- the one other thing that `serve` sends
            found.append(told)
            if not worker.playing or not connection.poll():
                return found

    def _replace(self, connection: Connection) -> None:
        """Start another worker for one that is gone, and have its matches played again."""
        worker = self._workers.pop(connection)
        connection.close()
        worker.process.join(_PATIENCE)
        status = worker.process.exitcode
        worker.process.close()
        self._deaths += 1
        if self._deaths > _DEATHS:
            raise Malformed(
                f"{self._deaths} referees were killed from outside, the last with status {status}: is the machine "
                "short of memory? Play fewer at once with --jobs",
                what=status,
                where="--jobs",
            )
        if self._watch is not None:
            self._watch.kill_strays()
        self._waiting.extendleft(reversed(worker.playing))
        self._start(worker.core)


class _Worker:
    """A process, and what it has been given to play, in order."""

    def __init__(self, process: SpawnProcess, core: int | None, playing: deque[Match]) -> None:
        self.process = process
        self.core = core
        self.playing = playing


def serve(connection: Connection, table: Table, core: int | None, parent: int) -> None:
    """Play what comes until nothing more can come. The body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that schedules, and that tells us
    signal.signal(signal.SIGTERM, _end)
    _end_with(parent)
    keep_files_to_ourselves()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})  # and with it every bot that is started from here
    from faceup.arena.referee import Referee  # noqa: PLC0415 -- with all that only workers need

    with suppress(EOFError, OSError), Referee(table.terms, table.bots) as referee:
        while True:
            match = msgspec.msgpack.decode(connection.recv_bytes(), type=Match)
            try:
                played = pack(*referee.play(match, table.seed))
            except Exception:  # noqa: BLE001 -- said where it is seen
                connection.send(Failure(format_exc()))
                return
            connection.send(played)


@contextmanager
def _deaf() -> Iterator[None]:
    """Let a process that is started here take no notice of Ctrl-C, from its very beginning."""
    if current_thread() is not main_thread():  # only there can signals be set
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def keep_files_to_ourselves() -> None:
    """Let no program that is started from here have a file that this process was given.

    A process that `multiprocessing` starts may pass on what it was started with. A bot that has the pipe to the process
    that schedules keeps it open when the worker is gone, and could write results into it.
    """
    if sys.platform == "win32":
        return
    for name in os.listdir("/dev/fd"):  # noqa: PTH208 -- numbers, not files
        with suppress(OSError):  # that of the folder itself is closed by now
            if int(name) > 2:
                os.set_inheritable(int(name), False)


def _end(_number: int, _frame: object) -> None:
    """Leave by way of the referee, which ends its bots; once, so that nothing disturbs it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


def _end_with(parent: int) -> None:
    """Be told to end when the process that schedules is killed, so that no bot plays on for nobody."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 -- which has what Python lacks

    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGTERM)
    if os.getppid() != parent:  # it is gone already
        sys.exit(0)

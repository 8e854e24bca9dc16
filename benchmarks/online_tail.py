"""Find out why the slowest choices are slow: `python -m benchmarks.online_tail [SECONDS]`.

A server under the steady load of `online` records when each choice passes each step, and when garbage collections and
checkpoints run. The table shows, for all choices and for the slowest hundredth, how long each step takes, and how many
of them wait during a collection or a checkpoint. `python -m benchmarks.online_tail PORT URL` runs this server.
"""

import gc
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final

import msgspec
from tests.server.server_process import free_port

from benchmarks import online, online_faceup, online_server
from benchmarks.arena import on_core
from benchmarks.online_processes import Server
from faceup.server.live.command_queue import Ack, CommandQueue
from faceup.server.store import LogRow, Store
from faceup.server.store.fast_append import FastAppender
from faceup.server.store.wal import WalManager
from faceup.server.store.writer import AppendJob, Writer

STEPS: Final = ("in the table's queue", "until the writer is free", "transaction and sync", "until the loop is free")
COLLECTION, CHECKPOINT, OWN_CHECKPOINT = "garbage collection", "checkpoint", "checkpoint by the writer"


class Trace(msgspec.Struct):
    """Times in seconds: for each choice, when its four steps start and end, and for each cause, when it runs."""

    choices: list[list[float]] = []
    causes: dict[str, list[tuple[float, float]]] = {}


class Tracer:
    """Records the steps of all choices of this process."""

    def __init__(self) -> None:
        self.trace = Trace(causes={COLLECTION: [], CHECKPOINT: [], OWN_CHECKPOINT: []})
        self._times: dict[tuple[str, int], list[float]] = {}
        self._collecting = 0.0

    def install(self) -> None:
        """Wrap the functions that make the steps and causes."""
        gc.callbacks.append(self._collect)
        wrapped = [
            (WalManager, "_run_checkpoints", CHECKPOINT),
            (FastAppender, "checkpoint", OWN_CHECKPOINT),
        ]
        for owner, name, cause in wrapped:
            setattr(owner, name, self._timed(getattr(owner, name), self.trace.causes[cause]))
        append, store, answer = Store.append, Writer._store, CommandQueue._answer  # noqa: SLF001 -- to trace them

        async def traced_append(self_: Store, *rows: LogRow, **others: Any) -> None:  # noqa: ANN401 -- passed on
            self._times.update({(row.table, row.seq): [perf_counter()] for row in rows})
            await append(self_, *rows, **others)

        def traced_store(self_: Writer, group: Sequence[Any]) -> None:  # Any: jobs
            start = perf_counter()
            store(self_, group)
            for row in (row for job in group if isinstance(job, AppendJob) for row in job.run):
                self._times[row.table, row.seq] += [start, perf_counter()]

        def traced_answer(self_: CommandQueue, answers: Iterable[tuple[Any, Any]]) -> None:  # Any: commands, results
            answers = list(answers)
            for pending, ack in answers:
                if isinstance(ack, Ack) and (times := self._times.pop((self_._table, ack.seq), None)):  # noqa: SLF001
                    self.trace.choices.append([pending.since, *times, perf_counter()])
            answer(self_, answers)

        setattr(Store, "append", traced_append)  # noqa: B010 -- mypy rejects the assignment to a method
        setattr(Writer, "_store", traced_store)  # noqa: B010 -- as above
        setattr(CommandQueue, "_answer", traced_answer)  # noqa: B010 -- as above

    def _collect(self, phase: str, _: dict[str, int]) -> None:
        if phase == "stop":
            self.trace.causes[COLLECTION].append((self._collecting, perf_counter()))
        self._collecting = perf_counter()

    @staticmethod
    def _timed(function: Callable[[Any], None], spans: list[tuple[float, float]]) -> Callable[[Any], None]:
        def timed(self_: Any) -> None:  # noqa: ANN401 -- passed on
            start = perf_counter()
            function(self_)
            spans.append((start, perf_counter()))

        return timed


def report(trace: Trace) -> str:
    """Return the steps of all choices and of the slowest ones, in milliseconds, and how many wait during each cause."""
    choices = sorted((choice for choice in trace.choices if len(choice) == len(STEPS) + 1), key=_wait)
    groups = {"all": choices, "slowest 1 %": choices[int(0.99 * len(choices)) :]}
    lines = [f"{len(choices):,} choices".ljust(48) + "".join(name.rjust(14) for name in groups)]
    for index, step in enumerate(STEPS):
        means = [1000 * fmean(times[index + 1] - times[index] for times in group) for group in groups.values()]
        lines.append(f"{step}, ms".ljust(48) + "".join(f"{mean:14.2f}" for mean in means))
    for cause, spans in trace.causes.items():
        shares = [fmean(_meets(times, spans) for times in group) for group in groups.values()]
        longest = max((end - start for start, end in spans), default=0.0)
        label = f"{cause}, {len(spans)} of {1000 * longest:.1f} ms at most"
        lines.append(label.ljust(48) + "".join(f"{share:14.1%}" for share in shares))
    return "\n".join(lines)


def _wait(times: Sequence[float]) -> float:
    return times[-1] - times[0]


def _meets(times: Sequence[float], spans: Sequence[tuple[float, float]]) -> bool:
    return any(start < times[-1] and times[0] < end for start, end in spans)


def measure(seconds: float) -> Trace:
    """Return the trace of a server that gets 200 choices a second from 1,000 sockets."""
    with tempfile.TemporaryDirectory(prefix="faceup-") as name:
        folder, port = Path(name), free_port()
        command = (sys.executable, "-m", "benchmarks.online_tail", str(port), str(folder / "tables.sqlite"))
        online.SLOW = seconds
        with Server(command, port, 0, folder, {"PYTHONPATH": ":".join(sys.path)}) as server, on_core(1):
            server.ready(online_faceup.READY)
            online.run_in_loop(online.measure(online_faceup, server, online.MANY, online.STEADY))
            server.stop()
            return msgspec.json.decode((folder / "tables.trace").read_bytes(), type=Trace)


def serve() -> None:
    """Run the server of the benchmark, and write its trace next to its database at the end."""
    tracer = Tracer()
    tracer.install()
    online_server.main()
    Path(sys.argv[2]).with_suffix(".trace").write_bytes(msgspec.json.encode(tracer.trace))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        serve()
    else:
        print(report(measure(float(sys.argv[1]) if sys.argv[1:] else 20.0)))

"""Reaching a Dask cluster: one that runs already, or processes of this machine."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from faceup.core import Malformed

if TYPE_CHECKING:
    from distributed import Client, Future

_PATIENCE: Final = 5.0
"""Seconds in which a scheduler answers, if there is one."""

_MOST_JOBS: Final = 1024

_AHEAD: Final = 3
"""Tasks that each worker has, so that it never waits for the next."""

_TRIES: Final = 3
"""How often a task is handed out again after Dask gave it up, because that many workers ended while they had it."""

Found = TypeVar("Found")


class Cluster:
    """Workers that run functions: see `connect`.

    Attributes:
        room: how many tasks keep all workers busy.
    """

    def __init__(self, client: "Client") -> None:
        from distributed import as_completed  # noqa: PLC0415 -- an extra

        self._client = client
        self._finished = as_completed(loop=client.loop)
        # Any: the function and the arguments of a task, to hand it out again.
        self._tasks: dict[str, tuple[Callable[..., Any], tuple[Any, ...], int, int]] = {}
        self._submitted = 0
        self.room = _AHEAD * max(1, sum(client.nthreads().values()))

    def hold(self, what: Found) -> "Future[Found]":
        """Something that many tasks take as an argument; it travels to each worker once.

        It is the result of a task, so that it is made again if the worker that has it ends.
        """
        return self._client.submit(_itself, what, pure=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> int:  # noqa: ANN401 -- whatever the function takes
        """Run a function somewhere, and give the number of the task."""
        number, self._submitted = self._submitted, self._submitted + 1
        self._hand_out(function, arguments, number, _TRIES)
        return number

    def wait(self) -> list[tuple[int, Any]]:  # Any: whatever the functions give
        """Wait until at least one task is finished, and give the results of all that are, by number."""
        while True:
            found = []
            for future in self._finished.next_batch(block=True):
                function, arguments, number, tries = self._tasks.pop(str(future.key))
                if future.status == "finished":
                    found.append((number, future.result()))
                elif tries and _is_lost(future):
                    self._hand_out(function, arguments, number, tries - 1)
                else:
                    future.result()  # raises what went wrong
            if found:
                return found

    def in_order(
        self, function: Callable[..., Found], tasks: Iterable[tuple[Any, ...]]
    ) -> Iterator[Found]:  # Any: as above
        """Run a function on many arguments, and give the results in the order of the arguments."""
        left = iter(tasks)
        held: dict[int, Found] = {}
        due: deque[int] = deque()
        while True:
            while len(due) < self.room and (task := next(left, None)) is not None:
                due.append(self.submit(function, *task))
            if not due:
                return
            if due[0] in held:
                yield held.pop(due.popleft())
            else:
                held |= dict(self.wait())

    def _hand_out(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], number: int, tries: int
    ) -> None:  # Any: as above
        future = self._client.submit(function, *arguments, pure=False)
        self._tasks[str(future.key)] = (function, arguments, number, tries)
        self._finished.add(future)


def _itself(what: Found) -> Found:
    return what


def _is_lost(future: "Future[Any]") -> bool:
    """Whether a task failed because its workers ended, and not by itself."""
    from distributed import KilledWorker  # noqa: PLC0415 -- an extra
    from distributed.client import FutureCancelledError  # noqa: PLC0415 -- an extra

    return future.status == "cancelled" or isinstance(future.exception(), KilledWorker | FutureCancelledError)


@contextmanager
def connect(scheduler: str | None, jobs: int) -> Iterator[Cluster]:
    """The cluster of a scheduler; without one, processes of this machine, which end with the block.

    Args:
        scheduler: its address, such as `tcp://10.0.0.1:8786`.
        jobs: how many processes, where there is no scheduler.

    Raises:
        Malformed: no jobs or too many, Dask is not installed, the scheduler does not answer, or it has no workers.
    """
    if not 1 <= jobs <= _MOST_JOBS:
        raise Malformed(f"jobs is 1 to {_MOST_JOBS}, not {jobs}", what=jobs, where="--jobs")
    try:
        from distributed import Client, LocalCluster  # noqa: PLC0415 -- an extra
    except ImportError:
        raise Malformed(
            "the engine dask needs Dask Distributed: pip install 'faceup[cluster]'", what="dask", where="--engine"
        ) from None
    if scheduler is None:
        with (
            LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            ) as local,
            Client(local, set_as_default=False) as client,
        ):
            yield Cluster(client)
        return
    try:
        client = Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Malformed(
            f"no Dask scheduler answers at {scheduler}: {error}; start one with `dask scheduler`",
            what=scheduler,
            where="--scheduler",
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise Malformed(
                f"the Dask scheduler at {scheduler} has no workers; start some with `dask worker {scheduler}`",
                what=scheduler,
                where="--scheduler",
            ) from None
        yield Cluster(client)

"""Distributed execution with Dask Distributed, which the extra `cluster` installs.

Tasks run on an existing Dask cluster, or in processes on this machine.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from faceup.core import Malformed
from faceup.extras import needs
from faceup.interpreter import SAFE_PATH, safe_path

__all__ = ["Cluster", "connect"]


if TYPE_CHECKING:
    from distributed import Client, Future

_CONNECT_TIMEOUT: Final = 5.0
"""Seconds to wait for a scheduler or its first worker."""

_MOST_JOBS: Final = 1024

_AHEAD: Final = 3
"""Tasks submitted per worker thread, so that no worker is idle."""

_TRIES: Final = 3
"""How often to resubmit a task after Dask gives up on it because its workers died."""

Found = TypeVar("Found")


class Cluster:
    """A pool of workers; create it with `connect`.

    Attributes:
        room: the number of tasks that keeps all workers busy.
    """

    def __init__(self, client: "Client") -> None:
        from distributed import as_completed  # noqa: PLC0415 -- an extra

        self._client = client
        self._finished = as_completed(loop=client.loop)
        # The function, arguments, number and remaining retries of each task. Any: a task can be any function.
        self._tasks: dict[str, tuple[Callable[..., Any], tuple[Any, ...], int, int]] = {}
        self._submitted = 0
        self.room = _AHEAD * max(1, sum(client.nthreads().values()))

    def scatter(self, what: Found) -> "Future[Found]":
        """Send an argument of many tasks to each worker once, and return a future to pass to them.

        The argument becomes the result of a task, so that Dask recomputes it if the worker that holds it dies.
        """
        return self._client.submit(_identity, what, pure=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> int:  # noqa: ANN401 -- a task can be any function
        """Run a function on a worker, and return the number of the task."""
        number, self._submitted = self._submitted, self._submitted + 1
        self._submit(function, arguments, number, _TRIES)
        return number

    def wait(self) -> list[tuple[int, Any]]:  # Any: the functions' results
        """Wait until at least one task is finished, and return (number, result) of all finished tasks."""
        while True:
            finished = []
            for future in self._finished.next_batch(block=True):
                function, arguments, number, tries = self._tasks.pop(str(future.key))
                if future.status == "finished":
                    finished.append((number, future.result()))
                elif tries and _is_lost(future):
                    self._submit(function, arguments, number, tries - 1)
                else:
                    future.result()  # raises the task's exception
            if finished:
                return finished

    def map_in_order(
        self, function: Callable[..., Found], tasks: Iterable[tuple[Any, ...]]
    ) -> Iterator[Found]:  # Any: as above
        """Run a function on many arguments, and yield the results in the order of the arguments."""
        left = iter(tasks)
        ready: dict[int, Found] = {}
        due: deque[int] = deque()
        while True:
            while len(due) < self.room and (task := next(left, None)) is not None:
                due.append(self.submit(function, *task))
            if not due:
                return
            if due[0] in ready:
                yield ready.pop(due.popleft())
            else:
                ready |= dict(self.wait())

    def _submit(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], number: int, tries: int
    ) -> None:  # Any: as above
        future = self._client.submit(function, *arguments, pure=False)
        self._tasks[str(future.key)] = (function, arguments, number, tries)
        self._finished.add(future)


def _identity(what: Found) -> Found:
    return what


def _is_lost(future: "Future[Any]") -> bool:
    """Return whether a task failed because its workers died, not because of an error in the task."""
    from distributed import KilledWorker  # noqa: PLC0415 -- an extra
    from distributed.client import FutureCancelledError  # noqa: PLC0415 -- an extra

    return future.status == "cancelled" or isinstance(future.exception(), KilledWorker | FutureCancelledError)


@contextmanager
def connect(scheduler: str | None, jobs: int) -> Iterator[Cluster]:
    """Connect to a Dask scheduler, or start processes on this machine until the block ends.

    Args:
        scheduler: the address, such as `tcp://10.0.0.1:8786`; None starts local processes.
        jobs: the number of local processes.

    Raises:
        Malformed: `jobs` is out of range, or the scheduler does not respond or has no workers.
        MissingExtraError: Dask is not installed.
    """
    if not 1 <= jobs <= _MOST_JOBS:
        raise Malformed(f"jobs must be 1 to {_MOST_JOBS}; got {jobs}", what=jobs, where="--jobs")
    with needs("cluster", "the engine dask"):
        from dask import config  # noqa: PLC0415 -- an extra
        from distributed import Client, LocalCluster  # noqa: PLC0415 -- as above
    if scheduler is None:
        with (
            safe_path(),  # for helper processes of `multiprocessing`
            config.set({f"distributed.nanny.pre-spawn-environ.{name}": value for name, value in SAFE_PATH.items()}),
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
        client = Client(scheduler, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Malformed(
            f"no Dask scheduler answers at {scheduler}: {error}; start one with `dask scheduler`",
            what=scheduler,
            where="--scheduler",
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_CONNECT_TIMEOUT)
        except TimeoutError:
            raise Malformed(
                f"the Dask scheduler at {scheduler} has no workers; start some with `dask worker {scheduler}`",
                what=scheduler,
                where="--scheduler",
            ) from None
        yield Cluster(client)

"""Spawn processes with `multiprocessing` that import no Python files of the current folder."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import parent_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread

from faceup.interpreter import safe_path


class SafeProcess(SpawnProcess):
    """A process that starts with `safe_path`."""

    def start(self) -> None:
        """Start the process."""
        with safe_path():
            super().start()


class SafeContext(SpawnContext):
    """The context of such processes. A fork, in contrast, can hang if other threads are running."""

    Process = SafeProcess

    def __init__(self) -> None:
        super().__init__()
        with safe_path():  # a lock or queue would start this child, too
            resource_tracker.ensure_running()


def worker_pool(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of such processes. The main process handles Ctrl-C, and they end when it has ended."""
    return ProcessPoolExecutor(jobs, SafeContext(), _set_up_worker)


def _set_up_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the main process has ended; after a kill, workers would otherwise wait for more work forever."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)

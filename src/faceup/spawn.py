"""Spawn processes with `multiprocessing` that import no Python files of the current folder."""

from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess

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

"""The cores that a server process may use, and the priority of work that must not slow down its event loop."""

import os
import sys
import threading
from typing import Final

NICE: Final = 5
"""Niceness of work that must not slow down the server's event loop."""


def core_count() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def lower_process_priority() -> None:
    """Lower the priority of this process, if the system can."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def lower_thread_priority() -> None:
    """Lower the priority of this thread, if the system can."""
    if sys.platform == "linux":  # other systems have no priorities of threads, and would lower the whole process
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICE)

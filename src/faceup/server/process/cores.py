"""The priority of work that must not slow down a server's event loop."""

import os
import sys
import threading
from typing import Final

NICE: Final = 5
"""Niceness of work that must not slow down the server's event loop."""


def lower_process_priority() -> None:
    """Lower the priority of this process, if the system can."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def lower_thread_priority() -> None:
    """Lower the priority of this thread, if the system can."""
    if sys.platform == "linux":  # other systems have no priorities of threads, and would lower the whole process
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICE)

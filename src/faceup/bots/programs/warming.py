"""Compiling for the next time, in a process that outlives this one and gives way to everything else."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal


def warm_in_background(folder: str) -> Literal["begun", "under way", "impossible"]:
    """Start `faceup warm` unless one is under way for that folder.

    Args:
        folder: where compiled code is kept; "" if it cannot be kept, so that there is no use in compiling.
    """
    try:
        import fcntl  # noqa: PLC0415 -- only some systems have it
    except ImportError:
        return "impossible"
    if not folder:
        return "impossible"
    try:
        with (Path(folder) / "warm.lock").open("a", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The process inherits the lock, and holds it as long as it lives.
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "faceup", "warm"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[lock.fileno()],
                start_new_session=True,
            )
            lock.truncate(0)
            lock.write(f"{process.pid}\n")  # for whoever wonders what it is that runs
    except BlockingIOError:
        return "under way"
    except OSError:
        return "impossible"
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process.pid, 19)
        os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
    return "begun"

"""What is tried with programs of our own: whether limits and fence hold, and what the referee asks of the kernel."""

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from faceup.arena import sandbox
from faceup.arena.bots import Bot
from faceup.arena.doctor.checks import Check, Verdict
from faceup.arena.doctor.reading import most_tasks
from faceup.arena.doctor.timing import PYTHON, child
from faceup.arena.limits import Limits, bind, count_running, process_limit_binds
from faceup.arena.sandbox import Sandbox

_GREEDY: Final = """
import os, resource, sys, json
sys.stdin.readline()
found = {}
try:
    bytearray(1 << 28)
    found["memory"] = False
except MemoryError:
    found["memory"] = True
kept = []
try:
    while len(kept) < 64: kept.append(os.open("/dev/null", 0))
    found["files"] = False
except OSError:
    found["files"] = True
while kept: os.close(kept.pop())
found["core"] = resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
children = []
try:
    while len(children) < 4:
        child = os.fork()
        if not child:
            os.read(0, 1)
            os._exit(0)
        children.append(child)
    found["processes"] = False
except OSError:
    found["processes"] = True
for child in children: os.kill(child, 9); os.waitpid(child, 0)
print(json.dumps(found), flush=True)
"""
"""Takes more than it may of everything, and says what it was refused."""

_ESCAPING: Final = """
import json, socket, sys
found = {}
for name, call in (
    ("write", lambda: open(sys.argv[1] + "/mark", "w")),
    ("read", lambda: open(sys.argv[1] + "/secret")),
    ("network", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
):
    try:
        call().close()
        found[name] = False
    except OSError:
        found[name] = True
print(json.dumps(found), flush=True)
"""
"""Tries what a fence is to refuse, and says what was refused."""

_NAMES: Final = {
    "memory": "memory",
    "files": "open files",
    "core": "core files",
    "processes": "processes",
    "write": "files of yours that it writes",
    "read": "files of yours that it reads",
    "network": "the network",
}


def check_limits() -> Check:
    """Whether the limits hold for a program that takes more than it may."""
    if sys.platform != "linux":
        return Check("limits", Verdict.NOTE, "none here (they need Linux): a program may fill the memory")
    room = count_running() + 2 if process_limit_binds() else 0
    with child([*PYTHON, _GREEDY]) as (process, asking, answering):
        bind(process.pid, Limits(memory=1 << 27, processes=room, files=32))
        os.write(asking.fileno(), b"\n")
        found = _told(answering.read())
    return _check("limits", found, "hold, tried with a program")


def check_sandbox() -> Check:
    """Whether there is a sandbox, and whether it holds a program back."""
    if reason := sandbox.why_not():
        return Check("sandbox", Verdict.NOTE, f"none: {reason}; run only programs that you trust")
    with tempfile.TemporaryDirectory(prefix="faceup-doctor-") as folder:
        (Path(folder) / "secret").touch()
        bot = Bot("doctor", (*PYTHON, _ESCAPING, folder), folder="/usr")
        with Sandbox(bot) as fenced:
            done = fenced.start(
                lambda: subprocess.run(  # noqa: S603 -- a program of our own
                    bot.command,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    env={**os.environ, **fenced.environment},
                    check=False,
                )
            )
    return _check("sandbox", _told(done.stdout), "works, tried with a program: no network, no files but its own")


def check_kernel() -> Check:
    """Whether the kernel has what the referee waits and cleans up with."""
    missing = []
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        missing.append("a descriptor to wait on a process (pidfd)")
    if not _adopts():
        missing.append("a way to adopt what a program leaves behind (subreaper)")
    if missing:
        said = f"lacks {' and '.join(missing)}: programs that hide from the referee may go on running"
        return Check("kernel", Verdict.NOTE, said)
    return Check("kernel", Verdict.GOOD, "nothing that a program leaves behind escapes (pidfd, subreaper)")


def _adopts() -> bool:
    """Whether a process can be made the one to which orphans below it come; tried, and put back."""
    if sys.platform != "linux":
        return False
    set_it, get_it, before = 36, 37, ctypes.c_int()
    libc = ctypes.CDLL(None)
    if libc.prctl(get_it, ctypes.byref(before), 0, 0, 0):
        return False
    tried: bool = libc.prctl(set_it, 1, 0, 0, 0) == 0
    libc.prctl(set_it, before.value, 0, 0, 0)
    return tried


def _told(said: bytes) -> dict[str, bool]:
    try:
        return msgspec.json.decode(said, type=dict[str, bool])
    except msgspec.DecodeError:
        return {}


def _check(name: str, found: dict[str, bool], good: str) -> Check:
    """What follows from what a program was refused."""
    if not found:
        return Check(name, Verdict.NOTE, "could not be tried: the program for it did not run")
    figures = {each: float(held) for each, held in found.items()}
    loose = [_NAMES[each] for each, held in found.items() if not held]
    if not loose:
        return Check(name, Verdict.GOOD, good, figures)
    said = f"do not hold for {', '.join(loose)}"
    if loose == [_NAMES["processes"]] and not process_limit_binds():
        if most := most_tasks():
            figures["tasks"] = most
            said = f"{good}; processes by the group that we are in, to {most}, as the kernel holds root to no number"
            return Check(name, Verdict.GOOD, said, figures)
        said = f"{good}, but for processes, since the kernel holds root to no number: run strangers' programs as a user"
        said += ", or in a group (systemd-run --scope -p TasksMax=1000 faceup arena ...)"
    return Check(name, Verdict.NOTE, said, figures)

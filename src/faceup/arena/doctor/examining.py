"""The whole examination, and what follows from it."""

import os
import sys

from faceup.arena.doctor import reading, timing, trying
from faceup.arena.doctor.checks import Examination
from faceup.core import Malformed


def examine() -> Examination:
    """Examine this machine, in a second or two, with programs of our own.

    Raises:
        Malformed: on a system whose programs the referee cannot time.
    """
    if sys.platform == "win32":
        raise Malformed("the doctor examines Linux and macOS, not Windows", what="win32", where="system")
    usable = reading.usable_cores()
    before, ours = reading.ticks(usable), _used()
    waiting, excused = timing.check_waiting()
    clock, stalls = timing.check_clock(excused=excused)
    waking, pipes = timing.check_waking(excused=excused), timing.check_pipes(excused=excused)
    limits, fence, kernel = trying.check_limits(), trying.check_sandbox(), trying.check_kernel()
    load, others = reading.check_load(before, reading.ticks(usable), _used() - ours)
    found = reading.cores(usable)
    governor = reading.check_governor()
    checks = [reading.check_cores(found), load, stalls, clock, waking, pipes, waiting, kernel, limits, fence]
    checks += [reading.check_memory(), *([governor] if governor else []), reading.check_folder()]
    at_once, why = conclude(found, others)
    return Examination(tuple(checks), at_once, why)


def conclude(found: reading.Cores, others: float) -> tuple[int, str]:
    """How many matches to run at once, and why, when others keep so many cores busy.

    The programs of a match are asked one after another, so a match keeps one core busy.

    >>> conclude(reading.Cores(8, 8, None), 1.8)
    (6, '8 cores, of which others keep 2 busy, and a match needs one')
    >>> conclude(reading.Cores(16, 8, 6.5), 0.1)
    (6, 'the quota leaves 6 cores, and a match needs one')
    >>> conclude(reading.Cores(2, 1, None), 0.0)
    (1, '2 threads on 1 core, and a match needs one')
    >>> conclude(reading.Cores(2, 2, None), 1.9)
    (1, '2 cores, of which others keep 2 busy, and a match needs one; it is better to wait until they are done')
    """
    if found.quota is not None and int(found.quota) < found.whole:
        where = f"the quota leaves {_counted(int(found.quota))}"
    elif found.whole < found.usable:
        where = f"{found.usable} threads on {_counted(found.whole)}"
    else:
        where = _counted(found.whole)
    free = found.at_most - round(others)
    taken = f", of which others keep {round(others)} busy" if round(others) else ""
    wait = "" if free > 0 or found.at_most < 1 else "; it is better to wait until they are done"
    return max(1, free), f"{where}{taken}, and a match needs one{wait}"


def _used() -> float:
    """Seconds of processor time that this process and its children have used."""
    return sum(os.times()[:4])


def _counted(cores: int) -> str:
    return "1 core" if cores == 1 else f"{cores} cores"

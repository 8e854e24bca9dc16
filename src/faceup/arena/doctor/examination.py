"""Run all checks of this machine and recommend a number of parallel matches."""

from faceup.arena.doctor import probes, system
from faceup.arena.doctor.system import Examination
from faceup.arena.process.spawn import require_posix
from faceup.core import plural
from faceup.processors import usable_cores


def examine() -> Examination:
    """Examine this machine with test programs, which takes one or two seconds.

    Raises:
        Malformed: this system is Windows.
    """
    require_posix()
    usable = usable_cores()
    meter = system.LoadMeter()
    waiting, excused = probes.check_schedstat()
    clock, stalls = probes.check_clock(excused=excused)
    waking, pipes = probes.check_wait_overshoot(excused=excused), probes.check_pipes(excused=excused)
    limits, fence, kernel = probes.check_limits(), probes.check_sandbox(), probes.check_kernel()
    load, others = meter.check()
    cores = system.cores(usable)
    governor = system.check_governor()
    checks = [system.check_cores(cores), load, stalls, clock, waking, pipes, waiting, kernel, limits, fence]
    checks += [system.check_memory(), *([governor] if governor else []), system.check_folder()]
    parallel_matches, why = recommend_parallel_matches(cores, others)
    return Examination(tuple(checks), parallel_matches, why)


def recommend_parallel_matches(cores: system.Cores, others: float) -> tuple[int, str]:
    """Recommend a number of parallel matches.

    The programs of a match are asked one after another, so a match keeps one core busy.

    Args:
        cores: the cores and the quota of this machine.
        others: the number of cores that other processes keep busy.

    Returns:
        The number, and the reason for it.

    >>> recommend_parallel_matches(system.Cores(8, 8, None), 1.8)
    (6, '8 cores, of which others keep 2 busy, and a match needs one')
    >>> recommend_parallel_matches(system.Cores(16, 8, 6.5), 0.1)
    (6, 'the quota leaves 6 cores, and a match needs one')
    >>> recommend_parallel_matches(system.Cores(2, 1, None), 0.0)
    (1, '2 threads on 1 core, and a match needs one')
    >>> recommend_parallel_matches(system.Cores(2, 2, None), 1.9)
    (1, '2 cores, of which others keep 2 busy, and a match needs one; it is better to wait until they are done')
    """
    if cores.quota is not None and int(cores.quota) < cores.whole:
        where = f"the quota leaves {_counted(int(cores.quota))}"
    elif cores.whole < cores.usable:
        where = f"{cores.usable} threads on {_counted(cores.whole)}"
    else:
        where = _counted(cores.whole)
    free = cores.at_most - round(others)
    taken = f", of which others keep {round(others)} busy" if round(others) else ""
    wait = "" if free > 0 or cores.at_most < 1 else "; it is better to wait until they are done"
    return max(1, free), f"{where}{taken}, and a match needs one{wait}"


def _counted(cores: int) -> str:
    return plural(cores, "core")

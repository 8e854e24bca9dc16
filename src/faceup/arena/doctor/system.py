"""Results of checks, and the checks of what the system reports, such as cores, quotas, load and memory.

System files are read below a root folder, `/` by default, so that tests can use copies of other machines' files.
"""

import os
import tempfile
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from faceup.arena.match.terms import MEMORY
from faceup.core import plural
from faceup.processors import ROOT, control_groups, quota, read, usable_cores


class CheckStatus(StrEnum):
    """The status of a check."""

    GOOD = "good"
    """The check found no problem."""
    NOTE = "note"
    """Matches are fair, but something could be better."""
    BAD = "bad"
    """Matches cannot be fair."""


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of one check.

    Attributes:
        name: what was checked.
        verdict: the status.
        message: what was found and what follows from it.
        figures: the measured values by name, with times in microseconds and sizes in bytes.
    """

    name: str
    verdict: CheckStatus
    message: str
    figures: dict[str, float] = {}


class Examination(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The results of all checks of a machine.

    Attributes:
        checks: the results in display order.
        parallel_matches: the recommended number of parallel matches.
        why: the reason for the recommended number.
    """

    checks: tuple[Check, ...]
    parallel_matches: int
    why: str

    @property
    def fair(self) -> bool:
        """Return whether matches on this machine can be fair.

        >>> Examination((Check("load", CheckStatus.NOTE, "other processes are busy"),), 1, "one core").fair
        True
        """
        return all(check.verdict != CheckStatus.BAD for check in self.checks)

    @property
    def problems(self) -> tuple[str, ...]:
        """Return the reasons why matches cannot be fair; empty if they can."""
        return tuple([check.message for check in self.checks if check.verdict == CheckStatus.BAD])


_LEAST_FREE: Final = 1 << 30


class Cores(NamedTuple):
    """The CPU capacity of this process.

    Attributes:
        usable: the number of logical cores that it may run on.
        whole: the number of physical cores to which these logical cores belong.
        quota: the CPU quota in cores; None if there is none.
    """

    usable: int
    whole: int
    quota: float | None

    @property
    def at_most(self) -> int:
        """Return how many programs can run in parallel so that each has a physical core and the quota suffices."""
        return min(self.whole, int(self.quota)) if self.quota is not None else self.whole


def cores(usable: Sequence[int], root: Path = ROOT) -> Cores:
    """Count these logical cores and the physical cores to which they belong, and read the quota."""
    siblings = {
        read(root / f"sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list") or str(core) for core in usable
    }
    return Cores(len(usable), len(siblings), quota(root))


def most_tasks(root: Path = ROOT) -> int | None:
    """Return the least limit on processes and threads (`pids.max`) of this process's control groups; None if none."""
    limits = [read(group / "pids.max") for group in control_groups("pids", root)]
    return min([int(most) for most in limits if most.isdecimal()], default=None)


def check_cores(cores: Cores) -> Check:
    """Check that the quota, if there is one, allows for at least one core."""
    figures = {"usable": float(cores.usable), "whole": float(cores.whole)}
    words = f"{cores.usable}"
    if cores.whole < cores.usable:
        words += f" threads of {cores.whole} cores"
    if cores.quota is None:
        return Check("cores", CheckStatus.GOOD, f"{words}, without a quota", figures)
    figures["quota"] = cores.quota
    if cores.quota < 1:
        text = f"{words}, limited by a quota to {cores.quota:.2g}; programs stall whenever the quota is used up"
        return Check("cores", CheckStatus.BAD, text, figures)
    return Check("cores", CheckStatus.GOOD, f"{words}, limited by a quota to {cores.quota:.3g}", figures)


class Ticks(NamedTuple):
    """The CPU time of some cores since boot.

    Attributes:
        cores: the number of cores.
        busy: ticks in which they were busy.
        stolen: ticks that the host of a virtual machine took away.
        total: all ticks.
    """

    cores: int
    busy: int
    stolen: int
    total: int


def ticks(usable: Sequence[int], root: Path = ROOT) -> Ticks | None:
    """Return the CPU time of these cores since boot; None if the system does not report it."""
    names = {f"cpu{core}" for core in usable}
    lines = [line.split() for line in read(root / "proc/stat").splitlines() if line.startswith("cpu")]
    figures = [[int(field) for field in fields[1:9]] for fields in lines if fields[0] in names and len(fields) > 8]
    if not figures:
        return None
    user, nice, system, idle, waiting, irq, soft, stolen = map(sum, zip(*figures, strict=True))
    busy = user + nice + system + irq + soft
    return Ticks(len(figures), busy, stolen, busy + stolen + idle + waiting)


def check_load(before: Ticks | None, after: Ticks | None, ours: float) -> tuple[Check, float]:
    """Check how many cores other processes kept busy between two readings.

    Args:
        before: the first reading.
        after: the second reading.
        ours: CPU seconds that this process and its children used between the readings.

    Returns:
        The check, and the number of cores that other processes kept busy.
    """
    if before is None or after is None or after.total <= before.total:
        return Check("load", CheckStatus.NOTE, "not available"), 0.0
    hertz = os.sysconf("SC_CLK_TCK")
    count = after.cores
    share = count / (after.total - before.total)
    others = max(0.0, (after.busy - before.busy - ours * hertz) * share)
    stolen = (after.stolen - before.stolen) * share
    figures = {"others": round(others, 2), "stolen": round(stolen, 2)}
    if stolen > 0.2 * count:
        text = f"the host took {stolen:.1f} of {plural(count, 'core')} away, so CPU time is not steady"
        return Check("load", CheckStatus.BAD, text, figures), others
    if others > 0.25:
        text = (
            f"other processes keep {others:.1f} of {plural(count, 'core')} busy, so fewer matches can run in parallel"
        )
        return Check("load", CheckStatus.NOTE, text, figures), others
    return Check(
        "load", CheckStatus.GOOD, f"other processes keep {others:.1f} of {plural(count, 'core')} busy", figures
    ), others


class LoadMeter:
    """A measurement of how busy other processes keep this machine, from its creation to `check`."""

    def __init__(self) -> None:
        self._cores = usable_cores()
        self._before, self._used = ticks(self._cores), sum(os.times()[:4])

    def check(self) -> tuple[Check, float]:
        """Return the check of the load, and the number of cores that other processes kept busy; see `check_load`."""
        return check_load(self._before, ticks(self._cores), sum(os.times()[:4]) - self._used)


def check_memory(root: Path = ROOT) -> Check:
    """Check how much memory is free, and whether a program can use as much as its limit allows."""
    sizes = {
        name: int(rest.split()[0]) << 10
        for name, _, rest in (line.partition(":") for line in read(root / "proc/meminfo").splitlines())
        if name in {"MemTotal", "MemAvailable"}
    }
    if len(sizes) < 2:
        return Check("memory", CheckStatus.NOTE, "not available")
    total, free = sizes["MemTotal"], sizes["MemAvailable"]
    figures = {"total": float(total), "free": float(free)}
    text = f"{free / (1 << 30):.1f} of {total / (1 << 30):.1f} GB are free"
    if not free // MEMORY:
        text += f", less than the {MEMORY >> 30} GB that one program may use; set a lower limit"
        return Check("memory", CheckStatus.NOTE, text, figures)
    if total // 64 > MEMORY // 2:
        text += "; Java reserves a 64th of all memory at its start, so set -Xms and -Xmx, or a higher limit"
        return Check("memory", CheckStatus.NOTE, text, figures)
    return Check("memory", CheckStatus.GOOD, text, figures)


def check_governor(root: Path = ROOT) -> Check | None:
    """Check the CPU frequency governor; None if there is none, as on virtual machines."""
    governors = {read(path) for path in root.glob("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")} - {""}
    if not governors:
        return None
    names = ", ".join(sorted(governors))
    if governors == {"performance"}:
        return Check("governor", CheckStatus.GOOD, f"{names}, with constant clock speed")
    text = f"{names}; cores slow down when idle, so first answers take longer; the governor `performance` avoids this"
    return Check("governor", CheckStatus.NOTE, text)


def check_folder(folder: Path | None = None) -> Check:
    """Check that programs can be copied to the temporary folder and run from there."""
    place = folder or Path(tempfile.gettempdir())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"faceup")
        usage = os.statvfs(place)
    except OSError as error:
        text = f"{place} is not writable ({error.strerror}); set TMPDIR to another folder"
        return Check("folder", CheckStatus.NOTE, text)
    free = usage.f_bavail * usage.f_frsize
    figures = {"free": float(free)}
    if usage.f_flag & getattr(os, "ST_NOEXEC", 0):
        text = f"{place} cannot run programs, because it is mounted noexec; set TMPDIR to another folder"
        return Check("folder", CheckStatus.NOTE, text, figures)
    if free < _LEAST_FREE:
        text = f"{place} has {free / (1 << 20):.0f} MB left, which long logs may fill"
        return Check("folder", CheckStatus.NOTE, text, figures)
    return Check("folder", CheckStatus.GOOD, f"{place} has {free / (1 << 30):.0f} GB left", figures)

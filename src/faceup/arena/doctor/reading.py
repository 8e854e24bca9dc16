"""What the system says of itself: cores, quotas, load, memory, governor, temporary folder.

All is read below a root, `/` unless it is another's copy, so that other machines can be examined from their files.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from faceup.arena.doctor.checks import Check, Verdict
from faceup.arena.terms import MEMORY

ROOT: Final = Path("/")
_LEAST_FREE: Final = 1 << 30


class Cores(NamedTuple):
    """The processor time that there is: logical cores that we may use, whole cores among them, and a quota or none."""

    usable: int
    whole: int
    quota: float | None

    @property
    def at_most(self) -> int:
        """How many programs can run at a time with a core for each."""
        return min(self.whole, int(self.quota)) if self.quota is not None else self.whole


def usable_cores() -> tuple[int, ...]:
    """The numbers of the cores that this process may run on."""
    return tuple(sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))


def cores(usable: Sequence[int], root: Path = ROOT) -> Cores:
    """What these cores come to. Two threads of one core count as one whole core."""
    siblings = {
        read(root / f"sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list") or str(core) for core in usable
    }
    return Cores(len(usable), len(siblings), quota(root))


def quota(root: Path = ROOT) -> float | None:
    """How many cores' worth of time the groups that we are in leave us (`cpu.max`, `cpu.cfs_quota_us`); None: all."""
    return min([allowed for group in _groups("cpu", root) for allowed in _quota_of(group)], default=None)


def most_tasks(root: Path = ROOT) -> int | None:
    """How many processes and threads the groups that we are in allow all of us together (`pids.max`); None: any."""
    found = [read(group / "pids.max") for group in _groups("pids", root)]
    return min([int(most) for most in found if most.isdecimal()], default=None)


def _groups(kind: str, root: Path) -> Iterator[Path]:
    """The folders of the groups that this process is in, from the outermost: of the one hierarchy, or of that kind."""
    for line in read(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        kinds, _, path = rest.partition(":")
        if kinds and kind not in kinds.split(","):
            continue
        top = root / "sys/fs/cgroup"
        if kinds:
            top /= kind if (top / kind).is_dir() else kinds
        parts = [part for part in path.split("/") if part]
        yield from (top.joinpath(*parts[:depth]) for depth in range(len(parts) + 1))


def _quota_of(group: Path) -> list[float]:
    new = read(group / "cpu.max").split() or [
        read(group / "cpu.cfs_quota_us"),
        read(group / "cpu.cfs_period_us"),
    ]
    with suppress(ValueError, ZeroDivisionError):  # "max", or there are no such files
        allowed = float(new[0]) / float(new[1])
        return [allowed] if allowed > 0 else []
    return []


def check_cores(found: Cores) -> Check:
    """Whether there is at least a core for a program."""
    figures = {"usable": float(found.usable), "whole": float(found.whole)}
    words = f"{found.usable}"
    if found.whole < found.usable:
        words += f", as threads of {found.whole} whole ones"
    if found.quota is None:
        return Check("cores", Verdict.GOOD, f"{words}, without a quota", figures)
    figures["quota"] = found.quota
    if found.quota < 1:
        said = f"{words}, of which a quota leaves {found.quota:.2g}: programs are held up whenever it is used up"
        return Check("cores", Verdict.BAD, said, figures)
    return Check("cores", Verdict.GOOD, f"{words}, of which a quota leaves {found.quota:.3g}", figures)


class Ticks(NamedTuple):
    """How many cores, and how they have spent their time since the machine started, in ticks of all together."""

    cores: int
    busy: int
    stolen: int
    total: int


def ticks(usable: Sequence[int], root: Path = ROOT) -> Ticks | None:
    """How these cores have spent their time so far; None where it is not told."""
    names = {f"cpu{core}" for core in usable}
    lines = [line.split() for line in read(root / "proc/stat").splitlines() if line.startswith("cpu")]
    figures = [[int(field) for field in fields[1:9]] for fields in lines if fields[0] in names and len(fields) > 8]
    if not figures:
        return None
    user, nice, system, idle, waiting, irq, soft, stolen = map(sum, zip(*figures, strict=True))
    busy = user + nice + system + irq + soft
    return Ticks(len(figures), busy, stolen, busy + stolen + idle + waiting)


def check_load(before: Ticks | None, after: Ticks | None, ours: float) -> tuple[Check, float]:
    """How many cores others keep busy, `ours` being the seconds that we used meanwhile; and the check."""
    if before is None or after is None or after.total <= before.total:
        return Check("load", Verdict.NOTE, "cannot be read here"), 0.0
    hertz = os.sysconf("SC_CLK_TCK")
    count = after.cores
    share = count / (after.total - before.total)
    others = max(0.0, (after.busy - before.busy - ours * hertz) * share)
    stolen = (after.stolen - before.stolen) * share
    figures = {"others": round(others, 2), "stolen": round(stolen, 2)}
    if stolen > 0.2 * count:
        said = f"the machine's host took {stolen:.1f} of {count} cores away while we looked: it gives no steady time"
        return Check("load", Verdict.BAD, said, figures), others
    if others > 0.25:
        said = f"others keep {others:.1f} of {count} cores busy: answers take longer, and fewer matches fit"
        return Check("load", Verdict.NOTE, said, figures), others
    return Check("load", Verdict.GOOD, f"others keep {others:.1f} of {count} cores busy", figures), others


def check_memory(root: Path = ROOT) -> Check:
    """How much memory is free, and whether programs may fill theirs."""
    sizes = {
        name: int(rest.split()[0]) << 10
        for name, _, rest in (line.partition(":") for line in read(root / "proc/meminfo").splitlines())
        if name in {"MemTotal", "MemAvailable"}
    }
    if len(sizes) < 2:
        return Check("memory", Verdict.NOTE, "cannot be read here")
    total, free = sizes["MemTotal"], sizes["MemAvailable"]
    figures = {"total": float(total), "free": float(free)}
    said = f"{free / (1 << 30):.1f} of {total / (1 << 30):.1f} GB are free"
    if not free // MEMORY:
        said += f", less than the {MEMORY >> 30} GB that one program may take: set a lower limit"
        return Check("memory", Verdict.NOTE, said, figures)
    if total // 64 > MEMORY // 2:
        said += "; Java takes a 64th of all as it starts: give it -Xms and -Xmx, or a higher limit"
        return Check("memory", Verdict.NOTE, said, figures)
    return Check("memory", Verdict.GOOD, said, figures)


def check_governor(root: Path = ROOT) -> Check | None:
    """Whether the cores change their speed; None where nothing says so, as on virtual machines."""
    found = {read(path) for path in root.glob("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")} - {""}
    if not found:
        return None
    names = ", ".join(sorted(found))
    if found == {"performance"}:
        return Check("governor", Verdict.GOOD, f"{names}: the cores keep their speed")
    said = f"{names}: cores slow down when idle, so first answers take longer; `performance` keeps their speed"
    return Check("governor", Verdict.NOTE, said)


def check_folder(folder: Path | None = None) -> Check:
    """Whether copies of programs can be kept in the temporary folder and run from there."""
    place = folder or Path(tempfile.gettempdir())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"faceup")
        found = os.statvfs(place)
    except OSError as error:
        said = f"{place} cannot be written to ({error.strerror}): name another one in TMPDIR"
        return Check("folder", Verdict.NOTE, said)
    free = found.f_bavail * found.f_frsize
    figures = {"free": float(free)}
    if found.f_flag & getattr(os, "ST_NOEXEC", 0):
        said = f"{place} runs no programs (it is mounted noexec): name another one in TMPDIR"
        return Check("folder", Verdict.NOTE, said, figures)
    if free < _LEAST_FREE:
        said = f"{place} has {free / (1 << 20):.0f} MB left, which long logs may fill"
        return Check("folder", Verdict.NOTE, said, figures)
    return Check("folder", Verdict.GOOD, f"{place} has {free / (1 << 30):.0f} GB left", figures)


def read(path: Path) -> str:
    """The text of a small file without the white space around it; empty if it cannot be read."""
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""

"""The processors that this process may use: its CPU affinity and the quotas of its control groups.

System files are read below a root folder, `/` by default, so that tests can use copies of other machines' files.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

ROOT: Final = Path("/")


def processors(root: Path = ROOT) -> int:
    """Return how many processes can run in parallel: the usable cores, or what a quota allows, but at least 1."""
    allowed = quota(root)
    count = len(usable_cores())
    return count if allowed is None else max(1, min(count, int(allowed)))


def usable_cores() -> tuple[int, ...]:
    """Return the numbers of the logical cores that this process may run on."""
    return tuple(sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))


def quota(root: Path = ROOT) -> float | None:
    """Return the smallest CPU quota of this process's control groups, in cores; None if there is no quota.

    The quota is in `cpu.max` (cgroup v2) or `cpu.cfs_quota_us` (cgroup v1).
    """
    return min([allowed for group in control_groups("cpu", root) for allowed in _quota_of(group)], default=None)


def control_groups(kind: str, root: Path) -> Iterator[Path]:
    """Yield the folders of this process's control groups for a controller, the outermost group first.

    In cgroup v1, each controller (`kind`) has its own groups. In v2, all controllers share the same groups.
    """
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
    with suppress(ValueError, ZeroDivisionError):  # the quota is "max", or the group has no such files
        allowed = float(new[0]) / float(new[1])
        return [allowed] if allowed > 0 else []
    return []


def read(path: Path) -> str:
    """Return the text of a small file without white space around it; empty if the file cannot be read."""
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""

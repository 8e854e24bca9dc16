"""Kill programs with all their descendants, and reap every zombie.

A whole process group is killed in one call, so no process in it can fork and escape. Descendants that have left the
group become children of this process when their parent ends, because this process is a child subreaper. They are
recognized by their session, which is not the session of this process. They are killed until none is left.
"""

import os
import signal
from typing import Final

from faceup.arena.process.linux import children_of, set_child_subreaper, stat

_PROGRAMS: Final[set[int]] = set()
"""Process IDs of the programs of all reapers in this process that have not been waited for."""

_REAPERS: "Final[set[Reaper]]" = set()


class Reaper:
    """A reaper, which makes this process the subreaper of its orphaned descendants while the reaper is open.

    Children that this process had before the reaper was created are left alone.
    """

    def __init__(self) -> None:
        self._other_children = frozenset(children_of(os.getpid()))
        set_child_subreaper(on=True)
        _REAPERS.add(self)

    def add(self, process: int) -> None:
        """Register a program that was started."""
        _PROGRAMS.add(process)

    def remove(self, process: int) -> None:
        """Unregister a program that has ended and was waited for."""
        _PROGRAMS.discard(process)

    def kill(self, process: int) -> int:
        """Kill a program and its process group, wait for it, and return its `os.waitpid` status.

        The program is waited for only after its group was killed, because until then its process ID cannot be reused.
        A program that runs as another user, for example through `sudo`, can be neither killed nor waited for.
        """
        wait = 0
        try:
            os.killpg(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        except PermissionError:  # the program runs as another user, or, on macOS, its whole group has ended
            wait = os.WNOHANG
        _PROGRAMS.discard(process)
        return _wait_for(process, wait)

    def kill_orphans(self) -> None:
        """Kill all descendants that programs left behind."""
        unkillable: set[int] = set()
        while orphans := [child for child in self._orphans() if child not in unkillable]:
            for orphan in orphans:
                try:
                    os.kill(orphan, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                except PermissionError:
                    unkillable.add(orphan)
            for orphan in orphans:
                _wait_for(orphan, os.WNOHANG if orphan in unkillable else 0)

    def close(self) -> None:
        """Close this reaper. If no other reaper is open, this process no longer adopts orphans."""
        _REAPERS.discard(self)
        if not _REAPERS:
            set_child_subreaper(on=False)

    def _orphans(self) -> list[int]:
        """Return the adopted orphans, which are unknown children with another session than this process."""
        own_children = _PROGRAMS | self._other_children
        others = [child for child in children_of(os.getpid()) if child not in own_children]
        return [child for child in others if stat(child).session != os.getsid(0)]


def _wait_for(process: int, how: int) -> int:
    """Wait for a child with the options `how` of `os.waitpid`, and return its status."""
    try:
        return os.waitpid(process, how)[1]
    except ChildProcessError:  # other code in this process has waited for it
        return 0

"""Ending programs with all that they started, so that no process is left, and none that has ended waits for its parent.

A process group is killed at one stroke, and nothing in it can start another meanwhile. What has left the group comes
back when its own parent has ended, because this process takes orphans in; it is known by its session, which is not
this process's own, and is killed until nothing more comes back.
"""

import os
import signal
from typing import Final

from faceup.arena.programs.kernel import children_of, stat, take_in_orphans

_PROGRAMS: Final[set[int]] = set()
"""The programs of this process that have not been waited for, whoever runs them."""

_WATCHES: "Final[set[Watch]]" = set()


class Watch:
    """Orphans come back to this process as long as one is open.

    Children that this process has when it begins are none of its affair.
    """

    def __init__(self) -> None:
        self._strangers = frozenset(children_of(os.getpid()))
        take_in_orphans(on=True)
        _WATCHES.add(self)

    def began(self, process: int) -> None:
        """A program was started."""
        _PROGRAMS.add(process)

    def ended(self, process: int) -> None:
        """It has ended, and was waited for."""
        _PROGRAMS.discard(process)

    def kill(self, process: int) -> int:
        """End a program and its group, and wait for it; what it ended with, as `os.waitpid` says it.

        It is waited for when its group was killed: until then nobody else can have its number. A program that took
        other rights, as one behind `sudo` does, is not ours to end, and not waited for.
        """
        wait = 0
        try:
            os.killpg(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        except PermissionError:  # it took other rights; or, on macOS, all of the group have ended
            wait = os.WNOHANG
        _PROGRAMS.discard(process)
        return _waited_for(process, wait)

    def kill_strays(self) -> None:
        """End what programs left behind."""
        spared: set[int] = set()
        while strays := [child for child in self._strays() if child not in spared]:
            for stray in strays:
                try:
                    os.kill(stray, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                except PermissionError:
                    spared.add(stray)
            for stray in strays:
                _waited_for(stray, os.WNOHANG if stray in spared else 0)

    def close(self) -> None:
        """Take nothing in any longer."""
        _WATCHES.discard(self)
        if not _WATCHES:
            take_in_orphans(on=False)

    def _strays(self) -> list[int]:
        """What came back to this process: what this process starts otherwise is in its own session."""
        known = _PROGRAMS | self._strangers
        others = [child for child in children_of(os.getpid()) if child not in known]
        return [child for child in others if stat(child).session != os.getsid(0)]


def _waited_for(process: int, how: int) -> int:
    """What a child ended with."""
    try:
        return os.waitpid(process, how)[1]
    except ChildProcessError:  # somebody else in this process waits for whatever ends
        return 0

"""Ending programs with all that they started, so that no process is left, and none that has ended waits for its parent.

A process group is killed at one stroke, and nothing in it can start another meanwhile. What has left the group comes
back when its own parent has ended, because this process takes orphans in; it is known by its session, which is not
this process's own, and is killed until nothing more comes back.
"""

import os
import signal
from contextlib import suppress
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

    def kill(self, process: int) -> int:
        """End a program and its group, and wait for it; what it ended with, as `os.waitpid` says it.

        It is waited for when its group was killed: until then nobody else can have its number.
        """
        with suppress(ProcessLookupError, PermissionError):  # PermissionError: macOS, if all of them have ended
            os.killpg(process, signal.SIGKILL)
        _PROGRAMS.discard(process)
        try:
            return os.waitpid(process, 0)[1]
        except ChildProcessError:  # somebody in this process waits for whatever ends
            return 0

    def kill_strays(self) -> None:
        """End what programs left behind."""
        while strays := [child for child in children_of(os.getpid()) if self._is_stray(child)]:
            for stray in strays:
                with suppress(ProcessLookupError):
                    os.kill(stray, signal.SIGKILL)
            for stray in strays:
                with suppress(ChildProcessError):
                    os.waitpid(stray, 0)

    def close(self) -> None:
        """Take nothing in any longer."""
        _WATCHES.discard(self)
        if not _WATCHES:
            take_in_orphans(on=False)

    def _is_stray(self, child: int) -> bool:
        """Whether it came back to this process: what this process starts otherwise is in its session."""
        return child not in _PROGRAMS and child not in self._strangers and stat(child).session != os.getsid(0)

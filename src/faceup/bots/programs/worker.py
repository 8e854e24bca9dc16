"""The worker process of `faceup.bots.programs.compiled_search`, which loads a compiled search and answers requests.

The worker first writes `ready`, or `cold FOLDER` if the search is not compiled, where FOLDER is the cache folder or
empty. Then it reads requests of the form `NUMBER POLICY POSITION`, in which the position is a view in text notation.
To each request it writes the answer `NUMBER ACTION`, or `NUMBER -` if it finds no action. The worker never compiles,
because this would take too long.
"""

import gc
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import get_native_id
from typing import Final

from faceup.bots.programs.players import os_seeded_generator
from faceup.bots.registry import policy
from faceup.core import read

LOADING: Final = 5
"""The niceness while loading. Loading takes a second of processor time, and must not slow down the match."""


class NotCompiledError(RuntimeError):
    """A kernel was called that is not compiled."""


def main(name: str, *samples: str) -> None:
    """Check with sample positions that all kernels are compiled, then answer requests until the input ends."""
    rng = os_seeded_generator()
    with ThreadPoolExecutor(1) as pool:
        state = pool.submit(_load, name, samples).result()
    _send(state)
    if state != "ready":
        return
    gc.disable()
    for line in sys.stdin:
        number, player, position = line.split(" ", 2)
        try:
            rules, what = read(position.strip())
            action = str(policy(rules.game, player)(rules, what, rng))
        except (ValueError, NotCompiledError):
            action = "-"
        _send(f"{number} {action}")
        gc.collect()
        gc.freeze()


def _load(name: str, samples: Sequence[str]) -> str:
    """Load the kernels at low priority, and return the state to report.

    Call this function in a separate thread, because the priority of a thread cannot be raised again.
    """
    if sys.platform == "linux":  # on other systems threads have no separate priority
        os.setpriority(os.PRIO_PROCESS, get_native_id(), LOADING)
    try:
        _forbid_compiling()
        for sample in samples:
            rules, view = read(sample)
            policy(rules.game, f"{name}@1")(rules, view, os_seeded_generator())
    except NotCompiledError:
        from faceup.games.lanes import cache_folder  # noqa: PLC0415 -- which loads numba

        return f"cold {cache_folder() or ''}"
    return "ready"


def _forbid_compiling() -> None:
    """Make every call of a kernel that is not compiled raise `NotCompiledError`."""
    from numba.core import event  # noqa: PLC0415 -- slow to load, and only here

    class CompileListener(event.Listener):
        def on_start(self, event: object) -> None:
            del event
            raise NotCompiledError

        def on_end(self, event: object) -> None:
            del event

    event.register("numba:compile", CompileListener())  # type: ignore[no-untyped-call]  # numba has no types


def _send(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

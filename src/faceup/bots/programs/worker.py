"""The process behind `faceup.bots.programs.compiled`: loads a compiled search, and answers positions line by line.

Says `ready`, or `cold FOLDER` if the search is not compiled; the folder is where it would be kept, and nothing if it
cannot be. Then reads `NUMBER POLICY POSITION`, the position a view in text notation, and answers `NUMBER ACTION`, or
`NUMBER -` if there is none. It compiles nothing: that would take longer than anybody waits.
"""

import gc
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import get_native_id
from typing import Final

from faceup.bots.lookup import policy
from faceup.bots.programs.players import unpredictable
from faceup.core import read

LOADING: Final = 5
"""The niceness of loading: it takes a second of the processor, which the players of the match need more."""


class NotCompiledError(RuntimeError):
    """A kernel is called that has not been compiled before."""


def main(name: str, *samples: str) -> None:
    """Answer until the input ends; first find out by sample positions whether all is compiled."""
    rng = unpredictable()
    with ThreadPoolExecutor(1) as pool:
        state = pool.submit(_load, name, samples).result()
    _say(state)
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
        _say(f"{number} {action}")
        gc.collect()
        gc.freeze()


def _load(name: str, samples: Sequence[str]) -> str:
    """Load all that is needed, giving way to those who play, and say how that went.

    It runs in a thread of its own, because the priority of a thread cannot be raised again.
    """
    if sys.platform == "linux":  # elsewhere threads have no priority of their own
        os.setpriority(os.PRIO_PROCESS, get_native_id(), LOADING)
    try:
        _refuse_to_compile()
        for sample in samples:
            rules, view = read(sample)
            policy(rules.game, f"{name}@1")(rules, view, unpredictable())
    except NotCompiledError:
        from faceup.games.lanes import cache_folder  # noqa: PLC0415 -- which loads numba

        return f"cold {cache_folder() or ''}"
    return "ready"


def _refuse_to_compile() -> None:
    """From now on, let every kernel raise that is not compiled."""
    from numba.core import event  # noqa: PLC0415 -- slow to load, and only here

    class Refusal(event.Listener):
        def on_start(self, event: object) -> None:
            del event
            raise NotCompiledError

        def on_end(self, event: object) -> None:
            del event

    event.register("numba:compile", Refusal())  # type: ignore[no-untyped-call]  # numba has no types


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

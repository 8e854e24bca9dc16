"""Whether a bot is ever late: real programs, the arena's protocol and clock, and a machine that is busy on all cores.

Four players that search play matches of the arena. Each decision is counted from its last line to the whole line that
answers it, on the clock of the wall, so that what the machine takes from the referee counts as well.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchmarks.playing import Answer, bot, play

FIRST_LIMIT, LIMIT = 1.0, 0.1
PLAYER = "mc"
WIDTH = 50


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep so many cores busy, at the priority of everybody else."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def answers(decisions: int, player: str = PLAYER) -> list[Answer]:
    """At least so many answers of four players, match after match."""
    found: list[Answer] = []
    seed = 0
    while len(found) < decisions:
        found += play([bot(player)] * 4, seed).answers
        seed += 1
        print(f"{len(found):,} of {decisions:,} decisions", file=sys.stderr)
    return found


def run(decisions: int) -> bool:
    """Play, print, and say whether nobody was late."""
    cores = os.cpu_count() or 1
    with busy(cores):
        found = answers(decisions)
    print(
        f"{len(found):,} decisions of four programs `faceup bot {PLAYER}`, {cores} cores kept busy by {cores} others.\n"
    )
    firsts = [answer.seconds for answer in found if answer.first]
    others = [answer.seconds for answer in found if not answer.first]
    over = _report("First answers", firsts, FIRST_LIMIT) + _report("All others", others, LIMIT)
    print("Nobody was late." if not over else f"{over:,} answers were late.")
    return not over


def late(found: list[Answer]) -> list[Answer]:
    """The answers that came after their limit.

    >>> late([Answer(0.9, True), Answer(0.05, False), Answer(0.11, False)])
    [Answer(seconds=0.11, first=False)]
    """
    return [answer for answer in found if answer.seconds > (FIRST_LIMIT if answer.first else LIMIT)]


def punctual(play: Callable[[], list[Answer]], tries: int = 3) -> bool:
    """Whether nobody was late in one of a few tries: a machine may stall, but a slow program is late every time."""
    return any(not late(play()) for _ in range(tries))


def _report(name: str, seconds: list[float], limit: float) -> int:
    ordered = sorted(seconds)
    marks = {f"p{100 * part:g}": ordered[int(part * len(ordered))] for part in (0.5, 0.99, 0.999)}
    marks["max"] = ordered[-1]
    over = sum(each > limit for each in seconds)
    told = "  ".join(f"{mark} {1000 * value:.1f} ms" for mark, value in marks.items())
    print(f"{name}: {len(seconds):,}, {over:,} over {1000 * limit:.0f} ms.  {told}")
    bins = Counter(min(int(10 * each / limit), 10) for each in seconds)
    for number in range(11):
        low, high = (f"{100 * limit * edge:.0f}" for edge in (number, number + 1))
        span = f"{low} .. {high} ms" if number < 10 else f"over {low} ms"
        bar = "#" * -(-WIDTH * bins[number] // max(bins.values()))
        print(f"  {span:>14}  {bins[number]:7,}  {bar}".rstrip())
    print()
    return over

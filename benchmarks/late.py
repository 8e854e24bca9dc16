"""Check that no bot is ever late: real programs, the arena's protocol and clock, and all cores busy.

Four players that search play matches of the arena. The time of a decision is the wall-clock time from its
last line to the complete answer line, so delays of the referee by the machine count as well.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchmarks.program_match import Answer, bot, play

FIRST_LIMIT, LIMIT = 1.0, 0.1
PLAYER = "mc"
WIDTH = 50


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep some cores busy at normal priority."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def answers(decisions: int, player: str = PLAYER) -> list[Answer]:
    """Collect at least this many answers of four players over several matches."""
    collected: list[Answer] = []
    seed = 0
    while len(collected) < decisions:
        collected += play([bot(player)] * 4, seed).answers
        seed += 1
        print(f"{len(collected):,} of {decisions:,} decisions", file=sys.stderr)
    return collected


def run(decisions: int) -> bool:
    """Play, print, and return whether no answer was late."""
    cores = os.cpu_count() or 1
    with busy(cores):
        results = answers(decisions)
    programs = f"four programs `faceup bot {PLAYER}`"
    print(f"{len(results):,} decisions of {programs}, {cores} cores kept busy by {cores} others.\n")
    firsts = [answer.seconds for answer in results if answer.first]
    others = [answer.seconds for answer in results if not answer.first]
    over = _report("First answers", firsts, FIRST_LIMIT) + _report("All others", others, LIMIT)
    print("No answer was late." if not over else f"{over:,} answers were late.")
    return not over


def late(given_answers: list[Answer]) -> list[Answer]:
    """Return the answers that came after their limit.

    >>> late([Answer(0.9, True), Answer(0.05, False), Answer(0.11, False)])
    [Answer(seconds=0.11, first=False)]
    """
    return [answer for answer in given_answers if answer.seconds > (FIRST_LIMIT if answer.first else LIMIT)]


def punctual(play: Callable[[], list[Answer]], tries: int = 3) -> bool:
    """Return whether one of a few attempts had no late answer: a machine may stall once."""
    return any(not late(play()) for _ in range(tries))


def _report(name: str, seconds: list[float], limit: float) -> int:
    ordered = sorted(seconds)
    marks = {f"p{100 * part:g}": ordered[int(part * len(ordered))] for part in (0.5, 0.99, 0.999)}
    marks["max"] = ordered[-1]
    over = sum(time > limit for time in seconds)
    quantiles = "  ".join(f"{mark} {1000 * value:.1f} ms" for mark, value in marks.items())
    print(f"{name}: {len(seconds):,}, {over:,} over {1000 * limit:.0f} ms.  {quantiles}")
    bins = Counter(min(int(10 * time / limit), 10) for time in seconds)
    for number in range(11):
        low, high = (f"{100 * limit * edge:.0f}" for edge in (number, number + 1))
        span = f"{low} .. {high} ms" if number < 10 else f"over {low} ms"
        bar = "#" * -(-WIDTH * bins[number] // max(bins.values()))
        print(f"  {span:>14}  {bins[number]:7,}  {bar}".rstrip())
    print()
    return over

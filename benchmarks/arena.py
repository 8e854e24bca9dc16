"""Measure matches of programs per second on one core, compared with bare pipes and psyleague.

Matches have one deal, ten turns of four bots, unless noted. All rows but that of two workers use one core.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks import psyleague
from benchmarks.interleave import Row, interleaved
from benchmarks.native_build import PEERS, built
from faceup.arena import Bot, Match, MatchTerms
from faceup.arena.match.referee import Referee

GAME = "nimmt:arena deals=1"
SECONDS = 1.0
"""Seconds of play for each figure."""
LEAN = (sys.executable, "-I", "-S", "-E")
PYTHON = Path(__file__).parents[1] / "tests" / "arena" / "bots" / "statement.py"
ASK = b"CHOOSE_CARD_TO_PLAY\n12 44 7 90\n2\n5 12\n1\n44\n3\n7 8 9\n1\n90\n3 0 12 7\n8\n1 2 3 40 50 60 70 80\n"
"""A request of typical size."""
MANY = 20_000
WORKER = "from benchmarks.arena import worker; print(worker({core}, {seconds}))"


def rows(times: int) -> list[Row]:
    """Measure programs started for each match, programs kept alive, Python, two workers, and memory."""
    few = max(3, times // 3)
    with on_core(0):
        figures = interleaved(
            {
                "a turn of four pipe round trips": bare,
                "a turn of four bots in C, kept": partial(turn, kept=True),
                "matches of bots in C, started for each": partial(rate, instant(alive=False)),
                "matches of bots in C, kept": partial(rate, instant(alive=True)),
                "matches of bots in Python, started for each": partial(rate, python()),
                f"psyleague {psyleague.VERSION}, with a referee that plays nothing": psyleague.rate,
            },
            few,
        )
    names = list(figures)
    trips, kept = median(figures[names[0]]), median(figures[names[1]])
    peer = names[5], median(figures[names[5]])
    pairs = interleaved({"one": partial(workers, 1), "two": partial(workers, 2)}, few)
    single, two = (median(rates) for rates in pairs.values())
    first, last = memory()
    return [
        Row(names[0], "us", figures[names[0]]),
        Row(names[1], "us", figures[names[1]], (names[0], trips), ("at most 5.5 x", kept <= 5.5 * trips)),
        *(
            Row(name, "matches/s", figures[name], peer, (f"at least {bar} x", median(figures[name]) >= bar * peer[1]))
            for name, bar in zip(names[2:5], (6, 15, 0.5), strict=True)
        ),
        Row(names[5], "matches/s", figures[names[5]]),
        Row("one worker, started for each", "matches/s", pairs["one"]),
        Row(
            "two workers, a core each",
            "matches/s",
            pairs["two"],
            ("one worker", single),
            ("at least 1.7 x", two >= 1.7 * single),
        ),
        Row(f"memory of the referee after {MANY:,} matches", "MiB", [last]),
        Row("  more than after 1,000", "MiB", [last - first], None, ("less than 1 MiB", last - first < 1)),
    ]


def instant(*, alive: bool) -> Bot:
    return Bot("C", (built(PEERS / "instant.c", "-static"),), alive=alive)


def python() -> Bot:
    return Bot("Python", (*LEAN, str(PYTHON)), phase_last=True)


def rate(bot: Bot) -> float:
    """Measure matches per second."""
    with Referee(MatchTerms(game=GAME, alive=bot.alive), {bot.name: bot}) as referee:
        played, _, seconds = matches(referee, bot, SECONDS)
    return played / seconds


def turn(*, kept: bool) -> float:
    """Measure microseconds for a turn of four bots in matches of five deals, with chance and scores."""
    bot = instant(alive=kept)
    with Referee(MatchTerms(alive=kept), {bot.name: bot}) as referee:
        _, decisions, seconds = matches(referee, bot, SECONDS)
    return seconds / decisions * 4e6


def matches(referee: Referee, bot: Bot, least: float) -> tuple[int, int, float]:
    """Return the number of matches, decisions and seconds."""
    played = decisions = 0
    start = perf_counter()
    while (seconds := perf_counter() - start) < least:
        result, _ = referee.play(Match(played, played, (bot.name,) * 4, 0), 1)
        assert not result.faults
        decisions += sum(times.count for times in result.times)
        played += 1
    return played, decisions, seconds


def bare() -> float:
    """Measure microseconds to write a decision to each of four bots and to read the answers."""
    command = instant(alive=True).command
    programs = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) for _ in range(4)]
    pipes = []
    for program in programs:
        assert program.stdin
        assert program.stdout
        pipes.append((program.stdin.fileno(), program.stdout.fileno()))
    write, read = os.write, os.read
    turns = 0
    start = perf_counter()
    while (seconds := perf_counter() - start) < SECONDS:
        for _ in range(10):
            for stdin, stdout in pipes:
                write(stdin, ASK)
                read(stdout, 4096)
        turns += 10
    for program in programs:
        program.communicate()
    return seconds / turns * 1e6


def worker(core: int, seconds: float) -> float:
    """Measure matches per second of one worker, with all of its processes on one core."""
    os.sched_setaffinity(0, {core})
    bot = instant(alive=False)
    with Referee(MatchTerms(game=GAME), {bot.name: bot}) as referee:
        matches(referee, bot, 0.2)
        played, _, took = matches(referee, bot, seconds)
    return played / took


def workers(count: int) -> float:
    """Measure matches per second of several workers, each pinned to a core."""
    cores = sorted(os.sched_getaffinity(0))[:count]
    programs = [WORKER.format(core=core, seconds=3 * SECONDS) for core in cores]
    running = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) for program in programs]
    return sum(float(process.communicate()[0]) for process in running)


def memory() -> tuple[float, float]:
    """Measure resident MiB after 1,000 matches and after many more."""
    bot = instant(alive=True)
    sizes = []
    with Referee(MatchTerms(game=GAME, alive=True), {bot.name: bot}) as referee:
        for number in range(MANY):
            referee.play(Match(number, number, (bot.name,) * 4, 0), 1)
            if number in {1000, MANY - 1}:
                pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
                sizes.append(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)
    return sizes[0], sizes[1]


@contextmanager
def on_core(number: int) -> Iterator[None]:
    """Pin this process and its children to one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cores)[number]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)

"""Measure the batch engine of 6 nimmt!, compared with two C++ loops without lanes, seeds or checks.

The loops are in `benchmarks/peers`, and are built here with g++ where there is one. One core each, unless noted.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
import numpy.typing as npt

from benchmarks.interleave import Row, interleaved
from faceup.core import make
from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt import Rules
from faceup.games.nimmt import batch as nimmt
from faceup.sim import plan, play

PEERS = Path(__file__).with_name("peers")
SEATS = (2, 4, 10)
DEALS = 1 << 19
LONG = 1 << 22
"""Deals for several threads: half a second, so that waking an idle core does not count."""
LANES = 4096
STEPS = 240
SIMD_FLAG = "avx512bw"
FIRST = """
from time import perf_counter
start = perf_counter()
from faceup.core import make
from faceup.games.nimmt.batch import playouts
playouts(make("nimmt"), lanes=1000, seed=1)
print((perf_counter() - start) * 1000)
"""
MEMORY = """
from faceup.core import make
from faceup.games.nimmt.batch import playouts, reset
rules = make("nimmt")
playouts(rules, lanes=4096, seed=1)
engine = reset(rules, lanes=4096, seed=1)
engine.mask()
engine.observe()
# Linux's own peak of resident memory; `resource` includes the parent process.
[line] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(line.split()[1]) / 1024)
"""


def rows(times: int) -> list[Row]:
    """Measure complete deals compared with the peers, threads, steps, the first use, and memory."""
    few = max(3, times // 3)
    return [*_deals(few), *_threads(few), *_steps(few), *_processes(few)]


def rules_for(seats: int) -> Rules:
    rules = make("nimmt:cowheadking", seats=seats)
    assert isinstance(rules, Rules)
    return rules


def _deals(times: int) -> list[Row]:
    """Measure deals whose results are counted, as `faceup sim` does, and deals whose results are kept.

    The C++ loops add up the results, so the deals that are counted are compared with them.
    """
    with tempfile.TemporaryDirectory() as folder:
        peers = _built(Path(folder))
        runs: dict[str, Callable[[], float]] = {}
        for seats in SEATS:
            _check_sample(rules_for(seats))
            runs[_counted(seats)] = partial(_counted_rate, seats)
            runs[_kept(seats)] = partial(_deal_rate, seats, 1)
            if "scalar" in peers:
                runs[_of_peer("scalar", seats)] = partial(_scalar, peers["scalar"], seats)
            if "simd" in peers:
                runs[_of_peer("simd", seats)] = partial(_simd, peers["simd"], seats)
        figures = interleaved(runs, times)
    return [row for seats in SEATS for row in _rows_of(seats, figures)]


def _rows_of(seats: int, figures: Mapping[str, list[float]]) -> Iterator[Row]:
    counted, kept = figures[_counted(seats)], figures[_kept(seats)]
    promises = [
        (f"{peer}.cpp", median(figures[_of_peer(peer, seats)]), least)
        for peer, least in (("simd", 1.0 if seats == 10 else 1.2), ("scalar", 4.0))
        if _of_peer(peer, seats) in figures
    ]
    row = Row(_counted(seats), "/s", counted)
    if promises:
        # The first promise is shown, unless another one is broken.
        broken = [promise for promise in promises if row.median < promise[2] * promise[1]]
        peer, _, least = (broken or promises)[0]
        row = row._replace(peer=promises[0][:2], bar=(f"{least} x {peer}", not broken))
    yield row
    bar = ("0.9 x counted", median(kept) >= 0.9 * median(counted))
    yield Row(_kept(seats), "/s", kept, ("counted", median(counted)), bar)
    for name in (_of_peer("scalar", seats), _of_peer("simd", seats)):
        if name in figures:
            yield Row(name, "/s", figures[name])


def _counted(seats: int) -> str:
    return f"6 nimmt! deals counted, {seats} seats"


def _kept(seats: int) -> str:
    return f"  kept, {seats} seats"


def _of_peer(peer: str, seats: int) -> str:
    return f"  {peer}.cpp, {seats} seats"


def _built(folder: Path) -> dict[str, str]:
    """Build the peers that can run here, by name."""
    compiler = shutil.which("g++")
    if not compiler:
        print("no g++ here: the C++ loops are left out", file=sys.stderr)
        return {}
    cpu_file = Path("/proc/cpuinfo")
    names = ["scalar", "simd"] if cpu_file.exists() and SIMD_FLAG in cpu_file.read_text("utf-8") else ["scalar"]
    for name in names:
        source, program = PEERS / f"{name}.cpp", folder / name
        subprocess.run([compiler, "-O3", "-march=native", "-Wno-psabi", source, "-o", program], check=True)
    return {name: str(folder / name) for name in names}


def _scalar(program: str, seats: int) -> float:
    done = subprocess.run([program, str(seats), str(DEALS)], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[1])


def _simd(program: str, seats: int) -> float:
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    [rate] = re.findall(rf"P={seats} .*\(([\d.]+) M deals/s", done.stdout)
    return float(rate) * 1e6


def _deal_rate(seats: int, jobs: int, deals: int = DEALS) -> float:
    rules = rules_for(seats)
    start = perf_counter()
    nimmt.playouts(rules, lanes=deals, seed=1, jobs=jobs)
    return deals / (perf_counter() - start)


def _counted_rate(seats: int) -> float:
    run = plan(rules_for(seats), ["random"], deals=DEALS, seed=1)
    start = perf_counter()
    assert sum(part.games for part in play(run, 0, DEALS)) == DEALS
    return DEALS / (perf_counter() - start)


def _check_sample(rules: Rules) -> None:
    """Check that some timed lanes end as the scalar rules do."""
    results, traced = nimmt.playouts(rules, lanes=DEALS, seed=1), nimmt.trace(rules, lanes=50, seed=1)
    for lane in range(50):
        state = rules.start()
        for move in traced.moves(lane):
            state = rules.apply(state, move).state
        assert rules.scores(state) == tuple(results.heads[lane])


def _threads(times: int) -> list[Row]:
    first, two = "6 nimmt! deals, one thread", "6 nimmt! deals, two threads"
    figures = interleaved({first: partial(_deal_rate, 4, 1, LONG), two: partial(_deal_rate, 4, 2, LONG)}, times)
    load = f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores"
    gain = median(figures[two]) / median(figures[first])
    free = (os.cpu_count() or 1) - os.getloadavg()[0] > 0.5
    bar = (f"1.9 x one thread, {load}", gain >= 1.9) if free else None
    return [
        Row(first, "/s", figures[first]),
        Row(
            two if free else f"{two} ({load}: no core to spare)",
            "/s",
            figures[two],
            ("one", median(figures[first])),
            bar,
        ),
    ]


@kernel
def _choose(mask: Array, acts: Array, actions: Array, seed: Word) -> int:
    """Choose any legal action for every seat that is to act; return their number."""
    chosen = 0
    for lane in range(mask.shape[0]):
        for seat in range(mask.shape[1]):
            actions[lane, seat] = -1
            if acts[lane, seat]:
                chosen += 1
                seed = seed * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
                action = np.int64(seed >> np.uint64(33)) % mask.shape[2]
                while not mask[lane, seat, action]:
                    action = (action + 1) % mask.shape[2]
                actions[lane, seat] = action
    return chosen


def _steps(times: int) -> list[Row]:
    name = f"6 nimmt! decisions by the step, masks and observations, batch {LANES}"
    row = Row(name, "/s", interleaved({name: _step_rate}, times)[name])
    return [row._replace(bar=("20,000,000/s", row.median >= 20_000_000))]


def _step_rate() -> float:
    """Measure decisions per CPU second, without the time to choose them."""
    engine = nimmt.reset(rules_for(4), lanes=LANES, seed=1, auto_reset=True)
    actions: npt.NDArray[np.int32] = np.empty((LANES, 4), np.int32)
    seconds, decisions = 0.0, 0
    for step in range(STEPS):
        start = process_time()
        mask, _ = engine.mask(), engine.observe()
        seconds += process_time() - start
        decisions += _choose(mask, engine.to_act(), actions, np.uint64(step))
        start = process_time()
        engine.step(actions)
        seconds += process_time() - start
    return decisions / seconds


def _processes(times: int) -> list[Row]:
    first, memory = "first result of a new process, compiled before", "memory at batch 4096"
    runs = {first: partial(_printed, FIRST)}
    if Path("/proc/self/status").exists():
        runs[memory] = partial(_printed, MEMORY)
    bars = {first: ("ms", 1000), memory: ("MB", 200)}
    rows = []
    for name, values in interleaved(runs, times).items():
        unit, most = bars[name]
        rows.append(Row(name, unit, values, None, (f"{most:,} {unit}", median(values) < most)))
    return rows


def _printed(program: str) -> float:
    """Return the number that a program prints, with warm bytecode caches."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", program]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=environ).stdout)

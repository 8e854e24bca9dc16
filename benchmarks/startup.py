"""Measure the import of faceup and `faceup --help`."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.interleave import Row, interleaved

FACEUP = str(Path(sys.executable).with_name("faceup"))


def rows(times: int) -> list[Row]:
    """Measure `import faceup` compared with `import chess`, and `faceup --help` compared with an empty Python."""
    figures = interleaved(
        {
            "import chess": partial(_import, "chess"),
            "import faceup": partial(_import, "faceup.core"),  # `import faceup` alone loads its modules lazily
            "python -c pass": partial(_process, sys.executable, "-c", "pass"),
            "faceup --help": partial(_process, FACEUP, "--help"),
        },
        times,
    )
    middle = {name: median(values) for name, values in figures.items()}
    chess, bare = middle["import chess"], middle["python -c pass"]
    enough = middle["faceup --help"] <= 3 * bare + 60
    peers = {"import faceup": ("chess", chess), "faceup --help": ("pass", bare)}
    bars = {
        "import faceup": ("no longer than chess", middle["import faceup"] <= chess),
        "faceup --help": (f"3 x pass + 60 ms = {3 * bare + 60:.0f} ms", enough),
    }
    return [Row(name, "ms", values, peers.get(name), bars.get(name)) for name, values in figures.items()]


def _import(module: str) -> float:
    """Measure milliseconds of a fresh interpreter for the import alone."""
    program = f"from time import perf_counter as now; start = now(); import {module}; print((now() - start) * 1000)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(done.stdout)


def _process(*command: str) -> float:
    """Measure milliseconds from the start of the command to its exit."""
    start = perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return (perf_counter() - start) * 1000

"""Measure lines per second of the commands for scripts, from process start to exit."""

import json
import random
import subprocess
from functools import partial
from time import perf_counter

from benchmarks.interleave import Row, interleaved
from benchmarks.startup import FACEUP

MANY = 20_000
GAMES = 200


def rows(times: int) -> list[Row]:
    """Measure `nimmt place`, `niuniu score` and `war play` with `--ndjson`."""
    rng = random.Random(1)  # noqa: S311 -- any hands will do
    inputs: dict[str, list[dict[str, object]]] = {
        "faceup nimmt place": [_turn(rng) for _ in range(MANY)],
        "faceup niuniu score": [{"dice": rng.choices(range(1, 7), k=5)} for _ in range(MANY)],
        "faceup war play": [{"deck": _deck(rng), "seed": seed} for seed in range(GAMES)],
    }
    runs = {name: partial(_rate, name.split()[1:], lines) for name, lines in inputs.items()}
    figures = interleaved(runs, max(2, times // 4))
    bars = {name: (f"{MANY:,} lines in seconds", min(figures[name]) >= MANY / 10) for name in [*inputs][:2]}
    return [Row(name, "lines/s", values, None, bars.get(name)) for name, values in figures.items()]


def _turn(rng: random.Random) -> dict[str, object]:
    cards = rng.sample(range(1, 105), 8)
    return {"rows": [[card] for card in cards[:4]], "plays": cards[4:], "take": 0}


def _deck(rng: random.Random) -> list[str]:
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
    rng.shuffle(deck)
    return deck


def _rate(command: list[str], lines: list[dict[str, object]]) -> float:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    start = perf_counter()
    done = subprocess.run([FACEUP, *command, "--ndjson"], input=text, capture_output=True, text=True, check=True)
    seconds = perf_counter() - start
    answers = done.stdout.splitlines()
    assert len(answers) == len(lines)
    assert not any('"error"' in answer for answer in answers)
    return len(lines) / seconds

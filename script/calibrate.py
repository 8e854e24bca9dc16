"""Compare the coach's costs with those that a referee finds, for docs/explanation/coach.md. See `script/calibrate`.

The referee deals the hidden hands uniformly, and after the choice, every seat plays the card that the network rates
best. The difference between the choice and the coach's best option is its cost.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from typing import Any, Final
from zlib import crc32

import msgspec
import numpy as np
from grades import play
from network_playouts import network_playouts
from regenerate import ROOT, write_section

from faceup.bots import levels
from faceup.coach import SearchBudget, decision_points, evaluate_decisions
from faceup.coach.decisions import Decision, Grade
from faceup.coach.judgement import RANDOM, RATINGS, WORLDS
from faceup.coach.text import GRADES
from faceup.core import SeededGenerator, make
from faceup.core.record import replay
from faceup.formatting import markdown_table

PAGE: Final = ROOT / "docs" / "explanation" / "coach.md"
LOGS: Final = ROOT / "build" / "calibration"

PLAYERS: Final = ("gentle", "steady", "sharp", "greedy")
"""The bots, which change their seats from game to game."""

FIRST_GAME: Final = 10_000
"""The number of the first game. The scales of the coach were chosen with other games."""

PER_GAME: Final = 4
"""The number of decisions from each game, at random."""

TURNS: Final = 500
"""The turns that the referee plays for each option: worlds times the number of cards in hand."""

FEWEST_DECISIONS: Final = 5
"""The least number of decisions of a grade for a row of the table."""


class Calibrated(msgspec.Struct, frozen=True):
    """A decision: the coach's grade and cost, and the referee's cost and its standard error."""

    grade: Grade
    cost: float
    referee: float
    error: float


def decisions() -> Iterator[Decision]:
    """Yield decisions with several options, with the coach's judgement."""
    rules = make("nimmt", seats=len(PLAYERS))
    game = FIRST_GAME
    while True:
        first = game % len(PLAYERS)
        record = play(rules, (*PLAYERS[first:], *PLAYERS[:first]), game)
        points = decision_points(record, list(replay(record)), range(rules.seats))
        several = [point for point in points if len(point.view.legal) > 1]
        rng = SeededGenerator(1, game)
        drawn = [several.pop(rng.below(len(several))) for _ in range(PER_GAME)]
        yield from evaluate_decisions(rules, drawn, SearchBudget(player="deep"))
        game += 1


def calibrate(decision: Decision, number: int) -> Calibrated:
    """Let the referee compare the choice with the coach's best option."""
    if decision.grade == "best":
        return Calibrated("best", 0.0, 0.0, 0.0)
    rules: Any = make("nimmt", seats=len(PLAYERS))  # Any: the playouts need the rules and views of 6 nimmt!
    view: Any = decision.view
    worlds = max(TURNS // max(1, len(view.hand)), 1)
    actions = decision.action, decision.best.action
    chosen, best = network_playouts(rules, view, actions, worlds=worlds, seed=number)
    differences = chosen.astype(np.float64) - best
    error = float(differences.std()) / sqrt(worlds)
    return Calibrated(decision.grade, decision.cost.value, float(differences.mean()), error)


def calibrated(count: int) -> list[Calibrated]:
    """Return this many decisions, the first of which may be in the log."""
    digest = crc32(repr(([levels("nimmt")[name] for name in PLAYERS[:3]], WORLDS, RATINGS, RANDOM)).encode())
    log = LOGS / f"{digest:08x}.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    lines = log.read_bytes().splitlines() if log.exists() else []
    results = [msgspec.json.decode(line, type=Calibrated) for line in lines[:count]]
    with log.open("ab") as file:
        for number, decision in enumerate(islice(decisions(), len(results), count), len(results)):
            results.append(calibrate(decision, number))
            file.write(msgspec.json.encode(results[-1]) + b"\n")
            file.flush()
    return results


def table(results: list[Calibrated]) -> str:
    """Return a row for each grade with enough decisions."""
    rows = []
    for grade in GRADES:
        of_grade = [result for result in results if result.grade == grade]
        count = len(of_grade)
        if grade == "best" or count < FEWEST_DECISIONS:
            rows.append([grade, str(count), *[""] * 3])
            continue
        mean = sum(result.referee for result in of_grade) / count
        error = sqrt(sum((result.referee - mean) ** 2 for result in of_grade) / (count - 1) / count)
        cost = sum(result.cost for result in of_grade) / count
        no_error = sum(result.referee <= 0 for result in of_grade) / count
        rows.append([grade, str(count), f"{cost:.2f}", f"{mean:.2f} ±{2 * error:.2f}", f"{no_error:.0%}"])
    return markdown_table(["grade", "decisions", "cost by the coach", "by the referee", "no error"], rows)


def main() -> None:
    """Write the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=500, help="number of decisions (default 500)")
    count = parser.parse_args().decisions
    made = f"{table(calibrated(count))}\n\n```sh\n./script/calibrate --decisions {count}\n```"
    write_section(PAGE, "calibrate", made)


if __name__ == "__main__":
    main()

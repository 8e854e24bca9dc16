"""Measure deals that search plays to the end in the arena's time limit, on one core."""

from functools import partial

from benchmarks.interleave import Row, interleaved
from faceup.bots import evaluate
from faceup.core import AnyRules, SeededGenerator, View, draw, make

SECONDS = 0.1
BAR = 500_000
SEATS = (4, 10)


def rows(times: int) -> list[Row]:
    """Measure each search in the first turn of a deal, which takes longest, and in the fifth."""
    runs = {
        f"deals that {player} plays out in 100 ms, {seats} seats, turn {turn}": partial(
            _played_out, player, seats, turn
        )
        for player in ("mc", "deep")
        for seats in SEATS
        for turn in (1, 5)
    }
    rows = []
    for name, values in interleaved(runs, times).items():
        row = Row(name, "", values)
        promised = name.startswith("deals that mc") and name.endswith("4 seats, turn 1")
        rows.append(row._replace(bar=(f"{BAR:,}", row.median >= BAR)) if promised else row)
    return rows


def _played_out(player: str, seats: int, turn: int) -> float:
    rules = make("nimmt:cowheadking", seats=seats)
    view = _view(rules, turn)
    return float(sum(option.worlds for option in evaluate(rules, view, player=player, seconds=SECONDS, seed=1).options))


def _view(rules: AnyRules, turn: int) -> View:
    """Return seat 0's view before this turn, after turns in which all seats played their middle card."""
    state = rules.start()
    state = rules.apply(state, draw(rules, state, SeededGenerator(7))).state
    while True:
        view: View = rules.view(state, 0)
        if len(rules.to_act(state)) > 1 and len(view.legal) == 11 - turn:
            return view
        move = {seat: (legal := rules.legal(state, seat))[len(legal) // 2] for seat in rules.to_act(state)}
        state = rules.apply(state, move).state
